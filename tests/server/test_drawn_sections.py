"""A survey of which each person is asked some sections: what is taken, counted and shown of it."""

import itertools

import numpy as np
import pytest

from server.store import submissions, surveys
from server.store.results import visible_results
from server.store.sqlite.reports import read_counts
from server.store.submissions import Submission
from survey.results import Reached

DAY = "2026-05-04"
STEP = 10
NOT_ASKED = 2
COLUMNS = {"old": None, "late": "pay", "never": "pay", "nights": "hours", "rent": "house"}
"""Column -> the drawn section that it is of."""

SETS = tuple(itertools.combinations(("pay", "hours", "house"), 2))


def coin(name):
    return {"id": name, "mechanism": "coin", "wording": {"en": f"Did you do {name}?"}}


def section(name, *questions, **more):
    return {"id": name, "questions": [coin(question) for question in questions], **more}


SECTIONS = [
    section("about", "old", always=True),
    section("pay", "late", "never"),
    section("hours", "nights"),
    section("house", "rent"),
]


def opened(door, survey_file):
    """Open a survey, of which `about` is always asked and two of three other sections."""
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    draft = door.storage.write(surveys.create_draft, table | {"candor": 2, "asked": 2, "sections": SECTIONS})
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    return door


@pytest.fixture
def drawn(door, survey_file):
    """The door of such a survey."""
    return opened(door, survey_file)


def codes(asked, answer=1):
    """The row of somebody who was asked these sections."""
    return {name: answer if of is None or of in asked else NOT_ASKED for name, of in COLUMNS.items()}


def record(door, rows, first=0, memory=None):
    batch = [
        Submission(door.survey.id, door.survey.publication.fingerprint, f"{number:032x}", row)
        for number, row in enumerate(rows, first)
    ]
    return door.storage.write(submissions.record, batch, DAY, memory)


def shown(door):
    return door.storage.read(visible_results.results, door.storage.read(surveys.by_slug, "work"))


def send(door, row, **more):
    fields = {"fingerprint": door.survey.publication.fingerprint, "receipt": "0" * 32} | row | more
    headers = {"Sec-Fetch-Site": "same-origin"}
    return door.client.post(
        "/s/work", data={name: str(value) for name, value in fields.items()}, headers=headers
    )


@pytest.mark.parametrize("asked", SETS)
def test_every_set_that_can_be_drawn_is_stored(drawn, asked):
    assert 'data-outcome="stored"' in send(drawn, codes(asked)).text
    assert list(drawn.rows().values()) == [list(codes(asked).values())]


@pytest.mark.parametrize(
    ("row", "said", "korean"),
    [
        (
            codes(("pay",)),
            "late, nights, rent must hold the last code (not asked) in all but 2 sections",
            "영역 2개를 뺀 나머지는",
        ),
        (
            codes(("pay", "hours", "house")),
            "late, nights, rent must hold the last code (not asked) in all but 2 sections",
            "영역 2개를 뺀 나머지는",
        ),
        (
            codes(("pay", "hours")) | {"never": NOT_ASKED},
            "late, never must all hold their last code (not asked), or none of them: "
            "section pay is asked as a whole",
            "late, never: pay 영역은",
        ),
        (
            codes(("pay", "hours")) | {"old": NOT_ASKED},
            "old must be a whole number from 0 to 1, with the same number of digits",
            "old: 0부터 1까지의",
        ),
    ],
    ids=["too few", "too many", "half a section", "always asked"],
)  # fmt: skip
def test_a_set_that_no_draw_gives_is_refused_in_words_and_not_stored(drawn, row, said, korean):
    answer = send(drawn, row)
    text = answer.text.replace("&#39;", "'")
    assert answer.status_code == 400
    assert said in text
    assert korean in text
    assert drawn.rows() == {}


@pytest.mark.parametrize("asked", [(), ("pay",), ("pay", "hours", "house")])
def test_the_store_refuses_it_too_and_takes_its_neighbours(drawn, asked):
    rows = [codes(("pay", "hours")), codes(asked), codes(("pay", "hours")) | {"never": NOT_ASKED}]
    assert record(drawn, rows) == ["stored", "refused", "refused"]
    assert len(drawn.rows()) == 1


def test_a_retry_gets_its_answer_again_and_is_counted_once(drawn):
    assert [send(drawn, codes(("pay", "house"))).status_code for _ in range(2)] == [200, 200]
    assert 'data-outcome="different"' in send(drawn, codes(("pay", "hours"))).text
    drawn.storage.write(surveys.close_survey, drawn.survey.id)
    assert shown(drawn).respondents == 1


def test_the_page_of_a_drawn_survey_holds_its_sections_and_loads_what_draws_them(drawn):
    page = drawn.get("work").text
    assert '"asked":2' in page
    assert "more.js" in page


def test_a_section_advances_only_when_a_step_more_people_were_asked_it(drawn):
    memory = {}
    for first in (0, 10):
        record(drawn, [codes(("pay", "hours"))] * 10, first, memory)
    assert shown(drawn).sections == {
        "about": Reached(10, 10), "pay": Reached(10, 10), "hours": Reached(10, 10), "house": Reached(0, 0),
    }  # fmt: skip
    record(drawn, [codes(("hours", "house"))] * 15, 20, memory)
    # Fifteen more were asked `hours` and `house`, and nobody `pay`: that stays where it was.
    assert shown(drawn).respondents == 20
    assert shown(drawn).sections == {
        "about": Reached(20, 20), "pay": Reached(10, 10), "hours": Reached(20, 20), "house": Reached(0, 0),
    }  # fmt: skip
    record(drawn, [codes(("pay", "house"))] * 25, 35, memory)
    assert shown(drawn).sections == {
        "about": Reached(35, 35), "pay": Reached(20, 20), "hours": Reached(20, 20), "house": Reached(15, 35),
    }  # fmt: skip


def test_what_is_shown_of_a_section_is_one_moment_of_all_its_columns(drawn):
    memory = {}
    for first in (0, 10):
        rows = [codes(("pay", "hours"), answer=int(n < 10)) for n in range(first, first + 10)]
        record(drawn, rows, first, memory)
    assert shown(drawn).counts == {
        "old": [0, 10], "late": [0, 10, 0], "never": [0, 10, 0], "nights": [0, 10, 0], "rent": [0, 0, 0],
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_no_two_states_of_a_section_differ_by_fewer_than_a_step_of_people_asked(drawn, seed):
    """However submissions fall into batches, and with closing, unless fewer than a step were asked in all."""
    draw = np.random.default_rng(seed)
    likely = draw.dirichlet([0.5, 0.5, 0.5])
    rows = [
        codes(SETS[draw.choice(3, p=likely)], int(draw.integers(2))) for _ in range(int(draw.integers(130)))
    ]
    states, first, memory = [shown(drawn)], 0, {}
    while first < len(rows):
        size = int(draw.integers(1, 25))
        record(drawn, rows[first : first + size], first, memory)
        states.append(shown(drawn))
        first += size
    drawn.storage.write(surveys.close_survey, drawn.survey.id)
    states.append(shown(drawn))
    for name, end in states[-1].sections.items():
        asked = sorted({state.sections[name].asked for state in states})
        assert end.asked == sum(row[column] != NOT_ASKED for row in rows for column in [first_column(name)])
        assert end.respondents == len(rows)
        assert end.asked < STEP or (np.diff(asked) >= STEP).all()
    for column in COLUMNS:
        kept = {tuple(state.counts[column]) for state in states}
        reached = {(state.sections[section_of(column)].asked, sum(state.counts[column])) for state in states}
        assert len(kept) == len(reached)  # counts move with the number asked and not otherwise


def first_column(section):
    return next(name for name, of in COLUMNS.items() if (of or "about") == section)


def section_of(column):
    return COLUMNS[column] or "about"


@pytest.mark.parametrize("seed", range(2))
def test_a_section_advances_at_steps_of_all_respondents_whoever_was_asked_it(drawn, seed):
    """The moment at which a section advances says nothing of what the last person was asked."""
    draw = np.random.default_rng(seed)
    before, memory = shown(drawn), {}
    for number in range(75):
        record(drawn, [codes(SETS[draw.integers(3)])], number, memory)
        after = shown(drawn)
        assert after == before or (number + 1) % STEP == 0
        before = after
    assert before.sections["hours"].asked > 0


def test_where_everybody_is_asked_the_step_is_that_of_all_respondents(drawn):
    memory = {}
    for number in range(45):
        record(drawn, [codes(("hours", "house"))], number, memory)
        expected = max(0, (number + 1) // STEP - 1) * STEP
        assert shown(drawn).sections["about"] == Reached(expected, expected)
        assert shown(drawn).sections["hours"] == Reached(expected, expected)


def test_closing_shows_every_section_exactly_and_sets_nobody_apart(drawn):
    record(drawn, [codes(asked) for asked in SETS for _ in range(7)])
    drawn.storage.write(surveys.close_survey, drawn.survey.id)
    results = shown(drawn)
    assert results.final
    assert results.sections == {
        "about": Reached(21, 21), "pay": Reached(14, 21), "hours": Reached(14, 21), "house": Reached(14, 21),
    }  # fmt: skip
    table = np.array(list(drawn.rows().values()))
    assert results.counts == {
        name: np.bincount(table[:, place], minlength=len(results.counts[name])).tolist()
        for place, name in enumerate(COLUMNS)
    }
    counts = drawn.storage.read(lambda db: read_counts(db, drawn.survey.id))
    assert counts.counted.tolist() == counts.published.tolist()


@pytest.mark.parametrize("rows", [0, 25])
def test_results_and_downloads_hold_whom_each_question_was_asked(
    staff_app, browse, survey_file, door_of, rows
):
    door = opened(door_of(staff_app), survey_file)
    memory = {}
    for number in range(rows):
        record(door, [codes(("pay", "hours"))], number, memory)
    pages = ["", "/estimates.json", "/estimates.csv"]
    researcher = browse("researcher")
    for state in ("open", "closed"):
        assert {page: researcher.get(f"/results/work{page}").status_code for page in pages} == dict.fromkeys(
            pages, 200
        )
        asked = {
            each["question"]: each["respondents"]
            for each in researcher.get("/results/work/estimates.json").json["questions"]
        }
        number = rows if state == "closed" else max(0, rows // STEP - 1) * STEP
        assert asked == {"old": number, "late": number, "never": number, "nights": number, "rent": 0}
        if state == "open":
            door.storage.write(surveys.close_survey, door.survey.id)
            door.storage.finish()
    for page in ("/reports.csv", "/cross?row=late&column=never", "/cross.csv?row=late&column=rent"):
        assert researcher.get(f"/results/work{page}").status_code == 200


def test_what_only_a_draw_needs_saying_travels_only_where_sections_are_drawn(drawn, survey_file):
    plain = drawn.storage.write(surveys.create_draft, survey_file("plain"))
    drawn.storage.write(surveys.open_survey, plain.id)
    for key in ("sections.found", "budget.parts"):
        assert (f'"{key}"' in drawn.get("work").text, f'"{key}"' in drawn.get("plain").text) == (True, False)


def test_boxes_that_were_not_asked_are_not_looked_at_for_how_many_were_sampled(door, survey_file):
    boxes = {
        "id": "which",
        "kind": "boxes",
        "mechanism": "sampled_box",
        "epsilon": 1.0,
        "wording": {"en": "Which?"},
        "options": [{"en": "This"}, {"en": "That"}],
    }
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    sections = [{"id": "boxes", "questions": [boxes]}, section("pay", "late")]
    draft = door.storage.write(surveys.create_draft, table | {"candor": 2, "asked": 1, "sections": sections})
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    assert 'data-outcome="stored"' in send(door, {"which_1": 3, "which_2": 3, "late": 1}).text
    answer = send(door, {"which_1": 2, "which_2": 2, "late": NOT_ASKED}, receipt="1" * 32).text
    assert "which_1, which_2 must be 2 (not drawn) in all but 1 of the boxes" in answer
    assert len(door.rows()) == 1
