"""Every kind of question in a survey file: what it may hold, which columns it fills, how it is refused."""

import math

import pytest

from survey.channel import Channel
from survey.fields import DefinitionError
from survey.mechanisms import (
    coin,
    cyclic,
    designed,
    designed_number,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner_coin,
    subset,
    wheel,
)
from survey.question import KINDS
from survey.read_definition import from_dict, parse

UTILITY = [[3, 1, 0], [0, 3, 1], [0, 0.5, 3]]


def options(count):
    return [{"en": f"Option {n}"} for n in range(count)]


def question(**keys):
    return {"id": "q", "wording": {"en": "?"}} | keys


def survey(*questions):
    texts = {key: {"en": key} for key in ("title", "information", "consent")}
    return {"candor": 1, "slug": "kinds", "languages": ["en"], **texts, "questions": list(questions)}


def read(**keys):
    (found,) = from_dict(survey(question(**keys)), "kinds.toml").questions
    return found


def refused(*questions):
    with pytest.raises(DefinitionError) as caught:
        from_dict(survey(*questions), "kinds.toml")
    return str(caught.value).splitlines()


YES_NO = {"mechanism": "spinner_coin", "epsilon": 1.0}
CHOICE = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": options(4)}
SUBSET = CHOICE | {"mechanism": "subset"}
ORDERED = CHOICE | {"mechanism": "exponential", "ordered": True}
BOXES = {"kind": "boxes", "mechanism": "per_box", "epsilon": 2.0, "options": options(4)}
SAMPLED = BOXES | {"mechanism": "sampled_box"}
NUMBER = {"kind": "number", "mechanism": "hybrid", "epsilon": 1.0, "low": 0, "high": 10, "step": 1}
DESIGNED = ORDERED | {"mechanism": "designed", "wants": {"shares": 1, "curve": 2}}
CYCLIC = CHOICE | {"mechanism": "cyclic", "options": options(13)}
CURVE = NUMBER | {"mechanism": "designed", "high": 4, "wants": {"curve": 1}}
GAUSSIAN = NUMBER | {"mechanism": "gaussian", "delta": 1e-6}

EVERY = {
    "yes/no": (YES_NO, spinner_coin(1.0)),
    "yes/no by two coins": ({"mechanism": "coin"}, coin()),
    "yes/no, a skip randomized": (YES_NO | {"skip": "randomized"}, wheel(3, 1.0)),
    "yes/no, a skip apart, real coins too": (
        YES_NO | {"skip": "apart", "by_hand": "coin"},
        spinner_coin(1.0),
    ),
    "one choice by a wheel": (CHOICE, wheel(4, 1.0)),
    "one choice, a skip randomized": (CHOICE | {"skip": "randomized"}, wheel(5, 1.0)),
    "one choice by subsets": (SUBSET, subset(4, 1.0)),
    "one choice by subsets of a size": (SUBSET | {"size": 3}, subset(4, 1.0, 3)),
    "one choice by subsets, a skip randomized": (SUBSET | {"skip": "randomized"}, subset(5, 1.0)),
    "a scale": (ORDERED, exponential(4, 1.0)),
    "a scale with its own utility": (
        ORDERED | {"options": options(3), "utility": UTILITY},
        exponential(3, 1.0, UTILITY),
    ),
    "boxes, epsilon for all": (BOXES, per_box(4, 2.0)),
    "boxes, epsilon for each": (BOXES | {"scope": "box"}, per_box(4, 2.0, "box")),
    "boxes that are sampled": (SAMPLED | {"skip": "apart"}, sampled_box(4, 2.0)),
    "one choice of many": (CYCLIC, cyclic(13, 1.0)),
    "one choice of 12, a skip randomized": (
        CYCLIC | {"options": options(12), "skip": "randomized"},
        cyclic(13, 1.0),
    ),
    "a scale designed for shares and curve": (DESIGNED, designed(4, 1.0, {"shares": 1, "curve": 2})),
    "a number designed for its curve": (CURVE, designed_number(0, 4, 1, 1.0, {"curve": 1})),
    "a number by one bit": (NUMBER | {"mechanism": "one_bit"}, one_bit(0, 10, 1, 1.0)),
    "a number with Laplace noise": (NUMBER | {"mechanism": "laplace"}, laplace(0, 10, 1, 1.0)),
    "a number with Gaussian noise": (GAUSSIAN, gaussian(0, 10, 1, 1.0, 1e-6)),
    "a number by a window": (NUMBER | {"skip": "apart", "unit": {"en": "h"}}, hybrid(0, 10, 1, 1.0)),
}


@pytest.mark.parametrize("name", EVERY)
def test_a_question_brings_the_channel_of_its_mechanism(name):
    keys, channel = EVERY[name]
    found = read(**keys)
    assert found.channel() == channel
    assert type(found.channel()) is type(channel)
    for column in found.columns():
        assert column.channel == channel
        assert column.skip_apart == (keys.get("skip") == "apart")
        assert column.by_hand == (coin() if "by_hand" in keys else None)


@pytest.mark.parametrize("name", EVERY)
def test_a_question_survives_being_written_and_read(name):
    definition = from_dict(survey(question(**EVERY[name][0])), "kinds.toml")
    assert parse(definition.as_toml(), "again.toml") == definition
    assert from_dict(definition.as_dict(), "again") == definition


def test_every_mechanism_of_every_kind_is_tried_above_but_the_plain_spinner():
    tried = {(keys.get("kind", "yes_no"), keys["mechanism"]) for keys, _ in EVERY.values()}
    known = {(kind, mechanism) for kind, read in KINDS.items() for mechanism in read.mechanisms}
    assert known - tried == {("yes_no", "spinner")}


def test_columns_are_named_as_the_question_and_boxes_are_numbered_from_one():
    assert [column.name for column in read(**CHOICE).columns()] == ["q"]
    boxes = read(**BOXES)
    assert [column.name for column in boxes.columns()] == ["q_1", "q_2", "q_3", "q_4"]
    assert boxes.column_names == ("q_1", "q_2", "q_3", "q_4")


@pytest.mark.parametrize("name", EVERY)
def test_every_answer_has_a_label(name):
    found = read(**EVERY[name][0])
    labels = found.labels("en")
    assert len(labels) == found.channel().answers == found.answers
    assert (found.skip_answer is None) == (found.skip != "randomized")
    if found.skip_answer is not None:
        assert (found.skip_answer, labels[-1]) == (len(labels) - 1, "skip")


def test_numbers_are_labelled_as_they_are_written():
    found = read(**NUMBER | {"low": 0.1, "high": 0.4, "step": 0.1, "mechanism": "laplace"})
    assert found.labels("en") == ("0.1", "0.2", "0.3", "0.4")


BAD = {
    "an unknown kind": ({"kind": "essay"}, "kind must be one of yes_no, choice, boxes, number, got 'essay'"),
    "a mechanism of another kind": (
        CHOICE | {"mechanism": "hybrid"},
        "mechanism must be one of wheel, subset, cyclic, designed, exponential, got 'hybrid'",
    ),
    "one option": (CHOICE | {"options": options(1)}, "options must be a list of 2 to 50 texts, got ["),
    "51 options": (CHOICE | {"options": options(51)}, "options must be a list of 2 to 50 texts, got ["),
    "50 options and a skip": (
        CHOICE | {"options": options(50), "skip": "randomized"},
        "options must be a list of 2 to 49 texts, got [",
    ),
    "13 options in subsets": (SUBSET | {"options": options(13)}, "options must be a list of 2 to 12 texts"),
    "12 options in subsets and a skip": (
        SUBSET | {"options": options(12), "skip": "randomized"},
        "options must be a list of 2 to 11 texts",
    ),
    "21 boxes": (BOXES | {"options": options(21)}, "options must be a list of 2 to 20 texts, got ["),
    "no options": ({**CHOICE, "options": None}, "options is missing; it must be a list of 2 to 50 texts"),
    "an option without a language": (
        CHOICE | {"options": [{"en": "A"}, {"en": " "}]},
        "options[1].en must be a text of 1 to 300 characters, got ' '",
    ),
    "an option that is no table": (
        CHOICE | {"options": [{"en": "A"}, "B"]},
        "options[1] must be a table with a text for each of en, got 'B'",
    ),
    "options of a yes/no question": (YES_NO | {"options": options(2)}, "options must be absent (known keys"),
    "a scale whose options have no order": (
        ORDERED | {"ordered": False},
        "mechanism must be wheel, subset or cyclic where the options are not ordered, got 'exponential'",
    ),
    "an order that is no truth": (CHOICE | {"ordered": "yes"}, "ordered must be true or false, got 'yes'"),
    "a size below one": (SUBSET | {"size": 0}, "size must be a whole number from 1 to 3, got 0"),
    "a size of all": (SUBSET | {"size": 4}, "size must be a whole number from 1 to 3, got 4"),
    "half a size": (SUBSET | {"size": 1.5}, "size must be a whole number from 1 to 3, got 1.5"),
    "a size of a wheel": (
        CHOICE | {"size": 2},
        "size must be absent: only the mechanism subset has one, got 2",
    ),
    "a utility that is not square": (
        ORDERED | {"utility": UTILITY},
        "utility must be a square table, 4 rows of 4 finite numbers, got [[",
    ),
    "a utility that is no number": (
        ORDERED | {"options": options(2), "utility": [[1, 0], [0, math.inf]]},
        "utility must be a square table, 2 rows of 2 finite numbers, got [[",
    ),
    "a utility that says nothing": (
        ORDERED | {"options": options(2), "utility": [[1, 0], [1, 0]]},
        "utility must be different between answers, got [[",
    ),
    "a utility of a wheel": (CHOICE | {"utility": [[1]]}, "utility must be absent: only the mechanism exp"),
    "a design for nothing": (
        {**DESIGNED, "wants": None},
        "wants is missing; it must be a table with at least one of shares, mean, curve, each with its weight",
    ),
    "a design for something else": (DESIGNED | {"wants": {"mode": 1}}, "wants must be a table with at least"),
    "a weight of nothing": (
        DESIGNED | {"wants": {"shares": 1, "curve": 0}},
        "wants.curve must be a number above 0 and up to 1000, got 0",
    ),
    "a weight below nothing": (CURVE | {"wants": {"mean": -1}}, "wants.mean must be a number above 0 and up"),
    "a wheel that is wanted for something": (
        CHOICE | {"wants": {"shares": 1}},
        "wants must be absent: only the mechanism designed has one",
    ),
    "a design whose options have no order": (
        DESIGNED | {"ordered": False},
        "mechanism must be wheel, subset",
    ),
    "a design of a randomized skip": (
        DESIGNED | {"skip": "randomized"},
        'skip must be absent or "apart": on',
    ),
    "a design of 22 options": (
        DESIGNED | {"options": options(22)},
        "options must be a list of 2 to 21 texts",
    ),
    "a design of a large epsilon": (
        DESIGNED | {"epsilon": 9},
        "epsilon must be a number from 0.05 to 8 for a designed channel, got 9",
    ),
    "a design of 1001 points": (
        CURVE | {"high": 1000},
        "step must be larger: a designed channel takes at most 1000 points, not 1001, got 1",
    ),
    "12 options in a circle": (CYCLIC | {"options": options(12)}, "options must be a list of 13 to 50 texts"),
    "a scope that is none": (BOXES | {"scope": "all"}, "scope must be one of question, box, got 'all'"),
    "a scope of sampled boxes": (
        SAMPLED | {"scope": "box"},
        "scope must be absent: with sampled boxes, epsilon applies to the question",
    ),
    "a grid that does not divide": (
        NUMBER | {"step": 3},
        "step must be a number that divides the range from 0 to 10 into 1 to 1000 equal steps, got 3",
    ),
    "a grid of 1002 points": (NUMBER | {"high": 1001}, "step must be a number that divides"),
    "a grid from high to low": (NUMBER | {"low": 20}, "low must be a number below high = 10, got 20"),
    "a high that is text": (NUMBER | {"high": "10"}, "high must be a finite number, got '10'"),
    "no low": ({**NUMBER, "low": None}, "low is missing; it must be a finite number"),
    "a delta of nothing": (GAUSSIAN | {"delta": 0.0}, "delta must be a number above 0 and below 1, got 0.0"),
    "a delta of one": (GAUSSIAN | {"delta": 1.0}, "delta must be a number above 0 and below 1, got 1.0"),
    "no delta": ({**GAUSSIAN, "delta": None}, "delta is missing; it must be a number above 0 and below 1"),
    "a delta of a window": (NUMBER | {"delta": 1e-6}, "delta must be absent: only the mechanism gaussian"),
    "a skip that is none": (
        YES_NO | {"skip": True},
        'skip must be absent, "apart" or "randomized", got True',
    ),
    "a third side of two coins": (
        {"mechanism": "coin", "skip": "randomized"},
        "skip must be absent or \"apart\": two coins cannot give a third answer, got 'randomized'",
    ),
    "a skip among boxes": (
        BOXES | {"skip": "randomized"},
        "skip must be absent or \"apart\": each box counts as a separate question, got 'randomized'",
    ),
    "a skip on a scale": (ORDERED | {"skip": "randomized"}, 'skip must be absent or "apart": on an ordered'),
    "a skip on a grid": (
        NUMBER | {"skip": "randomized"},
        'skip must be absent or "apart": no number stands for a skip',
    ),
    "real coins for a choice": (CHOICE | {"by_hand": "coin"}, "by_hand must be absent (known keys here"),
    "real dice": (YES_NO | {"by_hand": "dice"}, "by_hand must be absent or \"coin\", got 'dice'"),
    "real coins that cannot skip": (
        YES_NO | {"skip": "randomized", "by_hand": "coin"},
        "by_hand must be absent where a skip is randomized",
    ),
    "yes/no that cannot be estimated": (
        YES_NO | {"epsilon": 1e-5},
        "epsilon must be larger: the reports would show too little about the answers for an estimate (",
    ),
    "a choice that cannot be estimated": (CHOICE | {"epsilon": 1e-5}, "epsilon must be larger: the reports"),
    "boxes that cannot be estimated": (SAMPLED | {"epsilon": 1e-5}, "epsilon must be larger: the reports"),
    "a number that cannot be estimated": (
        NUMBER | {"epsilon": 1e-9},
        "epsilon must be larger: in weights of 32 bits",
    ),
    "a grid too fine for its numbers": (
        NUMBER | {"low": -1e9, "high": -999999999.999, "step": 1e-6},
        "step must be larger, or low and high nearer to 0",
    ),
    "a promise that 32 bits cannot keep": (
        GAUSSIAN | {"delta": 0.01, "epsilon": 1e-6},
        "epsilon must be larger, or delta, for weights of 32 bits",
    ),
    "more than fits in a page": (
        ORDERED
        | {"options": options(40), "utility": [[(a * r) % 41 / 7 for r in range(40)] for a in range(40)]},
        "utility must be short enough to be published in 20000 bytes (it takes ",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_setting_names_file_key_range_and_value(name):
    keys, said = BAD[name]
    (line,) = refused({key: value for key, value in question(**keys).items() if value is not None})
    assert line.startswith(f"kinds.toml: questions[0].{said}")


def test_a_column_of_one_question_cannot_be_another_question():
    boxes, other = question(**BOXES), question(**YES_NO) | {"id": "q_2"}
    (line,) = refused(boxes, other)
    assert line == "kinds.toml: questions[1].id must be used by no other question or column, got 'q_2'"


def test_a_survey_has_room_for_a_thousand_columns():
    many = [question(**BOXES | {"options": options(20)}) | {"id": f"q{n}"} for n in range(51)]
    assert from_dict(survey(*many[:50]), "kinds.toml").questions
    assert refused(*many) == [
        "kinds.toml: questions must be few enough for 1000 columns, one for each box, got 1020"
    ]


@pytest.mark.parametrize(
    ("keys", "codes", "allowed"),
    [
        (BOXES, [0, 1, 1, 0], None),
        (BOXES | {"skip": "apart"}, [2, 2, 2, 2], None),
        (BOXES | {"skip": "apart"}, [0, 1, 2, 0], "left out together or not at all"),
        (SAMPLED, [2, 0, 2, 2], None),
        (SAMPLED, [2, 0, 1, 2], "2, not sampled, in all but 1 of the boxes"),
        (SAMPLED, [2, 2, 2, 2], "2, not sampled, in all but 1 of the boxes"),
        (SAMPLED | {"skip": "apart"}, [3, 3, 3, 3], None),
        (SAMPLED | {"skip": "apart"}, [3, 2, 2, 1], "left out together or not at all"),
        (CHOICE, [3], None),
    ],
)
def test_codes_that_no_page_sends_together_are_told(keys, codes, allowed):
    found = read(**keys)
    assert found.fault(found.columns(), codes) == allowed


def test_a_published_question_needs_no_mechanism_of_today(monkeypatch):
    def gone(*settings):
        raise AssertionError("a channel was built")

    monkeypatch.setattr("survey.question.choice.choice_channel", gone)
    (found,) = from_dict(survey(question(**CHOICE)), "published", published=True).questions
    assert isinstance(found.restored(wheel(4, 1.0).form, None, None), Channel)
