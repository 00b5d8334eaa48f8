"""Print how near the planner's best plans are to the best of all; fail on one that is not within 1 %.

    python tests/benchmarks/plans.py [--first SEED] [--count SURVEYS]

500 random surveys, unless another number is given, of at most five questions of at most six options, with
shares, means, curves and pairs wanted, each with a margin of its own; some under limits of the guess figure.
For each the planner chooses; then every division into wheels, every number of questions on each and of parts
asked is tried, with every way to divide the total, from the channels themselves. None may need fewer than
0.99 of the planner's people, which are rounded up. The plan that leaves all questions apart, with the
mechanisms that they have, may not need fewer either.
"""

import argparse
import math
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "survey"))
from every_plan import better_plan, people_of, random_survey

from survey.plan import PlanError, plans_within
from survey.plan.choose import choose

SURVEYS, ROW = 500, 50
CLOSE, ROUNDED = 0.99, 1.002
"""How many of its people a better plan would need at most; what rounding may cost."""
MANY = 10**9


def tried(seed):
    """The family chosen for a random survey, a plan that beats it, and its people over those of all apart."""
    sections, settings = random_survey(random.Random(seed))
    limits = {name: settings[name] for name in ("right", "telling", "total", "share") if name in settings}
    try:
        apart = plans_within(sections, MANY, **limits)
        people = min(people_of(plan.plan.sections, plan.plan.asked, settings) for plan in apart)
    except PlanError:
        people = math.inf
    try:
        best = choose(sections, MANY, **settings)[0]
    except PlanError:
        return "none", None if people == math.inf else "no plan", 0.0
    return best.family, better_plan(sections, settings, CLOSE * (best.people - 1)), (best.people - 1) / people


def main(first, count):
    """Try them in order, on every processor."""
    begun, families, missed, ratios = time.monotonic(), Counter(), 0, []
    print(f"{'surveys':>8}{'beaten':>8}{'worst over apart':>18}{'median':>8}{'seconds':>9}  chosen")
    with ProcessPoolExecutor(initializer=os.nice, initargs=(10,)) as pool:
        outcomes = pool.map(tried, range(first, first + count))
        for number, (family, better, ratio) in enumerate(outcomes, 1):
            families[family] += 1
            ratios.append(ratio)
            if better or ratio > ROUNDED:
                missed += 1
                print(
                    f"seed {first + number - 1}: {ratio:.4f} of the people apart, beaten by {better}",
                    flush=True,
                )
            if number % ROW == 0 or number == count:
                worst, median = max(ratios), sorted(ratios)[len(ratios) // 2]
                seconds = time.monotonic() - begun
                print(
                    f"{number:8}{missed:8}{worst:18.3f}{median:8.3f}{seconds:9.0f}  {dict(families)}",
                    flush=True,
                )
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=SURVEYS)
    sys.exit(bool(main(**vars(parser.parse_args()))))
