"""Where opening and deleting need a second admin, the store does neither on the word of one."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from draft_editor import replaced
from proposing import PASSWORD, state

from server.store import surveys
from server.store.lifecycle import confirmations, deletion, opening, opening_reasons, proposals
from server.store.lifecycle.confirmations import OwnProposal
from server.store.lifecycle.proposals import SECONDS, ProposalGone, SecondAdminNeeded
from server.store.staff import accounts, audit
from server.store.staff.accounts import AccountGone
from server.store.staff.audit import LineFilter
from server.store.surveys import SurveyGone, WrongState


@pytest.mark.engines
def test_the_store_opens_and_deletes_only_what_another_admin_has_confirmed(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    with pytest.raises(SecondAdminNeeded, match="to open it needs a second admin") as needed:
        storage.write(surveys.open_survey, draft.id)
    assert (needed.value.what, needed.value.subject, needed.value.reason) == ("open", print_of, "")
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.delete_survey, draft.id)
    storage.write(proposals.propose, draft.id, "open", print_of, ada.id, now())
    with pytest.raises(OwnProposal):
        storage.write(confirmations.confirm, draft.id, "open", print_of, ada.id, now())
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.open_survey, draft.id)
    storage.write(confirmations.confirm, draft.id, "open", print_of, dan.id, now())
    opened = storage.write(surveys.open_survey, draft.id)
    assert opened.publication.fingerprint == print_of
    assert storage.read(proposals.of_survey, draft.id, now()) == []
    with pytest.raises(SecondAdminNeeded):
        storage.write(surveys.delete_survey, draft.id)
    storage.write(proposals.propose, draft.id, "delete", print_of, dan.id, now())
    storage.write(confirmations.confirm, draft.id, "delete", print_of, ada.id, now())
    storage.write(surveys.delete_survey, draft.id)
    assert state(storage) is None


@pytest.mark.engines
def test_a_draft_that_has_changed_since_is_not_opened_by_what_was_confirmed(
    storage, draft, ada, dan, required, now, survey_file
):
    before = draft.checked.publication.fingerprint
    storage.write(proposals.propose, draft.id, "open", before, ada.id, now())
    storage.write(confirmations.confirm, draft.id, "open", before, dan.id, now())
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
        storage.write(confirmations.confirm, draft.id, "delete", "", dan.id, clock().timestamp())
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
            return storage.write(confirmations.confirm, draft.id, "delete", "", account.id, now()).who
        except ProposalGone:
            return None

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(confirm, (dan, cleo))) == {"ada", None}
    ((by,),) = storage.read(lambda db: db.execute("SELECT confirmed_by FROM proposals").fetchall())
    assert by in ("dan", "cleo")
    lines = storage.read(audit.lines, LineFilter(what="proposal_confirmed"))
    assert [line.who for line in lines] == [by]


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
    with pytest.raises(ProposalGone):
        storage.write(proposals.propose, draft.id, "delete", "", dan.id, now())


def test_what_two_others_have_opened_meanwhile_is_not_proposed_to_open(
    storage, draft, ada, dan, required, now
):
    print_of = draft.checked.publication.fingerprint
    storage.write(proposals.propose, draft.id, "open", print_of, ada.id, now())
    storage.write(confirmations.confirm, draft.id, "open", print_of, dan.id, now())
    storage.write(surveys.open_survey, draft.id)
    with pytest.raises(WrongState):
        storage.write(opening.propose, draft.id, print_of, ada, now(), "")
    assert storage.read(proposals.of_survey, draft.id, now()) == []


def test_only_an_admin_confirms(storage, draft, ada, required, now):
    storage.write(proposals.propose, draft.id, "delete", "", ada.id, now())
    eve = storage.write(accounts.create, "eve", PASSWORD, "editor")
    with pytest.raises(AccountGone):
        storage.write(confirmations.confirm, draft.id, "delete", "", eve.id, now())


def test_nothing_changes_where_no_second_admin_is_needed(storage, draft, ada, now):
    opened = opening.open_or_propose(storage, draft.id, draft.checked.publication.fingerprint, ada, now())
    assert opened is not None
    assert storage.read(proposals.waiting, now()) == []
