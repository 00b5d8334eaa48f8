"""A row of a draft that was right before stays data until its fields are asked for; nothing else differs."""

import copy

import pytest

from server.editor.standing import standing
from server.forms import rows
from server.forms.editor import draft_form, draft_table
from server.forms.shape import Misshapen, require_shape

LANGUAGES = ("en", "ko")
WORDS = {"en": "Tired?", "ko": "피곤?"}
OPTIONS = [{"en": f"Option {n}", "ko": f"선택 {n}"} for n in range(3)]
QUESTIONS = [
    {"kind": "yes_no", "mechanism": "spinner_coin"},
    {"kind": "choice", "mechanism": "exponential", "ordered": True, "options": OPTIONS},
    {"kind": "choice", "mechanism": "subset", "size": "1", "options": OPTIONS},
    {"kind": "boxes", "mechanism": "per_box", "options": OPTIONS},
    {"kind": "number", "mechanism": "gaussian", "low": "0", "high": "9", "step": "1", "delta": "1e-6"},
    {"kind": "choice", "mechanism": "wheel", "matrix": "scale_1", "options": OPTIONS},
    {"kind": "choice", "mechanism": "wheel", "matrix": "scale_1", "options": OPTIONS},
]
DRAFT = {
    "slug": "rest",
    "languages_": list(LANGUAGES),
    **dict.fromkeys(("title", "information", "consent"), WORDS),
    "sections": [{"uid": "p0", "id": "part_0", "title": WORDS}],
    "questions": [
        {"uid": f"u{n}", "id": f"q{n}", "epsilon": "0.5", "wording": WORDS, "section": "0"} | each
        for n, each in enumerate(QUESTIONS)
    ],
}
WRONG = ("<b>", "-1", "0", "", "x" * 20_000, "q1", "3", "coin", "choice", "randomized", " ", True, False)


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(rows, "RIGHT", {})


def form_of(data):
    return draft_form(LANGUAGES)(data=data)


def whole():
    """The draft with all fields of all rows, and each row remembered."""
    data = form_of(DRAFT).data
    assert form_of(data).validate()
    return data


def built(form):
    return [entry.id for kind in ("sections", "questions") for entry in form[kind].entries if entry.built]


def test_what_was_right_stays_data_and_what_is_asked_for_has_its_fields():
    data = whole()
    form = form_of(copy.deepcopy(data))
    assert built(form) == []
    assert form.validate()
    assert (form.data, form.errors, built(form)) == (data, {}, [])
    fields = form.questions.entries[3].form
    assert (fields["epsilon"].id, fields["epsilon"].data) == ("questions-3-epsilon", "0.5")
    assert (built(form), form.data) == (["questions-3"], data)


def test_a_row_that_is_wrong_or_not_written_as_it_is_stored_is_built_each_time():
    data = whole()
    data["questions"][0]["epsilon"] = "11"
    data["questions"][1]["wording"]["en"] = " Tired? "
    for _ in range(2):
        form = form_of(copy.deepcopy(data))
        assert not form.validate()
        assert built(form) == ["questions-0", "questions-1"]
        assert form.data["questions"][1]["wording"]["en"] == "Tired?"
        (fault,) = form.errors["questions"][0]["epsilon"]
        assert fault.key == "editor.error.epsilon"


def changes(data, path=()):
    """Every place of a row that holds a text or a tick."""
    for name, each in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(each, dict | list):
            yield from changes(each, (*path, name))
        else:
            yield (*path, name)


def changed(data, kind, place, path, value):
    """The draft with another value at one place of one row."""
    twin = copy.deepcopy(data)
    *inner, last = path
    within = twin[kind][place]
    for name in inner:
        within = within[name]
    within[last] = value
    return twin


def outcome(data):
    """All that a save makes of it: what it refuses, or data, faults, what is missing, and the draft."""
    try:
        require_shape(draft_form(LANGUAGES)(), data)
    except Misshapen as refused:
        return refused.fault
    form = form_of(copy.deepcopy(data))
    right = form.validate()
    table = draft_table(form.data) if right else None
    return form.data, form.errors, standing(form, "rest", table), table


@pytest.mark.parametrize("place", range(len(QUESTIONS)))
def test_whatever_changes_in_a_row_is_checked_as_if_nothing_was_remembered(place, staff_app, monkeypatch):
    data = whole()
    known = dict(rows.RIGHT)
    with staff_app.test_request_context():
        for path in changes(data["questions"][place]):
            for value in WRONG:
                twin = changed(data, "questions", place, path, value)
                monkeypatch.setattr(rows, "RIGHT", {})
                fresh = outcome(twin)
                monkeypatch.setattr(rows, "RIGHT", dict(known))
                assert outcome(twin) == fresh, (path, value)


def test_what_is_wrong_between_rows_is_said_of_rows_that_are_right(staff_app):
    data = whole()
    data["questions"][1]["id"] = "q0"
    data["questions"][2]["section"] = "7"
    assert not form_of(data).validate()  # each is right by itself, and remembered
    with staff_app.test_request_context():
        for kept, field in (
            (data["questions"][:2], "questions-1-id"),
            (data["questions"][2:], "questions-0-section"),
        ):
            form = form_of(data | {"questions": kept})
            assert built(form) == []
            assert not form.validate()
            assert [each.field for each in standing(form, "rest").faults] == [field]


def test_other_languages_are_another_form():
    data = whole()
    form = draft_form(("en",))(data=data)
    assert len(built(form)) == len(QUESTIONS) + 1


def test_it_remembers_so_many_and_forgets_the_earliest(monkeypatch):
    monkeypatch.setattr(rows, "MOST_RIGHT", 3)
    data = whole()
    assert len(rows.RIGHT) == 3
    assert not form_of(data).questions.entries[-1].built
    assert form_of(data).questions.entries[0].built
