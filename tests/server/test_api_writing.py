"""The interface for programs, written: drafts are made, checked, replaced, opened, closed and deleted."""

import json
from datetime import UTC, datetime

import pytest
from draft_editor import replaced

from server.api import deprecation
from server.api.deprecation import Removal
from server.store import surveys
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.staff import accounts
from server.web.limits.costs import MOST_BYTES_OF_A_SURVEY
from survey.publication import publish
from survey.read_definition import LARGEST_STEP, from_dict


@pytest.fixture
def writer(program):
    return program("ada", writes=True)


@pytest.fixture
def send(writer):
    """Send JSON as the writer; give the answer."""

    def send(method, path, body=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return writer.ask(method, path, named, **({} if body is None else {"json": body}))

    return send


@pytest.fixture
def stored(storage):
    """Give a survey as it is stored."""
    return lambda slug="exams": storage.read(surveys.by_slug, slug)


def sentence(answer):
    assert answer.mimetype == "application/problem+json"
    return answer.json["detail"]


@pytest.mark.engines
def test_a_survey_is_made_checked_opened_closed_and_deleted(send, stored, survey_file, storage):
    made = send("POST", "/surveys", survey_file())
    assert (made.status_code, made.headers["Location"]) == (201, "/api/v1/surveys/exams")
    assert stored().draft == made.json
    checked = send("POST", "/check", made.json).json
    assert checked["columns"] == ["copied", "data"]
    assert checked["guess"] == publish(from_dict(survey_file(), "here")).guess.as_dict()
    opened = send("POST", "/surveys/exams/open", {"fingerprint": checked["fingerprint"]})
    assert (opened.json["state"], opened.json["fingerprint"]) == ("open", checked["fingerprint"])
    assert stored().publication.fingerprint == checked["fingerprint"]
    assert send("POST", "/surveys/exams/close").json["state"] == "closed"
    storage.finish()
    tag = send("GET", "/surveys/exams/definition").headers["ETag"]
    assert send("DELETE", "/surveys/exams", If_Match=tag).status_code == 204
    assert stored() is None


@pytest.mark.engines
def test_a_draft_is_replaced_by_whoever_has_read_it(send, stored, survey_file):
    tag = send("POST", "/surveys", survey_file()).headers["ETag"]
    other = survey_file(title={"en": "Another title"})
    answer = send("PUT", "/surveys/exams/definition", other, If_Match=tag)
    assert answer.status_code == 200
    assert stored().draft["title"] == {"en": "Another title"}
    assert answer.headers["ETag"] == send("GET", "/surveys/exams/definition").headers["ETag"] != tag


@pytest.mark.engines
def test_what_others_changed_since_a_program_read_a_draft_stays_beside_its_changes(
    send, stored, survey_file, storage
):
    tag = send("POST", "/surveys", survey_file()).headers["ETag"]
    for title in ("Theirs", "Theirs too"):
        replaced(storage, "exams", stored().draft | {"title": {"en": title}})
    questions = survey_file()["questions"]
    added = survey_file(questions=[*questions, questions[0] | {"id": "added"}])
    answer = send("PUT", "/surveys/exams/definition", added, If_Match=tag)
    assert answer.status_code == 200
    assert stored().draft["title"] == {"en": "Theirs too"}
    assert [question["id"] for question in stored().draft["questions"]] == [
        *(question["id"] for question in questions),
        "added",
    ]
    again = send("PUT", "/surveys/exams/definition", added, If_Match=tag)
    assert again.headers["ETag"] == answer.headers["ETag"], "what is sent twice is done once"


def test_what_others_removed_since_a_program_read_a_draft_is_not_brought_back(
    send, stored, survey_file, storage
):
    questions = survey_file()["questions"]
    both = survey_file(questions=[*questions, questions[0] | {"id": "second"}])
    tag = send("POST", "/surveys", both).headers["ETag"]
    replaced(storage, "exams", survey_file())
    answer = send("PUT", "/surveys/exams/definition", both | {"title": {"en": "Ours"}}, If_Match=tag)
    assert answer.status_code == 412
    assert stored().draft == survey_file()


def test_a_draft_that_somebody_else_changed_is_kept(send, stored, survey_file, storage):
    tag = send("POST", "/surveys", survey_file()).headers["ETag"]
    theirs = stored().draft | {"title": {"en": "Theirs"}}
    replaced(storage, "exams", theirs)
    answer = send("PUT", "/surveys/exams/definition", survey_file(title={"en": "Ours"}), If_Match=tag)
    assert answer.status_code == 412
    assert "Read it again, and send its new ETag" in sentence(answer)
    assert stored().draft == theirs


def test_what_is_wrong_in_the_editor_is_neither_opened_nor_replaced_unseen(
    send, stored, survey_file, storage
):
    made = send("POST", "/surveys", survey_file())
    fingerprint = send("POST", "/check", survey_file()).json["fingerprint"]
    replaced(storage, "exams", survey_file(title={"en": "x" * 9999}))
    answer = send("POST", "/surveys/exams/open", {"fingerprint": fingerprint})
    assert (answer.status_code, [fault["field"] for fault in answer.json["faults"]]) == (422, ["title.en"])
    other = survey_file(title={"en": "Ours"})
    refused = send("PUT", "/surveys/exams/definition", other, If_Match=made.headers["ETag"])
    assert refused.status_code == 412
    tag = send("GET", "/surveys/exams/definition").headers["ETag"]
    assert send("PUT", "/surveys/exams/definition", survey_file(), If_Match=tag).status_code == 200
    assert send("POST", "/surveys/exams/open", {"fingerprint": fingerprint}).status_code == 200


def test_a_program_that_repeats_a_replacement_finds_it_done(send, survey_file):
    tag = send("POST", "/surveys", survey_file()).headers["ETag"]
    other = survey_file(title={"en": "Another title"})
    answers = [send("PUT", "/surveys/exams/definition", other, If_Match=tag) for _ in range(2)]
    assert [each.status_code for each in answers] == [200, 200]


def test_nothing_is_replaced_or_deleted_unseen(send, stored, survey_file):
    send("POST", "/surveys", survey_file())
    other = survey_file(title={"en": "Another title"})
    for answer in (send("PUT", "/surveys/exams/definition", other), send("DELETE", "/surveys/exams")):
        assert answer.status_code == 428
        assert "send its ETag in the header If-Match" in sentence(answer)
    assert send("DELETE", "/surveys/exams", If_Match='"another"').status_code == 412
    assert stored().draft["title"] == {"en": "title"}


def test_a_draft_moves_to_its_new_name_unless_it_is_taken(send, stored, survey_file):
    send("POST", "/surveys", survey_file("other"))
    tag = send("POST", "/surveys", survey_file()).headers["ETag"]
    answer = send("PUT", "/surveys/exams/definition", survey_file("other"), If_Match=tag)
    assert (answer.status_code, sentence(answer)) == (
        409,
        "Another survey has this slug. Choose another one.",
    )
    moved = send("PUT", "/surveys/exams/definition", survey_file("moved"), If_Match=tag)
    assert moved.headers["Content-Location"] == "/api/v1/surveys/moved/definition"
    assert stored() is None


def test_what_would_be_published_is_opened_or_nothing(send, stored, survey_file):
    made = send("POST", "/surveys", survey_file())
    checked = send("POST", "/check", survey_file(title={"en": "Another title"})).json
    answer = send("POST", "/surveys/exams/open", {"fingerprint": checked["fingerprint"]})
    assert answer.status_code == 409
    assert send("POST", "/check", made.json).json["fingerprint"] in sentence(answer)
    assert stored().state == "draft"


def test_a_draft_that_is_not_complete_is_not_opened(send, storage, stored):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "exams", "languages": ["en"]})
    answer = send("POST", "/surveys/exams/open", {"fingerprint": "0" * 64})
    assert answer.status_code == 422
    assert "title.en is missing" in sentence(answer)
    assert stored().state == "draft"


def test_a_survey_that_does_not_say_who_asks_is_checked_and_not_opened(send, survey_file, stored):
    silent = {key: value for key, value in survey_file().items() if key != "contact"}
    send("POST", "/surveys", silent)
    checked = send("POST", "/check", silent).json
    assert checked["usable"]
    answer = send("POST", "/surveys/exams/open", {"fingerprint": checked["fingerprint"]})
    assert answer.status_code == 422
    assert [fault["field"] for fault in answer.json["faults"]] == ["contact.en"]
    assert stored().state == "draft"


def test_a_published_survey_stays_as_it_is(send, stored, survey_file, storage):
    send("POST", "/surveys", survey_file())
    storage.write(surveys.open_survey, stored().id)
    before, tag = stored(), send("GET", "/surveys/exams/definition").headers["ETag"]
    fingerprint = before.publication.fingerprint
    other = survey_file(title={"en": "Another title"})
    refused = [
        send("PUT", "/surveys/exams/definition", other, If_Match=tag),
        send("POST", "/surveys/exams/open", {"fingerprint": fingerprint}),
    ]
    for answer in refused:
        assert answer.status_code == 409
        assert "The survey exams is open, and only a draft can be changed or opened." in sentence(answer)
    assert stored() == before
    storage.write(surveys.close_survey, before.id)
    again = send("POST", "/surveys/exams/close")
    assert again.status_code == 409
    assert sentence(again) == "Only an open survey can be closed, and exams is closed."


def test_closing_after_the_day_of_removal_removes_the_reports_at_once_as_the_description_says(
    send, stored, survey_file, storage, clock, staff_app
):
    storage.write(surveys.create_draft, survey_file())
    found = storage.write(surveys.open_survey, stored().id)
    day = int(clock().timestamp()) + 86_400
    storage.write(life.schedule, found.id, Schedule(remove_at=day), clock().timestamp())
    clock.forward(86_400)
    assert not send("GET", "/surveys/exams").json["life"]["removed"]
    services = staff_app.extensions["candor"]
    services.scheduler.changed.clear()
    assert send("POST", "/surveys/exams/close").status_code == 200
    services.finisher.settle()
    assert services.scheduler.changed.is_set(), "the server looks again once the reports can be removed"
    services.scheduler.turn()
    assert send("GET", "/surveys/exams").json["life"]["removed"]
    assert send("GET", "/surveys/exams/reports").status_code == 410
    described = send("GET", "/openapi.json").json
    closing = described["paths"]["/api/v1/surveys/{slug}/close"]["post"]["description"]
    assert "If the moment in remove_at has come, the single reports are removed at once" in closing
    field = described["components"]["schemas"]["Life"]["properties"]["remove_at"]["description"]
    assert "as soon as it closes, whatever closes it" in field


def test_a_check_names_every_fault_and_stores_nothing(send, survey_file, storage):
    wrong = survey_file(languages=["en", "ko"], results={"step": 0})
    checked = send("POST", "/check", wrong).json
    assert (checked["usable"], checked["fingerprint"]) == (False, None)
    (fault,) = (each for each in checked["faults"] if each["field"] == "results.step")
    assert (fault["rule"], fault["limits"]) == ("whole", {"low": 1, "high": LARGEST_STEP})
    assert fault["sentence"] == f"results.step must be a whole number from 1 to {LARGEST_STEP}, got 0."
    spoken = send("POST", "/check", wrong, Accept_Language="ko").json
    assert f"results.step: 1부터 {LARGEST_STEP}까지의 정수여야 합니다" in faults(spoken)["results.step"]
    assert {"title.ko", "questions[0].wording.ko"} <= faults(checked).keys()
    answer = send("POST", "/surveys", wrong)
    assert answer.status_code == 422
    assert faults(answer.json)["results.step"] in sentence(answer)
    assert storage.read(surveys.all_surveys) == []


def faults(body):
    return {each["field"]: each["sentence"] for each in body["faults"]}


def test_a_survey_above_its_own_limit_is_not_usable(send, survey_file):
    checked = send("POST", "/check", survey_file(budget={"limit": 0.5, "waves": 1})).json
    assert faults(checked)["budget.limit"].startswith("budget.limit must be")


CHANGES = [
    ("POST", "/surveys", {}),
    ("PUT", "/surveys/exams/definition", {}),
    ("POST", "/surveys/exams/open", {"fingerprint": "0" * 64}),
    ("POST", "/surveys/exams/close", None),
    ("DELETE", "/surveys/exams", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_token_that_reads_changes_nothing(program, storage, survey_file, method, path, body):
    before = storage.write(surveys.create_draft, survey_file())
    for each in (program("ada"), program("ben")):
        answer = each.ask(method, path, {"If-Match": "*"}, json=body)
        assert answer.status_code == 403
        assert "reads and writes" in sentence(answer)
    assert storage.read(surveys.all_surveys) == [before]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_researcher_changes_nothing_whatever_the_token_says(program, storage, method, path, body):
    answer = program("ben", writes=True).ask(method, path, {"If-Match": "*"}, json=body)
    assert (answer.status_code, sentence(answer)[:11]) == (403, "Only admins")


def test_a_token_for_chosen_surveys_changes_those_and_makes_none(program, storage, survey_file):
    mine, other = (storage.write(surveys.create_draft, survey_file(slug)) for slug in ("mine", "other"))
    limited = program("ada", writes=True, surveys={mine.id})
    assert limited.ask("DELETE", "/surveys/other", {"If-Match": "*"}).status_code == 404
    assert storage.read(surveys.by_slug, "other") == other
    answer = limited.ask("POST", "/surveys", json=survey_file("new"))
    assert (answer.status_code, storage.read(surveys.by_slug, "new")) == (403, None)
    assert limited.ask("DELETE", "/surveys/mine", {"If-Match": "*"}).status_code == 204


def test_a_token_of_somebody_whose_role_fell_opens_nothing(writer, storage):
    storage.write(
        lambda db: (
            db.execute("UPDATE accounts SET role = 'researcher' WHERE id = ?", [writer.account.id]) and None
        )
    )
    assert storage.read(accounts.by_id, writer.account.id).role == "researcher"
    assert writer.get("/token").status_code == 401


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 400, "The body must be one JSON object in UTF-8."),
        (b"[]", 400, "body must be an object, got 'list'"),
        (b'{"slug": "a", "slug": "b"}', 400, "slug must be a name that stands once in its object"),
        (b'{"title": {"en": "\\ud800"}}', 400, "The body must be one JSON object in UTF-8."),
        (b'{"title": "\xff"}', 400, "The body must be one JSON object in UTF-8."),
        (b'{"limit": NaN}', 400, "limit must be a number, got 'NaN'"),
        (b"[" * 100_000, 400, "The body must be one JSON object in UTF-8."),
        (b'{"x": ' + b"9" * 5000 + b"}", 400, "The body must be one JSON object in UTF-8."),
        (b" " * (MOST_BYTES_OF_A_SURVEY + 1), 413, "The body may have 2 MB"),
    ],
    ids=["none", "list", "twice", "surrogate", "latin", "nan", "deep", "digits", "large"],
)
def test_a_body_that_cannot_be_used_is_refused_with_the_reason(writer, storage, body, status, said):
    answer = writer.ask("POST", "/surveys", data=body, content_type="application/json")
    assert answer.status_code == status
    assert said in sentence(answer)
    assert storage.read(surveys.all_surveys) == []


def test_a_body_of_another_type_is_refused(writer, survey_file):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = writer.ask("POST", "/surveys", data=json.dumps(survey_file()), content_type=kind)
        assert answer.status_code == 415
        assert sentence(answer).startswith("The header Content-Type must be application/json, got “")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "fingerprint is missing; it must be the 64 hexadecimal digits of a SHA-256."),
        ({"fingerprint": 5}, "fingerprint must be the 64 hexadecimal digits of a SHA-256, got 5."),
        ({"fingerprint": "xy"}, "fingerprint must be the 64 hexadecimal digits of a SHA-256, got 'xy'."),
        (
            {"fingerprint": "0" * 64, "now": True},
            "now must be absent (known here: fingerprint, linking, reason), got True.",
        ),
    ],
)
def test_a_wrong_field_is_named_with_its_range_and_its_value(send, survey_file, body, said):
    send("POST", "/surveys", survey_file())
    answer = send("POST", "/surveys/exams/open", body)
    assert (answer.status_code, sentence(answer)) == (422, said)


def test_a_removal_is_announced_in_the_headers(writer, monkeypatch):
    planned = Removal(datetime(2026, 5, 4, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC))
    assert "Deprecation" not in writer.get("/token").headers
    monkeypatch.setattr(deprecation, "REMOVALS", {"token": planned})
    headers = writer.get("/token").headers
    assert (headers["Deprecation"], headers["Sunset"]) == ("@1777852800", "Tue, 01 Jun 2027 00:00:00 GMT")
    assert headers["Link"] == '</api/v1/#token>; rel="deprecation"'


def test_what_has_been_announced_stays_for_a_year():
    assert all((each.ends - each.announced).days >= 365 for each in deprecation.REMOVALS.values())


@pytest.mark.parametrize(
    "body",
    [
        {f"k{number}": 1 for number in range(20_000)},
        {
            "languages": [f"{a}{b}" for a in "abcde" for b in "abcd"],
            "questions": [{"kind": "choice", "options": [{}] * 50}] * 100,
        },
    ],
    ids=["unknown keys", "empty options"],
)
@pytest.mark.parametrize("path", ["/check", "/surveys", "/surveys/exams/open"])
def test_a_short_body_full_of_mistakes_gets_no_long_answer(send, survey_file, path, body):
    send("POST", "/surveys", survey_file())
    assert len(send("POST", path, body).data) < 250_000


def test_what_is_wrong_beyond_the_first_mistakes_is_counted(send, survey_file):
    answer = send("POST", "/check", survey_file(**{f"k{number}": 1 for number in range(700)})).json
    assert len(answer["faults"]) == 301
    assert answer["faults"][-1]["sentence"] == (
        "the rest must be mended as well (only 300 problems are named), got 400."
    )
