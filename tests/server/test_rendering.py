"""What a survey's page brings: the style, the scripts and the words that its questions need, and no more."""

import json
import re

import pytest

from server.respond.rendering import kinds_of, messages, needs_second_script, render, reports_sets, style_of
from survey.publication import publish
from survey.read_definition import from_dict

TEXT = {"en": "?", "ko": "?"}
ONE = {"id": "a", "wording": TEXT, "mechanism": "spinner_coin", "epsilon": 1.0}
OTHER = ONE | {"id": "b"}
OPTIONS = [{"en": str(number), "ko": str(number)} for number in range(3)]
CHOICE = ONE | {"kind": "choice", "mechanism": "wheel", "options": OPTIONS}
DESIGNED = CHOICE | {"mechanism": "designed", "ordered": True, "wants": {"shares": 1}}
CYCLIC = CHOICE | {"mechanism": "cyclic", "options": OPTIONS * 6}
COINS = {"id": "a", "wording": TEXT, "mechanism": "coin", "by_hand": "coin"}
LINES = [ONE | {"matrix": "m", "matrix_wording": TEXT}, OTHER | {"matrix": "m"}]


def survey(*questions, sections=None, **more):
    """Return a survey with one question of yes or no, or with these, each by itself, or with sections."""
    alone = [{"id": f"s{number}", "questions": [question]} for number, question in enumerate(questions)]
    texts = dict.fromkeys(("title", "information", "consent"), TEXT)
    table = {"candor": 3, "slug": "exams", "languages": ["en", "ko"], **texts}
    return from_dict(
        table | {"sections": sections or alone or [{"id": "s", "questions": [ONE]}]} | more, "exams"
    )


def linked(number, **more):
    """Return a survey with so many linked questions."""
    questions = [{"id": f"q{place}", "wording": TEXT} for place in range(number)]
    section = {"id": "s", "linked": True, "epsilon": 1.0, "questions": questions} | more
    return survey(sections=[{key: value for key, value in section.items() if value is not None}])


def words(definition):
    return {*json.loads(messages(definition))[1]}


PLAIN = words(survey())
INVITED = "invited.apart invited.missing invited.together invited.who outcome.uninvited outcome.used"
WHEEL = "linked.bound linked.bright linked.chance linked.dark linked.kept linked.so linked.spin linked.title"
JOINED = f"{WHEEL} matrix.progress sections.part sections.progress"

SURVEYS = {
    "one question": (survey(), "candor.css", False, ""),
    "another wheel": (survey(ONE | {"mechanism": "spinner"}), "candor.css", False, "mechanism.spinner"),
    "a choice": (survey(CHOICE), "survey.css", True, "kind.choice"),
    "sets": (survey(DESIGNED), "survey.css", True, "kind.choice kind.sets"),
    "sets on a circle": (survey(CYCLIC), "survey.css", True, "kind.choice kind.sets"),
    "a skip that is protected": (
        survey(ONE | {"skip": "randomized"}),
        "survey.css",
        True,
        "kind.choice skip.randomized",
    ),
    "a skip that is counted": (survey(ONE | {"skip": "apart"}), "candor.css", True, "skip.apart"),
    "real coins": (survey(COINS), "candor.css", True, "hand.coin mechanism.coin"),
    "help": (survey(ONE | {"help": TEXT}), "survey.css", True, "texts.help"),
    "waves": (survey(budget={"waves": 2}), "candor.css", False, "budget.waves"),
    "a limit": (survey(budget={"limit": 3.0}), "candor.css", False, "budget.limit"),
    "a quick exit": (survey(quick_exit=True), "candor.css", False, "quick.exit"),
    "invitations": (survey(invitations=True), "candor.css", True, f"{INVITED} invited.unlisted"),
    "a list of them": (survey(invitations="listed"), "candor.css", True, f"{INVITED} invited.listed"),
    "early reports": (
        survey(results={"reports_while_open": True}),
        "candor.css",
        False,
        "results.reports_while_open",
    ),
    "a text with stars": (
        survey(information={"en": "*so*", "ko": "?"}),
        "survey.css",
        True,
        "marks.leaves marks.mail",
    ),
    "a section": (
        survey(sections=[{"id": "s", "questions": [ONE, OTHER]}]),
        "candor.css",
        False,
        "sections.part sections.progress",
    ),
    "sections that are drawn": (
        survey(ONE, OTHER, asked=1),
        "candor.css",
        True,
        "budget.parts sections.also sections.drawn sections.found sections.rest",
    ),
    "a matrix": (
        survey(sections=[{"id": "s", "questions": LINES}]),
        "linked.css",
        True,
        "matrix.each matrix.progress sections.part sections.progress",
    ),
    "linked questions": (linked(2), "linked.css", False, JOINED),
    "a skip of all": (
        linked(2, skip="randomized"),
        "linked.css",
        False,
        f"{JOINED} linked.leave linked.leave_hint linked.skipped skip.randomized",
    ),
    "some of them": (linked(3, asked=2), "linked.css", False, f"{JOINED} linked.drawn"),
    "coins for all": (
        linked(2, by_hand="coin", epsilon=None),
        "linked.css",
        True,
        f"{JOINED} hand.coin hand.linked",
    ),
}


OWN = ("hand", "kind", "linked", "matrix", "mechanism", "skip", "texts")
"""The first part of what questions have of their own."""


@pytest.mark.parametrize(("definition", "style", "second", "more"), SURVEYS.values(), ids=SURVEYS)
def test_what_a_survey_has_and_no_other_needs_travels_with_it_alone(definition, style, second, more):
    assert (style_of(definition), needs_second_script(definition)) == (style, second)
    assert {".".join(key.split(".")[:2]) for key in words(definition) - PLAIN} == {*more.split()}
    assert PLAIN - words(definition) <= {"mechanism.spinner_coin.chance", "mechanism.spinner_coin.dark"}


OF_ONE_QUESTION = [name for name, (_, _, _, more) in SURVEYS.items() if more.split(".")[0] in OWN]


@pytest.mark.parametrize("name", OF_ONE_QUESTION)
def test_it_travels_also_if_other_questions_do_not_need_it(name):
    definition, style, second, _ = SURVEYS[name]
    own = [section.as_dict() for section in definition.sections]
    mixed = survey(sections=[{"id": "plain", "questions": [ONE | {"id": "plain"}]}, *own])
    assert (style_of(mixed), needs_second_script(mixed)) == (style, second)
    assert reports_sets(mixed) == reports_sets(definition)
    assert words(mixed) == words(definition) | PLAIN


def test_only_sets_need_the_script_of_sets():
    named = {name for name, (definition, *_) in SURVEYS.items() if reports_sets(definition)}
    assert named == {"sets", "sets on a circle"}


def test_outcomes_that_end_taking_part_have_a_title_and_a_text():
    ended = {key for key in PLAIN if key.startswith("outcome.")}
    outcomes = ("stale", "different", "closed", "refused")
    assert ended == {f"outcome.{outcome}.{part}" for outcome in outcomes for part in ("title", "text")}


def test_a_page_has_one_template_for_each_kind_in_the_same_order_on_every_server():
    boxes = CHOICE | {"id": "c", "kind": "boxes", "mechanism": "per_box"}
    number = OTHER | {"kind": "number", "mechanism": "laplace", "low": 0, "high": 9, "step": 1, "id": "d"}
    kinds = kinds_of(publish(survey(ONE, OTHER, CHOICE | {"id": "e"}, boxes, number)))
    assert kinds == ["boxes", "choice", "number", "yes_no"]


SOME_LINKED = survey(sections=[{"id": "alone", "questions": [ONE]}, *linked(2).as_dict()["sections"]])


@pytest.mark.parametrize(
    ("definition", "scripts"),
    [
        (survey(), []),
        (survey(CHOICE), ["more"]),
        (survey(ONE, DESIGNED | {"id": "b"}), ["more", "sets"]),
        (SOME_LINKED, ["linked"]),
    ],
    ids=["plain", "choice", "sets", "linked"],
)
def test_a_page_names_the_scripts_that_its_first_will_load(constant_app, definition, scripts):
    with constant_app.test_request_context("/s/exams"):
        page = render(publish(definition), root="..")
    assert re.findall(r'"modulepreload" href="[^"]*/(\w+)\.js"', page) == scripts


@pytest.mark.parametrize(("number", "named"), [(2, "2"), (3, "3"), (4, "4"), (5, "more")])
def test_of_linked_answers_the_words_for_their_number_travel(number, named):
    counted = {key.split(".")[2] for key in words(linked(number)) if key.startswith("linked.title.")}
    assert counted == {named}


BEFORE = {"cause", "discarded", "question", "result", "review"}


def test_a_result_that_is_seen_first_has_words_of_its_own():
    first = words(survey(outcome="before"))
    assert {key.partition(".")[0] for key in first - PLAIN} == BEFORE
    assert {key.partition(".")[0] for key in PLAIN - first} == {"answers"}
    assert style_of(survey(outcome="before")) == "survey.css"
    assert needs_second_script(survey(outcome="before"))
    lines = survey(sections=[{"id": "s", "questions": LINES}], outcome="before")
    assert words(lines) - first >= {"matrix.each", "matrix.how", "matrix.progress", "matrix.recorded"}
