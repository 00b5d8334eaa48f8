"""Work out the sets that the best channels for a mean, a curve and all three wants report at some epsilons.

Usage: uv run python survey/design/make_known_sets.py
"""

from __future__ import annotations

import math

import numpy as np

from survey.design.design import best_rates_for, fewest_of
from survey.design.known_sets import MOST_ANSWERS, TABLE
from survey.design.wants import CURVE, MEAN, WANTS

EPSILONS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


def best_sets(epsilon: float) -> str:
    """Work out the sets of one epsilon."""
    listed = []
    for wants in ((MEAN,), (CURVE,), WANTS):
        best = best_rates_for(MOST_ANSWERS, epsilon, tuple((want, 1.0) for want in wants))
        listed.append(fewest_of(MOST_ANSWERS, math.exp(epsilon), best)[0])
    return " ".join(f"{mask:x}" for mask in np.unique(np.concatenate(listed)).tolist())


def main() -> None:
    """Write the table, an epsilon a line. The search begins with the sets of the one that is there."""
    lines = ",\n".join(f'"{epsilon}": "{best_sets(epsilon)}"' for epsilon in EPSILONS)
    TABLE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
