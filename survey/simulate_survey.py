"""Play a whole survey whose truth is known: draw everybody's sections, and estimate each question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, require_whole
from survey.definition import Definition
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel
from survey.plan import FEWEST_ASKED
from survey.publication import Publication, section_columns
from survey.randomize import draw_subsets
from survey.simulate import BLOCK, MOST_RESPONDENTS, Played, play
from survey.simulate_linked import pair_name, play_linked

Array = npt.NDArray[np.float64]


def plays_of_survey(
    publication: Publication,
    truths: Mapping[str, Array],
    respondents: int,
    random: np.random.Generator,
    repeats: int,
    confidence_level: float = CONFIDENCE_LEVEL,
    method: str = "exact",
) -> Iterator[dict[str, Played]]:
    """Play a survey again and again: column, or pair of linked columns -> what its estimates found.

    Parameters
    ----------
    publication : Publication
    truths : Mapping[str, ndarray of float, shape (answers,)]
        Column -> the true share of every answer of its channel.
    respondents : int
        Of each play; everybody is asked the sections that a draw gives them.
    random : numpy.random.Generator
        Draws sections, answers and words.
    repeats : int
    confidence_level, method
        As for `survey.simulate.play`.

    Raises
    ------
    ValueError
        If an argument is refused, or fewer people would be asked a section than an estimate needs.

    Notes
    -----
    Answers to different columns are drawn independently, but for those of linked questions. As each column is
    estimated by itself, a relation between others would not change how often its intervals hold the truth.
    """
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    definition = publication.definition
    asked = definition.asked if definition.samples else None
    if asked is not None and people * asked < FEWEST_ASKED * len(definition.drawn):
        least = math.ceil(FEWEST_ASKED * len(definition.drawn) / asked)
        allowed = f"at least {least}, so that {FEWEST_ASKED} are asked a section"
        raise ValueError(f"respondents must be {allowed}, got {people}")
    for _ in range(require_whole("repeats", repeats, 1, 1_000_000)):
        reached = people_asked(definition, people, random)
        played: dict[str, Played] = {}
        for section, columns in section_columns(publication):
            number = reached[section.id]
            if section.linked:
                names, truth = list(columns), [truths[name] for name in columns]
                shares, pairs = play_linked(section.linked, truth, number, random, confidence_level, method)
                played |= zip(names, shares, strict=True)
                played |= {
                    pair_name(names[first], names[second]): each for (first, second), each in pairs.items()
                }
                continue
            for name, column in columns.items():
                played[name] = play(
                    column.channel,
                    truths[name],
                    number,
                    random,
                    confidence_level=confidence_level,
                    method=method,
                    of_mean=isinstance(column.channel, NumberChannel),
                )
        yield played


def people_asked(definition: Definition, respondents: int, random: np.random.Generator) -> dict[str, int]:
    """Draw everybody's sections, as their browsers do: section -> how many are asked it."""
    everybody = {section.id: respondents for section in definition.sections}
    if not definition.samples or definition.asked is None:
        return everybody
    counts = np.zeros(len(definition.drawn), np.int64)
    for start in range(0, respondents, BLOCK):
        words = random.integers(0, TOTAL, min(BLOCK, respondents - start), dtype=np.uint32)
        drawn = draw_subsets(len(counts), definition.asked, words)
        counts += np.bincount(drawn.ravel(), minlength=len(counts))
    return everybody | {
        section.id: int(count) for section, count in zip(definition.drawn, counts, strict=True)
    }
