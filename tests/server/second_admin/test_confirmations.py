"""One of the staff asks to open or delete, and another admin confirms exactly that, or declines."""

import re
from functools import partial

import pytest
from draft_editor import replaced
from proposing import DELETE, LIFE, OPEN, PASSWORD, PROPOSALS, answer, ask_to_open, state, words

from server.store import surveys
from server.store.lifecycle import confirmations, legal_hold, proposals
from server.store.lifecycle.confirmations import OwnProposal
from server.store.lifecycle.legal_hold import LegalHold
from server.store.staff import accounts


def test_one_asks_to_open_and_another_opens_exactly_that(of, storage, draft, required, deeds):
    ada, dan = of("ada"), of("dan")
    print_of = draft.checked.publication.fingerprint
    assert "Ask a second admin" in ada.get(OPEN).text
    assert ask_to_open(ada).location == PROPOSALS
    assert state(storage) == "draft"
    own = words(ada.get(PROPOSALS))
    assert "You asked for this. Another admin has to confirm it." in own
    assert "Confirm and open" not in own
    assert answer(ada, "open", "confirm", print_of).status_code == 409
    for page in ("/admin", "/admin/surveys/exams", LIFE):
        assert "ada asks to open this survey:" in words(dan.get(page))
    shown = words(dan.get(PROPOSALS))
    assert print_of in shown
    assert "Confirm and open" in shown
    assert answer(dan, "open", "confirm", "0" * 64).status_code == 409
    assert answer(dan, "open", "confirm", print_of).location == "/admin/surveys/exams?opened=1"
    assert storage.read(surveys.by_slug, "exams").publication.fingerprint == print_of
    assert answer(dan, "open", "confirm", print_of).status_code == 409
    assert deeds() == [
        ("ada", "second_admin_required", None, None),
        ("ada", "opening_proposed", "exams", print_of),
        ("dan", "proposal_confirmed", "exams", "ada"),
        ("dan", "survey_opened", "exams", None),
    ]


def test_a_draft_that_changed_after_the_request_is_not_opened_by_it(
    of, storage, draft, required, survey_file
):
    ada, dan = of("ada"), of("dan")
    ask_to_open(ada)
    print_of = draft.checked.publication.fingerprint
    replaced(storage, "exams", survey_file(title={"en": "Something else"}))
    shown = words(dan.get(PROPOSALS))
    assert "This cannot be confirmed any more." in shown
    assert "Confirm and open" not in shown
    assert answer(dan, "open", "confirm", print_of).status_code == 409
    assert state(storage) == "draft"


def test_a_request_is_declined_by_an_admin_and_taken_back_by_whoever_made_it(
    of, storage, draft, required, deeds
):
    ada, dan = of("ada"), of("dan")
    print_of = draft.checked.publication.fingerprint
    for browser in (dan, ada):
        ask_to_open(ada)
        assert answer(browser, "open", "decline", print_of).status_code == 302
        assert "Nothing is waiting." in ada.get(PROPOSALS).text
        assert answer(dan, "open", "confirm", print_of).status_code == 409
    assert [each[:2] for each in deeds() if each[1] == "proposal_declined"] == [
        ("dan", "proposal_declined"),
        ("ada", "proposal_declined"),
    ]
    assert state(storage) == "draft"


def test_an_editor_asks_and_takes_back_and_confirms_nothing(of, storage, draft, required, now):
    eve = storage.write(accounts.create, "eve", PASSWORD, "editor")
    row = [eve.id, draft.id]
    storage.write(lambda db: db.execute("INSERT INTO grants VALUES (?, ?, 1)", row) and None)
    editor, print_of = of("eve"), draft.checked.publication.fingerprint
    assert ask_to_open(editor).location == PROPOSALS
    assert answer(editor, "open", "confirm", print_of).status_code == 403
    assert answer(editor, "open", "decline", print_of).status_code == 302
    ask_to_open(of("ada"))
    assert answer(editor, "open", "confirm", print_of).status_code == 403
    assert answer(editor, "open", "decline", print_of).status_code == 403


def test_what_an_editor_asks_takes_two_admins_for_one_could_have_made_the_editor(
    of, storage, draft, required, deeds, now
):
    eve, print_of = (
        storage.write(accounts.create, "eve", PASSWORD, "editor"),
        draft.checked.publication.fingerprint,
    )
    dan = storage.read(accounts.by_name, "dan")
    storage.write(proposals.propose, draft.id, "open", print_of, eve.id, now())
    with pytest.raises(OwnProposal):
        storage.write(confirmations.confirm, draft.id, "open", print_of, dan.id, now())
    first, second = of("ada"), of("dan")
    assert "Two admins are needed: one takes this on" in words(first.get(PROPOSALS))
    assert "Confirm and open" not in first.get(PROPOSALS).text
    assert answer(first, "open", "confirm", print_of).location == PROPOSALS
    assert state(storage) == "draft"
    assert answer(first, "open", "confirm", print_of).status_code == 409
    assert answer(second, "open", "confirm", print_of).status_code == 302
    assert state(storage) == "open"
    assert deeds()[1:] == [
        ("eve", "opening_proposed", "exams", print_of),
        ("ada", "proposal_taken_on", "exams", "eve"),
        ("dan", "proposal_confirmed", "exams", "ada"),
        ("dan", "survey_opened", "exams", None),
    ]


def test_a_survey_is_deleted_by_two_and_a_legal_hold_keeps_it_from_both(of, storage, survey, required, deeds):
    ada, dan = of("ada"), of("dan")
    print_of = survey.publication.fingerprint
    assert ada.post(DELETE, slug="exams").location == PROPOSALS
    assert state(storage) == "open"
    storage.write(legal_hold.put, survey.id, LegalHold("ada", 0, "a court asks"))
    assert "Confirm and delete" not in dan.get(PROPOSALS).text
    assert answer(dan, "delete", "confirm", print_of).location == DELETE
    assert state(storage) == "open"
    storage.write(legal_hold.lift, survey.id)
    assert answer(dan, "delete", "confirm", print_of).location == "/admin"
    assert state(storage) is None
    assert deeds()[1:] == [
        ("ada", "deletion_proposed", "exams", print_of),
        ("dan", "proposal_confirmed", "exams", "ada"),
        ("dan", "survey_deleted", "exams", None),
    ]


def test_a_draft_that_opened_meanwhile_is_not_deleted_as_a_draft(of, storage, draft, ada, dan, required, now):
    browser = of("ada")
    browser.post(DELETE, slug="exams")
    print_of = draft.checked.publication.fingerprint
    storage.write(proposals.propose, draft.id, "open", print_of, ada.id, now())
    storage.write(confirmations.confirm, draft.id, "open", print_of, dan.id, now())
    storage.write(surveys.open_survey, draft.id)
    assert storage.read(proposals.of_survey, draft.id, now()) == []
    assert answer(of("dan"), "delete", "confirm", "").status_code == 409
    assert state(storage) == "open"


def test_a_program_is_answered_that_its_request_waits(program, of, storage, draft, required):
    writer, print_of = program("ada", writes=True), draft.checked.publication.fingerprint
    asked = writer.ask("POST", "/surveys/exams/open", json={"fingerprint": print_of})
    assert (asked.status_code, asked.json["state"]) == (202, "draft")
    assert asked.json["proposals"] == [
        {
            "what": "open",
            "subject": print_of,
            "asked_by": "ada",
            "asked": "2026-05-04T09:00:00Z",
            "confirmable_until": "2026-05-11T09:00:00Z",
            "confirmed_by": None,
        }
    ]
    assert writer.get("/surveys").json["surveys"][0]["proposals"] == asked.json["proposals"]
    answer(of("dan"), "open", "confirm", print_of)
    tag = {"If-Match": writer.get("/surveys/exams/definition").headers["ETag"]}
    gone = writer.ask("DELETE", "/surveys/exams", tag)
    assert (gone.status_code, gone.json["proposals"][0]["what"]) == (202, "delete")
    assert state(storage) == "open"
    assert answer(of("dan"), "delete", "confirm", print_of).status_code == 302
    assert writer.get("/surveys/exams").status_code == 404


def test_a_reason_for_opening_what_protects_little_is_read_by_whoever_confirms(
    of, storage, survey_file, required, now
):
    questions = [
        {"id": "copied", "mechanism": "spinner_coin", "epsilon": 6.0, "wording": {"en": "Did you copy?"}}
    ]
    draft = storage.write(surveys.create_draft, survey_file(questions=questions))
    print_of = draft.checked.publication.fingerprint
    ada = of("ada")
    assert ada.post(OPEN, fingerprint=print_of).status_code == 422
    assert ada.post(OPEN, fingerprint=print_of, reason="a class exercise").location == PROPOSALS
    dan = of("dan")
    assert "a class exercise" in dan.get(PROPOSALS).text
    assert answer(dan, "open", "confirm", print_of).status_code == 302
    assert state(storage) == "open"


def test_whoever_confirms_has_read_the_reason_that_is_given_now(of, storage, survey_file, required, clock):
    questions = [
        {"id": "copied", "mechanism": "spinner_coin", "epsilon": 6.0, "wording": {"en": "Did you copy?"}}
    ]
    draft = storage.write(surveys.create_draft, survey_file(questions=questions))
    print_of = draft.checked.publication.fingerprint
    ada, dan = of("ada"), of("dan")
    ada.post(OPEN, fingerprint=print_of, reason="a class exercise")

    def made():
        return re.search(r'name="made" value="(\d+)"', dan.get(PROPOSALS).text)[1]

    seen = made()
    clock.forward(60)
    ada.post(OPEN, fingerprint=print_of, reason="because I like it")
    confirm = partial(dan.post, f"{PROPOSALS}/open/confirm", page="/account", subject=print_of)
    assert confirm(made=seen).status_code == 409
    assert state(storage) == "draft"
    assert confirm(made=made()).status_code == 302
    assert state(storage) == "open"
