"""Pages that a server imports when somebody first asks for one of them."""

import sys
from threading import Barrier, Thread

import pytest

from server import create_app
from server.application import load_late, load_rooms
from server.config import Config
from server.providers import SignInRules
from server.web.files.assets import version_served
from server.web.late_pages import LatePages


@pytest.fixture
def late(staff_database, clock):
    """An application that has the pages of respondents alone."""
    app = create_app(Config(database=staff_database), clock, create=False, late=True)
    yield app
    app.extensions["candor"].storage.close()


@pytest.fixture
def whole(staff_database, clock):
    """An application that has had all pages from the start."""
    app = create_app(Config(database=staff_database), clock, create=False)
    yield app
    app.extensions["candor"].storage.close()


def addresses(app):
    return {rule.rule for rule in app.url_map.iter_rules()}


def test_it_begins_with_the_pages_of_respondents_and_load_balancers(late):
    prefixes = {rule.split("/")[1] for rule in addresses(late)}
    assert prefixes == {"s", "healthz", "readyz"}


@pytest.mark.parametrize("address", ["/healthz", f"/static/{version_served()}/mark.svg"])
def test_they_and_all_files_are_answered_without_the_others(late, address):
    before = addresses(late)
    assert late.test_client().get(address).status_code == 200
    assert addresses(late) == before


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_for_any_other_page_adds_them_all(late, whole, method):
    answer = late.test_client().open("/login", method=method)
    assert answer.status_code == whole.test_client().open("/login", method=method).status_code
    assert addresses(late) == addresses(whole)


def test_so_does_a_page_of_respondents_that_leads_to_one_of_them(late, whole):
    answer = late.test_client().get("/s/nowhere")
    assert (answer.status_code, answer.data) == (404, whole.test_client().get("/s/nowhere").data)


def test_what_talks_to_a_provider_is_imported_with_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "server.staff.provider.client", None)
    monkeypatch.delattr("server.staff.provider.client", raising=False)
    load_late(Config())
    with pytest.raises(ImportError):
        load_late(Config(oidc=SignInRules(providers=("one",))))


def test_an_address_that_nobody_has_is_none(late):
    with late.test_request_context(), pytest.raises(Exception, match="Could not build url"):
        late.url_for("nobody.has")


def test_requests_that_come_together_wait_until_all_are_added(late):
    loaded, together, statuses = [], Barrier(4), []
    pages = LatePages(late, lambda: loaded.append(1) or load_rooms())

    def ask():
        together.wait()
        pages({"PATH_INFO": "/login", "REQUEST_METHOD": "GET"}, None)

    pages.application = lambda *_: statuses.append(pages.complete)
    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (loaded, statuses) == ([1], [True] * 4)
