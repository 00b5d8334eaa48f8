"""The compact forms: exact, small, and simple enough for a second language."""

import json

import numpy as np
import pytest

from survey.channel import TOTAL, Channel
from survey.compact_form import Rows, Subsets, Tails, Window, Windows, from_dict
from survey.cyclic_sets import CyclicSets
from survey.mechanisms import (
    coin,
    cyclic,
    designed,
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
from survey.publication import canonical_json
from survey.weighted_sets import WeightedSets

CHANNELS = {
    "spinner_coin": spinner_coin(1.0),
    "coin": coin(),
    "wheel of 50": wheel(50, 0.1),
    "largest subsets": subset(12, 0.1, 6),
    "subsets of most": subset(12, 1.0, 11),
    "cyclic of 13": cyclic(13, 1.0),
    "cyclic of 50": cyclic(50, 0.1),
    "designed for all of 5": designed(5, 1.0),
    "designed for a curve of 14": designed(14, 0.05, {"curve": 1.0}),
    "exponential of 50": exponential(50, 2.0),
    "exponential of 7": exponential(7, 1.0),
    "own utility of 40": exponential(40, 0.1, np.random.default_rng(1).normal(size=(40, 40))),
    "one bit": one_bit(0, 1000, 1, 1.0),
    "laplace of 1001": laplace(0, 1000, 1, 0.1),
    "laplace of 2": laplace(0, 1, 1, 1.0),
    "hybrid, both parts": hybrid(0, 1000, 1, 1.0),
    "hybrid, window alone": hybrid(0, 1000, 1, 4.0),
    "hybrid of 3": hybrid(1, 3, 1, 2.0),
    "gaussian": gaussian(0, 1000, 1, 1.0, 1e-6),
    "gaussian with most knots": gaussian(0, 1000, 1, 10.0, 0.9),
    "gaussian with an odd number of knots": gaussian(0, 10, 1, 10.0, 0.1),
    "gaussian of 2": gaussian(0, 1, 1, 1.0, 1e-6),
    "per box": per_box(20, 1.0),
    "sampled box": sampled_box(20, 1.0),
}
NAMES = list(CHANNELS)

TURNS = {"form": "cyclic_sets", "answers": 3, "blocks": [[0]], "inside": 2, "outside": 1, "raised": 0}
SETS = {"form": "weighted_sets", "answers": 3, "ratio": [2, 1], "lows": [5, 6], "masks": "14"}


def safe(number: int) -> int:
    """What JavaScript can hold exactly."""
    assert abs(number) < 2**53
    return number


def row(form: dict, answer: int) -> list[int]:
    """Expand one row of a published form, in integers alone: what the page does."""
    match form["form"]:
        case "rows":
            n, s = form["answers"] - 1, form["knots"] - 1
            q, r = divmod(answer * s, n)
            near = knot(form, q)
            if r == 0:
                return near
            weights = [
                -(-safe(safe((n - r) * a) + safe(r * b)) // n)
                for a, b in zip(near, knot(form, q + 1), strict=True)
            ]
            weights[weights.index(max(weights))] -= safe(sum(weights)) - sum(near)
            return weights
        case "windows":
            n = form["answers"] - 1
            weights = []
            for columns, width, inside, outside in form["windows"]:
                q, r = divmod(answer * (columns - width), n)
                part = [inside if q <= column < q + width else outside for column in range(columns)]
                if r > 0:
                    ramp = safe((inside - outside) * r) // n
                    part[q] -= ramp
                    part[q + width] += ramp
                weights += part
            return weights
        case "subsets":
            weights, left = [], form["raised"]
            for mask in form["masks"]:
                if mask >> answer & 1:
                    weights.append(form["inside"])
                else:
                    weights.append(form["outside"] + (left > 0))
                    left -= 1
            return weights
        case "cyclic_sets":
            weights, left, k = [], form["raised"], form["answers"]
            for block in form["blocks"]:
                for turn in range(k):
                    if (answer - turn) % k in block:
                        weights.append(form["inside"])
                    else:
                        weights.append(form["outside"] + (left > 0))
                        left -= 1
            return weights
        case "weighted_sets":
            numerator, denominator = form["ratio"]
            digits = len(form["masks"]) // len(form["lows"])
            starts = range(0, len(form["masks"]), digits)
            masks = [int(form["masks"][start : start + digits], 16) for start in starts]
            weights = [
                safe(low * numerator) // denominator if mask >> answer & 1 else low
                for low, mask in zip(form["lows"], masks, strict=True)
            ]
            return [*weights, TOTAL - sum(weights)]
        case "tails":
            tails = form["tails"]
            last = len(tails) - 1
            distances = [abs(report - answer) for report in range(last + 1)]
            return [
                tails[d] if report in (0, last) else tails[d] - tails[d + 1]
                for report, d in enumerate(distances)
            ]


def knot(form: dict, index: int) -> list[int]:
    rows = form["rows"]
    return list(rows[index]) if index < len(rows) else rows[form["knots"] - 1 - index][::-1]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_sums_to_the_number_of_words_exactly(name):
    assert CHANNELS[name].weights.sum(axis=1).tolist() == [TOTAL] * CHANNELS[name].answers


@pytest.mark.parametrize("name", NAMES)
def test_a_published_form_gives_the_same_weights_when_it_is_read_again(name):
    channel = CHANNELS[name]
    form = from_dict(json.loads(canonical_json(channel.form.as_dict())))
    assert form == channel.form
    assert np.array_equal(form.weights(), channel.weights)


@pytest.mark.parametrize("name", NAMES)
def test_a_published_form_takes_at_most_20_kilobytes(name):
    assert len(canonical_json(CHANNELS[name].form.as_dict())) <= 20_000


@pytest.mark.parametrize("name", NAMES)
def test_a_single_row_follows_from_the_published_integers_by_small_integers(name):
    channel = CHANNELS[name]
    form = channel.form.as_dict()
    for answer in {*range(min(60, channel.answers)), channel.answers // 2, channel.answers - 1}:
        assert row(form, answer) == channel.weights[answer].tolist()


def test_a_channel_without_a_form_is_published_as_its_table():
    form = Channel([[TOTAL, 0], [0, TOTAL]]).form
    assert form.as_dict() == {"form": "rows", "answers": 2, "knots": 2, "rows": [[TOTAL, 0], [0, TOTAL]]}


def test_a_channel_refuses_a_form_of_other_weights():
    with pytest.raises(ValueError, match="form must expand to the weights, got Windows of others"):
        Channel(spinner_coin(1.0).weights, wheel(2, 2.0).form)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"form": "circle"},
            "form must be one of rows, windows, subsets, cyclic_sets, weighted_sets, sets_on_grid, tails, "
            "got 'circle'",
        ),
        ({"tails": [3, 1]}, "form must be one of .*, got None"),
        ({"form": "tails"}, r"the keys of form tails must be \['tails'\], got \[\]"),
        ({"form": "tails", "tails": [3, 1], "more": 1}, "the keys of form tails must be"),
        ({"form": "tails", "tails": "31"}, "tails must be a list of whole numbers, got '31'"),
        ({"form": "tails", "tails": [1, 3]}, "a tail must be a whole number from 0 to 1, got 3"),
        ({"form": "tails", "tails": [3.0, 1]}, "a tail must be a whole number from 0 to 4294967296, got 3.0"),
        ({"form": "tails", "tails": [True, 1]}, "a tail must be .*, got True"),
        ({"form": "tails", "tails": [1] * 1002}, "the number of tails must be .* from 2 to 1001, got 1002"),
        (
            {"form": "rows", "answers": 10**9, "knots": 2, "rows": [[1, 2]]},
            "answers must be a whole number from 2 to 1001, got 1000000000",
        ),
        ({"form": "rows", "answers": 3, "knots": 4, "rows": [[1], [1]]}, "knots must be .* to 3, got 4"),
        ({"form": "rows", "answers": 5, "knots": 4, "rows": [[1]]}, "the number of rows must be .*, got 1"),
        (
            {"form": "rows", "answers": 2, "knots": 2, "rows": [[1, 2], [3]]},
            "the number of reports in every row must be 2, got 1",
        ),
        ({"form": "rows", "answers": 2, "knots": 2, "rows": [[-1, 2]]}, "a weight must be .*, got -1"),
        ({"form": "windows", "answers": 2, "windows": []}, "the number of windows must be .*, got 0"),
        (
            {"form": "windows", "answers": 2, "windows": [[2, 1, 5]]},
            "the length of a window must be 4, got 3",
        ),
        (
            {"form": "windows", "answers": 2, "windows": [[3, 3, 5, 1]]},
            "width must be .* from 1 to 2, got 3",
        ),
        (
            {"form": "windows", "answers": 2, "windows": [[2, 1, 5, 6]]},
            "outside must be .* from 0 to 5, got 6",
        ),
        (
            {"form": "subsets", "answers": 2, "masks": [4], "inside": 2, "outside": 1, "raised": 0},
            "a mask must be a whole number from 1 to 3, got 4",
        ),
        (
            {"form": "subsets", "answers": 13, "masks": [4], "inside": 2, "outside": 1, "raised": 0},
            "answers must be a whole number from 2 to 12, got 13",
        ),
        (TURNS | {"answers": 51}, "answers must be a whole number from 2 to 50, got 51"),
        (TURNS | {"blocks": []}, "the number of blocks must be .* from 1 to 8, got 0"),
        (TURNS | {"blocks": [[0, 1, 2]]}, "the size of a block must be .* from 1 to 2, got 3"),
        (TURNS | {"blocks": [[0], [1, 2]]}, "the size of every block must be 1, got 2"),
        (TURNS | {"blocks": [[1, 0]]}, "an answer of a block must be 2, got 0"),
        (TURNS | {"blocks": [1]}, "a block must be a list of whole numbers, got 1"),
        (TURNS | {"outside": 3}, "outside must be .* from 0 to 2, got 3"),
        (TURNS | {"raised": 4}, "raised must be .* from 0 to 3, got 4"),
        (SETS | {"answers": 22}, "answers must be a whole number from 2 to 21, got 22"),
        (SETS | {"answers": "3"}, "answers must be .*, got '3'"),
        (SETS | {"ratio": [3]}, "the length of ratio must be 2, got 1"),
        (SETS | {"ratio": [3, 0]}, "the denominator of ratio must be .* from 1 to 1048576, got 0"),
        (SETS | {"ratio": [1, 2]}, "the numerator of ratio must be .* from 2 to 4294967296, got 1"),
        (SETS | {"lows": []}, "the number of lows must be .* from 1 to 2047, got 0"),
        (SETS | {"lows": [0, 1]}, "a low must be .*, got 0"),
        (SETS | {"lows": [1, 2**31 + 1]}, "a low must be .* to 2147483648, got 2147483649"),
        (SETS | {"masks": "124"}, "the number of masks must be 2, got 3"),
        (SETS | {"masks": "1G"}, "masks must be a text of 1 hexadecimal digits for each set, got '1G'"),
        (SETS | {"masks": "180", "answers": 8}, "masks must be a text of 2 hexadecimal digits"),
        (
            SETS | {"masks": [1, 2]},
            r"masks must be a text of 1 hexadecimal digits for each set, got \[1, 2\]",
        ),
        (SETS | {"masks": "18"}, "a mask must be a whole number from 1 to 7, got 8"),
    ],
)
def test_a_form_that_is_not_whole_numbers_in_their_ranges_is_refused(table, message):
    with pytest.raises(ValueError, match=message):
        from_dict(table)


def test_rows_left_out_are_the_others_read_backwards():
    assert Rows(3, 3, ((6, 2, 1), (2, 5, 2))).weights().tolist() == [[6, 2, 1], [2, 5, 2], [1, 2, 6]]


def test_between_two_knots_weights_are_rounded_up_and_the_largest_pays():
    assert Rows(4, 2, ((10, 0), (0, 10))).weights().tolist() == [[10, 0], [6, 4], [4, 6], [0, 10]]


def test_a_window_slides_with_a_linear_ramp():
    form = Windows(3, (Window(columns=3, width=2, inside=9, outside=1),))
    assert form.weights().tolist() == [[9, 9, 1], [5, 9, 5], [1, 9, 9]]


def test_subsets_raise_the_first_sets_without_the_answer():
    form = Subsets(answers=3, masks=(1, 2, 4), inside=7, outside=2, raised=1)
    assert form.weights().tolist() == [[7, 3, 2], [3, 7, 2], [3, 2, 7]]


def test_base_sets_are_turned_around_a_circle():
    form = CyclicSets(answers=4, blocks=((0, 1), (0, 2)), inside=9, outside=2, raised=1)
    assert form.members()[:, :4].T.astype(int).tolist() == [
        [1, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
        [1, 0, 0, 1],
    ]
    assert form.weights()[0].tolist() == [9, 3, 2, 9, 9, 2, 9, 2]


def test_a_set_with_the_answer_weighs_more_and_the_last_report_what_is_left():
    form = WeightedSets(answers=3, ratio=(5, 2), lows=(7, 4), masks=(1, 6))
    left = [TOTAL - 17 - 4, TOTAL - 7 - 10, TOTAL - 7 - 10]
    assert form.weights().tolist() == [[17, 4, left[0]], [7, 10, left[1]], [7, 10, left[2]]]
    assert form.members().tolist() == [[True, False, False], [False, True, False], [False, True, False]]


def test_noise_beyond_the_ends_is_reported_as_the_ends():
    assert Tails((6, 4, 1)).weights().tolist() == [[6, 3, 1], [4, 2, 4], [1, 3, 6]]
