"""Print how many plans of random drafts are kept by what is published; fail on one that is not.

    python tests/benchmarks/drafts.py [--first SEED] [--count DRAFTS]

10,000 drafts, unless another number is given, with matrices, parts, some always asked, boxes, numbers, skips
and waves. Each is planned and published: the total is at most what was asked for, and every margin of the
plan is the one that the survey shows afterwards. For one draft in fifty every margin is simulated too, from
4000 surveys a question, at the shares and the answers that the plan supposes: their variance is the one
promised, within five times its own error. A row is printed for every thousand drafts. The seeds are the
numbers from the first, so that a run can be divided, or go on where another ended.
"""

import argparse
import math
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import NormalDist

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))
from test_plan_kept import is_planned, random_draft

from server.drafts.planning.plan import plan_draft
from survey.counts import informative_reports
from survey.estimate import numbers_and_values, unbiased_inverse
from survey.mechanisms import NumberChannel
from survey.plan import share_variances
from survey.plan.outlook import chance_of

DRAFTS, ROW, SIMULATED, SURVEYS = 10_000, 1000, 50, 4000
FURTHEST = 5
Z = NormalDist().inv_cdf(0.975)


def tried(seed):
    """Plan and publish a draft: whether there was a plan, and how far simulations are off, in errors."""
    rng = random.Random(seed)
    draft = random_draft(rng)
    total, people = rng.uniform(0.5, 4), rng.randint(300, 5000)
    if not is_planned(draft, total, people):
        return False, []
    return True, [] if seed % SIMULATED else simulated(plan_draft(draft, total, people), people, seed)


def simulated(planned, people, seed):
    """Return, for each question, how many standard errors the simulated variance lies from that promised."""
    rng = np.random.default_rng(seed)
    sections, asked = planned.plan.sections, planned.plan.asked
    off = []
    for change in planned.changes:
        then = change.then
        chance = chance_of(then.section, sections, asked)
        promised = (then.margin / Z) ** 2
        errors = errors_of(then, rng.binomial(people, chance, SURVEYS), rng)
        variance = (errors**2).mean()
        off.append((variance - promised) / ((errors**2).std() / math.sqrt(len(errors))))
    return off


def errors_of(planned, people, rng):
    """Return estimate minus truth in many surveys, of the share or the mean that varies most."""
    channel = planned.question.channel()
    if planned.of == "mean":
        places = None if isinstance(channel, NumberChannel) else np.arange(1, channel.answers + 1)
        numbers, values = numbers_and_values(channel, places)
        expected = channel.probabilities @ values
        truth = np.eye(channel.answers)[(channel.probabilities @ values**2 - expected**2).argmax()]
        counts = rng.multinomial(people, truth @ channel.probabilities)
        return counts @ values / people - truth @ numbers
    truth = np.full(channel.answers, 1 / channel.answers)
    informative, place = informative_reports(channel), share_variances(channel, truth).argmax()
    counts = rng.multinomial(people, truth @ channel.probabilities)[:, informative]
    heard = counts.sum(axis=1)
    inverse = unbiased_inverse(channel)[informative][:, place]
    return (counts @ inverse)[heard > 0] / heard[heard > 0] - truth[place]


def main(first, count):
    """Try them in order, on every processor."""
    begun, plans, off = time.monotonic(), 0, []
    print(f"{'drafts':>8}{'planned and kept':>18}{'simulated':>11}{'furthest':>10}{'seconds':>9}")
    with ProcessPoolExecutor(initializer=os.nice, initargs=(10,)) as pool:
        outcomes = pool.map(tried, range(first, first + count), chunksize=10)
        for number, (planned, further) in enumerate(outcomes, 1):
            plans, off = plans + planned, off + further
            if number % ROW == 0 or number == count:
                furthest, seconds = max(map(abs, off), default=0.0), time.monotonic() - begun
                row = f"{number:8}{plans:18}{len(off):11}{furthest:10.2f}{seconds:9.0f}"
                print(row, flush=True)
    assert furthest < FURTHEST, f"a simulated variance lies {furthest:.1f} errors from the one promised"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=DRAFTS)
    main(**vars(parser.parse_args()))
