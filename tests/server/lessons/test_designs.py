"""The designed channels of a lesson: what its script holds is what the product designs, and keeps epsilon."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from server.web.files.assets import folder
from survey.channel import exact_ratio
from survey.design.wants import WANTS, contrasts
from survey.mechanisms import designed
from survey.weighted_sets import MOST_WEIGHT, WeightedSets, read_masks

OPTIONS, EPSILON = 8, 1.0
PURPOSES = {want: {want: 1.0} for want in WANTS} | {"all": None}
FILE = Path(folder("static")) / "js" / "lessons" / "made_to_order" / "designs.js"


def file_text():
    """Write the script."""
    forms = {name: designed(OPTIONS, EPSILON, wants).form.as_dict() for name, wants in PURPOSES.items()}
    lines = ",\n".join(f"  {name}: {json.dumps(form)}" for name, form in forms.items())
    return (
        "/** Channels designed for days of the week at an epsilon of 1, by what they are for: "
        "tests/server/lessons/test_designs.py writes them. */\n\n"
        f"/** @type {{Record<string, WeightedSetsForm>}} */\nexport const DESIGNS = {{\n{lines},\n}};\n"
    )


def forms():
    """Read the channels of the script."""
    read = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name, _, form = line.strip().removesuffix(",").partition(": ")
        if name in PURPOSES:
            table = json.loads(form)
            masks = read_masks(table["masks"], table["answers"])
            read[name] = WeightedSets(table["answers"], tuple(table["ratio"]), tuple(table["lows"]), masks)
    return read


def variance(chances, want):
    """N times the summed variance of what is wanted, where all answers are equally frequent."""
    means = chances.mean(axis=0)
    rows = contrasts(want, OPTIONS)
    return np.trace(rows @ np.linalg.inv((chances / means) @ chances.T) @ rows.T)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_lessons_channel_is_as_good_as_the_products_and_keeps_epsilon(purpose):
    form = forms()[purpose]
    weights = form.weights()
    assert (weights.sum(axis=1) == MOST_WEIGHT).all()
    assert (weights > 0).all()
    most, least = weights.max(axis=0), weights.min(axis=0)
    assert all(int(high) <= exact_ratio(EPSILON) * int(low) for high, low in zip(most, least, strict=True))
    product = designed(OPTIONS, EPSILON, PURPOSES[purpose]).probabilities
    for want in PURPOSES[purpose] or WANTS:
        assert variance(weights / MOST_WEIGHT, want) == pytest.approx(variance(product, want), rel=1e-3)
    assert math.exp(EPSILON) * least.max() == pytest.approx(most[least.argmax()], rel=1e-4)


if __name__ == "__main__":
    FILE.write_text(file_text(), encoding="utf-8")
