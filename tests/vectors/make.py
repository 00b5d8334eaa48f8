"""Write the vectors that the Python and the JavaScript half must both reproduce; see README.md here.

python tests/vectors/make.py            write the files
python tests/vectors/make.py --check    fail if a file is not what would be written
"""

import json
import math
import sys
from fractions import Fraction
from functools import reduce
from itertools import accumulate, chain, combinations, combinations_with_replacement, islice, product
from pathlib import Path

import draft_units
import numpy as np
from theory import tables

from survey.channel import Channel
from survey.compact_form import from_dict
from survey.linked import Linked
from survey.mechanisms import (
    coin,
    cyclic,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner,
    spinner_coin,
    subset,
    wheel,
)
from survey.privacy import Reports, guess

TOTAL = 2**32
QUARTER = TOTAL // 4
THIRD = TOTAL // 3
FOLDER = Path(__file__).parent

EPSILONS = {
    "1e-9": 1e-9,
    "0.1": 0.1,
    "1": 1.0,
    "ln 3": math.log(3),
    "ln 4": math.log(4),
    "8": 8.0,
    "10": 10.0,
}
FAIR = [[3 * QUARTER, QUARTER], [QUARTER, 3 * QUARTER]]


def channels():
    """Every mechanism, and tables made by hand for what no mechanism has: name -> weights."""
    named = {"coin": coin().weights.tolist()}
    for name, epsilon in EPSILONS.items():
        named[f"spinner_coin {name}"] = spinner_coin(epsilon).weights.tolist()
        named[f"spinner {name}"] = spinner(epsilon).weights.tolist()
    send = [TOTAL // 20] * 10
    keep = TOTAL - 9 * (TOTAL // 20)
    return named | {
        "by hand: the truth, with boundaries 0 and 2**32": [[TOTAL, 0], [0, TOTAL]],
        "by hand: one report for everything": [[TOTAL], [TOTAL]],
        "by hand: cells of a single word": [[1, TOTAL - 2, 1], [TOTAL - 1, 1, 0]],
        "by hand: two answers, three reports": [[QUARTER, 2 * QUARTER, QUARTER], [THIRD, THIRD, THIRD + 1]],
        "by hand: three answers, four reports, zeros at every place": [
            [0, 2 * QUARTER, 0, 2 * QUARTER],
            [QUARTER, 0, 3 * QUARTER, 0],
            [0, 0, TOTAL, 0],
        ],
        "by hand: one choice out of ten": [
            [keep if report == answer else send[report] for report in range(10)] for answer in range(10)
        ],
    }  # fmt: skip


def cells(weights):
    """The first and the last word of every cell, by adding up the row."""
    for answer, row in enumerate(weights):
        for report, (weight, end) in enumerate(zip(row, accumulate(row), strict=True)):
            for word in sorted({end - weight, end - 1} if weight else set()):
                yield {"answer": answer, "word": word, "report": report}


def refused():
    """Inputs that must be refused: an error that begins with the parameter's name, never a report."""
    for name, answer in {
        "below the first": -1,
        "beyond the last": 2,
        "a fraction": 0.5,
        "text": "0",
        "nothing": None,
        "true": True,
        "a list": [0],
    }.items():
        yield {"name": f"answer: {name}", "weights": FAIR, "answer": answer, "word": 0, "parameter": "answer"}
    for name, word in {
        "below 0": -1,
        "2**32": TOTAL,
        "a fraction": 0.5,
        "a fraction just below 2**32": TOTAL - 0.5,
        "text": "0",
        "nothing": None,
        "true": True,
    }.items():
        yield {"name": f"word: {name}", "weights": FAIR, "answer": 0, "word": word, "parameter": "word"}
    for name, weights in not_channels().items():
        yield {"name": f"weights: {name}", "weights": weights, "answer": 0, "word": 0, "parameter": "weights"}


def not_channels():
    """Tables that are no channel: name -> weights."""
    return {
        "a row one word short": [[3 * QUARTER - 1, QUARTER], FAIR[1]],
        "a row one word long": [FAIR[0], [QUARTER, 3 * QUARTER + 1]],
        "a row that is one word short, not the answer's": [FAIR[0], [QUARTER, 3 * QUARTER - 1]],
        "below 0, though the row sums": [[TOTAL + 1, -1], FAIR[1]],
        "fractions, though the row sums": [[0.5, TOTAL - 0.5], FAIR[1]],
        "text": [[str(3 * QUARTER), str(QUARTER)], FAIR[1]],
        "nothing in a cell": [[TOTAL, None], FAIR[1]],
        "a single answer": [FAIR[0]],
        "no report": [[], []],
        "no table": TOTAL,
    }


def losses():
    """Weights and the published loss, and whether the weights keep it."""
    for name, weights in channels().items():
        largest, smallest = worst_column(weights)
        if smallest:
            yield case(f"{name}: its own loss", weights, [largest, smallest], True)
            yield case(f"{name}: a little less", weights, [largest - 1, smallest], False)
    yield case("a loss larger than needed", FAIR, [4, 1], True)
    yield case("the same loss in lowest terms", FAIR, [3, 1], True)
    yield case("a column that nobody can send", [[*row, 0] for row in FAIR], [3, 1], True)
    yield case("a report that gives an answer away", [[TOTAL, 0], FAIR[1]], [TOTAL, 1], False)
    yield case("only the last of three columns is too sharp", [
        [2 * QUARTER, QUARTER, QUARTER], [2 * QUARTER, 2 * QUARTER - 1, 1]], [3, 1], False)  # fmt: skip
    yield case("only the third answer is too sharp", [*FAIR, [QUARTER - 1, 3 * QUARTER + 1]], [3, 1], False)
    weights, loss = too_sharp_for_doubles()
    yield case("too sharp by 1 in 2**63: doubles do not see it", weights, loss, False)
    for name, weights in not_channels().items():
        yield case(f"no channel: {name}", weights, [3, 1], False)
    yield case("no channel: rows of different length", [[TOTAL], FAIR[1]], [3, 1], False)
    for name, loss in {
        "below 0": [-3, -1],
        "a fraction": [3.5, 1],
        "text": ["3", "1"],
        "one number": [3],
        "three numbers": [3, 1, 1],
        "nothing": None,
    }.items():
        yield case(f"no loss: {name}", FAIR, loss, False)


def case(name, weights, loss, ok):
    return {"name": name, "weights": weights, "loss": loss, "ok": ok}


def worst_column(weights):
    """The largest and the smallest weight of the column with the greatest ratio; all columns can be sent."""
    columns = [(max(column), min(column)) for column in zip(*weights, strict=True) if any(column)]
    if any(smallest == 0 for _, smallest in columns):
        return TOTAL, 0
    worst = columns[0]
    for largest, smallest in columns:
        if largest * worst[1] > worst[0] * smallest:
            worst = largest, smallest
    return worst


def too_sharp_for_doubles():
    """Weights (w, v) and a loss L / S just below w / v: w S - v L = 1, lost when the products are rounded."""
    w = next(w for w in range(2**31 + 2**30 + 1, TOTAL, 2) if math.gcd(w, TOTAL - w) == 1)
    v = TOTAL - w
    smallest = pow(w, -1, v)
    largest = (w * smallest - 1) // v
    assert float(w) * smallest <= float(v) * largest
    assert w * smallest - v * largest == 1
    return [[w, v], [v, w]], [largest, smallest]


def forms():
    """Every mechanism that is published in a compact form, and forms made by hand: name -> form."""
    named = {
        "wheel 2": wheel(2, 1.0),
        "wheel 3, as with a randomized skip": wheel(3, 0.5),
        "wheel 50": wheel(50, 2.0),
        "subset 12 of size 6": subset(12, 0.5, 6),
        "subset 10": subset(10, 1.0),
        "subset 2": subset(2, 3.0),
        "cyclic 13, a difference set": cyclic(13, 1.0),
        "cyclic 20": cyclic(20, 1.0),
        "cyclic 50": cyclic(50, 2.0),
        "exponential 7": exponential(7, 1.0),
        "exponential 3, an own table": exponential(3, 1.5, [[3, 2, 1], [1, 3, 1], [0, 1, 2]]),
        "per box": per_box(5, 2.0),
        "sampled box": sampled_box(10, 1.0),
        "one bit": one_bit(0, 10, 1, 1.0),
        "one bit, 1001 points": one_bit(0, 100, 0.1, 1.0),
        "laplace 11": laplace(0, 10, 1, 1.0),
        "laplace 2": laplace(0, 1, 1, 1.0),
        "gaussian 21": gaussian(0, 1, 0.05, 1.0, 1e-5),
        "gaussian 201": gaussian(-1, 1, 0.01, 3.0, 1e-6),
        "hybrid 21, two windows": hybrid(0, 20, 1, 1.0),
        "hybrid 201": hybrid(-1, 1, 0.01, 2.5),
    }  # fmt: skip
    return {name: channel.form.as_dict() for name, channel in named.items()} | {
        "by hand: a knot in the middle, its mirror left out": {
            "form": "rows", "answers": 6, "knots": 3,
            "rows": [[TOTAL - 2, 1, 1], [QUARTER, 2 * QUARTER, QUARTER]],
        },
        "by hand: the largest weight twice": {
            "form": "rows", "answers": 4, "knots": 2,
            "rows": [[THIRD, THIRD, THIRD + 1], [2 * QUARTER, 2 * QUARTER, 0]],
        },
        "by hand: a ramp that does not divide": {
            "form": "windows", "answers": 8,
            "windows": [[5, 2, QUARTER + 7, (TOTAL - 2 * QUARTER - 14) // 3]],
        },
        "by hand: runs around a circle of 21, three to one": rotated(21, {3: 0.3, 7: 0.5, 12: 0.2}, (3, 1)),
        "by hand: runs around a circle of 13, a ratio that does not divide": rotated(
            13, {1: 0.1, 6: 0.9}, (1111111, 2**20)),
        "by hand: sets that tell the first two answers apart": apart_at_the_start(),
        "by hand: one set of two answers": {
            "form": "weighted_sets", "answers": 2, "ratio": [TOTAL, 1], "lows": [1], "masks": "2",
        },
        "by hand: 101 numbers in 21 classes": on_grid(101, rounded=False, sets=rotated(
            21, {3: 0.3, 7: 0.5, 12: 0.2}, (3, 1))),
        "by hand: 1000 numbers rounded to 13 lattice points": on_grid(1000, rounded=True, sets=rotated(
            13, {1: 0.1, 6: 0.9}, (1111111, 2**20))),
    }  # fmt: skip


def rotated(answers, shares, ratio):
    """Runs of some lengths at every place around a circle: length -> the share of the reports.

    Lows of one length differ by no more than what rounding makes of equal ones.
    """
    lows, masks = [], []
    for length, share in shares.items():
        low = int(TOTAL * share * ratio[1] / (length * ratio[0] + (answers - length) * ratio[1]))
        for place in range(answers):
            lows.append(low - 1000 - place % 3)
            masks.append(sum(1 << (place + step) % answers for step in range(length)))
    digits = math.ceil(answers / 4)
    text = "".join(f"{mask:0{digits}x}" for mask in masks)
    return {"form": "weighted_sets", "answers": answers, "ratio": list(ratio), "lows": lows, "masks": text}


def on_grid(answers, rounded, sets):
    """Numbers on a grid, in classes or rounded to a lattice."""
    return {"form": "sets_on_grid", "answers": answers, "rounded": rounded, "sets": sets}


def apart_at_the_start():
    """Sets of two out of four answers, such that the first two answers are told apart best."""
    low = TOTAL // 102
    return {
        "form": "weighted_sets",
        "answers": 4,
        "ratio": [5, 2],
        "lows": [6 * low, 6 * low, 9 * low, 9 * low, 14 * low, 14 * low],
        "masks": "3c5a96",
    }


def expanded(form, answer):
    """One row of a form, in fractions, by the words of survey/compact_form.py and none of its code."""
    if form["form"] == "cyclic_sets":
        row, raised = [], form["raised"]
        for block in form["blocks"]:
            for turn in range(form["answers"]):
                within = answer in {(place + turn) % form["answers"] for place in block}
                row.append(form["inside"] if within else form["outside"] + (raised > 0))
                raised -= not within
        return row
    if form["form"] == "weighted_sets":
        digits = len(form["masks"]) // len(form["lows"])
        ratio, row = Fraction(*form["ratio"]), []
        for place, low in enumerate(form["lows"]):
            mask = int(form["masks"][digits * place : digits * (place + 1)], 16)
            row.append(math.floor(low * ratio) if mask // 2**answer % 2 else low)
        return [*row, TOTAL - sum(row)]
    if form["form"] == "sets_on_grid":
        places = form["sets"]["answers"]
        if not form["rounded"]:
            return expanded(form["sets"], math.floor(Fraction(answer * places, form["answers"])))
        place = Fraction(answer * (places - 1), form["answers"] - 1)
        below, above = (expanded(form["sets"], end) for end in (math.floor(place), math.ceil(place)))
        part = place - math.floor(place)
        row = [math.floor((1 - part) * a + part * b) for a, b in zip(below, above, strict=True)][:-1]
        return [*row, TOTAL - sum(row)]
    n = len(form["tails"]) - 1 if form["form"] == "tails" else form["answers"] - 1
    place = Fraction(answer, n)  # 0 at the first answer, 1 at the last
    if form["form"] == "tails":
        tails = form["tails"]
        far = [abs(y - answer) for y in range(n + 1)]
        return [tails[d] if y in (0, n) else tails[d] - tails[d + 1] for y, d in enumerate(far)]
    if form["form"] == "subsets":
        row, raised = [], form["raised"]
        for mask in form["masks"]:
            within = mask // 2**answer % 2 == 1
            row.append(form["inside"] if within else form["outside"] + (raised > 0))
            raised -= not within
        return row
    if form["form"] == "windows":
        row = []
        for columns, width, inside, outside in form["windows"]:
            start = place * (columns - width)
            first, part = int(start), start - int(start)
            ramp = math.floor((inside - outside) * part)
            window = [inside if first <= y < first + width else outside for y in range(columns)]
            if part:
                window[first] -= ramp
                window[first + width] += ramp
            row += window
        return row
    start = place * (form["knots"] - 1)
    first, part = int(start), start - int(start)
    knots = form["rows"] + [row[::-1] for row in form["rows"][: form["knots"] - len(form["rows"])]][::-1]
    if not part:
        return knots[first]
    row = [math.ceil((1 - part) * a + part * b) for a, b in zip(knots[first], knots[first + 1], strict=True)]
    row[row.index(max(row))] -= sum(row) - sum(knots[first])
    return row


def form_entry(name, form):
    """A form, the cells of some of its rows, and its own loss."""
    answers = len(form["tails"]) if form["form"] == "tails" else form["answers"]
    table = [expanded(form, answer) for answer in range(answers)]
    told = sorted({0, 1, answers // 3, answers // 2, answers - 2, answers - 1} & set(range(answers)))
    chosen = []
    for answer in told:
        inside = list(cells([table[answer]]))
        few = inside if len(inside) <= 24 else inside[:8] + inside[len(inside) // 2 - 4 :][:8] + inside[-8:]
        chosen += [cell | {"answer": answer} for cell in few]
    return {"name": name, "form": form, "cells": chosen, "loss": list(worst_column(table))}


def not_forms():
    """Tables that are no form, or expand to no channel: name -> form."""
    windows = {"form": "windows", "answers": 3, "windows": [[3, 1, 2 * QUARTER, QUARTER]]}
    rows = {"form": "rows", "answers": 3, "knots": 2, "rows": [[QUARTER, 3 * QUARTER]]}
    subsets = {
        "form": "subsets",
        "answers": 2,
        "masks": [1, 2],
        "inside": 3 * QUARTER,
        "outside": QUARTER,
        "raised": 0,
    }
    cyclic_ = {
        "form": "cyclic_sets",
        "answers": 3,
        "blocks": [[0]],
        "inside": 2 * QUARTER,
        "outside": QUARTER,
        "raised": 0,
    }
    sets = {"form": "weighted_sets", "answers": 3, "ratio": [2, 1], "lows": [QUARTER, QUARTER], "masks": "14"}
    return {
        "of no name": {"form": "spiral", "answers": 3},
        "a row one word long": windows | {"windows": [[3, 1, 2 * QUARTER + 1, QUARTER]]},
        "a fraction": windows | {"windows": [[3, 1, 2 * QUARTER + 0.5, QUARTER]]},
        "a window as wide as its columns": windows | {"windows": [[3, 3, QUARTER, QUARTER]]},
        "more outside than inside": windows | {"windows": [[3, 1, QUARTER, 2 * QUARTER]]},
        "a window of three numbers": windows | {"windows": [[3, 1, QUARTER]]},
        "no window": windows | {"windows": []},
        "one answer": windows | {"answers": 1},
        "1002 answers": windows | {"answers": 1002},
        "answers in words": windows | {"answers": "3"},
        "one knot": rows | {"knots": 1},
        "more knots than answers": rows | {"knots": 4},
        "too few rows": rows | {"answers": 5, "knots": 4},
        "too many rows": rows | {"rows": [[QUARTER, 3 * QUARTER]] * 3},
        "rows of two lengths": rows | {"rows": [[QUARTER, 3 * QUARTER], [TOTAL]]},
        "a weight below 0": rows | {"rows": [[-1, TOTAL + 1]]},
        "rows that are none": rows | {"rows": TOTAL},
        "an empty set": subsets | {"masks": [0, 3]},
        "a set of an answer that is not there": subsets | {"masks": [1, 4]},
        "a set that is text": subsets | {"masks": [1, "2"]},
        "raised beyond the sets": subsets | {"raised": 3},
        "a base set of every answer": cyclic_ | {"blocks": [[0, 1, 2]]},
        "base sets of two sizes": cyclic_ | {"blocks": [[0], [1, 2]]},
        "a base set in another order": cyclic_ | {"blocks": [[1, 0]]},
        "a base set with an answer twice": cyclic_ | {"blocks": [[1, 1]]},
        "a base set of an answer that is not there": cyclic_ | {"blocks": [[3]]},
        "nine base sets": cyclic_ | {"blocks": [[0]] * 9},
        "no base set": cyclic_ | {"blocks": []},
        "base sets that are none": cyclic_ | {"blocks": 1},
        "51 answers around the circle": cyclic_ | {"answers": 51},
        "more without the answer": cyclic_ | {"inside": QUARTER - 1, "outside": QUARTER},
        "raised beyond the turns": cyclic_ | {"raised": 4},
        "sets and masks that differ in number": sets | {"masks": "124"},
        "sets with a mask of no answer": sets | {"masks": "04"},
        "sets with an answer that is not there": sets | {"masks": "48"},
        "masks in capitals": sets | {"masks": "4C", "answers": 4},
        "masks that are a list": sets | {"masks": [1, 2]},
        "a low of 0": sets | {"lows": [QUARTER, 0]},
        "a low with a high weight above 2**32": sets | {"lows": [QUARTER, 3 * QUARTER]},
        "a fraction below 1": sets | {"ratio": [1, 2]},
        "a fraction over 0": sets | {"ratio": [1, 0]},
        "a fraction of three numbers": sets | {"ratio": [2, 1, 1]},
        "a fine fraction": sets | {"ratio": [2**21 + 1, 2**21]},
        "22 answers": sets | {"answers": 22, "masks": "000001000002"},
        "a grid of fewer numbers than places": on_grid(2, rounded=True, sets=sets),
        "a grid with a word for how": on_grid(9, rounded="yes", sets=sets),
        "a grid of a grid": on_grid(9, rounded=False, sets=on_grid(5, rounded=False, sets=sets)),
        "a grid of nothing": on_grid(9, rounded=False, sets=None),
        "sets that fill more than a row": sets | {"lows": [2 * QUARTER, 2 * QUARTER]},
        "tails that rise": {"form": "tails", "tails": [QUARTER, 3 * QUARTER]},
        "a single tail": {"form": "tails", "tails": [TOTAL]},
        "tails that fill no row": {"form": "tails", "tails": [3 * QUARTER, QUARTER - 1]},
    }  # fmt: skip


def promises():
    """Forms and a stated loss: whether they keep it."""
    for name, form in forms().items():
        largest, smallest = form_entry(name, form)["loss"]
        if smallest:
            yield {"name": f"{name}: its own loss", "form": form, "loss": [largest, smallest], "ok": True}
            less = [largest - 1, smallest]
            yield {"name": f"{name}: a little less", "form": form, "loss": less, "ok": False}
    for name, form in not_forms().items():
        yield {"name": f"no form: {name}", "form": form, "loss": [TOTAL, 1], "ok": False}


def deltas():
    """Gaussian forms with the ratio and the delta that are published: whether they keep them."""
    for settings in (
        (0, 1, 0.05, 1.0, 1e-5),
        (0, 10, 1, 3.0, 1e-6),
        (0, 1, 0.5, 0.1, 1e-3),
        (0, 1, 0.001, 4.0, 1e-6),
    ):
        channel = gaussian(*settings)
        form, ratio = channel.form.as_dict(), list(channel.ratio)
        name = f"gaussian {len(channel.grid)}, epsilon {settings[3]:g}, delta {settings[4]:g}"
        for said, ratio_, weight, ok in (
            ("its own", ratio, channel.delta_weight, True),
            ("more than needed", ratio, 2 * channel.delta_weight, True),
            ("one less", ratio, channel.delta_weight - 1, False),
            ("a smaller epsilon", [ratio[0] - ratio[0] // 50, ratio[1]], channel.delta_weight, False),
            ("a ratio below 1", [ratio[1] - 1, ratio[1]], TOTAL, False),
            ("a ratio over 0", [ratio[0], 0], TOTAL, False),
            ("no ratio", [ratio[0]], TOTAL, False),
        ):
            yield {"name": f"{name}: {said}", "form": form, "ratio": ratio_, "delta_weight": weight, "ok": ok}


BOXES = ((2, 1), (4, 2), (5, 3), (10, 1), (12, 4), (20, 10), (20, 19))
SECTIONS = ((11, 3), (20, 3), (20, 17), (22, 11), (23, 14), (100, 1), (100, 3), (100, 97), (100, 99))


def draws():
    """Which subset a word draws: the first and the last word of subsets, counted in their own order."""
    for places, size in (*BOXES, *SECTIONS):
        ways = math.comb(places, size)
        for rank in sorted({0, 1, ways // 3, ways // 2, ways - 2, ways - 1}):
            drawn = next(islice(combinations(range(places), size), rank, None))
            # floor(word C / 2**32) = rank for the words from ceil(rank 2**32 / C) to the next one's less 1.
            first, end = (-(-place * TOTAL // ways) for place in (rank, rank + 1))
            for word in (first, end - 1):
                yield {"places": places, "size": size, "word": word, "drawn": list(drawn)}


def boxes():
    """One respondent's answers on several boxes, the words that were used, and the reports."""
    for name, channel in {
        "per box, 2 boxes": per_box(2, 1.0),
        "per box, 20 boxes, epsilon for a box": per_box(20, 1.0, "box"),
        "sampled, 1 of 10": sampled_box(10, 1.0),
        "sampled, 1 of 2": sampled_box(2, 0.5),
        "sampled, several of 20": sampled_box(20, 8.0),
        "sampled, so large an epsilon that all are": sampled_box(3, 9.0),
    }.items():
        for case, turn in ((0, 1), (1, 7), (2, 13)):
            yield boxes_case(f"{name}, {case}", channel, case, turn)


def boxes_case(name, channel, case, turn):
    """A case whose words stand at the ends of the cells, and whose answers alternate."""
    box, d, s = channel.box.weights.tolist(), channel.boxes, channel.sampled
    answers = [(case + i * turn) // 2 % 2 for i in range(d)]
    first = [(2654435761 * (turn + case)) % TOTAL] if s < d else []
    drawn = list(combinations(range(d), s))[first[0] * math.comb(d, s) // TOTAL] if first else range(d)
    reports, words = [2] * d, list(first)
    for turn_, index in enumerate(drawn):
        said = (turn_ + case) % 2
        words.append([0, box[answers[index]][0] - 1, box[answers[index]][0], TOTAL - 1][2 * said + case % 2])
        reports[index] = said
    return {"name": name, "box": box, "sampled": s, "answers": answers, "words": words, "reports": reports}


def written(table):
    """JSON with one entry a line, so that a change can be read."""
    parts = []
    for key, entries in table.items():
        is_named = isinstance(entries, dict)
        named = [f"{json.dumps(name)}: " for name in entries] if is_named else [""] * len(entries)
        values = entries.values() if is_named else entries
        lines = [f"    {name}{json.dumps(value)}" for name, value in zip(named, values, strict=True)]
        opening, closing = "{}" if is_named else "[]"
        parts.append(f"  {json.dumps(key)}: {opening}\n" + ",\n".join(lines) + f"\n  {closing}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def randomize_json():
    replayed = [
        {"name": name, "weights": weights, "cells": list(cells(weights))}
        for name, weights in channels().items()
    ]
    return {"channels": replayed, "refused": list(refused())}


def form_json():
    return {
        "forms": [form_entry(name, form) for name, form in forms().items()],
        "refused": [{"name": name, "form": form} for name, form in not_forms().items()],
        "losses": list(promises()),
        "deltas": list(deltas()),
    }


def section(*reports, always=False):
    """A section whose reports are `[largest, smallest]`, or that and how many words are its delta."""
    promised = [
        {"loss": list(loss), **({"delta_weight": more[0], "delta": more[0] / TOTAL} if more else {})}
        for loss, *more in reports
    ]
    return {"always": always, "reports": promised}


def surveys():
    """Sections, how many of them are asked, and waves: name -> all three."""
    three, nine, two = ([3, 1],), ([9, 1],), ([2, 1],)
    noisy = ([3, 2], 5000)
    return {
        "all of two": ([section(three), section(nine)], 2, 1),
        "one of two": ([section(three), section(nine)], 1, 1),
        "the order of the survey does not matter": ([section(nine), section(two), section(three)], 2, 1),
        "two questions may cost more than a dearer one": ([section(three, three, two), section(nine)], 1, 1),
        "always comes on top": ([section(two, always=True), section(three), section(nine)], 1, 1),
        "nothing but always": ([section(three, always=True)], 0, 2),
        "waves": ([section(three), section(two), section(two)], 2, 3),
        "ratios of large numbers": ([section(([TOTAL - 1, 7],)), section(([TOTAL, 8],))], 1, 1),
        "delta has its own dearest": ([section(noisy), section(nine), section(three)], 1, 1),
        "deltas of two sections": ([section(noisy), section(nine), section(noisy, two)], 2, 2),
    }


def totals():
    """What a survey may cost one person: the largest over all sets that may be drawn, each looked at."""
    for name, (sections, asked, waves) in surveys().items():
        always = [report for one in sections if one["always"] for report in one["reports"]]
        drawn = [one["reports"] for one in sections if not one["always"]]
        sets = [[*always, *chain(*chosen)] for chosen in combinations(drawn, asked)]
        ratio = max(math.prod(Fraction(*report["loss"]) for report in each) for each in sets) ** waves
        delta = waves * max(sum(report.get("delta", 0) for report in each) for each in sets)
        yield {
            "name": name,
            "sections": sections,
            "asked": asked,
            "waves": waves,
            "epsilon": math.log(ratio),
            "delta": delta,
        }


def guesses():
    """How often a guess between two sets of answers is right: of few reports, by all that may be sent."""
    for name, (sections, asked, waves) in guessed().items():
        yield {
            "name": name,
            "sections": [
                {"always": always, "reports": [channel.form.as_dict() for channel in channels]}
                for always, channels in sections
            ],
            "asked": asked,
            "waves": waves,
            "right": right(sections, asked, waves),
        }


def right(sections, asked, waves):
    """(1 + TV)/2 over every pair of sets of answers and every draw; of too many, what Python gives."""
    always = [channel for everybody, channels in sections if everybody for channel in channels] * waves
    drawn = [channels for everybody, channels in sections if not everybody]
    worst = 0.5
    for draws in combinations_with_replacement(list(combinations(drawn, asked)), waves):
        reported = [*always, *chain(*chain(*draws))]
        if math.prod(channel.answers**2 * channel.reports for channel in reported) > 10**7:
            reports = Reports.drawn_from(drawn, asked, always[: len(always) // waves]) if drawn else always
            return guess(reports, waves if drawn else 1).right
        rows = reduce(np.kron, [channel.probabilities for channel in reported])
        worst = max(worst, *((1 + np.abs(rows - row).sum(axis=1).max() / 2) / 2 for row in rows))
    return float(worst)


def guessed():
    """Sections of channels, how many of them are asked, and waves: name -> all three."""

    def each(*channels):
        return [(False, [channel]) for channel in channels]

    def of_sets(form):
        read = from_dict(form)
        return Channel(read.weights(), read)

    many_sets = [
        rotated(21, {3: 0.3, 7: 0.5, 12: 0.2}, (3, 1)),
        rotated(13, {1: 0.1, 6: 0.9}, (1111111, 2**20)),
    ]
    table = exponential(3, 1.5, [[3, 2, 1], [1, 3, 1], [0, 1, 2]])
    other = exponential(4, 1.0, [[2, 0, 1, 0], [0, 3, 1, 1], [1, 0, 2, 2], [0, 0, 1, 4]])
    mixed = [
        wheel(4, 1.2),
        subset(5, 0.9),
        exponential(5, 1.0),
        one_bit(0, 10, 1, 0.9),
        laplace(0, 6, 1, 1.0),
    ]
    return {
        "one coin": ([(True, [coin()])], 0, 1),
        "exactly three quarters": (each(spinner_coin(0.9013), spinner_coin(0.9013), coin()), 2, 1),
        "ten at a quarter": ([(True, [spinner_coin(0.25)] * 10)], 0, 1),
        "one of two sections of two, in two waves": ([(False, [spinner_coin(0.75)] * 2)] * 2, 1, 2),
        "a wheel and a coin cross": (each(wheel(5, 2.5), spinner_coin(1.4), wheel(3, 2.0)), 2, 1),
        "a draw in two waves": ([(True, [wheel(3, 0.4)]), *each(wheel(5, 2.5), spinner_coin(1.4))], 1, 2),
        "every mechanism": ([(True, [*mixed, gaussian(0, 20, 1, 0.9, 1e-6), hybrid(0, 40, 1, 0.9)])], 0, 1),
        "three of every mechanism": (
            each(*mixed, gaussian(0, 20, 1, 0.9, 1e-6), hybrid(0, 40, 1, 0.9)),
            3,
            1,
        ),
        "own tables, whose pairs cross": ([(True, [table, other, table])], 0, 1),
        "own tables, drawn": (each(table, other, wheel(3, 1.4), table), 2, 1),
        "more to try than is tried": ([(True, [other] * 6), *each(*[other] * 3, coin())], 2, 1),
        "thirty different": ([(True, [spinner_coin(0.1 + 0.02 * place) for place in range(30)])], 0, 1),
        "thirty numbers": (
            [(True, [gaussian(0, 10, 1, 0.3 + 0.01 * place, 1e-6) for place in range(30)])],
            0,
            1,
        ),
        "a fine grid, many times": ([(True, [laplace(0, 1000, 1, 0.2)])], 0, 20),
        "sets with weights": (
            each(*map(of_sets, (rotated(5, {2: 1.0}, (3, 1)), apart_at_the_start())), coin()),
            3,
            1,
        ),
        "sets with weights, drawn": (each(*map(of_sets, many_sets)), 2, 2),
        "sets around a circle": (each(cyclic(13, 1.0), cyclic(20, 1.0), cyclic(41, 2.0)), 2, 1),
        "a thousand waves": ([(True, [spinner_coin(0.05), wheel(4, 0.1)])], 0, 1000),
        "certain": ([(True, [spinner_coin(9.0)] * 30)], 0, 10),
    }


def linked_cases():
    """Linked questions: the first and the last word of every cell of some rows of their wheels."""
    for name, linked in {
        "two yes/no questions": Linked.spun((2, 2), 1.0),
        "three of different sizes": Linked.spun((2, 3, 5), 2.0),
        "all can be left out": Linked.spun((2, 4), 1.5, skip=True),
        "a person is asked two of three": Linked.spun((2, 3, 2), 1.0, asked=2),
        "256 combinations": Linked.spun((16, 16), 5.0),
    }.items():
        wheels = [{"form": wheel.form.as_dict(), "loss": list(wheel.loss)} for wheel in linked.wheels]
        asked = [linked_case(linked, chosen) for chosen in linked.sets]
        yield {"name": name, "wheels": wheels, "skip": linked.skip, "sets": asked}


def linked_case(linked, chosen):
    """One set of the questions: its combinations counted as a clock counts, the last question fastest."""
    sizes = [linked.sizes[place] for place in chosen]
    rows = [list(codes) for codes in product(*map(range, sizes))]
    told = rows + ([sizes] if linked.skip else [])
    weights = linked.wheel(chosen).weights.tolist()
    own = [*rows, *([None] if linked.skip else [])]
    draws = [
        {"answers": own[cell["answer"]], "word": cell["word"], "reports": told[cell["report"]]}
        for cell in cells(weights)
        if cell["answer"] in (0, 1, len(own) - 1) and cell["report"] % 37 in (0, 1, 2, 3)
    ]
    return {"places": list(chosen), "sizes": sizes, "draws": draws}


FILES = {
    "randomize.json": randomize_json,
    "loss.json": lambda: {"cases": list(losses())},
    "form.json": form_json,
    "subsets.json": lambda: {"draws": list(draws())},
    "total.json": lambda: {"cases": list(totals())},
    "guess.json": lambda: {"cases": list(guesses())},
    "boxes.json": lambda: {"cases": list(boxes())},
    "linked.json": lambda: {"cases": list(linked_cases())},
    "draft.json": draft_units.table,
    **{f"theory/{subject}.json": table for subject, table in tables().items()},
}
"""File name -> what makes its content."""


def agrees(stored, fresh):
    """Tell whether two tables say the same: whole numbers exactly, others but for what a processor rounds."""
    match stored, fresh:
        case dict(), dict():
            return list(stored) == list(fresh) and all(agrees(stored[key], fresh[key]) for key in fresh)
        case list(), list():
            return len(stored) == len(fresh) and all(map(agrees, stored, fresh))
        case float(), float():
            return math.isclose(stored, fresh, rel_tol=1e-9, abs_tol=1e-15)
    return type(stored) is type(fresh) and stored == fresh


def is_fresh(name):
    """Tell whether a file holds what would be written."""
    path = FOLDER / name
    return path.exists() and agrees(json.loads(path.read_text("utf-8")), json.loads(written(FILES[name]())))


def main(arguments):
    if arguments == ["--check"]:
        stale = [name for name in FILES if not is_fresh(name)]
        if stale:
            print(f"stale: {', '.join(stale)}; run python tests/vectors/make.py")
        return bool(stale)
    for name, table in FILES.items():
        (FOLDER / name).write_text(written(table()), encoding="utf-8")
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
