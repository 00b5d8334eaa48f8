"""Where opening and deleting need a second admin, nothing opens and nothing goes on the word of one."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import unescape

import pytest
from draft_editor import replaced

from server.store import surveys
from server.store.lifecycle import deletion, legal_hold, life, opening, opening_reasons, proposals
from server.store.lifecycle.legal_hold import LegalHold
from server.store.lifecycle.life import Schedule
from server.store.lifecycle.proposals import (
    SECONDS,
    OneAdmin,
    OwnProposal,
    ProposalGone,
    SecondAdminNeeded,
)
from server.store.staff import accounts, audit, leaving, links, second_admin
from server.store.staff.accounts import AccountError, AccountGone
from server.store.staff.audit import LineFilter
from server.store.surveys import SurveyGone

PASSWORD = "a long enough password"
OPEN, DELETE = "/admin/surveys/exams/open", "/admin/surveys/exams/delete"
PROPOSALS = "/admin/surveys/exams/proposals"
LIFE = "/admin/surveys/exams/life"
PEOPLE = "/admin/people"
DAY = 24 * 3600


@pytest.fixture
def dan(storage):
    """A second admin."""
    return storage.write(accounts.create, "dan", PASSWORD, "admin")


@pytest.fixture
def ada(storage):
    return storage.read(accounts.by_name, "ada")


@pytest.fixture
def now(clock):
    return lambda: clock().timestamp()


@pytest.fixture
def required(storage, ada, dan, now):
    storage.write(proposals.require, ada.id, now())


@pytest.fixture
def draft(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


@pytest.fixture
def survey(storage, draft):
    return storage.write(surveys.open_survey, draft.id)


@pytest.fixture
def of(browse):
    """Open a browser of somebody by name."""

    def of(name):
        browser = browse()
        assert browser.sign_in(name).status_code == 302
        return browser

    return of


@pytest.fixture
def deeds(storage):
    """Give the lines of the audit log about this, the earliest first."""

    def deeds():
        lines = reversed(storage.read(audit.lines, LineFilter()))
        found = [(line.who, line.what, line.survey, line.about) for line in lines]
        return [each for each in found if not each[1].startswith(("signed_", "draft_", "account_"))]

    return deeds


def state(storage, slug="exams"):
    survey = storage.read(surveys.by_slug, slug)
    return survey and survey.state


def fingerprint_on(browser, page=OPEN):
    return re.search(r'name="fingerprint" value="(\w+)"', browser.get(page).text)[1]


def ask_to_open(browser):
    return browser.post(OPEN, fingerprint=fingerprint_on(browser))


def answer(browser, what, how, subject, page="/account"):
    return browser.post(f"{PROPOSALS}/{what}/{how}", page=page, subject=subject)


def words(response):
    return " ".join(unescape(response.text).split())


# The rule is the store's.


@pytest.mark.engines
def test_the_store_opens_and_deletes_only_what_another_admin_has_confirmed(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.open_survey, draft.id)
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.delete_survey, draft.id)
    storage.write(proposals.propose, draft.id, "open", print_of, ada.id, now())
    with pytest.raises(OwnProposal):
        storage.write(proposals.confirm, draft.id, "open", print_of, ada.id, now())
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.open_survey, draft.id)
    storage.write(proposals.confirm, draft.id, "open", print_of, dan.id, now())
    opened = storage.write(surveys.open_survey, draft.id)
    assert opened.publication.fingerprint == print_of
    assert storage.read(proposals.of_survey, draft.id, now()) == []
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.delete_survey, draft.id)
    storage.write(proposals.propose, draft.id, "delete", print_of, dan.id, now())
    storage.write(proposals.confirm, draft.id, "delete", print_of, ada.id, now())
    storage.write(surveys.delete_survey, draft.id)
    assert state(storage) is None


@pytest.mark.engines
def test_a_draft_that_has_changed_since_is_not_opened_by_what_was_confirmed(
    storage, draft, ada, dan, required, now, survey_file
):
    before = draft.checked.publication.fingerprint
    storage.write(proposals.propose, draft.id, "open", before, ada.id, now())
    storage.write(proposals.confirm, draft.id, "open", before, dan.id, now())
    replaced(storage, "exams", survey_file(title={"en": "Something else"}))
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.open_survey, draft.id)
    assert state(storage) == "draft"


def test_a_proposal_runs_out_after_a_week_and_ends_with_whoever_made_it(
    storage, draft, ada, dan, required, clock
):
    propose = (proposals.propose, draft.id, "delete", "", ada.id)
    storage.write(*propose, clock().timestamp())
    clock.forward(SECONDS - 1)
    assert len(storage.read(proposals.waiting, clock().timestamp())) == 1
    clock.forward(1)
    assert storage.read(proposals.waiting, clock().timestamp()) == []
    with pytest.raises(ProposalGone):
        storage.write(proposals.confirm, draft.id, "delete", "", dan.id, clock().timestamp())
    storage.write(accounts.create, "cleo", PASSWORD, "admin")
    storage.write(*propose, clock().timestamp())
    storage.write(accounts.delete, ada.id)
    assert storage.read(proposals.of_survey, draft.id, clock().timestamp()) == []


@pytest.mark.engines
@pytest.mark.parametrize("attempt", range(5))
def test_of_two_admins_who_confirm_at_once_one_does(storage, draft, ada, dan, required, now, attempt):
    cleo = storage.write(accounts.create, "cleo", PASSWORD, "admin")
    storage.write(proposals.propose, draft.id, "delete", "", ada.id, now())
    barrier = threading.Barrier(2)

    def confirm(account):
        barrier.wait()
        try:
            return storage.write(proposals.confirm, draft.id, "delete", "", account.id, now()).who
        except ProposalGone:
            return None

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(confirm, (dan, cleo))) == {"ada", None}
    ((by,),) = storage.read(lambda db: db.execute("SELECT confirmed_by FROM proposals").fetchall())
    assert by in ("dan", "cleo")
    lines = storage.read(audit.lines, LineFilter(what="proposal_confirmed"))
    assert [line.who for line in lines] == [by]


@pytest.mark.engines
def test_what_was_confirmed_for_a_date_is_carried_out_though_whoever_asked_has_left(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    fay = storage.write(accounts.create, "fay", PASSWORD, "admin")
    dates = Schedule(opens_at=int(now()) + DAY, opens_as=print_of, remove_at=int(now()) + 90 * DAY)
    storage.write(life.schedule, draft.id, dates, now())
    storage.write(proposals.propose_dates, draft.id, dan.id, now())
    storage.write(proposals.confirm, draft.id, "open", print_of, ada.id, now())
    storage.write(leaving.remove, dan.id, {}, "ada")
    assert storage.read(proposals.unconfirmed, draft.id) == {"remove"}
    assert storage.read(proposals.waiting, now()) == []
    storage.write(accounts.create, "eli", PASSWORD, "admin")
    storage.write(leaving.remove, ada.id, {}, "fay")
    assert storage.read(proposals.unconfirmed, draft.id) == {"remove"}
    ((open_,),) = [storage.read(proposals.of_survey, draft.id, now())]
    assert (open_.account_id, open_.who, open_.confirmed_by) == (fay.id, "dan", "ada")


def test_a_reason_that_nothing_asks_for_is_not_logged_with_a_proposal(storage, draft, ada, required, now):
    """Nothing checks its length, and the log keeps it for good."""
    print_of = draft.checked.publication.fingerprint
    asked = opening.open_or_propose(storage, draft.id, print_of, ada, now(), "x" * 5000)
    assert (asked, len(storage.read(proposals.waiting, now()))) == (None, 1)
    assert storage.read(opening_reasons.of, "exams") is None


@pytest.mark.engines
def test_whoever_proposes_for_a_survey_that_two_others_delete_meanwhile_is_told_that_it_is_gone(
    storage, draft, ada, dan, required, now
):
    storage.write(proposals.propose, draft.id, "delete", "", dan.id, now())
    storage.write(deletion.confirm, draft.id, "", ada, now())
    with pytest.raises(SurveyGone):
        storage.write(deletion.propose, draft.id, "", dan, now())
    with pytest.raises(SurveyGone):
        storage.write(opening.propose, draft.id, "0" * 64, dan, now(), "a reason")


def test_only_an_admin_confirms(storage, draft, ada, required, now):
    storage.write(proposals.propose, draft.id, "delete", "", ada.id, now())
    eve = storage.write(accounts.create, "eve", PASSWORD, "editor")
    with pytest.raises(AccountGone):
        storage.write(proposals.confirm, draft.id, "delete", "", eve.id, now())


# As staff see it.


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
        storage.write(proposals.confirm, draft.id, "open", print_of, dan.id, now())
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
    storage.write(proposals.confirm, draft.id, "open", print_of, dan.id, now())
    storage.write(surveys.open_survey, draft.id)
    assert answer(of("dan"), "delete", "confirm", "").status_code == 409
    assert state(storage) == "open"


# By programs, and by dates.


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


def plan(browser, **typed):
    page = browser.get(LIFE).text
    shown = re.search(r'name="fingerprint" value="(\w*)"', page)[1]
    fields = {"zone": "UTC", "opens": "", "closes": "", "quota": "", "remove": "", "action": "save"}
    return browser.post(LIFE, **(fields | {"fingerprint": shown} | typed))


@pytest.mark.engines
def test_a_date_opens_nothing_that_nobody_has_confirmed(of, storage, draft, required, clock, staff_app):
    scheduler, print_of = staff_app.extensions["candor"].scheduler, draft.checked.publication.fingerprint
    ada = of("ada")
    assert plan(ada, opens="2026-05-05T09:00").status_code == 302
    for page in (LIFE, "/admin/surveys/exams"):
        assert "2026-05-05 09:00 UTC, once a second admin has confirmed it" in ada.get(page).text
    clock.forward(2 * DAY)
    scheduler.turn()
    assert state(storage) == "draft"
    assert not storage.read(life.of, draft.id).stays_draft
    assert answer(of("dan"), "open", "confirm", print_of).location == "/admin/surveys/exams?opened=1"
    assert state(storage) == "open"


def test_what_was_confirmed_beforehand_opens_on_its_date_and_not_sooner(
    of, storage, draft, required, clock, staff_app
):
    scheduler, print_of = staff_app.extensions["candor"].scheduler, draft.checked.publication.fingerprint
    plan(of("ada"), opens="2026-05-25T09:00")
    assert "It opens by itself on 2026-05-25 09:00 UTC" in of("dan").get(PROPOSALS).text
    answer(of("dan"), "open", "confirm", print_of)
    assert "It is confirmed and happens on its date." in of("ada").get(PROPOSALS).text
    assert state(storage) == "draft"
    clock.forward(20 * DAY)
    scheduler.turn()
    assert state(storage) == "draft"
    clock.forward(DAY)
    scheduler.turn()
    assert state(storage) == "open"


@pytest.mark.parametrize("moved", ["2026-05-24T09:00", "2026-05-26T09:00", ""])
def test_a_confirmed_date_that_one_admin_moves_or_takes_away_has_to_be_confirmed_anew(
    of, storage, draft, required, moved
):
    ada, dan, print_of = of("ada"), of("dan"), draft.checked.publication.fingerprint
    plan(ada, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    answer(dan, "open", "confirm", print_of)
    answer(dan, "remove", "confirm", str(storage.read(life.of, draft.id).remove_at))
    assert storage.read(proposals.unconfirmed, draft.id) == set()
    plan(dan, opens=moved)
    assert answer(dan, "open", "confirm", print_of).status_code == 409
    assert ask_to_open(dan).location == PROPOSALS
    plan(dan, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    assert storage.read(proposals.unconfirmed, draft.id) == {"open", "remove"}
    assert state(storage) == "draft"


def test_a_confirmed_date_stays_confirmed_when_another_is_changed(of, storage, draft, required):
    ada, print_of = of("ada"), draft.checked.publication.fingerprint
    plan(ada, opens="2026-05-25T09:00")
    answer(of("dan"), "open", "confirm", print_of)
    plan(ada, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    assert storage.read(proposals.unconfirmed, draft.id) == {"remove"}


def test_what_was_confirmed_for_a_date_opens_sooner_only_if_two_want_it(of, storage, draft, required):
    ada, dan, print_of = of("ada"), of("dan"), draft.checked.publication.fingerprint
    plan(ada, opens="2026-05-25T09:00")
    answer(dan, "open", "confirm", print_of)
    assert "Its date, 2026-05-25 09:00 UTC, is taken away" in ada.get(OPEN).text
    assert ask_to_open(ada).location == PROPOSALS
    assert (state(storage), storage.read(life.of, draft.id).opens_at) == ("draft", None)
    assert answer(dan, "open", "confirm", print_of).location == "/admin/surveys/exams?opened=1"
    assert state(storage) == "open"


@pytest.mark.engines
def test_reports_go_on_a_date_only_if_another_admin_has_confirmed_that_date(
    of, storage, survey, required, clock, staff_app, deeds
):
    scheduler = staff_app.extensions["candor"].scheduler
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    plan(of("ada"), remove="2026-05-10T09:00")
    moment = str(storage.read(life.of, survey.id).remove_at)
    assert ("ada", "removal_proposed", "exams", "2026-05-10 09:00 UTC") in deeds()
    for page in (LIFE, "/admin/surveys/exams", "/results/exams", "/results/exams/ethics"):
        assert "to be removed on 2026-05-10 09:00 UTC, once a second admin has" in of("dan").get(page).text
    clock.forward(7 * DAY - 1)
    scheduler.turn()
    assert not storage.read(life.of, survey.id).removed
    assert answer(of("dan"), "remove", "confirm", moment).status_code == 302
    scheduler.turn()
    assert storage.read(life.of, survey.id).removed


def test_declining_takes_the_date_away(of, storage, draft, required):
    plan(of("ada"), opens="2026-05-05T09:00", remove="2026-06-05T09:00")
    held = storage.read(life.of, draft.id)
    dan = of("dan")
    answer(dan, "open", "decline", held.opens_as)
    answer(dan, "remove", "decline", str(held.remove_at))
    assert storage.read(life.of, draft.id) == life.Life()


# Turning it on and off.


def test_one_admin_alone_cannot_turn_it_on(admin, storage, ada, now):
    with pytest.raises(OneAdmin):
        storage.write(proposals.require, ada.id, now())
    refused = admin.post(f"{PEOPLE}/second-admin", page=PEOPLE, required="1")
    assert refused.status_code == 409
    assert "You are the only admin." in refused.text
    assert not storage.read(second_admin.is_required)


def test_one_turns_it_on_and_it_takes_two_to_turn_it_off(of, storage, ada, dan, draft, deeds):
    one, other = of("ada"), of("dan")
    assert one.post(f"{PEOPLE}/second-admin", page=PEOPLE, required="1").status_code == 302
    assert storage.read(second_admin.is_required)
    one.post(f"{PEOPLE}/second-admin", page=PEOPLE, required="0")
    assert storage.read(second_admin.is_required)
    assert one.post(f"{PEOPLE}/second-admin/confirm", page=PEOPLE).status_code == 409
    assert "ada asks that no second admin be needed any more." in other.get(PEOPLE).text
    assert other.post(f"{PEOPLE}/second-admin/decline", page=PEOPLE).status_code == 302
    assert other.post(f"{PEOPLE}/second-admin/confirm", page=PEOPLE).status_code == 409
    one.post(f"{PEOPLE}/second-admin", page=PEOPLE, required="0")
    plan(one, opens="2026-05-05T09:00")
    assert other.post(f"{PEOPLE}/second-admin/confirm", page=PEOPLE).status_code == 302
    assert not storage.read(second_admin.is_required)
    assert storage.read(life.of, draft.id).opens_at is None  # nobody had confirmed it
    assert [each[:2] for each in deeds() if "second_admin" in each[1] or "stop" in each[1]] == [
        ("ada", "second_admin_required"),
        ("ada", "stop_proposed"),
        ("ada", "stop_proposed"),
        ("dan", "second_admin_not_required"),
    ]


def test_dates_that_were_set_before_it_was_turned_on_stay_as_they_are(
    storage, draft, ada, dan, clock, staff_app
):
    now, print_of = clock().timestamp(), draft.checked.publication.fingerprint
    wanted = Schedule(opens_at=int(now) + DAY, opens_as=print_of)
    storage.write(life.schedule, draft.id, wanted, now)
    storage.write(proposals.require, ada.id, now)
    clock.forward(DAY)
    staff_app.extensions["candor"].scheduler.turn()
    assert state(storage) == "open"


def test_an_admin_makes_no_other_and_lets_none_in_while_two_are_needed(of, storage, ada, dan, now):
    """Whoever could make a second admin could confirm what they asked for."""
    storage.write(accounts.create, "eve", PASSWORD, "editor")
    numbers = {name: storage.read(accounts.by_name, name).id for name in ("dan", "eve")}
    old = storage.write(links.invite, ada.id, "admin", False, [], now())
    reset = storage.write(links.allow_reset, ada.id, dan.id, now())
    other = storage.write(links.invite, ada.id, "editor", False, [], now())
    storage.write(proposals.require, ada.id, now())
    for token in (old, reset):
        with pytest.raises(links.LinkGone):
            storage.read(links.link_of, token, now())
    assert storage.read(links.link_of, other, now()).role == "editor"
    browser = of("ada")
    before = storage.read(accounts.all_accounts)
    for address, typed in (
        ("", {"name": "zoe", "role": "admin"}),
        ("/invitations", {"role": "admin"}),
        (f"/{numbers['eve']}", {"role": "admin"}),
        (f"/{numbers['dan']}/reset", {}),
        (f"/{numbers['dan']}/password", {}),
        (f"/{numbers['dan']}/factor/remove", {}),
    ):
        refused = browser.post(PEOPLE + address, page=PEOPLE, **typed)
        assert (address, refused.status_code) == (address, 409)
        assert "whoever runs the server does it with candor user" in refused.text
    assert storage.read(accounts.all_accounts) == before
    for address, typed in (
        ("", {"name": "zoe", "role": "editor"}),
        (f"/{numbers['eve']}", {"role": "editor"}),
        (f"/{numbers['eve']}/reset", {}),
    ):
        assert browser.post(PEOPLE + address, page=PEOPLE, **typed).status_code in (200, 302)


def test_two_admins_stay_while_two_are_needed(of, storage, ada, dan, required):
    browser = of("ada")
    refused = browser.post(f"{PEOPLE}/{dan.id}/remove")
    assert refused.status_code == 409
    assert "so two have to stay" in refused.text
    with pytest.raises(AccountError, match="two admins are needed"):
        storage.write(accounts.delete, ada.id)
    refused = browser.post(f"{PEOPLE}/{dan.id}", role="researcher")
    assert (refused.status_code, "so two have to stay" in refused.text) == (409, True)


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


def test_nothing_changes_where_no_second_admin_is_needed(storage, draft, ada, now):
    opened = opening.open_or_propose(storage, draft.id, draft.checked.publication.fingerprint, ada, now())
    assert opened is not None
    assert storage.read(proposals.waiting, now()) == []
