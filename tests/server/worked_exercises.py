"""The solutions of all exercises, worked out from the questions: counted, searched, or by the product itself.

Each function is named by its lesson and exercise, takes the numbers that are asked with, and returns those
that follow. It also asserts what the solution says in words, such as which of two is better.
"""

import math
from fractions import Fraction
from itertools import count

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binom, laplace

from survey.linked import Linked
from survey.mechanisms import exponential, spinner, spinner_coin, subset, wheel
from survey.privacy import guess, suspicion


def first(holds, start=1):
    """The first whole number from a start for which something holds; tried by doubling, then by halving."""
    high = next(start << power for power in count() if holds(start << power))
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def keeps(channel):
    """P(yes | no) and P(yes | yes) of a channel of the product."""
    return channel.probabilities[0, 1], channel.probabilities[1, 1]


def solved(share, by_no, by_yes):
    """The share of yes behind a share of yes records."""
    return (share - by_no) / (by_yes - by_no)


def odds(percent):
    return percent / (100 - percent)


def two_coins_one(people, recorded):
    yes = Fraction(people * recorded, 100)
    coins = Fraction(people, 4)
    share = (yes / people - Fraction(1, 4)) / (Fraction(3, 4) - Fraction(1, 4))
    return {
        "yes": yes,
        "half": 2 * coins,
        "coins": coins,
        "left": yes - coins,
        "estimate": share * people,
    }


def two_coins_two(margin):
    people = first(lambda n: 4 * n * margin**2 >= 30_000)
    return {
        "fraction": margin / 100,
        "needed": 0.75 / (margin / 100) ** 2,
        "people": people,
        "off": 2 * binom(people, 0.25).std(),
    }


def two_coins_three(sides):
    yes_no = Fraction(1, 2 * sides)
    yes_yes = Fraction(1, 2) + yes_no
    times, no_times = yes_yes / yes_no, (1 - yes_no) / (1 - yes_yes)
    assert times > 3 > no_times
    return {
        "yes_yes": yes_yes,
        "yes_no": yes_no,
        "no_no": 1 - yes_no,
        "no_yes": 1 - yes_yes,
        "times": times,
        "no_times": no_times,
        "epsilon": math.log(max(times, no_times)),
    }


def suspicion_one(prior, epsilon):
    low, high = suspicion.bounds(prior / 100, epsilon)
    return {
        "rest": 100 - prior,
        "odds": odds(prior),
        "power": math.e**epsilon,
        "low_odds": low / (1 - low),
        "high_odds": high / (1 - high),
        "low": math.floor(1000 * low) / 10,
        "high": math.ceil(1000 * high) / 10,
    }


def suspicion_two(prior, target):
    at_most = math.floor(100 * brentq(lambda e: suspicion.bounds(prior / 100, e)[1] - target / 100, 1e-9, 20))
    return {
        "odds": odds(prior),
        "target_odds": odds(target),
        "times": odds(target) / odds(prior),
        "epsilon": at_most / 100,
    }


def suspicion_three(prior, after, epsilon):
    high = math.ceil(1000 * suspicion.bounds(prior / 100, epsilon)[1] - 1e-5) / 10
    assert prior < high < after
    return {
        "odds": odds(prior),
        "after_odds": odds(after),
        "times": odds(after) / odds(prior),
        "power": math.e**epsilon,
        "high": high,
    }


def simulation_one(epsilon, people, share):
    by_no, by_yes = keeps(spinner_coin(epsilon))
    yes = round(people * (share * by_yes + (1 - share) * by_no))
    estimate = people * solved(yes / people, by_no, by_yes)
    assert 0 < estimate < people
    return {
        "p": by_yes - by_no,
        "yes": yes,
        "coins": people * by_no,
        "left": yes - people * by_no,
        "estimate": estimate,
    }


def simulation_two(people, margin, target):
    times = Fraction(margin) / Fraction(target)
    return {
        "times": times,
        "square": times**2,
        "needed": first(lambda n: n * Fraction(target) ** 2 >= people * Fraction(margin) ** 2),
    }


def simulation_three(limit, boxes, few):
    def plan(number):
        by_no, by_yes = keeps(spinner_coin(limit / number))
        recorded = 0.1 * by_yes + 0.9 * by_no
        return limit / number, by_yes - by_no, recorded, binom(2000, recorded).std() / 20 / (by_yes - by_no)

    many, fewer = plan(boxes), plan(few)
    times = many[3] / fewer[3]
    assert times > 1.5
    return {
        **dict(zip(("epsilon", "p", "recorded", "error"), many, strict=True)),
        **dict(zip(("few_epsilon", "few_p", "few_recorded", "few_error"), fewer, strict=True)),
        "times": times,
        "square": times**2,
        "needed": round(20 * times**2) * 100,
    }


def spinner_and_coin_one(epsilon):
    by_no, by_yes = keeps(spinner_coin(epsilon))
    return {"power": math.e**epsilon, "p": by_yes - by_no, "wrong": 100 * by_no}


def spinner_and_coin_two(bright):
    p = Fraction(bright, 100)
    kept, wrong = p + (1 - p) / 2, (1 - p) / 2
    return {
        "p": p,
        "dark": 100 - bright,
        "right": kept,
        "wrong": wrong,
        "times": kept / wrong,
        "epsilon": math.log(kept / wrong),
    }


def spinner_and_coin_three(people, margin):
    deviation = binom(people, 0.5).std() / people

    def enough(epsilon):
        by_no, by_yes = keeps(spinner_coin(epsilon))
        return 2 * deviation / (by_yes - by_no) <= margin / 100 + 1e-9

    p = 1 / (margin / 100 * people**0.5)
    at_least = first(lambda hundredths: enough(hundredths / 100))
    assert 0.2 < at_least / 100 < 3
    return {"fraction": margin / 100, "root": people**0.5, "p": p, "epsilon": at_least / 100}


def spinner_only_one(epsilon):
    _, r = keeps(spinner(epsilon))
    by_no, by_yes = keeps(spinner_coin(epsilon))
    return {"power": math.e**epsilon, "r": r, "p": by_yes - by_no}


def spinner_only_two(bright, people, share):
    r = bright / 100
    yes = round(people * (r * share + (1 - r) * (1 - share)))
    estimate = np.linalg.solve([[r, 1 - r], [1 - r, r]], [1 - yes / people, yes / people])[1]
    assert 0 < estimate < 1
    return {
        "yes": yes,
        "dark": 1 - r,
        "p": r - (1 - r),
        "noisy": yes / people,
        "estimate": estimate,
    }


def spinner_only_three(bright):
    other = 100 - bright
    assert other > bright
    return {"other": other, "times": Fraction(other, bright), "epsilon": math.log(other / bright)}


def composition_one(many, small, few, large, waves):
    wave = sum([small] * many + [large] * few)
    return {"wave": wave, "total": sum([wave] * waves)}


def composition_two(limit, waves, questions):
    reports = waves * questions
    kept = keeps(spinner(limit / reports))[1]
    assert kept > 0.5
    return {
        "reports": reports,
        "epsilon": limit / reports,
        "power": math.e ** (limit / reports),
        "agrees": 100 * kept,
    }


def composition_three(epsilon, reports, lead):
    yes = next(yes for yes in range(reports + 1) if 2 * yes - reports == lead)
    _, agrees = keeps(spinner_coin(epsilon))
    if_yes, if_no = (binom(reports, chance).pmf(yes) for chance in (agrees, 1 - agrees))
    return {
        "yes": yes,
        "no": reports - yes,
        "odds": if_yes / if_no,
        "sure": 100 * if_yes / (if_yes + if_no),
        "once": 100 * agrees,
        "sum": sum([epsilon] * reports),
    }


def added(epsilon):
    """What chance adds to the variance of one estimated answer."""
    by_no, by_yes = keeps(spinner_coin(epsilon))
    return by_no * (1 - by_no) / (by_yes - by_no) ** 2


def trust_one(people, share, epsilon):
    sampling = binom(people, share / 100).std() / people
    noise = laplace(scale=1 / (people * epsilon)).std()
    assert math.hypot(sampling, noise) < 1.05 * sampling
    return {"sampling": 100 * sampling, "noise": 100 * noise, "error": 100 * math.hypot(sampling, noise)}


def trust_two(error, share, epsilon):
    answers = binom(1, share / 100).var()
    single = answers + added(epsilon)
    return {
        "fraction": error / 100,
        "answers": answers,
        "chance": added(epsilon),
        "single": single,
        "people": first(lambda n: single / n <= (error / 100) ** 2),
        "open": first(lambda n: answers / n <= (error / 100) ** 2 * (1 + 1e-12)),
    }


def trust_three(share, epsilon):
    answers = binom(1, share / 100).var()
    one = laplace.std(scale=1 / epsilon)

    def enough(n):
        return one / n <= 0.1 * math.sqrt(answers / n) * (1 + 1e-12)

    times = math.sqrt(added(epsilon) / answers)
    assert times > 0.1
    return {"answers": answers, "people": first(enough), "chance": added(epsilon), "times": times}


def noise_one(most, epsilon):
    return {"b": most / epsilon, "deviation": laplace(scale=most / epsilon).std()}


def noise_two(without, own, most, epsilon):
    noise, published = laplace(scale=most / epsilon), without + own + 3
    times = noise.pdf(published - without - own) / noise.pdf(published - without)
    assert 1 < times < math.e**epsilon
    return {
        "with": without + own,
        "published": published,
        "b": most / epsilon,
        "near": published - without - own,
        "far": published - without,
        "times": times,
        "bound": math.e**epsilon,
    }


def noise_three(range, epsilon, target):  # noqa: A002
    def people(width):
        variance = laplace.var(scale=width / epsilon)
        return first(lambda n: variance <= n * target**2 * (1 + 1e-12))

    return {
        "cap": range / 2,
        "b": range / epsilon,
        "deviation": laplace(scale=range / epsilon).std(),
        "people": people(range),
        "capped": people(range / 2),
    }


def made_to_order_one(cut, epsilon, share, people):
    by_no, by_yes = keeps(spinner(epsilon))
    assert 0 < cut < 7, "both sets have days in them"
    below = round(people * (share * by_yes + (1 - share) * by_no))
    return {
        "below": below,
        "power": by_yes / by_no,
        "r": by_yes,
        "rest": by_no,
        "noisy": below / people,
        "estimate": solved(below / people, by_no, by_yes),
    }


def made_to_order_two(times, people):
    return {"needed": times * people, "wider": math.sqrt(times)}


def made_to_order_three(options, size, epsilon):
    one, sets = wheel(options, epsilon), subset(options, epsilon, size)
    most, least = sets.probabilities.max(axis=0), sets.probabilities.min(axis=0)
    assert (most / least).max() <= math.exp(epsilon)  # as on the wheel
    holding = math.comb(options - 1, size - 1) * math.exp(epsilon)
    named = holding / (holding + math.comb(options - 1, size))
    with_answer = (np.array(sets.form.masks) & 1) == 1
    assert math.isclose(sets.probabilities[0, with_answer].sum(), named, rel_tol=1e-6)
    return {
        "others": options - 1,
        "outside": options - size,
        "power": one.probabilities[0, 0] / one.probabilities[0, 1],
        "wheel": 100 * one.probabilities[0, 0],
        "set": 100 * named,
    }


def asked_together_one(questions, epsilon):
    wheel_of_all = Linked.spun((2,) * questions, epsilon).wheels[0].probabilities
    each = spinner_coin(epsilon / questions).probabilities
    return {
        "combinations": len(wheel_of_all),
        "others": len(wheel_of_all) - 1,
        "power": wheel_of_all[0, 0] / wheel_of_all[0, 1],
        "p": wheel_of_all[0, 0] - wheel_of_all[0, 1],
        "epsilon_each": epsilon / questions,
        "small": each[1, 1] / each[0, 1],
        "p_each": each[1, 1] - each[0, 1],
    }


def asked_together_two(bright, dark):
    """From the variance of the product of two signs, for independent answers of which half are Yes."""
    one, both = Fraction(bright, 100), Fraction(dark, 100) ** 2
    each_sign = 1 / both**2  # the variance of a product of signs over the chance that it was kept
    return {
        "bright_share": one,
        "dark_share": Fraction(dark, 100),
        "both": both,
        "ratio": math.sqrt(each_sign * one**2),
        "times": each_sign * one**2,
    }


def asked_together_three(epsilon):
    reports = Linked.spun((2, 2), epsilon).wheels[0].probabilities
    known = reports[3, 3] / (reports[3, 3] + reports[2, 3])  # the first answer is known to be Yes
    assert reports[3, 1] == reports[2, 1]  # the other first answer says nothing about the second
    return {
        "power": reports[3, 3] / reports[2, 3],
        "p": reports[0, 0] - reports[0, 1],
        "nothing": 100 * guess([wheel(4, epsilon)]).right,
        "known": 100 * known,
    }


def choices_one(answer, epsilon):
    utilities = [-abs(answer - option) for option in range(1, 6)]
    weights = [math.e ** (epsilon * utility / 8) for utility in utilities]
    return {
        "scale": epsilon / 8,
        **{f"u_{option}": utility for option, utility in enumerate(utilities, start=1)},
        **{f"w_{option}": weight for option, weight in enumerate(weights, start=1)},
        "sum": sum(weights),
        "best": 100 * weights[answer - 1] / sum(weights),
    }


def choices_two(options, epsilon):
    distances = np.abs(np.subtract.outer(np.arange(options), np.arange(options)))
    matrix = np.exp(-epsilon / (2 * (options - 1)) * distances)
    matrix /= matrix.sum(axis=1, keepdims=True)
    times = (matrix.max(axis=0) / matrix.min(axis=0)).max()
    return {
        "steps": options - 1,
        "scale": epsilon / 2 / (options - 1),
        "used": math.log(times),
        "times": times,
        "power": math.e**epsilon,
        "tight": epsilon / (options - 1),
    }


def choices_three(epsilon):
    drawn, shown = exponential(5, epsilon).probabilities[2], wheel(5, epsilon).probabilities[2]
    distance = (np.arange(5) - 2) ** 2
    assert shown[2] > drawn[2]
    assert shown @ distance < drawn @ distance
    return {
        "near": drawn[1] / drawn[2],
        "far": drawn[0] / drawn[2],
        "sum": 1 / drawn[2],
        "drawn": 100 * drawn[2],
        "power": math.e**epsilon,
        "wheel": 100 * shown[2],
        "drawn_off": math.sqrt(drawn @ distance),
        "wheel_off": math.sqrt(shown @ distance),
    }


def sigma_for(sensitivity, epsilon, delta):
    """The least standard deviation of normal noise that keeps both; Balle & Wang (2018), theorem 8."""

    def excess(sigma):
        half, slope = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
        return ndtr(half - slope) - math.exp(epsilon) * ndtr(-half - slope) - delta

    return brentq(excess, 0.05 * sensitivity, 200 * sensitivity, xtol=1e-13, rtol=1e-14)


def counts_one(counts, epsilon):
    change = np.ones(counts)
    foot, straight = np.linalg.norm(change, 1), np.linalg.norm(change)
    noise = laplace(scale=foot / epsilon)
    return {"foot": foot, "straight": straight, "b": foot / epsilon, "deviation": noise.std()}


def counts_two(epsilon, places):
    sigma = sigma_for(1, epsilon, 10**-places)
    crossing = (sigma / laplace(scale=1 / epsilon).std()) ** 2
    start = first(lambda k: sigma_for(k**0.5, epsilon, 10**-places) < laplace(scale=k / epsilon).std())
    assert start == math.floor(round(crossing, 2)) + 1  # what is shown, rounded, leads there too
    return {"sigma": sigma, "square": crossing, "from": start}


def counts_three(counts, few, epsilon):
    def both(k):
        return laplace(scale=k / epsilon).std(), sigma_for(k**0.5, epsilon, 1e-6)

    assert both(counts)[0] > both(counts)[1]
    assert both(few)[0] < both(few)[1]
    return {
        "sigma": sigma_for(1, epsilon, 1e-6),
        **dict(zip(("laplace", "gaussian"), both(counts), strict=True)),
        **dict(zip(("few_laplace", "few_gaussian"), both(few), strict=True)),
    }


def privacy_loss_one(mine, other, epsilon):
    added_to_delta = mine - math.e**epsilon * other
    assert added_to_delta > 0
    return {
        "times": mine / other,
        "loss": math.log(mine) - math.log(other),
        "part": added_to_delta / mine,
        "added": added_to_delta,
    }


def privacy_loss_two(bound, epsilon):
    noise = laplace(scale=1 / bound)  # the answers are 0 and 1
    place = (1 - epsilon / bound) / 2  # up to there the loss |y - 1| bound - |y| bound is above epsilon
    tail = noise.cdf(place)
    delta = tail - math.e**epsilon * noise.cdf(place - 1)
    return {
        "falls": 2 * (1 - tail),
        "delta": delta,
        "tail": tail,
        "times": tail / delta,
    }


def privacy_loss_three(people, often):
    hit = binom(people, 1 / often)
    safe = 100 * people
    assert binom(people, 1 / safe).sf(0) < 0.01 < hit.sf(0)
    return {"exposed": hit.mean(), "any": 100 * hit.sf(0), "safe": safe}


def names_removed_one(people, years):
    kinds = years * 365 * 2
    alone = binom(people - 1, 1 / kinds).pmf(0)
    assert alone > 0.5
    return {"kinds": kinds, "average": people / kinds, "others": people - 1, "alone": 100 * alone}


def names_removed_two(flu, asthma):
    whole = [Fraction(share, 100) for share in (flu, asthma, 100 - flu - asthma)]
    apart = [abs(Fraction(1, 3) - share) for share in whole]
    assert 0 < whole[2] < Fraction(1, 3)
    return {
        "rest": 100 * whole[2],
        "third": Fraction(100, 3),
        **{name: 100 * share for name, share in zip(("less", "more", "most"), apart, strict=True)},
        "distance": 50 * sum(apart),
        "times": Fraction(1, 3) / whole[2],
    }


def names_removed_three(ill, limit):
    weekly, quarterly = laplace(scale=52 / limit), laplace(scale=4 / limit)
    assert weekly.std() > 0.1 * ill > quarterly.std()
    return {
        "b": 52 / limit,
        "deviation": weekly.std(),
        "percent": 100 * weekly.std() / ill,
        "quarter_b": 4 / limit,
        "quarter_deviation": quarterly.std(),
        "quarter_percent": 100 * quarterly.std() / ill,
    }
