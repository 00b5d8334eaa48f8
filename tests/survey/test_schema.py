"""The JSON Schema of a survey file: it says what `survey.read_definition` says, as far as a schema can."""

import copy
import json
import random
from pathlib import Path

import jsonschema
import pytest

from survey import toml
from survey.fields import DefinitionError
from survey.question import KINDS
from survey.read_definition import from_dict
from survey.schema import schema

EXAMPLES = sorted((Path(__file__).parents[2] / "server/examples").glob("*.toml"))
VALIDATOR = jsonschema.Draft7Validator(schema())

TEXT = {"en": "Text"}
BASE = {"slug": "a", "languages": ["en"], "title": TEXT, "information": TEXT, "consent": TEXT}
OPTIONS = {"options": [TEXT, TEXT, TEXT]}
MATRIX = {"matrix": "m", "matrix_wording": TEXT}
GRID = {"low": 0, "high": 10, "step": 1}
OWN = {"choice": OPTIONS, "boxes": OPTIONS, "number": GRID, "yes_no": {}}
SETTINGS = {
    "exponential": {"ordered": True},
    "designed": {"wants": {"curve": 1}},
    "cyclic": {"options": [TEXT] * 13},
    "gaussian": {"delta": 1e-6},
    "coin": {"epsilon": None},
}


def asked(kind="yes_no", mechanism="spinner_coin", **changed):
    """One question; what is changed to None is left out."""
    table = {"id": "q", "kind": kind, "mechanism": mechanism, "epsilon": 1.0, "wording": TEXT}
    ordered = {"ordered": True} if (kind, mechanism) == ("choice", "designed") else {}
    table |= OWN[kind] | SETTINGS.get(mechanism, {}) | ordered | changed
    return {key: value for key, value in table.items() if value is not None}


def survey(*questions, **changed):
    table = {"candor": 1} | BASE | {"questions": list(questions) or [asked()]} | changed
    return {key: value for key, value in table.items() if value is not None}


def sections(**changed):
    return survey(candor=2, questions=None, sections=[{"id": "s", "questions": [asked()]} | changed])


def passes(table):
    try:
        from_dict(copy.deepcopy(table), "here")
    except DefinitionError:
        return False
    return True


def as_json(path):
    """A survey file as editors of TOML give it to a schema: a date is a text."""
    return json.loads(json.dumps(toml.read(path.read_text(encoding="utf-8")), default=str))


def told(table):
    return [error.message for error in VALIDATOR.iter_errors(table)]


def test_it_is_a_schema():
    jsonschema.Draft7Validator.check_schema(schema())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_passes(path):
    assert told(as_json(path)) == []


LINKED = [{"id": name, "wording": TEXT} for name in ("first", "second")]


def boxes(options):
    return {"id": "used", "kind": "boxes", "wording": TEXT, "options": [TEXT] * options}


GOOD = {
    **{
        f"{kind} {mechanism}": survey(asked(kind, mechanism))
        for kind in KINDS
        for mechanism in KINDS[kind].mechanisms
    },
    "no kind": survey({key: value for key, value in asked().items() if key != "kind"}),
    "a skip": survey(asked(skip="randomized")),
    "real coins": survey(asked(by_hand="coin", skip="apart")),
    "scope": survey(asked("boxes", "per_box", scope="box")),
    "size": survey(asked("choice", "subset", size=2)),
    "utility": survey(asked("choice", "exponential", utility=[[0, -1, -2], [-1, 0, -1], [-2, -1, 0]])),
    "unit": survey(asked("number", "laplace", unit=TEXT, low=-1.5, step=0.5)),
    "sections": sections(title=TEXT, introduction=TEXT, always=True),
    "asked": sections() | {"asked": 1},
    "linked boxes": sections(linked=True, epsilon=1.0, questions=[boxes(6)]) | {"candor": 3},
    "a few of many boxes": sections(linked=True, epsilon=1.0, asked=6, questions=[boxes(7)]) | {"candor": 3},
    "linked by coins": sections(linked=True, by_hand="coin", questions=LINKED) | {"candor": 3},
    "who asks": survey(organisation=TEXT, contact=TEXT, kept_until="2030-12-31", outcome="before"),
    "a title in chats": survey(candor=3, preview="title"),
    "quick exit": survey(candor=2, quick_exit="https://example.org/"),
    "help": survey(asked(help=TEXT), candor=3),
    "invitations": survey(candor=3, invitations=True),
    "a list of invitations": survey(candor=3, invitations="listed"),
    "a matrix": survey(asked("choice", "wheel", **MATRIX), candor=3),
    "a matrix of yes and no": survey(asked(**MATRIX), candor=3),
    "help in a section": sections(questions=[asked(help=TEXT)]) | {"candor": 3},
    "the third version without need": survey(candor=3),
    "budget": survey(budget={"limit": 3, "waves": 2}, results={"step": 10, "reports_while_open": True}),
}

BROKEN = {
    "nothing": {},
    "no slug": survey(slug=None),
    "a slug with capitals": survey(slug="Exams"),
    "a long slug": survey(slug="a" * 65),
    "another version": survey(candor=4),
    "a version as a text": survey(candor="1"),
    "sections in the first version": sections() | {"candor": 1},
    "a matrix in the second version": survey(asked("choice", "wheel", **MATRIX), candor=2),
    "a matrix of numbers": survey(asked("number", "laplace", **MATRIX), candor=3),
    "a matrix with spaces": survey(asked(**MATRIX | {"matrix": "two words"}), candor=3),
    "help in the first version": survey(asked(help=TEXT)),
    "help in the second version": sections(questions=[asked(help=TEXT)]),
    "long help": survey(asked(help={"en": "a" * 2001}), candor=3),
    "invitations in the second version": survey(candor=2, invitations=True),
    "invitations in other words": survey(candor=3, invitations="yes"),
    "a title in chats in the first version": survey(preview="title"),
    "a quick exit in the first version": survey(quick_exit=True),
    "a quick exit without TLS": survey(candor=2, quick_exit="http://example.org"),
    "no languages": survey(languages=[]),
    "a language twice": survey(languages=["en", "en"]),
    "a language in words": survey(languages=["English"]),
    "no title": survey(title=None),
    "an empty title": survey(title={"en": " "}),
    "a long title": survey(title={"en": "a" * 201}),
    "a title without a language": survey(title="Exams"),
    "no questions": survey(questions=[]),
    "questions and sections": sections() | {"questions": [asked()]},
    "neither": survey(questions=None),
    "101 questions": survey(*({**asked(), "id": f"q{n}"} for n in range(101))),
    "an unknown key": survey(titel=TEXT),
    "a date that is none": survey(kept_until="next year"),
    "another outcome": survey(outcome="never"),
    "an unknown key of a question": survey(asked(epsilom=1)),
    "an unknown key of a section": sections(name="s"),
    "an unknown key of the budget": survey(budget={"most": 1}),
    "a step of 0": survey(results={"step": 0}),
    "no waves": survey(budget={"waves": 0}),
    "a limit of 0": survey(budget={"limit": 0}),
    "a long introduction": sections(introduction={"en": "a" * 2001}),
    "linked by coins at another epsilon": sections(linked=True, by_hand="coin", epsilon=1.0, questions=LINKED)
    | {"candor": 3},
    "many linked boxes": sections(linked=True, epsilon=1.0, questions=[boxes(7)]) | {"candor": 3},
    "boxes beside another question": sections(linked=True, epsilon=1.0, questions=[*LINKED, boxes(2)])
    | {"candor": 3},
    "boxes by coins": sections(linked=True, by_hand="coin", questions=[boxes(2)]) | {"candor": 3},
    "linked without epsilon": sections(linked=True, questions=LINKED) | {"candor": 3},
    "always as a text": sections(always="yes"),
    "a name with a hyphen": survey(asked(id="a-b")),
    "a reserved name": survey(asked(id="receipt")),
    "no wording": survey(asked(wording=None)),
    "another kind": survey({**asked(), "kind": "text"}),
    "another mechanism": survey(asked(mechanism="dice")),
    "a mechanism of another kind": survey(asked(mechanism="wheel")),
    "no mechanism": survey(asked(mechanism=None)),
    "no epsilon": survey(asked(epsilon=None)),
    "an epsilon of 0": survey(asked(epsilon=0)),
    "an epsilon above 10": survey(asked(epsilon=10.5)),
    "an epsilon as a text": survey(asked(epsilon="1")),
    "an epsilon for coins": survey(asked("yes_no", "coin", epsilon=1.0)),
    "a randomized skip of coins": survey(asked("yes_no", "coin", skip="randomized")),
    "a randomized skip with real coins": survey(asked(skip="randomized", by_hand="coin")),
    "a randomized skip of a number": survey(asked("number", "laplace", skip="randomized")),
    "a randomized skip of an ordered scale": survey(asked("choice", "exponential", skip="randomized")),
    "one option": survey(asked("choice", "wheel", options=[TEXT])),
    "51 options": survey(asked("choice", "wheel", options=[TEXT] * 51)),
    "13 options for a subset": survey(asked("choice", "subset", options=[TEXT] * 13)),
    "a long option": survey(asked("choice", "wheel", options=[TEXT, {"en": "a" * 301}])),
    "options of yes and no": survey(asked(options=[TEXT, TEXT])),
    "a size for a wheel": survey(asked("choice", "wheel", size=2)),
    "a size of 0": survey(asked("choice", "subset", size=0)),
    "a utility for a wheel": survey(asked("choice", "wheel", utility=[[0, 1], [1, 0]])),
    "an exponential without order": survey(asked("choice", "exponential", ordered=None)),
    "a design for nothing": survey(asked("number", "designed", wants={})),
    "a design for something else": survey(asked("number", "designed", wants={"mode": 1})),
    "a weight of 0": survey(asked("choice", "designed", wants={"mean": 0})),
    "wants of a wheel": survey(asked("choice", "wheel", wants={"mean": 1})),
    "a design of much epsilon": survey(asked("number", "designed", epsilon=9)),
    "a design without order": survey(asked("choice", "designed", ordered=None)),
    "22 options for a design": survey(asked("choice", "designed", options=[TEXT] * 22)),
    "three options in a circle": survey(asked("choice", "cyclic", options=[TEXT] * 3)),
    "21 boxes": survey(asked("boxes", "per_box", options=[TEXT] * 21)),
    "a scope of sampled boxes": survey(asked("boxes", "sampled_box", scope="box")),
    "another scope": survey(asked("boxes", "per_box", scope="all")),
    "no grid": survey(asked("number", "laplace", low=None)),
    "a step of no length": survey(asked("number", "laplace", step=0)),
    "no delta": survey(asked("number", "gaussian", delta=None)),
    "a delta of 1": survey(asked("number", "gaussian", delta=1)),
    "a delta for Laplace": survey(asked("number", "laplace", delta=0.1)),
    "a long unit": survey(asked("number", "laplace", unit={"en": "a" * 41})),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_the_validator_takes_the_schema_takes(name):
    assert passes(GOOD[name])
    assert told(GOOD[name]) == []


@pytest.mark.parametrize("name", BROKEN)
def test_what_the_schema_refuses_the_validator_refuses(name):
    assert told(BROKEN[name])
    assert not passes(BROKEN[name])


def places(table, path=()):
    """Every key and index of nested tables and lists."""
    items = table.items() if isinstance(table, dict) else enumerate(table)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def changed(table, path, value):
    """The same tables with one value changed, or without it."""
    new = copy.deepcopy(table)
    inner = new
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return new


def test_whatever_one_value_is_changed_to_the_schema_takes_all_that_the_validator_takes():
    luck = random.Random(11)
    values = (
        None,
        0,
        1,
        2,
        3,
        -1,
        0.5,
        2.0,
        "",
        "x",
        "apart",
        "randomized",
        "coin",
        True,
        False,
        [],
        {},
        TEXT,
    )
    tables = [as_json(path) for path in EXAMPLES] + list(GOOD.values())
    taken = 0
    for _ in range(600):
        table = luck.choice(tables)
        other = changed(table, luck.choice(list(places(table))), luck.choice(values))
        if passes(other):
            taken += 1
            assert told(other) == []
    assert taken > 30
