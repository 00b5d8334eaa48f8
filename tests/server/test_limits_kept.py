"""Templates, examples and /try keep both limits; what they need is printed beside what was aimed at."""

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

NEEDED = {
    "exam-cheating": (7400, 3100, {"yes_no": 12.3, "choice": 12.3}),
    "workplace-harassment": (7400, 3100, {"yes_no": 12.3, "choice": 12.3}),
    "substance-use": (5300, 2700, {"choice": 11.6, "yes_no": 11.6}),
    "undeclared-income": (5800, 3100, {"yes_no": 12.3, "choice": 9.6, "number": 12.3}),
    "health-behaviour": (6900, 5000, {"number": 15.7, "yes_no": 15.7}),
    "staff-pulse": (5400, 5400, {"yes_no": 16.4, "number": 14.5}),
}
"""Template -> people for five points when each answer was drawn by itself, and now that some are linked
within the same limits; margins in points at 500 people now. They allow for how many are asked, which is up to
.1 more than if their number were fixed."""


def read(name):
    room, file = FILES[name]
    return parse((resources.files(room) / file).read_text(encoding="utf-8"), name)


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


@pytest.mark.parametrize("name", NEEDED)
def test_a_template_needs_as_many_people_as_it_was_planned_for(name):
    before, people, aimed = NEEDED[name]
    definition = read(name)
    needed, measured = people_needed(definition, 0.05), margins(definition)
    print(f"{name}: {before} people before, {needed} now; margins {measured}")
    assert (needed, measured) == (people, aimed)
    assert needed <= before


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"staff-pulse"}))
def test_templates_on_harm_health_and_crime_allow_to_skip(name):
    for question in read(name).questions:
        assert question.skip == ("apart" if question.kind == "number" else "randomized")
