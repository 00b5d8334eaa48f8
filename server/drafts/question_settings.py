"""The questions of a draft, read without their texts: what each would mean, and what it lacks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from server.drafts.comparison import Contests, alone, compared, quick
from server.drafts.question_preview import Preview, preview
from survey.draft import question_table
from survey.draft.document import SETTINGS
from survey.fields import Fields, Problem
from survey.plan import people_by_mechanism
from survey.publication import question_entry
from survey.question import Choice, Number, Question, read_question

LANGUAGE = "en"  # of the stand-in texts below, which nobody reads
TEXT = {LANGUAGE: "-"}


@dataclass(frozen=True, eq=False)
class KnownQuestion:
    """A question of a draft that lacks no setting, with all that follows from its settings.

    Attributes
    ----------
    preview : Preview
        Without a comparison, which needs the respondents.
    question : Question
        Without its texts.
    own : Contests
        How much its estimates vary, compared with no other mechanism.
    published : Mapping[str, Any]
        Its columns as they would be published.
    """

    preview: Preview
    question: Question
    own: Contests
    published: Mapping[str, Any]

    @cached_property
    def contests(self) -> Contests:
        """The comparison with the other mechanisms: the costly part, made when it is first asked for.

        A linked question has no other: what its section would be unlinked is compared for the whole of it.
        """
        return self.own if self.question.linked else compared(self.question, self.own)

    @property
    def has_choice(self) -> bool:
        """True if there are other mechanisms whose people are worth comparing."""
        return isinstance(self.question, Choice | Number) and not self.question.linked

    @cached_property
    def people(self) -> dict[str, float]:
        """The people that each mechanism needs. It may take a second."""
        question = self.question
        return people_by_mechanism(question) if isinstance(question, Choice | Number) else {}

    def at(self, respondents: int, chance: float = 1.0, in_full: bool = True) -> Preview:
        """Return the preview with margins for a number of respondents.

        Parameters
        ----------
        respondents : int
        chance : float
            How likely one of them is to be asked it.
        in_full : bool
            Whether the other mechanisms are compared even where that takes a while.
        """
        at_once = "contests" in vars(self) or quick(self.question)
        contests = self.contests if in_full or at_once else self.own
        return replace(self.preview, comparison=contests.at(respondents, chance))


@dataclass(frozen=True)
class QuestionReading:
    """One question of a draft, read without its texts.

    Attributes
    ----------
    known : KnownQuestion or None
        None where a setting is missing or refused.
    problems : tuple of Problem
        What is missing or refused.
    chance : float
        How likely a person who is asked its section is to be asked it.
    """

    known: KnownQuestion | None = None
    problems: tuple[Problem, ...] = ()
    chance: float = 1.0


def settings(question: Mapping[str, Any], linked: bool = False) -> str:
    """Return a key for the preview of a question of a draft: its settings, without its texts."""
    table = {key: value for key, value in question_table(question, linked).items() if key in SETTINGS}
    if "options" in table:
        table["options"] = [TEXT] * len(table["options"])
    return json.dumps(table, sort_keys=True)


def preview_of(
    reading: QuestionReading, respondents: int | None, chance: float = 1.0, in_full: bool = True
) -> Preview | None:
    """Return the preview of a question that lacks nothing, with margins where there are respondents."""
    if reading.known is None:
        return None
    if respondents is None:
        return reading.known.preview
    return reading.known.at(respondents, chance * reading.chance, in_full)


@lru_cache(maxsize=512)
def read(chosen: str) -> QuestionReading:
    """Read the settings of one question of a draft, and build its channels once for all who ask."""
    fields = Fields(json.loads(chosen) | {"id": "draft", "wording": TEXT})
    question = read_question(fields, (LANGUAGE,))
    if fields.problems:
        return QuestionReading(problems=tuple(fields.problems))
    columns = question.columns()
    return QuestionReading(
        KnownQuestion(
            preview(question, columns, None),
            question,
            alone(question, columns[0].channel),
            question_entry(question, columns),
        )
    )
