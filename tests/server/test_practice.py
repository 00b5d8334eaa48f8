"""The practice survey: the respondents' own page for everybody, and nothing stored."""

import re

import pytest

from server import create_app
from server.config import Config
from server.language.catalogue import LANGUAGES
from server.public.practice import practice, published
from server.respond.rendering import page_bytes

OWN = {"Sec-Fetch-Site": "same-origin"}
BODY = {"copied": "1", "receipt": "0" * 32}


def everything(database):
    """Return the bytes of a database: its file, and what has not got into it yet."""
    return {path.name: path.read_bytes() for path in sorted(database.parent.glob(f"{database.name}*"))}


def test_it_is_the_respondents_page_with_their_policy_and_leaves_no_cookie(app, door):
    client = app.test_client()
    for language in ("", "?language=en", "?language=ko"):
        page = client.get(f"/try{language}")
        assert page.status_code == 200
        assert page.headers["Content-Security-Policy"] == door.get().headers["Content-Security-Policy"]
        assert "Set-Cookie" not in page.headers
        assert page.headers["Cache-Control"] == "no-cache"
    with app.test_request_context("/s/try"):
        real = re.findall(r"js/[\w/]+\.js", page_bytes(published()).decode())
    assert [name for name in re.findall(r"js/[\w/]+\.js", page.text) if "practice" not in name] == real


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_of_the_address(app, language):
    page = app.test_client().get(f"/try?language={language}", headers={"Accept-Language": "fr"}).text
    assert f'data-language="{language}"' in page
    shown = re.findall(r'<p [^>]*data-spoken lang="(\w+)" dir="ltr">', page)
    assert shown == [language, language], "the notice, and the ways at the end; the others are hidden"


def test_it_says_that_nothing_is_stored_instead_of_that_it_is_stored_once(app, door):
    page = app.test_client().get("/try").text
    assert "stored once" in door.get().text
    assert "stored once" not in page
    for sentence in ("Nothing you send here is stored.", "thrown away", "아무것도 저장되지 않습니다."):
        assert sentence in page


def test_nothing_is_written_whatever_comes(app, database):
    client = app.test_client()
    client.get("/try")
    before = everything(database)
    assert before
    bodies = (BODY, BODY, {}, {"x": "y" * 60_000}, {f"x{n}": "1" for n in range(1200)})
    answers = [client.post("/try", data=body, headers=OWN) for body in bodies]
    assert [answer.status_code for answer in answers] == [200] * len(bodies)
    assert all('data-outcome="stored"' in answer.text for answer in answers), "the page ends as a real one"
    assert all("Nothing you send here is stored." in answer.text for answer in answers)
    assert client.get("/try").status_code == 200
    assert everything(database) == before


def test_no_visit_is_counted_and_the_database_is_not_asked(app, monkeypatch):
    services = app.extensions["candor"]

    def refuse(*arguments):
        pytest.fail("the database was asked")

    monkeypatch.setattr(type(services.storage), "read", refuse)
    monkeypatch.setattr(type(services.storage), "write", refuse)
    monkeypatch.setattr(services.committer, "start", refuse)
    client = app.test_client()
    assert client.get("/try").status_code == 200
    assert client.post("/try", data=BODY, headers=OWN).status_code == 200


def test_only_its_own_page_is_answered_and_only_so_often(tmp_path, clock):
    client = create_app(Config(database=tmp_path / "limited.db", rate_limit=2), clock).test_client()
    assert client.post("/try", data=BODY).status_code == 403
    answers = [client.post("/try", data=BODY, headers=OWN) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 'data-outcome="busy"' in answers[-1].text
    assert answers[-1].headers["Retry-After"]
    assert client.get("/try").status_code == 200


def test_a_body_that_is_longer_than_any_of_a_page_is_refused(app):
    assert app.test_client().post("/try", data={"x": "y" * 70_000}, headers=OWN).status_code == 413


def test_the_answer_may_stand_in_the_frame_of_the_page(app):
    answer = app.test_client().post("/try", data=BODY, headers=OWN)
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers


def test_it_shows_every_kind_of_question_and_protects_what_it_asks():
    kinds = {question.kind for question in practice().questions}
    assert kinds == {"yes_no", "choice", "boxes", "number"}
    assert set(practice().languages) == set(LANGUAGES)
    assert len(practice().questions) == 5
