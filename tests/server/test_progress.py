"""How far a survey has come: whole days, joined so that each row holds a step of people; never a moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import surveys
from server.store.results.progress import Days, joined, progress
from server.store.submissions import Day

DAY = 24 * 3600
PAGE = "/admin/surveys/exams"


def of(door):
    found = door.storage.read(surveys.get, door.survey.id)
    return door.storage.read(progress, found, door.services.today)


def come(door, people):
    for _ in range(people):
        assert door.get().status_code == 200
        assert door.send(door.body()) == (200, "stored")
    door.services.committer.settle()


@pytest.mark.engines
def test_before_the_first_step_nothing_is_told(door, clock):
    come(door, door.step - 1)
    clock.forward(DAY)
    assert of(door) == ()


@pytest.mark.engines
def test_the_day_that_goes_on_is_never_told(door, clock):
    come(door, 2 * door.step)
    assert of(door) == ()
    clock.forward(DAY)
    (day,) = of(door)
    assert (day.first, day.last, day.started, day.sent, day.left) == ("2026-05-04", "2026-05-04", 20, 20, 0)
    come(door, 1)
    assert of(door) == (day,)


@pytest.mark.engines
def test_once_closed_everything_is_told_and_nobody_stands_alone(door, clock):
    come(door, door.step)
    clock.forward(DAY)
    come(door, 1)
    door.storage.write(surveys.close_survey, door.survey.id)
    (row,) = of(door)
    assert (row.first, row.last, row.sent) == ("2026-05-04", "2026-05-05", door.step + 1)


@pytest.mark.parametrize(
    ("started", "sent", "left"), [(0, 0, None), (1, 0, 1), (4, 1, 0.75), (3, 3, 0), (1, 3, None)]
)
def test_the_share_that_left_is_told_unless_fewer_openings_than_submissions_were_counted(started, sent, left):
    assert Days("2026-05-04", "2026-05-04", started, sent).left == left


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20),
    st.integers(1, 40),
    st.booleans(),
)
def test_every_row_holds_a_step_and_rows_only_grow_by_whole_rows(numbers, step, closed):
    days = [Day(f"2026-05-{place + 1:02}", *each) for place, each in enumerate(numbers)]
    rows = joined(days, step, closed=closed)
    if len(rows) > 1 or not closed:
        assert all(row.sent >= step for row in rows)
    if closed:
        assert sum(row.sent for row in rows) == sum(sent for _, sent in numbers)
        assert sum(row.started for row in rows) == sum(started for started, _ in numbers)
    else:
        assert joined(days[:-1], step, closed=False) == rows[: len(joined(days[:-1], step, closed=False))]


def test_the_page_of_a_survey_says_so(admin, storage, survey_file):
    draft = storage.write(surveys.create_draft, survey_file())
    survey = storage.write(surveys.open_survey, draft.id)
    assert "the day on which 10 people have sent reports" in admin.get(PAGE).text
    assert "nothing leaves their devices" in admin.get(PAGE).text
    storage.write(surveys.close_survey, survey.id)
    assert "This survey was closed before anybody answered." in admin.get(PAGE).text
