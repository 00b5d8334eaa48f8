"""Print the figures of what an observer can learn; fail if one is missed.

    python tests/benchmarks/privacy.py

Where the package dp-accounting can be imported, the composed losses are compared with its accountant's too.
"""

import importlib.util
import math
import sys
import time
from itertools import permutations

from survey.mechanisms import (
    coin,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    sampled_box,
    spinner_coin,
    subset,
    wheel,
)
from survey.privacy import bounds, compose, loss_distribution, shuffled, spread
from survey.privacy.hardest_pairs import worst_loss

MISSED = []


def figure(name, found, wanted, tolerance, seconds=None):
    """Print one figure and remember whether it was missed."""
    missed = not abs(found - wanted) <= tolerance
    MISSED.extend([name] * missed)
    clock = "" if seconds is None else f"{1000 * seconds:9.1f} ms"
    print(f"{name:52}{found:>14.6g}{wanted:>12.6g} ± {tolerance:<9.2g}{clock}{'  MISSED' if missed else ''}")


def delta_by_loss(channel, epsilon):
    """The greatest delta of two answers, from the distribution of their loss."""
    pairs = permutations(range(channel.answers), 2)
    return max(loss_distribution(channel, *pair).delta(epsilon) for pair in pairs)


def timed(function, *arguments):
    """Call a function and say how long it took."""
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def by_force(channel, epsilon):
    """Delta from its definition, every pair of answers, exactly rounded sums."""
    rows = channel.probabilities.tolist()
    return max(
        math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q in zip(a, b, strict=True))
        for a in rows
        for b in rows
    )


def suspicion():
    """Even odds and two coins."""
    low, high = bounds(0.5, math.log(3))
    figure("suspicion, low: 50:50, ln 3", low, 0.25, 1e-15)
    figure("suspicion, high", high, 0.75, 1e-15)


def losses():
    """Delta of every mechanism by three roads."""
    channels = {
        "coin": coin(),
        "spinner_coin 1": spinner_coin(1.0),
        "wheel 10, 1": wheel(10, 1.0),
        "subset 10, 0.5": subset(10, 0.5),
        "exponential 7, 2": exponential(7, 2.0),
        "one_bit 11, 1": one_bit(0, 10, 1, 1.0),
        "laplace 21, 1": laplace(0, 20, 1, 1.0),
        "hybrid 21, 2": hybrid(0, 20, 1, 2.0),
        "gaussian 11, 1, 1e-5": gaussian(0, 10, 1, 1.0, 1e-5),
        "sampled_box 10, 1": sampled_box(10, 1.0),
    }
    for name, channel in channels.items():
        worst = 0.0
        for epsilon in (0.0, 0.11, 0.47, 0.93, 1.7):
            exact = by_force(channel, epsilon)
            worst = max(
                worst,
                abs(channel.delta(epsilon) - exact),
                abs(delta_by_loss(channel, epsilon) - exact),
                exact - worst_loss(channel).delta(epsilon),
            )
        figure(f"delta against brute force: {name}", worst, 0.0, 1e-12)
    fine = loss_distribution(laplace(0, 1000, 1, 1.0), 1000, 0)
    figure("Laplace, 1001 points, delta(0.5)", fine.delta(0.5), -math.expm1(-0.25), 1e-3)


def composition():
    """Composed losses, against figures of METHODS.md and against dp-accounting."""
    cases = {
        "10 of wheel 10, 1": (wheel(10, 1.0), 10, 8.95, 0.005, (10, 1.0)),
        "20 of spinner_coin 0.1": (spinner_coin(0.1), 20, 1.79, 0.005, (2, 0.1)),
        "20 of spinner_coin 1 (nothing gained)": (spinner_coin(1.0), 20, 20.0, 0.001, (2, 1.0)),
        "20 of wheel 10, 0.5": (wheel(10, 0.5), 20, 5.657, 0.001, (10, 0.5)),
    }
    reference = importlib.util.find_spec("dp_accounting") is not None
    for name, (channel, times, wanted, tolerance, (options, epsilon)) in cases.items():
        found, seconds = timed(compose, [channel] * times, 1e-6)
        figure(f"composed epsilon: {name}", found, wanted, tolerance, seconds)
        if reference:
            other = accountant(options, epsilon, times)
            figure("  against dp-accounting", found, other, 2e-3)
    if not reference:
        print("dp-accounting is not installed here: the composed losses are not compared with it")


def accountant(options, epsilon, times):
    """The same composition by dp-accounting, its losses rounded up on a grid of 1e-4."""
    from dp_accounting.pld import privacy_loss_distribution

    ratio = math.exp(epsilon)
    other = -math.log(ratio + options - 1)
    first, second = (
        {report: other + epsilon * (report == answer) for report in range(options)} for answer in (0, 1)
    )
    single = privacy_loss_distribution.from_two_probability_mass_functions(
        first, second, value_discretization_interval=1e-4
    )
    return single.self_compose(times).get_epsilon_for_delta(1e-6)


def shuffling():
    """Published counts at delta 1e-6."""
    for name, channel, respondents, wanted in (
        ("spinner_coin 1, 10 000", spinner_coin(1.0), 10_000, 0.0357),
        ("coin, 10 000", coin(), 10_000, 0.0399),
        ("spinner_coin 1, 200", spinner_coin(1.0), 200, 0.318),
    ):
        found, seconds = timed(shuffled, channel, respondents, 1e-6)
        figure(f"shuffled epsilon: {name}", found.epsilon, wanted, 0.01 * wanted, seconds)
    for respondents in (50, 1000, 10_000, 1_000_000):
        found, seconds = timed(shuffled, wheel(10, 1.0), respondents, 1e-6)
        print(
            f"{f'bound: wheel 10, 1, {respondents} respondents':52}{found.epsilon:>14.6g}"
            f"{'':27}{1000 * seconds:9.1f} ms"
        )


def forgery():
    """The spread of one report."""
    figure("forgery: wheel 2, 1", spread(wheel(2, 1.0)), (math.e + 1) / (math.e - 1), 1e-3)
    figure("forgery: wheel 10, 0.5", spread(wheel(10, 0.5)), 16.4, 0.05)
    figure("forgery: subset 10, 0.5, w = 4", spread(subset(10, 0.5, 4)), 7.28, 0.005)


def main():
    """Print everything and count the figures missed."""
    print(f"{'figure':52}{'found':>14}{'wanted':>12}")
    for part in (suspicion, losses, composition, shuffling, forgery):
        part()
    print(f"{len(MISSED)} figures missed")
    return len(MISSED)


if __name__ == "__main__":
    sys.exit(bool(main()))
