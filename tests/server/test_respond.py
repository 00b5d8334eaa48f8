"""The respondents' door: one page for everybody, one answer for each submission."""

import re
import sqlite3
from contextlib import closing, contextmanager
from urllib.parse import urlencode

import pytest

from server import create_app
from server.config import Config
from server.language.catalogue import LANGUAGES, say
from server.store import submissions, surveys
from server.web.limits.rate_limit import REPEATS


def test_the_page_is_the_same_bytes_for_everybody(door):
    plain = door.get()
    other = door.get(**{"Accept-Language": "ko", "User-Agent": "other", "Cookie": "language=ko; a=b"})
    assert plain.status_code == 200
    assert plain.data == other.data
    assert not {"Set-Cookie"} & {*plain.headers.keys(), *other.headers.keys()}
    assert plain.headers["Vary"] == other.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/s/exams", 200),
        ("GET", "/s/shut", 410),
        ("GET", "/s/none", 404),
        ("GET", "/s/none/at/all", 404),
        ("GET", "/static/none", 404),
        ("PUT", "/s/exams", 405),
        ("POST", "/s/exams", 400),
        ("POST", "/s/none", 404),
    ],
)
def test_no_address_of_respondents_depends_on_a_language_asked_for_or_remembers_it(
    door, survey_file, method, path, status
):
    shut = door.storage.write(surveys.create_draft, survey_file("shut"))
    door.storage.write(surveys.open_survey, shut.id)
    door.storage.write(surveys.close_survey, shut.id)
    own = {"Sec-Fetch-Site": "same-origin"}
    plain = door.client.open(path, method=method, headers=own)
    asked = own | {"Accept-Language": "ko", "Cookie": "language=ko"}
    other = door.client.open(f"{path}?language=en", method=method, headers=asked)
    third = door.client.open(f"{path}?language=ko", method=method, headers=asked)
    assert (plain.status_code, other.status_code) == (status, status)
    assert other.data == third.data
    assert method == "POST" or plain.data == other.data  # beside the form nothing may travel
    for answer in (plain, other, third):
        assert "Set-Cookie" not in answer.headers
        assert answer.headers.get("Vary", "Accept-Encoding") == "Accept-Encoding"
    if status in (404, 405):
        assert 'lang="ko"' in plain.text


def test_the_island_holds_the_fingerprinted_bytes(door):
    island = re.search(rb'<script type="application/json" id="definition">(.*?)</script>', door.get().data)
    assert island[1] == door.survey.publication.json


def test_before_any_script_the_page_says_who_asks_what_and_how_to_be_helped(door, survey_file):
    titles = {"en": "Sleep & dreams", "ko": "잠과 꿈"}
    help_ = {"en": "Call tel:112", "ko": "전화 tel:113"}
    both = survey_file("asleep", languages=["en", "ko"], help=help_)
    for key in ("title", "information", "consent"):
        both[key] = titles
    both["questions"] = [each | {"wording": titles} for each in both["questions"]]
    door.storage.write(surveys.open_survey, door.storage.write(surveys.create_draft, both).id)
    page = door.get("asleep").text
    inside = re.search("<noscript>(.*?)</noscript>", page, re.S)[1]
    shown = {"en": "split", "ko": "split later"}
    for language, title in (("en", "Sleep &amp; dreams"), ("ko", "잠과 꿈")):
        part = re.search(
            f'<section class="{shown[language]}" lang="{language}" dir="ltr">(.*?)</section>', page, re.S
        )[1]
        assert f"<h1>{title}</h1>" in part
        assert f"<p>{title}</p>" in part
        assert say(language, "common.noscript") in inside
        assert say(language, "waiting.scripts.text") in page
        assert say(language, "waiting.scripts.reload") in page
    ways = re.search('<div class="ways".*?</details>', page, re.S)[0]
    assert re.findall(r'href="(tel:\d+)"', ways) == ["tel:112", "tel:113"]


def test_a_page_that_the_browser_has_is_not_sent_again(door):
    with door.get(**{"If-None-Match": door.get().headers["ETag"]}) as answer:
        assert (answer.status_code, answer.data) == (304, b"")


def test_a_submission_is_stored_once_and_a_retry_gets_the_same_bytes(door):
    body = door.body()
    first, again = (
        door.client.post("/s/exams", data=body, headers={"Sec-Fetch-Site": "same-origin"}) for _ in range(2)
    )
    assert first.status_code == again.status_code == 200
    assert first.data == again.data
    assert door.rows() == {body["receipt"]: [1, 0]}


def test_other_bytes_under_the_same_receipt_are_refused_without_saying_what_differs(door):
    body = door.body()
    door.send(body)
    answers = [
        door.client.post("/s/exams", data=body | change, headers={"Sec-Fetch-Site": "same-origin"})
        for change in (
            {"copied": "0"},
            {"data": "1"},
            {"copied": "7"},
            {"copied": ["1", "1"]},
            {"answer": "yes"},
            {"fingerprint": "0" * 64},
            {"fingerprint": "x"},
        )
    ]
    assert {answer.status_code for answer in answers} == {409}
    assert len({answer.data for answer in answers}) == 1
    assert b'data-outcome="different"' in answers[0].data
    assert door.rows() == {body["receipt"]: [1, 0]}


def test_after_closing_a_retry_is_answered_as_before_and_nothing_new_is_taken(door):
    body = door.body()
    door.send(body)
    door.storage.write(surveys.close_survey, door.survey.id)
    assert door.send(body) == (200, "stored")
    assert door.send(door.body()) == (410, "closed")
    assert len(door.rows()) == 1
    assert door.get().status_code == 410


def closed_page(door, table):
    survey = door.storage.write(surveys.create_draft, table)
    door.storage.write(surveys.open_survey, survey.id)
    door.storage.write(surveys.close_survey, survey.id)
    return door.get(table["slug"]).text


def test_a_closed_survey_still_says_whom_to_talk_to(door, survey_file):
    page = closed_page(door, survey_file("shut", help={"en": "Call <Ada>\nat tel:116123."}))
    assert "If you would like to talk to someone" in page
    assert '<p>Call &lt;Ada&gt;\nat <a href="tel:116123">116123</a>.</p>' in page


def test_a_closed_survey_in_a_language_that_candor_does_not_speak_says_so_in_those_it_does(door, survey_file):
    def in_french(value):
        if isinstance(value, dict):
            return {"fr" if key == "en" else key: in_french(inner) for key, inner in value.items()}
        return [in_french(inner) for inner in value] if isinstance(value, list) else value

    french = in_french(survey_file("ferme", help={"en": "Appelez Ada."})) | {"languages": ["fr"]}
    page = closed_page(door, french)
    assert "Appelez Ada." in page
    for language in LANGUAGES:
        assert f'<p class="lede" lang="{language}" dir="ltr">{say(language, "common.closed")}</p>' in page
    assert page.count('class="lede"') == len(LANGUAGES)


def test_a_page_of_another_publication_is_stale(door):
    assert door.send(door.body(fingerprint="0" * 64, gone="1")) == (409, "stale")
    assert door.rows() == {}


def test_unknown_surveys_and_drafts_look_alike(door):
    door.storage.write(surveys.create_draft, {"slug": "draft"})
    unknown, draft = door.get("unknown"), door.get("draft")
    assert unknown.status_code == draft.status_code == 404
    assert unknown.data == draft.data
    assert door.send(door.body(), "unknown") == door.send(door.body(), "draft") == (404, "closed")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"copied": "2"}, "copied must be a whole number from 0 to 1"),
        ({"copied": "01"}, "copied must be a whole number from 0 to 1"),
        ({"copied": "+"}, "copied must be a whole number from 0 to 1"),
        ({"copied": "١"}, "copied must be"),
        ({"copied": ""}, "copied must be"),
        (
            {"copied": ["1", "1"]},
            "copied must be sent once, as a whole number from 0 to 1 with the same number of digits",
        ),
        ({"copied": None}, "copied is missing"),
        ({"receipt": "A" * 32}, "receipt must be 32 lower-case hexadecimal digits"),
        ({"receipt": "a" * 31}, "receipt must be"),
        ({"receipt": None}, "receipt is missing"),
        ({"fingerprint": None}, "fingerprint is missing; it must be 64 lower-case hexadecimal digits"),
        ({"answer": "yes"}, "A submission must contain no fields but these"),
        ({"copied ": "1"}, "A submission must contain no fields but these"),
    ],
)
def test_a_malformed_submission_is_refused_with_field_and_range(door, change, said):
    body = {name: value for name, value in (door.body() | change).items() if value is not None}
    answer = door.client.post("/s/exams", data=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 400
    assert 'data-outcome="refused"' in answer.text
    assert said in answer.text
    assert door.rows() == {}


def test_what_is_wrong_is_marked_and_said_in_every_language(door):
    texts = {}
    for headers, body in (
        ({}, door.body()),
        ({"Sec-Fetch-Site": "same-origin"}, door.body(copied="7", more="x" * 500)),
        ({"Sec-Fetch-Site": "same-origin"}, {"x": "x" * 70_000}),
    ):
        page = door.client.post("/s/exams", data=body, headers=headers).text
        for language in LANGUAGES:
            texts.setdefault(language, []).extend(
                re.findall(rf'<p lang="{language}" data-problem>([^<]+)</p>', page)
            )
        assert len(re.findall(r"<p lang=", page)) == len(re.findall(r"<p ", page))
    english, korean = texts.values()
    assert len(english) == len(korean) == 4
    assert english[0] == "A submission must come from the survey’s own page."
    assert all(len(text) < 200 for text in english)
    assert all(re.search("[가-힣]", text) for text in korean)


def problems(door, body, slug="exams"):
    """What is told in English of what is wrong with a submission."""
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    page = door.client.post(f"/s/{slug}", data=body, headers=headers).text
    return re.findall(r'<p lang="en" data-problem>([^<]+)</p>', page)


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        (5, "A submission must contain no fields but these: fingerprint, receipt, copied, data"),
        (6, "A submission to this survey must contain 4 fields."),
    ],
)
def test_up_to_five_fields_too_many_are_told_by_the_known_names_and_more_by_their_number(door, unknown, told):
    assert problems(door, door.body(**{f"f{n}": "x" for n in range(unknown)})) == [told]


def test_a_form_with_every_byte_escaped_and_a_thousand_more_is_read_and_a_longer_one_only_measured(door):
    form = urlencode(door.body()) + "&"
    longest = 3 * len(form) + 1000
    (told,) = problems(door, f"{form}more=".ljust(longest, "x"))
    assert told.startswith("A submission must contain no fields but these")
    (told,) = problems(door, f"{form}more=".ljust(longest + 1, "x"))
    assert told == f"A submission must be at most {longest} bytes long."


def test_of_many_faults_the_first_five_are_told_and_of_many_names_300_characters(door, survey_file):
    ids = [f"a_long_name_of_a_question_{n}" for n in range(12)]
    questions = [{"id": each, "mechanism": "coin", "wording": {"en": "Is it?"}} for each in ids]
    draft = door.storage.write(surveys.create_draft, survey_file("many", questions=questions))
    door.storage.write(surveys.open_survey, draft.id)
    *missing, names = problems(door, {"unknown": "1"}, "many")
    assert [told.split()[0] for told in missing] == ["fingerprint", "receipt", *ids[:3]]
    listed = names.removeprefix("A submission must contain no fields but these: ")
    assert (len(listed), listed[-1]) == (300, "…")


@pytest.mark.parametrize("early", [True, False])
def test_what_is_said_of_reports_given_out_early_travels_where_a_survey_does_so(door, survey_file, early):
    results = {"step": 10, "reports_while_open": early}
    draft = door.storage.write(surveys.create_draft, survey_file("early", results=results))
    door.storage.write(surveys.open_survey, draft.id)
    page = door.get("early").text
    assert ("what each person sent even before this survey ends" in page) == early
    assert "설문이 끝나기 전에도" not in page  # this survey does not speak Korean


def test_nothing_may_travel_beside_the_form(door):
    body = door.body()
    assert door.send(body, "exams?answer=1") == (400, "refused")
    assert door.send({}) == (400, "refused")
    assert door.send(body, content_type="multipart/form-data") == (400, "refused")
    assert door.rows() == {}


def test_an_empty_form_is_missing_every_field(door):
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    answer = door.client.post("/s/exams", data=b"", headers=headers)
    assert answer.status_code == 400
    for field in ("fingerprint", "receipt", "copied", "data"):
        assert f"{field} is missing" in answer.text
    assert door.rows() == {}


@pytest.mark.parametrize(
    ("headers", "outcome"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, (200, "stored")),
        ({"Sec-Fetch-Site": "cross-site"}, (403, "refused")),
        ({"Sec-Fetch-Site": "same-site"}, (403, "refused")),
        ({"Sec-Fetch-Site": "none"}, (403, "refused")),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, (403, "refused")),
        ({"Origin": "http://localhost"}, (200, "stored")),
        ({"Origin": "https://localhost"}, (403, "refused")),
        ({"Origin": "http://evil.example"}, (403, "refused")),
        ({"Origin": "http://localhost.evil.example"}, (403, "refused")),
        ({"Origin": "http://local"}, (403, "refused")),
        ({"Origin": "null"}, (403, "refused")),
        ({}, (403, "refused")),
    ],
)
def test_only_our_own_page_may_send(door, headers, outcome):
    assert door.send(door.body(), headers=headers) == outcome
    assert len(door.rows()) == (outcome[0] == 200)


def test_a_body_of_more_than_64_kilobytes_is_refused_in_words(door):
    answer = door.client.post(
        "/s/exams", data=door.body(filler="x" * 70_000), headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert answer.status_code == 413
    assert 'data-outcome="refused"' in answer.text
    assert "at most 65536 bytes" in answer.text
    assert door.rows() == {}


def test_the_rate_limit_counts_addresses_and_lets_retries_pass(tmp_path, clock, door_of):
    door = door_of(create_app(Config(database=tmp_path / "limited.db", rate_limit=2), clock))
    stored = door.body()
    with locked(door.storage, "BEGIN IMMEDIATE"):
        assert door.send(stored) == (503, "busy"), "it takes no place"
    assert [door.send(body) for body in (stored, door.body(), door.body())] == [
        (200, "stored"),
        (200, "stored"),
        (429, "busy"),
    ]
    assert door.send(stored) == (200, "stored")
    assert door.send(stored | {"data": "1"}) == (409, "different")
    assert door.send(door.body(), environ_overrides={"REMOTE_ADDR": "192.0.2.7"}) == (200, "stored")


def test_what_is_refused_was_counted_before_it_was_checked(tmp_path, clock, door_of):
    door = door_of(create_app(Config(database=tmp_path / "limited.db", rate_limit=2), clock))
    refused = [door.send({}), door.send(door.body(copied="7"))]
    assert refused == [(400, "refused")] * 2
    assert door.send(door.body()) == (429, "busy")
    assert door.rows() == {}


def test_retries_of_a_known_receipt_have_a_generous_limit_of_their_own(tmp_path, clock, door_of):
    door = door_of(create_app(Config(database=tmp_path / "limited.db", rate_limit=1), clock))
    body = door.body()
    assert [door.send(body) for _ in range(REPEATS)] == [(200, "stored")] * REPEATS
    assert door.send(body) == (429, "busy")


def test_results_move_in_steps_until_the_survey_is_closed(door):
    shown = []
    for _ in range(3 * door.step + 3):
        door.send(door.body())
        shown.append(door.results().respondents)
    assert shown == [0] * 19 + [10] * 10 + [20] * 4
    assert door.results().counts == {"copied": [0, 20], "data": [20, 0]}
    door.storage.write(surveys.close_survey, door.survey.id)
    assert (door.results().respondents, door.results().final) == (33, True)


def test_opened_and_sent_are_counted_by_utc_day_in_total(door, clock):
    door.get()
    door.client.head("/s/exams")
    door.send(body := door.body())
    door.send(body)
    door.services.committer.settle()
    clock.forward(24 * 60 * 60)
    door.get()
    door.services.committer.settle()
    days = door.storage.read(submissions.days, door.survey.id)
    assert [(day.day, day.started, day.sent) for day in days] == [("2026-05-04", 1, 1), ("2026-05-05", 1, 0)]


@contextmanager
def locked(storage, how):
    """Another process that holds the database, for which the server waits a moment only."""
    patience = storage.busy_seconds
    with closing(sqlite3.connect(storage.path, isolation_level=None)) as connection:
        connection.execute(how)
        object.__setattr__(storage, "busy_seconds", 0.05)
        yield
        object.__setattr__(storage, "busy_seconds", patience)
        connection.execute("ROLLBACK")


def test_a_locked_database_is_told_as_busy_and_nothing_is_lost(door):
    body = door.body()
    with locked(door.storage, "BEGIN EXCLUSIVE"):
        answer = door.client.post("/s/exams", data=body, headers={"Sec-Fetch-Site": "same-origin"})
        page = door.get()
    assert (answer.status_code, page.status_code) == (503, 503)
    assert 'data-outcome="busy"' in answer.text
    assert "Retry-After" in answer.headers
    assert all(say(language, "unavailable.busy.title") in page.text for language in LANGUAGES)
    assert door.rows() == {}
    assert door.send(body) == (200, "stored")
    assert door.get().status_code == 200


def test_the_page_is_shown_while_another_process_writes_and_its_opening_is_counted_later(door):
    with locked(door.storage, "BEGIN IMMEDIATE"):
        assert door.get().status_code == 200
        door.services.committer.settle()
    door.services.committer.settle()
    (day,) = door.storage.read(submissions.days, door.survey.id)
    assert day.started == 1


def test_a_full_disk_is_told_as_busy_and_what_was_stored_stays(door):
    kept = door.body()
    door.send(kept)
    door.storage.write_until(door.storage.deadline(), fill)
    acknowledged = [kept]
    while door.send(body := door.body()) == (200, "stored"):
        acknowledged.append(body)
        assert len(acknowledged) < 1000
    # The connection that met the error is gone, and with it the limit: the disk has room again.
    assert set(door.rows()) == {stored["receipt"] for stored in acknowledged}
    assert door.get().status_code == 200
    assert door.send(body) == (200, "stored")
    assert len(door.rows()) == len(acknowledged) + 1


def fill(db):
    """Let the database grow by a page at most: SQLite then reports a full disk."""
    ((pages,),) = db.execute("PRAGMA page_count").fetchall()
    db.execute(f"PRAGMA max_page_count={pages + 1}").fetchall()


def test_a_read_only_database_is_told_as_busy(door):
    door.storage.write_until(door.storage.deadline(), lambda db: db.execute("PRAGMA query_only=ON"))
    assert door.send(door.body()) == (503, "busy")
    assert door.rows() == {}
