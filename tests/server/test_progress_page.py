"""What takes long to work out says how far it is, on a page that goes on by itself, and on a terminal."""

import re
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from threading import Event

import pytest
from flask import redirect

from server.cli.shared.progress_bar import progress_bar
from server.drafts.planning import plan_cache
from server.staff import progress_page
from server.staff.progress_page import answer_after
from server.store import surveys
from survey.progress import tell

ADDRESS = "/admin/surveys/health"


@pytest.fixture
def at_once(monkeypatch):
    """Let nobody wait for a moment before the page says how far it is."""
    monkeypatch.setattr(progress_page, "patience", lambda: 0)
    monkeypatch.setattr(progress_page, "STEP", 0.01)


@pytest.fixture
def work():
    """Work that is a quarter done, until it is told to end."""

    class Quarter:
        end = Event()

        def __call__(self, listener):
            listener(0.25)
            listener(0.2)
            assert self.end.wait(10)

    return Quarter()


def parts_shown(text):
    return [int(value) for value in re.findall(r'<progress max="100" value="(\d+)"', text)]


def test_a_page_says_how_far_the_work_is_and_then_loads_what_was_asked_for(staff_app, work, at_once):
    with staff_app.test_request_context("/admin/x"):
        answer = answer_after(work, lambda: pytest.fail("the page is loaded again"))
        assert answer.headers["X-Accel-Buffering"] == "no"
        pieces = answer.iter_encoded()
        begun = b"".join(next(pieces) for _ in range(3)).decode()
        assert "Working it out" in begun
        assert parts_shown(begun) == [25], "and it never falls"
        work.end.set()
        rest = b"".join(pieces).decode()
    assert '<meta http-equiv="refresh" content="0">' in rest
    assert (begun + rest).rstrip().endswith("</html>")


def test_where_a_form_leads_the_page_goes_too(staff_app, work, at_once):
    with staff_app.test_request_context("/admin/x", method="POST"):
        pieces = answer_after(work, lambda: redirect("/admin/y?a=1&b=2")).iter_encoded()
        next(pieces)
        work.end.set()
        assert 'content="0; url=/admin/y?a=1&amp;b=2"' in b"".join(pieces).decode()


def test_why_a_form_was_refused_stands_on_the_page(staff_app, work, at_once):
    with staff_app.test_request_context("/admin/x", method="POST"):
        refusal = '<html><main id="main"><p>It has changed.</p></main></html>'
        pieces = answer_after(work, lambda: (refusal, 409)).iter_encoded()
        next(pieces)
        work.end.set()
        rest = b"".join(pieces).decode()
    assert "<p>It has changed.</p></main>" in rest
    assert rest.count("</main>") == 1


def test_work_that_fails_says_so_and_loads_nothing_again(staff_app, work, at_once):
    def fail(listener):
        work(listener)
        raise ZeroDivisionError

    with staff_app.test_request_context("/admin/x"):
        pieces = answer_after(fail, lambda: pytest.fail("nothing was worked out")).iter_encoded()
        next(pieces)
        work.end.set()
        told = []
        with pytest.raises(ZeroDivisionError):
            told.extend(pieces)
    assert b"Something went wrong on our side." in told[-1]


def test_what_is_soon_there_is_answered_at_once(staff_app):
    with staff_app.test_request_context("/admin/x"):
        assert answer_after(lambda listener: listener(0.5), lambda: "done") == "done"


def test_the_page_that_waits_for_a_plan_is_followed_by_one_that_has_it(
    admin, storage, survey_file, at_once, monkeypatch
):
    asked = [{"id": name, "wording": {"en": f"{name}?"}, "mechanism": "spinner_coin"} for name in "ab"]
    storage.write(surveys.create_draft, survey_file("health", candor=3, questions=asked))
    patience = iter([None, 0, None, None])  # for its channels, then for its plan
    monkeypatch.setattr(progress_page, "patience", lambda: next(patience))
    address = f"{ADDRESS}/plan?total=1.5&respondents=900"
    text = admin.get(address).text
    assert parts_shown(text)[0] < 100
    assert "Use this plan" not in text
    monkeypatch.setattr(plan_cache.PLANS, "run", None)  # whatever searches now fails
    assert "Use this plan" in admin.get(address).text


def test_whoever_loads_the_page_again_sees_how_far_the_same_search_is():
    begun, end, told = Event(), Event(), ([], [])

    def search(document):
        begun.set()
        assert end.wait(10)
        tell(0.7)
        return "planned"

    def wait(place):
        return plan_cache.worked_out(search, {"slug": str(told)}, (), told[place].append)

    with ThreadPoolExecutor() as threads:
        first = threads.submit(wait, 0)
        assert begun.wait(10)
        second = threads.submit(wait, 1)
        while len(next(iter(plan_cache.WAITING.values()))) < 2:
            pass
        end.set()
        assert first.result() == second.result() == "planned"
    assert told == ([0.7], [0.7])
    assert plan_cache.WAITING == {}


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "shown"), [(Terminal(), True), (StringIO(), False)])
def test_a_command_that_takes_longer_than_a_moment_says_how_far_it_is_on_a_terminal(stream, shown):
    seconds = iter([0.0, 0.5, 2.0])
    with progress_bar("Planning", stream, lambda: next(seconds)):
        tell(0.4)
        assert stream.getvalue() == ""
        tell(0.6)
    assert ("60%" in stream.getvalue(), "40%" in stream.getvalue()) == (shown, False)
