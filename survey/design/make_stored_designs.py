"""Work out the designs of the examples, so that nobody waits for them and every machine publishes the same.

Usage: uv run python survey/design/make_stored_designs.py
"""

from __future__ import annotations

import json
import math

from survey.design.design import best_rates_for, fewest_of
from survey.design.stored_designs import TABLE, Arguments

STORED: tuple[Arguments, ...] = (
    (5, 0.92, (("shares", 0.8), ("curve", 0.2))),
    (21, 0.92, (("mean", 0.75), ("curve", 0.25))),
)
"""The ordered question and the numbers of `server/examples/student-life.toml`."""


def entry(answers: int, epsilon: float, wants: tuple[tuple[str, float], ...]) -> dict[str, object]:
    """Work out one design."""
    best = best_rates_for(answers, epsilon, wants)
    masks, rates = fewest_of(answers, math.exp(epsilon), best)
    return {
        "answers": answers,
        "epsilon": epsilon,
        "wants": dict(wants),
        "gap": best.gap,
        "masks": " ".join(f"{mask:x}" for mask in masks.tolist()),
        "rates": rates.tolist(),
    }


def main() -> None:
    """Write the table, a design a line."""
    lines = ",\n".join(json.dumps(entry(*arguments)) for arguments in STORED)
    TABLE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
