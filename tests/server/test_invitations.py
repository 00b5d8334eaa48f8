"""One-time invitations: each stores one report, in the transaction that stores it, and is joined to none."""

import random
import threading
from base64 import urlsafe_b64decode
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from between import Between

from server.store import invitation_list, invitations, submissions, surveys
from server.store.committer import Committer
from server.store.invitations import SHEET, TooMany, draw, hash_of
from server.store.lifecycle import life
from server.store.results import visible_results
from server.store.sqlite.reports import SQLiteReports
from server.store.submissions import Submission
from survey.fields import DefinitionError
from survey.read_definition import from_dict

pytestmark = pytest.mark.engines

DAY = "2026-05-04"
NEW = {"candor": 3}


class Guests:
    """An open survey for those who are invited, and their tokens."""

    def __init__(self, storage, table, number=100, seed=1, **schedule):
        self.storage, self.random = storage, random.Random(seed)
        draft = storage.write(surveys.create_draft, table)
        storage.write(life.schedule, draft.id, life.Schedule(**schedule), 0)
        self.survey = storage.write(surveys.open_survey, draft.id)
        self.tokens = self.invite(number) if number else []

    def invite(self, number):
        drawn = draw(number, self.random.randbytes)
        hashes = [hash_of(each) for each in drawn]
        made = self.storage.write(invitations.make, self.survey.id, hashes)
        return [urlsafe_b64decode(token) for token in made.tokens(drawn)]

    def one(self, token, receipt=None, copied=1):
        """A submission with a token, under a receipt of its own unless one is given."""
        receipt = f"{self.random.getrandbits(128):032x}" if receipt is None else f"{receipt:032x}"
        reports = {"copied": copied, "data": 0}
        return Submission(self.survey.id, self.survey.publication.fingerprint, receipt, reports, token)

    def record(self, *batch, memory=None):
        return self.storage.write(submissions.record, batch, DAY, memory)

    def rows(self):
        held = self.storage.read(lambda db: dict(db.reports.records(self.survey.id, self.survey.publication)))
        return len(held)

    def used(self):
        return self.storage.read(invitation_list.used, self.survey.id).sum()

    def not_used(self):
        return self.storage.read(invitation_list.not_used, self.survey.id)


@pytest.fixture
def storage(app):
    return app.extensions["candor"].storage


@pytest.fixture
def guests(storage, survey_file):
    return Guests(storage, survey_file(**NEW, invitations=True))


@pytest.fixture
def listed(storage, survey_file):
    """A survey that keeps the list; its results advance in steps of 10."""
    return Guests(storage, survey_file(**NEW, invitations="listed"))


def test_each_invitation_stores_one_report(guests):
    first, second = guests.tokens[:2]
    assert guests.record(guests.one(first), guests.one(second)) == ["stored", "stored"]
    assert guests.record(guests.one(first), guests.one(second, copied=0)) == ["used", "used"]
    assert (guests.rows(), guests.used()) == (2, 2)


def test_a_retry_is_answered_as_the_first_time_although_its_token_is_spent(guests):
    one = guests.one(guests.tokens[0], receipt=7)
    assert guests.record(one) == ["stored"]
    assert guests.record(one) == ["repeated"]
    assert guests.record(guests.one(guests.tokens[0], receipt=7, copied=0)) == ["different"]
    assert guests.record(guests.one(guests.tokens[1], receipt=7)) == ["repeated"]
    assert (guests.rows(), guests.used()) == (1, 1)  # the second token is as good as before
    assert guests.record(guests.one(guests.tokens[1])) == ["stored"]


def test_within_one_batch_a_token_counts_once(guests):
    token, other = guests.tokens[:2]
    batch = [guests.one(token, 1), guests.one(token, 2), guests.one(token, 1), guests.one(other, 1)]
    assert guests.record(*batch) == ["stored", "used", "repeated", "repeated"]
    assert (guests.rows(), guests.used()) == (1, 1)


def test_a_token_that_was_tried_for_what_cannot_be_stored_is_still_good(guests):
    token = guests.tokens[0]
    assert guests.record(guests.one(token, copied=7)) == ["refused"]
    assert guests.record(guests.one(token)) == ["stored"]


def test_what_is_no_token_of_this_survey_stores_nothing(guests, storage, survey_file):
    other = Guests(storage, survey_file("others", **NEW, invitations=True), seed=2)
    good = guests.tokens[0]
    wrong = {
        "none": b"",
        "cut off": good[:-1],
        "longer": good + b"x",
        "another secret": good[:-1] + bytes([good[-1] ^ 1]),
        "the secret of its neighbour": good[:4] + guests.tokens[1][4:],
        "a sheet that is not there": b"\xff\xff\xff" + good[3:],
        "a place that is not there": good[:3] + b"\xff" + good[4:],
        "a place after the last": good[:3] + bytes([SHEET]) + good[4:],
        "all zeros": bytes(21),
        "of another survey": other.tokens[0],
    }
    for name, token in wrong.items():
        assert guests.record(guests.one(token)) == ["uninvited"], name
    assert (guests.rows(), guests.used()) == (0, 0)
    assert other.record(other.one(other.tokens[0])) == ["stored"]


def test_a_survey_without_invitations_asks_for_none(storage, survey_file):
    everybody = Guests(storage, survey_file(), number=0)
    assert everybody.record(everybody.one(b""), everybody.one(bytes(21))) == ["stored", "stored"]
    held = storage.read(invitations.invitation_totals, everybody.survey.id)
    assert (held.made, held.sheets, held.withdrawn) == (0, 0, 0)


def test_one_token_used_fifty_times_at_once_stores_one_report(guests):
    object.__setattr__(guests.storage, "busy_seconds", 60.0)  # a busy machine is no fault
    pair = [Committer(guests.storage) for _ in range(2)]
    barrier = threading.Barrier(50)
    batch = [guests.one(guests.tokens[5]) for _ in range(50)]

    def send(number):
        barrier.wait()
        return pair[number % 2].submit(batch[number], DAY)

    with ThreadPoolExecutor(50) as pool:
        outcomes = Counter(pool.map(send, range(50)))
    assert outcomes == {"stored": 1, "used": 49}
    assert (guests.rows(), guests.used()) == (1, 1)


def test_more_can_be_made_later_and_those_that_were_not_used_withdrawn(guests):
    assert guests.record(guests.one(guests.tokens[0])) == ["stored"]
    guests.storage.write(invitations.withdraw, guests.survey.id)
    later = guests.invite(SHEET + 1)
    assert guests.record(guests.one(guests.tokens[1]), guests.one(guests.tokens[0])) == ["uninvited", "used"]
    assert guests.record(*map(guests.one, later)) == ["stored"] * len(later)
    held = guests.storage.read(invitations.invitation_totals, guests.survey.id)
    assert (held.made, held.sheets, held.withdrawn) == (100 + SHEET + 1, 4, 2)


def test_more_sheets_than_are_stored_at_once_are_all_stored(guests, monkeypatch):
    monkeypatch.setattr(invitations, "ROWS", 2)
    tokens = guests.invite(5 * SHEET)
    assert guests.record(*map(guests.one, tokens[::SHEET])) == ["stored"] * 5


def test_numbers_go_on_where_they_stopped(guests):
    drawn = draw(3)
    made = guests.storage.write(invitations.make, guests.survey.id, list(map(hash_of, drawn)))
    tokens = made.tokens(drawn)
    assert (made.first, len(set(tokens)), len(tokens[0])) == (101, 3, 28)


def test_a_survey_has_only_so_many(guests, monkeypatch):
    with pytest.raises(TooMany, match="at most 1,000,000 invitations, and 100 are made"):
        guests.storage.write(invitations.make, guests.survey.id, [bytes(16)], room=999_901)  # the first part
    monkeypatch.setattr(invitations, "MOST", 120)
    with pytest.raises(TooMany, match="at most 120"):
        guests.invite(21)
    assert len(guests.invite(20)) == 20


def test_neither_tokens_nor_secrets_are_stored(guests):
    assert guests.record(*map(guests.one, guests.tokens[:50])) == ["stored"] * 50
    held = guests.storage.read(lambda db: db.execute("SELECT hashes FROM invitations").fetchall())
    stored = b"".join(bytes(hashes) for (hashes,) in held)
    assert len(stored) == 16 * 100
    assert not any(token[4:12] in stored for token in guests.tokens)


def test_a_message_that_shows_a_submission_shows_no_token(guests):
    shown = repr(guests.one(guests.tokens[0]))
    assert "invitation" not in shown
    assert str(guests.tokens[0]) not in shown


def test_closing_removes_the_hashes_and_a_retry_is_still_answered(guests):
    one, late = guests.one(guests.tokens[0]), guests.one(guests.tokens[1])
    assert guests.record(one) == ["stored"]
    guests.storage.write(surveys.close_survey, guests.survey.id)
    guests.storage.finish()
    assert guests.storage.read(lambda db: db.execute("SELECT count(*) FROM invitations").fetchone()) == (0,)
    assert guests.record(one, late) == ["repeated", "closed"]
    assert guests.storage.read(invitations.invitation_totals, guests.survey.id).made == 100


def test_hashes_are_removed_in_short_transactions_between_which_others_may_write(guests, monkeypatch):
    monkeypatch.setattr(invitations, "AIM", 1)
    guests.storage.write(surveys.close_survey, guests.survey.id)
    left = []

    def look():
        left.append(guests.storage.read(lambda db: db.execute("SELECT count(*) FROM invitations").fetchone()))

    invitations.forget_unusable(Between(guests.storage, look))
    assert left == [(1,), (0,)]


def test_of_a_survey_that_is_deleted_nothing_stays(guests):
    guests.storage.write(surveys.delete_survey, guests.survey.id)
    guests.storage.finish()
    for table in ("invited", "invitations"):
        rows = guests.storage.read(lambda db, name: db.execute(f"SELECT * FROM {name}").fetchall(), table)
        assert rows == []


def test_the_list_advances_in_the_steps_of_the_results(listed):
    memory, shown = {}, []
    order = random.Random(3).sample(range(100), 100)
    for number in order:
        assert listed.record(listed.one(listed.tokens[number]), memory=memory) == ["stored"]
        results = listed.storage.read(
            lambda db: visible_results.results(db, surveys.get(db, listed.survey.id)).respondents
        )
        shown.append((100 - len(listed.not_used()), results))
    assert {names for names, _ in shown} == set(range(0, 100, 10))
    assert all(names == results for names, results in shown)
    assert set(listed.not_used()) == set(range(1, 101)) - {number + 1 for number in order[:90]}
    assert listed.used() == 100


@pytest.mark.engines("sqlite")
def test_whoever_records_counts_alone_for_a_list_and_for_a_quota_only(
    guests, storage, survey_file, monkeypatch
):
    alone = []
    monkeypatch.setattr(SQLiteReports, "count_alone", lambda reports, number: alone.append(number))
    listed = Guests(storage, survey_file("listed", **NEW, invitations="listed"))
    limited = Guests(storage, survey_file("limited", **NEW, invitations=True), quota=10)
    for each in (guests, listed, limited):
        for token in (each.tokens[0], b""):
            each.record(each.one(token))
    assert alone == [listed.survey.id, limited.survey.id]


def test_a_process_that_begins_anew_lets_the_list_wait_for_a_step(listed):
    batch = [listed.one(token) for token in listed.tokens[:30]]
    for one in batch[:19]:
        listed.record(one, memory=(first := {}) if one is batch[0] else first)
    assert len(listed.not_used()) == 100
    second = {}
    for one in batch[19:]:
        listed.record(one, memory=second)
    assert len(listed.not_used()) == 100 - 20


def test_the_list_is_final_when_the_survey_closes(listed):
    listed.record(*map(listed.one, listed.tokens[:7]), memory={})
    assert len(listed.not_used()) == 100
    listed.storage.write(surveys.close_survey, listed.survey.id)
    listed.storage.finish()
    assert listed.not_used() == list(range(8, 101))


def test_invitations_made_later_are_on_the_list(listed):
    memory = {}
    for token in listed.tokens[:25]:
        listed.record(listed.one(token), memory=memory)
    later = listed.invite(5)
    assert listed.not_used() == list(range(11, 106))
    for token in [*later, *listed.tokens[25:40]]:
        listed.record(listed.one(token), memory=memory)
    assert listed.not_used() == list(range(26, 101))


def test_beside_a_list_the_sections_that_some_are_asked_advance_as_without_one(storage, survey_file):
    def shown(invitations):
        table = survey_file(f"asked-{invitations}".lower(), candor=3, asked=1, invitations=invitations)
        parts = table.pop("questions")
        table["sections"] = [{"id": each["id"], "questions": [each]} for each in parts]
        guests, memory, found = Guests(storage, table), {}, []
        publication = guests.survey.publication
        left_out = {name: column.codes - 1 for name, column in publication.columns.items()}
        for number, token in enumerate(guests.tokens[:60]):
            asked = ("copied", "data")[number % 2]
            one = replace(guests.one(token), reports=left_out | {asked: 0})
            assert guests.record(one, memory=memory) == ["stored"]
            results = storage.read(lambda db: visible_results.results(db, surveys.get(db, guests.survey.id)))
            found.append({name: part.asked for name, part in results.sections.items()})
        return found

    with_a_list = shown("listed")
    assert with_a_list == shown(True)
    assert with_a_list[-1] == {"copied": 20, "data": 20}


def test_no_list_is_stored_unless_the_survey_keeps_one(guests):
    guests.record(*map(guests.one, guests.tokens), memory={})
    guests.storage.write(surveys.close_survey, guests.survey.id)
    held = guests.storage.read(lambda db: db.execute("SELECT listed FROM invited").fetchall())
    assert [bytes(one) for (one,) in held] == [b""]


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("value", ["yes", 1, [], {"list": True}])
def test_the_setting_is_true_false_or_listed(survey_file, value):
    with pytest.raises(DefinitionError, match='invitations must be true, false or "listed"'):
        from_dict(survey_file(**NEW, invitations=value), "exams")


@pytest.mark.engines("sqlite")
def test_a_list_and_a_download_before_the_close_do_not_go_together(survey_file):
    results = {"step": 10, "reports_while_open": True}
    with pytest.raises(DefinitionError, match="no report can be downloaded before the survey is closed"):
        from_dict(survey_file(**NEW, invitations="listed", results=results), "exams")
    assert from_dict(survey_file(**NEW, invitations=True, results=results), "exams").invitations is True
