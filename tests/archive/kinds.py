"""A survey of every kind and mechanism, with every way to leave a question out, and drawn sections."""

from __future__ import annotations

from survey.publication import publish
from survey.read_definition import from_dict


def texts(english, korean=None):
    return {"en": english, "ko": korean or english}


def question(name, mechanism, epsilon=1.0, **more):
    table = {"id": name, "mechanism": mechanism, "wording": texts(f"About {name}?", "그렇습니까?"), **more}
    return table if mechanism == "coin" else table | {"epsilon": epsilon}


def options(*names):
    return [texts(name) for name in names]


def number(name, mechanism, high, step, **more):
    return question(name, mechanism, kind="number", low=-2, high=high, step=step, **more)


CITIES = ("NA", "null", 'Naju, "the pear town"', "=1+1", "Busan", "Jeju")
"""Names that programs take for missing values, for the end of a cell, or for a formula."""

WHO = [
    question("copied", "spinner_coin"),
    question("tired", "spinner", 2.0, skip="randomized"),
    question("hurt", "spinner_coin", 1.5, by_hand="coin", skip="apart"),
    question("sector", "wheel", 2.0, kind="choice", options=options("a", "b", "c", "d"), skip="apart"),
    question(
        "mood", "exponential", 2.0, kind="choice", ordered=True, options=options("Bad", "So so", "Good")
    ),
    question("city", "subset", 0.8, kind="choice", options=options(*CITIES), skip="randomized"),
]
WHAT = [
    question("by", "coin", skip="apart"),
    question("tried", "sampled_box", kind="boxes", options=options("Tea", "Coffee", "Tobacco")),
    question("harm", "per_box", kind="boxes", scope="box", options=options("Theft", "Threats"), skip="apart"),
    number("null", "one_bit", 18, 1),
    number("hours", "laplace", 498, 1, epsilon=4.0, skip="apart"),
    number("days", "laplace", 8, 0.5, epsilon=4.0),
]
HOW_MUCH = [
    number("income", "gaussian", 8, 0.5, delta=1e-6),
    number("worth", "gaussian", 498, 1, delta=1e-6, epsilon=2.0),
    number("weight", "hybrid", 18, 1, epsilon=2.0),
    number("steps", "hybrid", 998, 1, epsilon=1.0),
]


def every_kind(outcome="before"):
    """Publish it: the first section is for everybody, one of the other two is drawn."""
    names = ("title", "information", "consent")
    sections = {"who": WHO, "what": WHAT, "how_much": HOW_MUCH}
    return publish(
        from_dict(
            {
                "candor": 2,
                "slug": "every-kind",
                "languages": ["en", "ko"],
                "asked": 1,
                "outcome": outcome,
                "sections": [
                    {"id": name, "title": texts(name), "always": name == "who", "questions": questions}
                    for name, questions in sections.items()
                ],
                **{name: texts(name) for name in names},
            },
            "the test",
        )
    )
