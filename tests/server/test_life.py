"""What becomes of a survey by itself or by hand, with a clock that tests move: on each engine."""

import secrets
from dataclasses import asdict
from itertools import pairwise

import pytest

from server import create_app
from server.store import submissions, surveys
from server.store.lifecycle import life, scheduler
from server.store.lifecycle.life import Life, Schedule
from server.store.postgresql.reports import PostgreSQLReports
from server.store.results import survey_results, visible_results
from server.store.results.visible_results import ReportsRemoved
from server.store.sqlite import removal
from server.store.upkeep import move, verification

pytestmark = pytest.mark.engines

DAY = 24 * 3600


@pytest.fixture
def now(clock):
    return lambda: clock().timestamp()


@pytest.fixture
def turn(door):
    """Do what is due, and finish it."""

    def turn():
        left = door.services.scheduler.turn()
        door.services.scheduler.finish()
        door.services.finisher.settle()
        return left

    return turn


@pytest.fixture
def planned(door, now):
    """Plan something for the open survey `exams`: ``planned(closes_in=DAY, quota=5)``."""

    def planned(closes_in=None, remove_in=None, **more):
        moments = {"closes_at": closes_in, "remove_at": remove_in}
        moments = {name: int(now()) + left for name, left in moments.items() if left is not None}
        door.storage.write(life.schedule, door.survey.id, Schedule(**moments, **more), now())
        return held(door)

    return planned


def held(door):
    return door.storage.read(life.of, door.survey.id)


def surveys_state(door):
    return door.storage.read(surveys.get, door.survey.id).state


def draft_with(door, survey_file, now, **plan):
    """A draft, `second`, with dates and a quota set beforehand."""
    made = door.storage.write(surveys.create_draft, survey_file("second"))
    door.storage.write(life.schedule, made.id, Schedule(**plan), now())
    return made


def test_a_survey_of_which_nothing_is_noted_has_none_of_it(door):
    assert held(door) == Life()
    assert [value for value in asdict(held(door)).values() if value] == ["UTC"]
    assert not held(door).fixed


def test_what_is_noted_is_true_or_false_and_no_number(door):
    door.storage.write(life.archive, door.survey.id, archived=True)
    assert repr(held(door)) == repr(Life(archived=True))


class Watched:
    """A connection that notes what it is asked."""

    def __init__(self, db):
        self.db, self.asked = db, []

    def __getattr__(self, name):
        self.asked.append(name)
        return getattr(self.db, name)

    def hold(self, survey_ids, *, alone=False):
        self.asked.append((*survey_ids, "alone" if alone else "shared"))
        self.db.hold(survey_ids, alone=alone)


ALONE = {
    "pausing it": life.pause,
    "planning its end": lambda db, number: life.schedule(db, number, Schedule(closes_at=2_000_000_000), 0),
    "closing it on its date": lambda db, number: scheduler.close_if_due(db, number, 0),
    "removing its reports": lambda db, number: scheduler.remove_if_due(db, number, 0),
    "deleting it": surveys.delete_survey,
}


@pytest.mark.parametrize("what", ALONE)
def test_nobody_records_while_what_decides_over_submissions_is_looked_at_and_changed(door, what):
    def asked_first(db):
        watched = Watched(db)
        ALONE[what](watched, door.survey.id)
        return watched.asked[0]

    assert door.storage.write(asked_first) == (door.survey.id, "alone")


def test_a_paused_survey_takes_nothing_and_its_page_keeps_what_it_has(door):
    body = door.body()
    assert door.send(door.body()) == (200, "stored")
    door.storage.write(life.pause, door.survey.id)
    answer = door.client.post("/s/exams", data=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert 'data-outcome="paused" data-wait="60"' in answer.text
    assert "The survey is paused" in answer.text
    assert len(door.rows()) == 1
    door.storage.write(life.resume, door.survey.id)
    assert door.send(body) == (200, "stored")
    assert len(door.rows()) == 2


def test_the_page_of_a_paused_survey_says_so_and_is_there_again_afterwards(door):
    door.storage.write(life.pause, door.survey.id)
    page = door.get()
    assert page.status_code == 503
    assert "paused for now" in page.text
    assert page.headers["Retry-After"] == "600"
    door.storage.write(life.resume, door.survey.id)
    assert door.get().status_code == 200


def test_a_retry_of_what_is_stored_is_answered_during_a_pause_as_before(door):
    body = door.body()
    assert door.send(body) == (200, "stored")
    door.storage.write(life.pause, door.survey.id)
    assert door.send(body) == (200, "stored")


def test_pausing_and_resuming_shows_nobody(door, monkeypatch):
    """Nobody, paused right after single submissions, sees the results move by less than a step."""
    monkeypatch.setattr(PostgreSQLReports, "pause", 0.0)
    shown = [door.results().respondents]
    for number in range(4 * door.step):
        assert door.send(door.body())[1] == "stored"
        before = door.results().counts
        door.storage.write(life.pause, door.survey.id)
        assert door.results().counts == before
        door.storage.write(life.resume, door.survey.id)
        assert door.results().counts == before
        shown.append(door.results().respondents)
        assert number + 1 - shown[-1] >= (door.step if number >= 2 * door.step else 0) or shown[-1] == 0
    moves = {after - then for then, after in pairwise(shown)} - {0}
    assert moves
    assert min(moves) >= door.step


def test_counts_of_a_paused_survey_are_kept_still_by_the_database_too(door):
    door.send(door.body())
    door.storage.write(life.pause, door.survey.id)
    table = (
        "tallies SET published = counts"
        if "postgres" in door.storage.name
        else "counts SET published = counted"
    )
    with pytest.raises(Exception, match="stand still"):
        door.storage.write(lambda db: db.execute(f"UPDATE {table}"))


def test_a_paused_survey_can_be_closed_and_shows_everything_then(door):
    for _ in range(3):
        door.send(door.body())
    door.storage.write(life.pause, door.survey.id)
    door.storage.write(surveys.close_survey, door.survey.id)
    assert door.results().respondents == 3
    assert not held(door).paused
    assert held(door).closed_by == "hand"
    assert door.get().status_code == 410


def test_past_its_date_a_survey_takes_nothing_though_nobody_has_closed_it(door, planned, clock):
    planned(closes_in=DAY)
    assert door.send(door.body()) == (200, "stored")
    clock.forward(DAY - 1)
    assert door.send(door.body()) == (200, "stored")
    clock.forward(1)
    assert surveys_state(door) == "open"
    assert door.send(door.body()) == (410, "closed")
    assert len(door.rows()) == 2


def test_where_no_moment_is_given_no_date_has_come(door, planned, clock):
    planned(closes_in=DAY)
    clock.forward(DAY)
    fingerprint = door.survey.publication.fingerprint
    one = submissions.Submission(door.survey.id, fingerprint, "ab" * 16, {"copied": 1, "data": 0})
    assert door.storage.write(submissions.record, [one], "2026-05-05") == ["stored"]


def test_whoever_asks_for_the_page_after_the_date_closes_the_survey(door, planned, clock):
    planned(closes_in=DAY)
    door.send(door.body())
    clock.forward(DAY)
    assert door.get().status_code == 410
    assert surveys_state(door) == "closed"
    assert held(door).closed_by == "date"
    assert door.results().respondents == 1


def test_the_page_says_that_a_survey_has_ended_though_it_could_not_be_closed_yet(
    door, planned, clock, monkeypatch
):
    planned(closes_in=DAY)
    clock.forward(DAY)
    monkeypatch.setattr(type(door.services.scheduler), "look", lambda self: None)
    assert door.get().status_code == 410
    assert surveys_state(door) == "open"


def test_a_server_waits_for_the_next_moment(door, planned, turn, now, clock):
    assert turn() is None
    planned(closes_in=DAY, remove_in=3 * DAY)
    assert turn() == now() + DAY
    clock.forward(DAY)
    assert turn() == now() + 2 * DAY
    clock.forward(2 * DAY)
    assert turn() is None


def test_of_two_servers_the_first_closes_and_the_other_finds_it_done(door, planned, clock, turn):
    planned(closes_in=DAY)
    other = create_app(door.services.config, clock, create=False)
    clock.forward(DAY)
    turn()
    assert other.extensions["candor"].scheduler.turn() is None
    assert other.test_client().get("/s/exams").status_code == 410
    assert held(door).closed_by == "date"
    other.extensions["candor"].storage.close()


def test_an_end_that_was_set_before_opening_was_fixed_beforehand(door, survey_file, now, clock, turn):
    made = draft_with(door, survey_file, now, closes_at=int(now()) + DAY, zone="Asia/Seoul")
    door.storage.write(surveys.open_survey, made.id)
    assert door.storage.read(life.of, made.id).fixed
    clock.forward(DAY)
    turn()
    assert door.storage.read(life.of, made.id).fixed
    assert door.storage.read(life.of, made.id).closed_by == "date"


def test_an_end_that_moved_after_opening_was_not_and_it_is_kept_when(door, planned, now, clock):
    planned(closes_in=DAY)
    assert (held(door).fixed, held(door).end_changed) == (False, now())
    clock.forward(60)
    planned(closes_in=2 * DAY)
    changed = held(door).end_changed
    assert changed == now()
    clock.forward(-30)  # a server's clock was put right
    assert planned(closes_in=3 * DAY).end_changed == changed


def test_closed_by_hand_before_its_date_a_survey_was_not_fixed_beforehand(door, survey_file, now):
    made = draft_with(door, survey_file, now, quota=3)
    door.storage.write(surveys.open_survey, made.id)
    assert door.storage.read(life.of, made.id).fixed
    door.storage.write(surveys.close_survey, made.id)
    assert not door.storage.read(life.of, made.id).fixed


def test_a_draft_opens_by_itself_as_it_was_confirmed(door, survey_file, now, clock):
    made = door.storage.write(surveys.create_draft, survey_file("second"))
    opens = int(now()) + 3 * DAY
    # The same questions give the same publication but for the name.
    from server.store.lifecycle.opening import would_be

    fingerprint = would_be(made.draft, "second")[0].fingerprint
    door.storage.write(life.schedule, made.id, Schedule(opens_at=opens, opens_as=fingerprint), now())
    for passed, wait in ((0, DAY), (2.5 * DAY, DAY // 2)):
        clock.forward(passed)
        early = door.get("second")
        assert (early.status_code, early.headers["Retry-After"]) == (503, str(wait))
        assert "2026-05-07 09:00 UTC" in early.text
    clock.forward(DAY // 2)
    assert door.get("second").status_code == 200
    assert door.storage.read(surveys.get, made.id).publication.fingerprint == fingerprint
    door.storage.write(life.schedule, made.id, Schedule(remove_at=opens + DAY), now())
    noted = door.storage.read(life.of, made.id)
    assert (noted.opens_at, noted.opens_as, noted.remove_at) == (opens, fingerprint, opens + DAY)


def test_a_draft_that_has_changed_since_does_not_open_and_it_is_noted(door, survey_file, now, clock, turn):
    made = draft_with(door, survey_file, now, opens_at=int(now()) + DAY, opens_as="ab" * 32)
    clock.forward(DAY)
    turn()
    assert door.storage.read(surveys.get, made.id).state == "draft"
    assert door.storage.read(life.of, made.id).stays_draft
    assert turn() is None
    assert door.get("second").status_code == 404


def test_a_quota_is_exact_and_closes_the_survey(door, survey_file, now):
    made = draft_with(door, survey_file, now, quota=3)
    door.survey = door.storage.write(surveys.open_survey, made.id)
    first = door.body()
    assert door.send(first, "second") == (200, "stored")
    assert [door.send(door.body(), "second") for _ in range(3)] == [*[(200, "stored")] * 2, (410, "closed")]
    assert door.send(first, "second") == (200, "stored")  # it is stored, and always was
    assert door.get("second").status_code == 410
    assert door.storage.read(life.of, made.id).closed_by == "quota"
    assert len(door.rows()) == 3


def test_the_last_report_of_a_quota_closes_the_survey_and_none_before_it(door, survey_file, now):
    made = draft_with(door, survey_file, now, quota=2)
    survey = door.storage.write(surveys.open_survey, made.id)
    for receipt, closed in (("ab" * 16, set()), ("cd" * 16, {made.id})):
        one = submissions.Submission(
            made.id, survey.publication.fingerprint, receipt, {"copied": 1, "data": 0}
        )
        full = set()
        outcomes = door.storage.write(
            submissions.record_and_count, [one], ["2026-05-04"], submissions.Starts(), {}, now(), full
        )
        assert outcomes == ["stored"]
        assert full == closed


def test_of_a_batch_those_that_came_first_fill_the_quota(door, survey_file, now):
    made = draft_with(door, survey_file, now, quota=3)
    survey = door.storage.write(surveys.open_survey, made.id)
    print_ = survey.publication.fingerprint
    one = submissions.Submission(made.id, print_, "ab" * 16, {"copied": 1, "data": 0})
    others = [
        submissions.Submission(made.id, print_, secrets.token_hex(16), {"copied": 0, "data": 0})
        for _ in range(4)
    ]
    assert door.storage.write(submissions.record, [one], "2026-05-04") == ["stored"]
    full = set()
    outcomes = door.storage.write(
        submissions.record_and_count,
        [one, *others],
        ["2026-05-04"] * 5,
        submissions.Starts(),
        {},
        now(),
        full,
    )
    assert outcomes == ["repeated", "stored", "stored", "closed", "closed"]
    assert full == {made.id}


def test_the_quota_of_an_open_survey_is_raised_or_taken_away_and_never_lowered(
    door, planned, survey_file, now, clock
):
    with pytest.raises(life.QuotaLowered):
        planned(quota=5)
    made = draft_with(door, survey_file, now, quota=5)
    door.survey = door.storage.write(surveys.open_survey, made.id)
    with pytest.raises(life.QuotaLowered):
        planned(quota=4)
    changed = planned(quota=6).end_changed
    assert changed == now()
    clock.forward(60)
    assert planned(quota=6, remove_in=DAY).end_changed == changed  # its end is the same
    assert planned().quota is None


def test_no_end_is_moved_once_it_has_come(door, planned, turn, clock):
    planned(closes_in=DAY, remove_in=2 * DAY)
    clock.forward(DAY)
    turn()
    for moved in ({"closes_in": 60}, {}, {"closes_in": 0, "quota": 5}):
        with pytest.raises(life.EndedAlready):
            planned(**moved)
    planned(closes_in=0, remove_in=DAY + 60)
    clock.forward(DAY + 60)
    turn()
    over = {"closes_in": -DAY - 60}
    with pytest.raises(life.EndedAlready):
        planned(**over, remove_in=60)
    assert planned(**over, remove_in=0, zone="Asia/Seoul").zone == "Asia/Seoul"


def test_reports_go_on_their_day_and_estimates_stay(door, planned, clock, turn):
    bodies = [door.body() for _ in range(3)]
    assert {door.send(each) for each in bodies} == {(200, "stored")}
    planned(closes_in=DAY, remove_in=2 * DAY)
    clock.forward(DAY)
    turn()
    survey = door.storage.read(surveys.get, door.survey.id)
    assert len(survey_results.noisy_reports(door.storage, survey)) == 3
    before = door.results()
    clock.forward(DAY)
    turn()
    assert held(door).removed
    assert door.results() == before
    with pytest.raises(ReportsRemoved):
        survey_results.noisy_reports(door.storage, survey)
    assert list(verification.verify_surveys(door.storage)) == [("exams", None, [])]
    assert door.send(bodies[0]) == (410, "closed")  # nobody knows any more that it came
    assert not tables_of(door)


def tables_of(door):
    names = (
        "SELECT tablename FROM pg_tables WHERE tablename LIKE '%_1%' AND schemaname = 'candor'"
        if "postgres" in door.storage.name
        else "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%\\_1' ESCAPE '\\'"
    )
    return door.storage.read(lambda db: db.execute(names).fetchall())


def test_reports_of_a_survey_of_which_nothing_is_noted_stay(door, turn):
    assert door.send(door.body()) == (200, "stored")
    door.storage.write(lambda db: db.reports.close(door.survey.id, door.survey.publication))
    door.storage.finish()
    with pytest.raises(Exception, match="stay"):
        door.storage.write(lambda db: db.reports.remove(door.survey.id))
    assert len(door.rows()) == 1


@pytest.mark.engines("sqlite")
def test_a_survey_that_another_server_deletes_before_its_reports_are_removed_is_no_defect(
    door, planned, clock, turn
):
    assert door.send(door.body()) == (200, "stored")
    planned(closes_in=DAY)
    clock.forward(DAY)
    turn()
    door.storage.write(surveys.delete_survey, door.survey.id)
    removal.clear(door.storage, door.survey.id)
    door.storage.finish()
    assert not tables_of(door)


@pytest.mark.engines("sqlite")
def test_reports_that_are_to_go_before_their_table_is_final_go_when_it_is(door, planned):
    assert door.send(door.body()) == (200, "stored")
    planned(remove_in=DAY)
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.write(lambda db: db.reports.remove(door.survey.id))
    door.storage.finish()
    assert not tables_of(door)


def test_reports_of_an_open_survey_or_one_without_a_date_are_not_removed(door, planned, turn, clock):
    planned(remove_in=DAY)
    clock.forward(2 * DAY)
    turn()
    assert not held(door).removed
    with pytest.raises(Exception, match=r"closed ones|stay"):
        door.storage.write(lambda db: db.reports.remove(door.survey.id))
    assert len(door.rows()) == 0


FORBIDDEN = {
    "a removal without a date": "removed = 1",
    "a closing that nobody made": "closed_by = 'date'",
    "a changed way of closing": "closed_by = 'hand'",
    "an end that moves unnoticed": "closes_at = closes_at + 1",
    "a pause after the end": "paused = 1",
    "another opening": "opens_at = 1, opens_as = '" + "ab" * 32 + "'",
    "a change that is forgotten": "end_changed = NULL",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_database_refuses_to_note_what_did_not_happen(door, planned, turn, clock, what):
    planned(closes_in=DAY)
    if what != "a closing that nobody made":
        clock.forward(DAY)
        turn()
    before = held(door)
    with pytest.raises(Exception, match=r"noted|closed ones|CHECK|check"):
        door.storage.write(lambda db: db.execute(f"UPDATE life SET {FORBIDDEN[what]}"))
    assert held(door) == before


def test_what_is_noted_stays_as_long_as_the_survey_and_goes_with_it(door, planned):
    planned(closes_in=DAY)
    with pytest.raises(Exception, match="stays noted"):
        door.storage.write(lambda db: db.execute("DELETE FROM life"))
    door.storage.write(surveys.delete_survey, door.survey.id)
    assert door.storage.read(lambda db: db.execute("SELECT count(*) FROM life").fetchall()) == [(0,)]


def test_the_calendar_knows_what_is_due_and_for_whom(door, planned, now, clock):
    planned(closes_in=DAY)
    read = lambda: door.storage.read(scheduler.all_due, now())  # noqa: E731
    assert read() == []
    clock.forward(DAY)
    assert read() == [scheduler.DueChange(door.survey.id, "close")]


def test_only_what_has_come_and_was_not_done_is_due_to_whoever_asks_for_the_page(
    door, planned, survey_file, now, clock, turn
):
    draft_with(door, survey_file, now, opens_at=int(now()) + DAY, opens_as="ab" * 32)
    planned(closes_in=DAY)

    def due():
        return [door.storage.read(scheduler.with_life, slug, now())[2] for slug in ("exams", "second")]

    assert due() == [False, False]
    clock.forward(DAY)
    assert due() == [True, True]
    turn()  # one closes, and the other cannot open as it is
    assert due() == [False, False]
    door.storage.write(surveys.create_draft, survey_file("third"))
    assert not door.storage.read(scheduler.with_life, "third", now())[2]


def test_moved_to_another_database_a_survey_keeps_its_life(door, planned, turn, clock, tmp_path):
    from server.store.sqlite.storage import SQLiteStorage

    door.send(door.body())
    planned(closes_in=DAY, remove_in=2 * DAY, zone="Asia/Seoul")
    clock.forward(2 * DAY)
    turn()
    turn()
    assert held(door).removed
    target = SQLiteStorage(tmp_path / "target.db")
    target.create()
    door.storage.read(lambda source: target.write(lambda db: move.carry(db, source)))
    target.finish()
    assert target.read(life.of, door.survey.id) == held(door)
    assert target.read(visible_results.results, target.read(surveys.get, door.survey.id)) == door.results()
    assert list(verification.verify_surveys(target)) == [("exams", None, [])]
    target.close()
