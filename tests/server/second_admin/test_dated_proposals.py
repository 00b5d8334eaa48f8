"""What a date would carry out needs a second admin too, and holds for that date alone."""

import pytest
from proposing import DAY, LIFE, OPEN, PASSWORD, PROPOSALS, answer, ask_to_open, plan, state

from server.store import surveys
from server.store.lifecycle import confirmations, dated_proposals, life, proposals
from server.store.lifecycle.life import Schedule
from server.store.lifecycle.scheduler import all_due
from server.store.staff import accounts, leaving


@pytest.mark.engines
def test_what_was_confirmed_for_a_date_is_carried_out_though_whoever_asked_has_left(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    fay = storage.write(accounts.create, "fay", PASSWORD, "admin")
    dates = Schedule(opens_at=int(now()) + DAY, opens_as=print_of, remove_at=int(now()) + 90 * DAY)
    storage.write(life.schedule, draft.id, dates, now())
    storage.write(dated_proposals.propose_dates, draft.id, dan.id, now())
    storage.write(confirmations.confirm, draft.id, "open", print_of, ada.id, now())
    storage.write(leaving.remove, dan.id, {}, "ada")
    assert storage.read(dated_proposals.unconfirmed, draft.id) == {"remove"}
    assert storage.read(proposals.waiting, now()) == []
    storage.write(accounts.create, "eli", PASSWORD, "admin")
    storage.write(leaving.remove, ada.id, {}, "fay")
    assert storage.read(dated_proposals.unconfirmed, draft.id) == {"remove"}
    ((open_,),) = [storage.read(proposals.of_survey, draft.id, now())]
    assert (open_.account_id, open_.who, open_.confirmed_by) == (fay.id, "dan", "ada")


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
    assert storage.read(dated_proposals.unconfirmed, draft.id) == set()
    plan(dan, opens=moved)
    assert answer(dan, "open", "confirm", print_of).status_code == 409
    assert ask_to_open(dan).location == PROPOSALS
    plan(dan, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    assert storage.read(dated_proposals.unconfirmed, draft.id) == {"open", "remove"}
    assert state(storage) == "draft"


def test_a_confirmed_date_stays_confirmed_when_another_is_changed(of, storage, draft, required):
    ada, print_of = of("ada"), draft.checked.publication.fingerprint
    plan(ada, opens="2026-05-25T09:00")
    answer(of("dan"), "open", "confirm", print_of)
    plan(ada, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    assert storage.read(dated_proposals.unconfirmed, draft.id) == {"remove"}


def test_a_date_is_proposed_once_however_often_it_is_saved(of, draft, required, deeds):
    for name in ("ada", "dan"):
        plan(of(name), opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    proposed = [(who, what) for who, what, *_ in deeds() if what.endswith("_proposed")]
    assert proposed == [("ada", "opening_proposed"), ("ada", "removal_proposed")]


def test_where_no_second_admin_is_needed_dates_are_not_proposed_and_one_opens_sooner(
    of, storage, draft, deeds
):
    ada = of("ada")
    plan(ada, opens="2026-05-25T09:00", remove="2026-09-01T09:00")
    assert not [what for _, what, *_ in deeds() if what.endswith("_proposed")]
    assert storage.read(dated_proposals.unconfirmed, draft.id) == set()
    ask_to_open(ada)
    assert state(storage) == "open"


def test_what_was_confirmed_for_a_date_opens_sooner_only_if_two_want_it(of, storage, draft, required):
    ada, dan, print_of = of("ada"), of("dan"), draft.checked.publication.fingerprint
    plan(ada, opens="2026-05-25T09:00")
    answer(dan, "open", "confirm", print_of)
    assert "Only its opening date, 2026-05-25 09:00 UTC, is removed" in ada.get(OPEN).text
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
    assert storage.read(all_due, clock().timestamp()) == []  # or what finishes it would start in vain
    assert answer(of("dan"), "remove", "confirm", moment).status_code == 302
    scheduler.turn()
    assert storage.read(life.of, survey.id).removed
    assert storage.read(dated_proposals.dated, survey.id) == []


def test_what_has_opened_on_its_date_is_not_to_be_opened_any_more(storage, draft, ada, now):
    dates = Schedule(opens_at=int(now()), opens_as=draft.checked.publication.fingerprint)
    storage.write(life.schedule, draft.id, dates, now())
    assert storage.read(dated_proposals.dated, draft.id) == [("open", dates.opens_as)]
    storage.write(surveys.open_survey, draft.id)
    assert storage.read(dated_proposals.dated, draft.id) == []


@pytest.mark.parametrize(("what", "subject"), [("open", "0" * 64), ("remove", "1"), ("delete", "")])
def test_declining_anything_else_leaves_the_dates(storage, draft, ada, dan, required, now, what, subject):
    dates = Schedule(
        opens_at=int(now()) + DAY,
        opens_as=draft.checked.publication.fingerprint,
        remove_at=int(now()) + 90 * DAY,
    )
    storage.write(life.schedule, draft.id, dates, now())
    before = storage.read(life.of, draft.id)
    storage.write(proposals.propose, draft.id, what, subject, ada.id, now())
    storage.write(confirmations.decline, draft.id, what, subject, "dan", now())
    assert storage.read(life.of, draft.id) == before


def test_declining_takes_the_date_away(of, storage, draft, required):
    plan(of("ada"), opens="2026-05-05T09:00", remove="2026-06-05T09:00")
    held = storage.read(life.of, draft.id)
    dan = of("dan")
    answer(dan, "open", "decline", held.opens_as)
    answer(dan, "remove", "decline", str(held.remove_at))
    assert storage.read(life.of, draft.id) == life.Life()
