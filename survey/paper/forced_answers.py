"""Forced response: chance sometimes tells people what to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from survey.channel import require_whole
from survey.paper.design import Design, require_chance, yes_no
from survey.rules import Refusal

MOST_DICE = 6


def forced(truth: object = None, forced_yes: object = None, forced_no: object = None) -> Design:
    """Forced response with chances that may differ.

    P(yes | yes) = truth + forced_yes, and P(yes | no) = forced_yes, so
    pi = (share of yes - forced_yes) / truth.

    Parameters
    ----------
    truth, forced_yes, forced_no : chance
        How often people answer truly, and how often chance says yes or no. One may be left out.

    Raises
    ------
    ValueError
        If two are left out, one is no chance, nobody would tell the truth, or the three do not add up to 1.

    References
    ----------
    Boruch (1971), Assuring confidentiality of responses in social research, The American Sociologist 6;
    Fox & Tracy (1986), Randomized Response, chapter 3.

    Examples
    --------
    >>> forced(forced_yes="1/6", forced_no="1/12").chances[1]
    (Fraction(1, 12), Fraction(11, 12))
    """
    stated = {"truth": truth, "forced_yes": forced_yes, "forced_no": forced_no}
    chances = {name: require_chance(name, value) for name, value in stated.items() if value is not None}
    missing = [name for name in stated if name not in chances]
    if len(missing) > 1:
        raise ValueError(f"{missing[0]} or {missing[-1]} is missing: forced needs two of {', '.join(stated)}")
    total = sum(chances.values(), Fraction(0))
    if total > 1 or (not missing and total != 1):
        shown = " + ".join(f"{name} {chance}" for name, chance in chances.items())
        raise Refusal(next(iter(chances)), "sum", f"{shown} = {total}")
    chances |= dict.fromkeys(missing, 1 - total)
    if chances["truth"] == 0:
        raise Refusal("truth", "above_zero", 0)
    return yes_no("forced", chances["forced_yes"], chances["truth"] + chances["forced_yes"])


def dice(dice: int, yes_on: Sequence[int] = (), no_on: Sequence[int] = ()) -> Design:
    """Forced response by dice: some totals say yes, others no, and the rest ask for the truth.

    Parameters
    ----------
    dice : int
        How many, 1 to 6.
    yes_on, no_on : sequence of int
        The totals on which people say yes, or no.

    Raises
    ------
    ValueError
        If a total cannot come, says both, or none is left for the truth.

    References
    ----------
    Fox & Tracy (1986); with one die, Blair, Imai & Zhou (2015), Design and Analysis of the Randomized
    Response Technique, JASA 110; with two, Lensvelt-Mulders, van der Heijden, Laudy & van Gils (2006), A
    Validation of a Computer-assisted Randomized Response Survey, JRSS A 169.

    Examples
    --------
    >>> dice(2, yes_on=[2, 3, 4], no_on=[11, 12]).chances == forced(None, "1/6", "1/12").chances
    True
    """
    count = require_whole("dice", dice, 1, MOST_DICE)
    totals = chances_of_totals(count)
    for name, chosen in (("yes_on", yes_on), ("no_on", no_on)):
        for total in chosen:
            if total not in totals:
                raise Refusal(name, "dice_totals", total, low=count, high=6 * count)
    if both := set(yes_on) & set(no_on):
        raise Refusal("no_on", "dice_others", min(both))
    forced_yes = sum((totals[total] for total in set(yes_on)), Fraction(0))
    forced_no = sum((totals[total] for total in set(no_on)), Fraction(0))
    if forced_yes + forced_no == 1:
        raise Refusal("yes_on", "dice_truth")
    return replace(forced(forced_yes=forced_yes, forced_no=forced_no), name="dice")


def chances_of_totals(dice: int) -> dict[int, Fraction]:
    """Return the chance of each total of fair dice."""
    totals = {0: Fraction(1)}
    for _ in range(dice):
        rolled: dict[int, Fraction] = {}
        for total, chance in totals.items():
            for face in range(1, 7):
                rolled[total + face] = rolled.get(total + face, Fraction(0)) + chance / 6
        totals = rolled
    return totals
