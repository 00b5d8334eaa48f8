"""The vectors in tests/vectors, which the browser's twin replays too: fresh, complete, and obeyed here."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import make
import numpy as np
import pytest

from survey import compact_form
from survey.channel import TOTAL, Channel
from survey.linked import Linked
from survey.mechanisms import BoxChannel
from survey.mechanisms.gaussian_mechanism import knots_delta
from survey.privacy import Reports, guess, plain_sum
from survey.randomize import (
    draw_subset,
    draw_subsets,
    randomize,
    randomize_boxes,
    randomize_boxes_many,
    randomize_many,
)
from survey.randomize_linked import randomize_linked

FOLDER = Path(__file__).parents[1] / "vectors"
RANDOMIZE = json.loads((FOLDER / "randomize.json").read_text(encoding="utf-8"))
FORM = json.loads((FOLDER / "form.json").read_text(encoding="utf-8"))
BOXES = json.loads((FOLDER / "boxes.json").read_text(encoding="utf-8"))
LINKED = json.loads((FOLDER / "linked.json").read_text(encoding="utf-8"))
SUBSETS = json.loads((FOLDER / "subsets.json").read_text(encoding="utf-8"))
GUESSES = json.loads((FOLDER / "guess.json").read_text(encoding="utf-8"))
TOTALS = json.loads((FOLDER / "total.json").read_text(encoding="utf-8"))
LOSS = json.loads((FOLDER / "loss.json").read_text(encoding="utf-8"))


def name(entry):
    return entry["name"]


@pytest.mark.parametrize("file", make.FILES)
def test_the_file_is_what_the_generator_writes(file):
    assert make.is_fresh(file), "run python tests/vectors/make.py"


def test_every_file_has_a_generator():
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.json")} == set(make.FILES)


@pytest.mark.parametrize("entry", RANDOMIZE["channels"], ids=name)
def test_every_cell_begins_and_ends_at_its_word(entry):
    channel = Channel(np.array(entry["weights"]))
    cells = entry["cells"]
    assert {(cell["answer"], cell["report"]) for cell in cells} == set(
        zip(*channel.weights.nonzero(), strict=True)
    )
    for cell in cells:
        assert randomize(channel, cell["answer"], cell["word"]) == cell["report"]


@pytest.mark.parametrize("entry", RANDOMIZE["channels"], ids=name)
def test_arrays_agree(entry):
    cells = entry["cells"]
    reports = randomize_many(
        Channel(np.array(entry["weights"])),
        [cell["answer"] for cell in cells],
        [cell["word"] for cell in cells],
    )
    assert reports.tolist() == [cell["report"] for cell in cells]


@pytest.mark.parametrize("entry", RANDOMIZE["refused"], ids=name)
def test_bad_input_is_refused_by_the_name_of_the_parameter(entry):
    with pytest.raises(ValueError, match=f"^{entry['parameter']}"):
        randomize(Channel(np.array(entry["weights"])), entry["answer"], entry["word"])


def keeps(weights, loss):
    """Whether the weights are a channel whose exact loss is within the published one."""
    if not (isinstance(loss, list) and len(loss) == 2 and all(type(n) is int and n > 0 for n in loss)):
        return False
    try:
        largest, smallest = Channel(np.array(weights)).loss
    except ValueError:
        return False
    return largest * loss[1] <= smallest * loss[0]


@pytest.mark.parametrize("entry", LOSS["cases"], ids=name)
def test_weights_keep_the_published_loss_or_do_not(entry):
    assert keeps(entry["weights"], entry["loss"]) is entry["ok"]


def expand(table):
    """The channel of a form, through its JSON as a page gets it."""
    read = compact_form.from_dict(table)
    return Channel(read.weights(), read)


@pytest.mark.parametrize("entry", FORM["forms"], ids=name)
def test_a_compact_form_expands_to_the_rows_its_rule_says(entry):
    channel = expand(entry["form"])
    assert len(entry["cells"]) >= 4
    for cell in entry["cells"]:
        assert randomize(channel, cell["answer"], cell["word"]) == cell["report"]
    assert channel.loss[0] * entry["loss"][1] == channel.loss[1] * entry["loss"][0]


@pytest.mark.parametrize("entry", FORM["refused"], ids=name)
def test_what_is_no_form_is_refused(entry):
    with pytest.raises(ValueError, match="must"):
        expand(entry["form"])


def form_keeps(table, loss):
    try:
        largest, smallest = expand(table).loss
    except ValueError:
        return False
    return largest * loss[1] <= smallest * loss[0]


@pytest.mark.parametrize("entry", FORM["losses"], ids=name)
def test_forms_keep_the_published_loss_or_do_not(entry):
    assert form_keeps(entry["form"], entry["loss"]) is entry["ok"]


def keeps_delta(table, ratio, weight):
    """The promise of the Gaussian mechanism, as its page checks it; see GaussianChannel.delta_weight."""
    if len(ratio) != 2 or not 0 < ratio[1] <= ratio[0]:
        return False
    numerator, denominator = ratio
    channel = expand(table)
    worst = int(knots_delta(channel.form.at_knots().astype(object), numerator, denominator))
    likeliest = channel.weights.max(axis=1)
    excepted = denominator * int(likeliest.max()) - numerator * (int(likeliest.min()) - channel.reports)
    return worst + max(0, excepted) <= weight * denominator


@pytest.mark.parametrize("entry", FORM["deltas"], ids=name)
def test_gaussian_forms_keep_the_published_delta_or_do_not(entry):
    assert keeps_delta(entry["form"], entry["ratio"], entry["delta_weight"]) is entry["ok"]


@pytest.mark.parametrize("entry", SUBSETS["draws"], ids=lambda entry: str(list(entry.values())[:3]))
def test_a_word_draws_the_subset_of_its_rank(entry):
    places, size, word, drawn = entry.values()
    assert draw_subset(places, size, word) == drawn
    assert draw_subsets(places, size, [word, 0]).tolist() == [drawn, list(range(size))]


def box_channel(entry):
    boxes, sampled = len(entry["answers"]), entry["sampled"]
    box = Channel(np.array(entry["box"]))
    part = TOTAL // boxes
    columns = np.array([[part, part, TOTAL - 2 * part]] * 2)  # what the columns come to is not used here
    return BoxChannel(weights=columns, boxes=boxes, sampled=sampled, box=box)


@pytest.mark.parametrize("entry", BOXES["cases"], ids=name)
def test_boxes_are_drawn_and_each_spends_its_own_word(entry):
    channel = box_channel(entry)
    assert randomize_boxes(channel, entry["answers"], entry["words"]) == entry["reports"]
    many = randomize_boxes_many(channel, [entry["answers"]] * 2, [entry["words"]] * 2)
    assert many.tolist() == [entry["reports"]] * 2


@pytest.mark.parametrize("entry", LINKED["cases"], ids=name)
def test_one_word_gives_a_report_on_every_linked_question(entry):
    sizes = dict(pair for one in entry["sets"] for pair in zip(one["places"], one["sizes"], strict=True))
    forms = [compact_form.from_dict(wheel["form"]) for wheel in entry["wheels"]]
    wheels = tuple(Channel(form.weights(), form) for form in forms)
    asked = len(entry["sets"][0]["places"])
    linked = Linked(tuple(sizes[place] for place in sorted(sizes)), wheels, asked, entry["skip"])
    for one in entry["sets"]:
        for draw in one["draws"]:
            told = randomize_linked(linked, tuple(one["places"]), draw["answers"], draw["word"])
            assert told == draw["reports"]


@dataclass(frozen=True)
class Promised:
    """What a report promises, of which the rest is not known."""

    guarantee: tuple[float, float]


@pytest.mark.parametrize("entry", TOTALS["cases"], ids=name)
def test_the_total_is_the_largest_of_all_sets_that_may_be_drawn(entry):
    def promised(section):
        return [
            Promised((math.log(report["loss"][0] / report["loss"][1]), report.get("delta", 0.0)))
            for report in section["reports"]
        ]

    always = [report for one in entry["sections"] if one["always"] for report in promised(one)]
    drawn = [promised(one) for one in entry["sections"] if not one["always"]]
    reports = Reports.drawn_from(drawn, entry["asked"], always) if drawn else Reports.of(always)
    found = plain_sum(reports, entry["waves"])
    assert (found.epsilon, found.delta) == pytest.approx((entry["epsilon"], entry["delta"]), abs=1e-12)


@pytest.mark.parametrize("entry", GUESSES["cases"], ids=name)
def test_a_guess_is_right_as_often_as_all_that_may_be_sent_says(entry):
    def channels(section):
        forms = [compact_form.from_dict(report) for report in section["reports"]]
        return [Channel(form.weights(), form) for form in forms]

    always = [channel for one in entry["sections"] if one["always"] for channel in channels(one)]
    drawn = [channels(one) for one in entry["sections"] if not one["always"]]
    reports = Reports.drawn_from(drawn, entry["asked"], always) if drawn else Reports.of(always)
    assert guess(reports, entry["waves"]).right == pytest.approx(entry["right"], abs=1e-6)
