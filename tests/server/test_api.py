"""The interface for programs, read: who is let in, what they see, and how they ask for it."""

import csv
import io
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from server import create_app
from server.config import Config
from server.runtime import offload
from server.store import surveys
from server.store.results import visible_results
from server.store.staff import accounts, attempts, tokens
from server.store.surveys import SurveyGone
from survey.figures.cross_figures import cross_axes


@pytest.fixture
def publish(publish_exams):
    return publish_exams


@pytest.fixture
def ada(program):
    """A program that reads with a token of the admin's."""
    return program("ada")


def sentence(answer):
    assert answer.mimetype == "application/problem+json"
    assert (answer.json["status"], answer.json["type"][:17]) == (answer.status_code, "/api/v1/#problem-")
    return answer.json["detail"]


# Who is let in


def test_a_program_asks_with_a_token_and_learns_what_it_may_do(program):
    assert program("ada", writes=True).get("/token").json == {
        "account": "ada",
        "role": "admin",
        "token": "tests",
        "writes": True,
        "all_surveys": True,
        "expires": None,
    }


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic YWRhOmE=", "candor_x"])
def test_nobody_is_let_in_without_a_token(ada, header):
    answer = ada.client.get("/api/v1/surveys", headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Candor"'
    assert "You can make one on the page of your account." in sentence(answer)


def test_a_session_is_no_token_and_a_token_is_no_session(browse, ada):
    browser = browse("admin")
    assert browser.client.get("/api/v1/surveys").status_code == 401
    answer = ada.client.get("/account", headers={"Authorization": f"Bearer {ada.secret}"})
    assert answer.location == "/login?next=/account"
    assert "Set-Cookie" not in ada.get("/surveys?language=ko").headers


@pytest.mark.parametrize("end", ["revoked", "expired", "account"])
def test_a_token_that_has_ended_lets_nobody_in(program, storage, clock, end):
    storage.write(accounts.insert, "eve", "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$eve", "admin")
    eve = program("eve", expires="2026-05-04")
    assert eve.get("/token").status_code == 200
    if end == "revoked":
        (token,) = storage.read(tokens.of_account, eve.account.id)
        storage.write(tokens.revoke, eve.account.id, token.id)
    elif end == "expired":
        clock.forward(24 * 60 * 60)
    else:
        storage.write(accounts.delete, eve.account.id)
    answer = eve.get("/token")
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert eve.secret not in answer.text


def test_wrong_tokens_wait_and_a_right_one_from_the_same_address_does_not(ada):
    wrong = {"Authorization": "Bearer candor_guess"}
    answers = [ada.ask("GET", "/token", wrong).status_code for _ in range(5)]
    assert answers == [401, 401, 401, 401, 429]
    answer = ada.ask("GET", "/token", wrong)
    assert answer.headers["Retry-After"] == "1"
    assert "You can try again in 1 second." in sentence(answer)
    assert ada.get("/token").status_code == 200


def test_a_program_that_goes_on_with_a_token_that_has_ended_keeps_nobody_from_signing_in(
    program, browse, clock
):
    ended = program("ben", expires="2020-01-01")
    for _ in range(30):
        assert ended.get("/surveys").status_code == 401
        clock.forward(attempts.LONGEST_WAIT)
    ended.get("/surveys")
    assert ended.get("/surveys").status_code == 429
    assert browse().sign_in().status_code == 302


def test_the_day_of_the_last_use_is_noted_once_a_day(ada, storage, clock, monkeypatch):
    noted = []
    monkeypatch.setattr(tokens, "note_use", lambda db, *given: noted.append(given))
    ada.get("/token")
    assert [day for _, day in noted] == ["2026-05-04"]
    monkeypatch.undo()
    ada.get("/token")
    clock.forward(60 * 60)
    ada.get("/token")
    assert [each.used for each in storage.read(tokens.of_account, ada.account.id)] == ["2026-05-04"]


# What they see


@pytest.mark.engines
def test_surveys_are_listed_the_latest_first_and_drafts_to_admins_only(program, storage, publish):
    publish("first")
    publish("second", close=False)
    storage.write(surveys.create_draft, {"slug": "third", "title": {"en": "Third"}})
    listed = program("ada").get("/surveys").json
    assert [(each["slug"], each["state"], each["respondents"]) for each in listed["surveys"]] == [
        ("third", "draft", None),
        ("second", "open", 50),
        ("first", "closed", 60),
    ]
    assert listed["total"] == 3
    ben = program("ben")
    assert [each["slug"] for each in ben.get("/surveys").json["surveys"]] == ["second", "first"]
    assert [each["slug"] for each in ben.get("/surveys?state=open").json["surveys"]] == ["second"]
    assert ben.get("/surveys/third").status_code == 404


def test_a_token_shows_the_surveys_that_it_is_for_and_no_others(program, publish):
    mine, other = publish("mine", respondents=1), publish("other", respondents=1)
    limited = program("ben", surveys={mine.id})
    assert [each["slug"] for each in limited.get("/surveys").json["surveys"]] == ["mine"]
    assert limited.get("/surveys/mine/estimates").status_code == 200
    for path in ("", "/definition", "/estimates", "/reports", "/channels", "/codebook"):
        hidden, missing = (limited.get(f"/surveys/{slug}{path}") for slug in (other.slug, "none"))
        assert (hidden.status_code, hidden.data) == (404, missing.data)
        assert "There is no survey of this name that your token may see." in sentence(hidden)


@pytest.mark.engines
def test_the_definition_is_the_survey_file(ada, publish, survey_file):
    survey = publish()
    answer = ada.get("/surveys/exams/definition")
    assert answer.json == survey.publication.definition.as_dict()
    assert answer.get_etag() == (survey.publication.fingerprint, False)


def test_estimates_are_those_of_the_download(program, publish, browse):
    publish()
    browser = browse("researcher")
    for query in ("", "?confidence_level=0.9&method=wilson"):
        text = browser.get(f"/results/exams/estimates.csv{query}").text.lstrip("\ufeff")
        rows = program("ben").get(f"/surveys/exams/quantities{query}").json["quantities"]
        expected = [float(row["estimate"]) for row in csv.DictReader(io.StringIO(text)) if row["estimate"]]
        assert [row["estimate"] for row in rows if row["estimate"] is not None] == expected
        ours = program("ben").get(f"/surveys/exams/estimates{query}").json
        assert ours == browser.get(f"/results/exams/estimates.json{query}").json
    assert program("ben").get("/surveys/exams/estimates?simultaneous=true").json["simultaneous"] is True


@pytest.mark.engines
def test_reports_come_in_pages_that_make_up_the_download(program, publish, browse):
    publish()
    ben, path, rows = program("ben"), "/surveys/exams/reports?per_page=25", []
    seen = []
    while path:
        answer = ben.get(path)
        seen.append(len(answer.json["reports"]))
        rows += answer.json["reports"]
        following = {link["rel"]: link for link in links(answer)}.get("next")
        path = following and following["address"].removeprefix("http://localhost/api/v1")
    download = browse("researcher").get("/results/exams/reports.csv").text
    header, *expected = csv.reader(io.StringIO(download))
    assert seen == [25, 25, 10]
    assert answer.json["columns"] == header
    assert rows == [[int(code) for code in row] for row in expected]


def links(answer):
    """Take the Link header apart."""
    parts = [each.split("; rel=") for each in answer.headers["Link"].split(", ")]
    return [{"address": address.strip("<>"), "rel": relation.strip('"')} for address, relation in parts]


def test_a_page_links_to_its_neighbours_and_keeps_the_other_parameters(ada, publish):
    publish("first", respondents=1)
    publish("second", respondents=1)
    publish("third", respondents=1)
    found = links(ada.get("/surveys?per_page=1&page=2&state=closed"))
    pages = {each["rel"]: each["address"].removeprefix("http://localhost/api/v1/surveys?") for each in found}
    assert pages == {
        relation: f"state=closed&page={page}&per_page=1"
        for relation, page in (("first", 1), ("prev", 1), ("next", 3), ("last", 3))
    }
    assert ada.get("/surveys?page=9").json["surveys"] == []


def test_reports_and_tables_of_an_open_survey_are_withheld(ada, publish):
    publish(close=False)
    for path in ("reports", "cross?row=copied&column=data"):
        answer = ada.get(f"/surveys/exams/{path}")
        assert answer.status_code == 409
        assert "once the survey is closed" in sentence(answer)


def test_reports_of_a_survey_that_was_closed_a_moment_ago_are_being_prepared(ada, publish, storage):
    survey = publish(close=False)
    storage.write(surveys.close_survey, survey.id)
    answer = ada.get("/surveys/exams/reports")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert sentence(answer).startswith("The survey was closed a short time ago.")


def test_a_table_of_two_questions_is_that_of_the_download(ada, publish, browse):
    publish()
    query = "row=copied&column=data&answer=no&group=no&other"
    ours = ada.get(f"/surveys/exams/cross?{query}_group=yes").json
    text = browse("researcher").get(f"/results/exams/cross.csv?{query}=yes").text.lstrip("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [each["quantity"] for each in ours["quantities"]] == [row["quantity"] for row in rows]
    assert [each["value"] for each in ours["quantities"]] == [
        float(row["value"]) if row["value"] else None for row in rows
    ]


def test_channels_and_codebook_are_those_of_the_downloads(ada, publish, browse):
    publish()
    browser = browse("researcher")
    assert ada.get("/surveys/exams/channels").json == browser.get("/results/exams/channels.json").json
    text = browser.get("/results/exams/codebook.csv").text.lstrip("\ufeff")
    codes = ada.get("/surveys/exams/codebook").json["codes"]
    assert [str(each["code"]) for each in codes] == [row["code"] for row in csv.DictReader(io.StringIO(text))]


def test_a_draft_has_no_results(ada, storage):
    storage.write(surveys.create_draft, {"slug": "health"})
    for path in ("estimates", "reports", "channels", "codebook", "cross?row=a&column=b"):
        answer = ada.get(f"/surveys/health/{path}")
        assert answer.status_code == 409
        assert sentence(answer).startswith("The survey health is still a draft.")


@pytest.mark.parametrize("name", ["plain", "sections"])
def test_surveys_of_every_kind_and_state_are_given_whole(tmp_path, clock, program_of, installations, name):
    path = Path(shutil.copy(installations[name], tmp_path / "candor.db"))
    app = create_app(Config(database=path), clock)
    storage = app.extensions["candor"].storage
    reader = program_of(app, name=storage.read(accounts.all_accounts)[0].name)
    published = [each for each in storage.read(surveys.all_surveys) if each.publication]
    assert {each.state for each in published} == {"open", "closed"}
    for survey in published:
        paths = ["", "/definition", "/estimates", "/quantities", "/channels", "/codebook"]
        if survey.state == "closed":
            first, *others = cross_axes(survey.publication)
            paths += ["/reports", *(f"/cross?row={first}&column={other}" for other in others)]
        for path in paths:
            answer = reader.get(f"/surveys/{survey.slug}{path}")
            assert (path, answer.status_code) == (path, 200)
            json.loads(answer.data, parse_constant=pytest.fail)  # NaN is not JSON
    storage.close()


# How they ask


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/surveys?page=0", "page must be a whole number from 1 to 1000000, got '0'."),
        ("/surveys?page=x", "page must be a whole number from 1 to 1000000, got 'x'."),
        ("/surveys?per_page=201", "per_page must be a whole number from 1 to 200, got '201'."),
        ("/surveys?state=new", "state must be one of draft, open, closed, got 'new'."),
        ("/surveys?pages=2", "pages must be absent (known here: page, per_page, state), got '2'."),
        ("/surveys?page=1&page=2", "page must be given once, got ['1', '2']."),
        ("/surveys/exams/estimates?confidence_level=2", "one of 0.8, 0.9, 0.95, 0.99, got '2'."),
        ("/surveys/exams/estimates?simultaneous=maybe", "simultaneous must be true or false, got 'maybe'."),
        ("/surveys/exams/cross?row=copied", "column is missing; it must be a text."),
        ("/surveys/exams/cross?row=copied&column=x", "column must be one of copied, data, got 'x'."),
        ("/surveys/exams/cross?row=data&column=data", "must be another column than row, got 'data'."),
        ("/surveys/exams/cross?row=copied&column=data&group=maybe", "group must be one of no, yes, got"),
    ],
)
def test_a_wrong_parameter_is_named_with_its_range_and_its_value(ada, publish, path, said):
    publish(respondents=1)
    answer = ada.get(path)
    assert answer.status_code == 422
    assert said in sentence(answer)
    assert answer.json["faults"][0]["sentence"] in sentence(answer)


def test_whoever_has_the_answer_is_told_so(ada, publish):
    publish(respondents=1)
    for path in ("/surveys", "/surveys/exams", "/surveys/exams/definition", "/surveys/exams/estimates"):
        first = ada.get(path)
        assert first.headers["Cache-Control"] == "private, no-cache"
        again = ada.get(path, If_None_Match=first.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert ada.get(path, If_None_Match='"other"').status_code == 200


def test_every_error_is_a_problem_in_the_language_that_is_asked_for(ada):
    for method, path, status in (("GET", "/none", 404), ("DELETE", "/token", 405), ("TRACE", "/token", 405)):
        answer = ada.ask(method, path)
        assert answer.status_code == status
        sentence(answer)
    assert "GET" in ada.ask("DELETE", "/token").headers["Allow"]
    assert ada.get("/none", Accept_Language="ko").json["title"] == "그런 주소가 없습니다."


def test_a_defect_is_told_without_its_reasons(staff_app, ada, monkeypatch):
    def fail(*given):
        raise RuntimeError("a secret")

    monkeypatch.setattr(tokens, "holder", fail)
    answer = ada.get("/token")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    sentence(answer)


def test_a_survey_that_is_deleted_while_it_is_read_is_not_there(ada, publish, monkeypatch):
    publish()

    def gone(db, survey):
        raise SurveyGone

    monkeypatch.setattr(visible_results, "results", gone)
    assert ada.get("/surveys/exams/estimates").status_code == 404


def test_no_other_site_may_read_what_a_program_may(ada):
    answer = ada.get("/token", Origin="https://elsewhere.example")
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_description_is_public_and_names_every_address_of_the_application(staff_app, ada):
    described = ada.client.get("/api/v1/openapi.json").json
    assert described["openapi"] == "3.1.0"
    api = staff_app.extensions["candor.api"].built()
    addresses = {
        (method.lower(), rule.rule.replace("<", "{").replace(">", "}"))
        for rule in api.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    found = {(method, path) for path, each in described["paths"].items() for method in each}
    assert {each for each in found if each[1] != "parameters" and each[0] != "parameters"} == addresses - {
        ("get", "/api/v1/openapi.json")
    }


@pytest.mark.parametrize("path", ["estimates", "quantities", "reports", "channels", "codebook"])
def test_long_answers_are_written_outside_the_loop_and_a_part_at_a_time(publish, ada, monkeypatch, path):
    publish()
    computed, most = [], []
    compute, dumps = offload.compute, json.dumps

    def noted(function, *args):
        computed.append(function.__name__)
        return compute(function, *args)

    def measured(body, **settings):
        text = dumps(body, **settings)
        most.append(len(text))
        return text

    monkeypatch.setattr(offload, "compute", noted)
    monkeypatch.setattr("server.api.responses.json", SimpleNamespace(dumps=measured))
    answer = ada.get(f"/surveys/exams/{path}")
    assert answer.text == dumps(answer.json, ensure_ascii=False) + "\n"
    assert computed[-1] == "answer"
    assert max(most) < 0.9 * len(answer.text)
