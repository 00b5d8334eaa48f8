"""Charts with matplotlib: the marks stand where the estimates are, in the colours of the page."""

import re
from pathlib import Path

import candor
import matplotlib.pyplot
import pytest

from survey.analysis import plots

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def closed_afterwards():
    matplotlib.pyplot.switch_backend("agg")
    yield
    matplotlib.pyplot.close("all")


def test_a_choice_has_a_dot_an_interval_and_a_noisy_share_for_each_option(folder):
    analysis = candor.read(folder)
    axes = analysis.plot("sector", confidence_level=0.8)
    shares = analysis.figures(0.8).questions[1].first.shares.shares
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Public", "Private", "Other"]
    drawn = [list(line.get_xdata()) for line in axes.lines]
    assert drawn[0::2] == [[share.low, share.high] for share in shares]
    assert drawn[1::2] == [[share.estimate] for share in shares]
    ticks = [each.get_segments()[0][0, 0] for each in axes.collections]
    assert ticks == [share.noisy_share for share in shares]
    assert axes.get_title(loc="left") == "Where?"


def test_boxes_have_a_line_each_and_yes_or_no_one(folder):
    analysis = candor.read(folder)
    assert len(analysis.plot("habit").lines) == 3 * 2
    yes = analysis.figures().questions[0].first.best.yes
    assert [text.get_text() for text in analysis.plot("copied").texts] == [f"{100 * yes.estimate:.1f} %"]


def test_of_a_number_the_mean_is_drawn_with_its_interval_alone(folder):
    analysis = candor.read(folder)
    axes = analysis.plot("drinks")
    assert not axes.patches
    mean = analysis.figures().questions[2].first.number.mean
    assert [list(line.get_xdata()) for line in axes.lines] == [[mean.low, mean.high], [mean.value]]
    assert axes.get_xlabel() == "glasses"


def test_where_results_are_seen_first_a_thin_line_shows_how_far_each_interval_reaches_if_people_left(folder):
    file = folder / "survey.toml"
    file.write_text('outcome = "before"\n' + file.read_text(encoding="utf-8"), encoding="utf-8")
    analysis = candor.read(folder)
    copied, sector, drinks, habit = (question.columns for question in analysis.figures().questions)
    estimates = {
        "copied": [copied[0].best.yes],
        "sector": sector[0].best.shares,
        "drinks": [drinks[0].number.mean],
        "habit": [box.best.yes for box in habit],
    }
    for name, drawn in estimates.items():
        bands = [line for line in analysis.plot(name).lines if line.get_linewidth() == 1]
        assert [list(line.get_xdata()) for line in bands] == [
            [each.band_low, each.band_high] for each in drawn
        ]
        assert {line.get_color() for line in bands} == {plots.SOFT}


def test_a_chart_can_be_drawn_where_the_caller_wants_it(folder):
    _, axes = matplotlib.pyplot.subplots()
    assert candor.read(folder).plot("copied", axes) is axes


def test_long_texts_are_broken_so_that_they_stay_on_the_paper():
    assert plots.wrapped("word " * 30, 36).count("\n") == 4
    assert plots.wrapped("설문 " * 30, 36).count("\n") == 4


def test_a_question_that_is_none_is_refused(folder):
    with pytest.raises(ValueError, match="question must be one of copied, sector, drinks, habit, got 'x'"):
        candor.read(folder).plot("x")


def test_the_colours_are_those_of_the_page():
    css = (ROOT / "static" / "candor.css").read_text(encoding="utf-8").split("@media")[0]
    page = dict(re.findall(r"--(\w+): (#\w{6})", css))
    for name in ("paper", "ink", "soft", "rule", "edge", "bright"):
        assert getattr(plots, name.upper()) == page[name]
