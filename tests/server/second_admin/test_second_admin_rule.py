"""One admin turns on that two are needed, two turn it off, and one alone makes no second in between."""

import pytest
from proposing import DAY, PASSWORD, PEOPLE, plan, state

from server.store import surveys
from server.store.lifecycle import confirmations, life, proposals, second_admin_rule
from server.store.lifecycle.life import Schedule
from server.store.lifecycle.proposals import SecondAdminNeeded
from server.store.lifecycle.second_admin_rule import OneAdmin
from server.store.staff import accounts, links, second_admin
from server.store.staff.accounts import AccountError


def test_one_admin_alone_cannot_turn_it_on(admin, storage, ada, now):
    with pytest.raises(OneAdmin):
        storage.write(second_admin_rule.require, ada.id, now())
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
    assert [each for each in deeds() if each[1].startswith("proposal_")] == [
        ("dan", "proposal_declined", None, "ada"),
        ("dan", "proposal_confirmed", None, "ada"),
    ]


def test_to_turn_it_off_is_asked_for_once_and_only_while_it_is_on(storage, ada, dan, now, clock, deeds):
    storage.write(second_admin_rule.propose_stop, ada.id, now())
    assert storage.read(second_admin_rule.to_stop, now()) is None
    storage.write(second_admin_rule.require, ada.id, now())
    for account in (ada, dan):
        storage.write(second_admin_rule.propose_stop, account.id, now())
    assert storage.read(second_admin_rule.to_stop, now()).who == "ada"
    assert [each[:2] for each in deeds()[1:]] == [("ada", "stop_proposed")]


def test_what_was_confirmed_before_it_was_turned_off_has_to_be_confirmed_anew_after_that(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    storage.write(proposals.propose, draft.id, "open", print_of, ada.id, now())
    storage.write(confirmations.confirm, draft.id, "open", print_of, dan.id, now())
    storage.write(second_admin_rule.propose_stop, ada.id, now())
    storage.write(second_admin_rule.stop, dan.id, now())
    storage.write(second_admin_rule.require, ada.id, now())
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.open_survey, draft.id)


def test_dates_that_were_set_before_it_was_turned_on_stay_as_they_are(
    storage, draft, ada, dan, clock, staff_app
):
    now, print_of = clock().timestamp(), draft.checked.publication.fingerprint
    wanted = Schedule(opens_at=int(now) + DAY, opens_as=print_of)
    storage.write(life.schedule, draft.id, wanted, now)
    storage.write(second_admin_rule.require, ada.id, now)
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
    storage.write(second_admin_rule.require, ada.id, now())
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
    storage.write(accounts.create, "zoe", PASSWORD, "admin")
    assert browser.post(f"{PEOPLE}/{dan.id}/remove").status_code == 302  # of three, one may go
