"""Templates, examples and /try keep both limits; what they need is printed beside what was aimed at."""

from dataclasses import replace
from importlib import resources

import pytest
from enumeration import enumerated

from server.surveys.starters import NAMES, people_needed
from survey.plan import outlook
from survey.privacy import guess
from survey.privacy.limits import keeps_both
from survey.publication import publish
from survey.read_definition import parse

EXAMPLES = ("exam-honesty", "student-life", "undeclared-work", "workplace")
FILES = {
    **{name: ("server.starters", f"{name}.toml") for name in NAMES},
    **{name: ("server.examples", f"{name}.toml") for name in EXAMPLES},
    "practice": ("server.public", "practice.toml"),
}

AIMED = {
    "exam-cheating": ({"yes_no": 13.7, "choice": 18.4}, {"yes_no": 15.5, "choice": 19.2}, 7400),
    "workplace-harassment": ({"yes_no": 13.7, "choice": 18.4}, {"yes_no": 15.5, "choice": 19.2}, 7400),
    "substance-use": ({"yes_no": 12.7, "choice": 15.4}, {}, 5300),
    "undeclared-income": ({"yes_no": 12.7, "choice": 16.2}, {}, 5800),
    "health-behaviour": ({"yes_no": 16.4}, {}, 6900),
    "staff-pulse": ({"yes_no": 16.4}, {}, 5400),
}
"""Template -> margins in points at 500 people without skips and with them, and people for five points.

Each allows for how many are asked, which is up to .1 more than if their number were fixed."""


def read(name):
    room, file = FILES[name]
    return parse((resources.files(room) / file).read_text(encoding="utf-8"), name)


def without_skips(definition):
    sections = tuple(
        replace(section, questions=tuple(replace(question, skip=None) for question in section.questions))
        for section in definition.sections
    )
    return replace(definition, sections=sections)


def margins(definition):
    """The largest margin of each kind at 500 people, in points."""
    widest = {}
    for each in outlook(definition.sections, definition.asked if definition.samples else None, 500):
        margin = round(100 * each.margin / each.span, 1)
        widest[each.question.kind] = max(margin, widest.get(each.question.kind, 0))
    return widest


@pytest.mark.parametrize("name", FILES)
def test_it_keeps_both_limits(name):
    definition = read(name)
    publication = publish(definition)
    figures = guess(publication.reports, definition.waves)
    print(f"{name}: a guess is right {figures.times_right}, most telling {figures.times_telling}")
    assert keeps_both(figures)
    assert definition.limit == pytest.approx(publication.budget.epsilon, rel=0.02)


@pytest.mark.parametrize("name", sorted(set(FILES) - {"student-life"}))
def test_its_figure_is_that_of_every_pair_of_sets_of_answers(name):
    """The one left out has too many pairs: three numbers of up to 101 values."""
    definition = read(name)
    reports = publish(definition).reports
    assert guess(reports, definition.waves).right == pytest.approx(
        enumerated(reports, definition.waves), abs=1e-6
    )


@pytest.mark.parametrize("name", AIMED)
def test_a_template_needs_as_many_people_as_it_was_planned_for(name):
    plain, skipping, people = AIMED[name]
    definition = read(name)
    without, measured = margins(without_skips(definition)), margins(definition)
    needed = people_needed(definition, 0.05)
    print(f"{name}: aimed at {plain}, {skipping}, {people}; measured {without}, {measured}, {needed}")
    assert without | plain == without
    assert measured | skipping == measured
    assert needed == people


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"staff-pulse"}))
def test_templates_on_harm_health_and_crime_allow_to_skip(name):
    for question in read(name).questions:
        assert question.skip == ("apart" if question.kind == "number" else "randomized")
