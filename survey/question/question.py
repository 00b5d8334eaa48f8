"""The base of all kinds of question, and the keys that they share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from survey.channel import Channel, require_epsilon
from survey.column import Column
from survey.compact_form import CompactForm
from survey.design.wants import WANTS, read_wants
from survey.fields import Fields, Problem, Texts
from survey.limits import LONGEST_HELP, LONGEST_OPTION, LONGEST_TEXT
from survey.linked import Linked
from survey.markdown import sources
from survey.picture import Picture, read_picture
from survey.rules import Refusal

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,39}")
MARKED = ("wording", "note", "help", "matrix_wording")
"""The keys of the texts that may have marks."""

Wants = tuple[tuple[str, float], ...]
"""The wants of a designed channel, in the order of `survey.design.WANTS`, each with its weight."""

RESERVED = frozenset({"receipt", "fingerprint"})
"""Names of the fields that travel with the reports."""


@dataclass(frozen=True)
class Question(ABC):
    """One question of a survey.

    Attributes
    ----------
    id : str
        Lower-case letters, digits and underscores; names the question everywhere.
    kind : str
        ``yes_no``, ``choice``, ``boxes`` or ``number``.
    wording, note : Texts
        The question itself and a remark under it, per language; the note may be empty.
    help : Texts
        What a respondent reads who asks for help with the question; may be empty.
    mechanism : str
        One of the kind's `mechanisms`.
    epsilon : float or None
        The privacy loss asked for; None for ``coin``, whose loss is ln 3.
    picture : Picture or None
        What it shows besides; None for nothing.
    matrix : str or None
        The name of the group of neighbouring questions on one scale that it is read in, if it is in one.
    matrix_wording, stem : Texts
        What stands above that group: in the file of its first question, and of all of them.
    skip : str or None
        ``randomized`` if leaving the question out is one more answer of the channel, protected like the
        others; ``apart`` if it is counted apart and not protected. None if nobody may leave it out.
    by_hand : str or None
        ``coin`` if reports may also come from real coins; None otherwise.
    linked : Linked or None
        The wheel that it shares with the other questions of a linked section; None of any other question.
    place : int
        Its place among them.
    """

    id: str
    kind: str
    wording: Texts
    mechanism: str
    epsilon: float | None
    note: Texts
    skip: str | None = None
    by_hand: str | None = None
    help: Texts = field(default_factory=lambda: MappingProxyType({}))
    picture: Picture | None = None

    linked: Linked | None = None
    place: int = 0

    matrix: str | None = None
    matrix_wording: Texts = field(default_factory=lambda: MappingProxyType({}))
    stem: Texts = field(default_factory=lambda: MappingProxyType({}))

    mechanisms: ClassVar[tuple[str, ...]] = ()
    """The mechanisms that suit the kind."""

    @classmethod
    @abstractmethod
    def read(cls, fields: Fields, languages: tuple[str, ...]) -> Question:
        """Read a table of this kind; what is wrong with it is noted in `fields`."""

    @abstractmethod
    def channel(self) -> Channel:
        """Build the channel of every column of the question.

        Raises
        ------
        ValueError
            If the mechanism refuses its settings.
        """

    @abstractmethod
    def restored(self, form: CompactForm, box: Channel | None, sampled: int | None) -> Channel:
        """Build the channel again from what was published of it; `box` and `sampled` where boxes are sampled.

        Raises
        ------
        ValueError
            If the form is not one of a channel of this question.
        """

    @property
    @abstractmethod
    def answers(self) -> int:
        """The number of answers that a column's channel has."""

    @abstractmethod
    def labels(self, language: str) -> tuple[str, ...]:
        """Return the names of the answers that a column's channel knows, in order.

        Words of the survey itself are in the language asked for. ``no``, ``yes`` and, last, ``skip`` (an
        answer where `skip_answer` says so) are codes: whoever shows them says them in the reader's language.
        """

    def asks(self, language: str) -> str:
        """Return the whole wording: for a question of a group, with the text above the group."""
        stem = f"{self.stem[language]} – " if self.stem else ""
        return stem + self.wording[language]

    @property
    def marked_texts(self) -> tuple[Texts, ...]:
        """The texts that may have marks."""
        return tuple(getattr(self, key) for key in MARKED)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns that the reports fill, in order."""
        return (self.id,)

    def by_hand_channel(self) -> Channel | None:
        """Return the channel of reports made by hand, if there are any."""
        return None

    def columns(self) -> tuple[Column, ...]:
        """Build the question's columns.

        Raises
        ------
        ValueError
            If the mechanism refuses its settings.
        """
        return self.columns_of(self.channel())

    def columns_of(self, channel: Channel) -> tuple[Column, ...]:
        """Return the question's columns for a channel that exists already."""
        by_hand = self.by_hand_channel()
        return tuple(Column(name, channel, by_hand, self.skip == "apart") for name in self.column_names)

    @property
    def skip_answer(self) -> int | None:
        """The answer that stands for leaving the question out, where that is randomized; None elsewhere."""
        return None

    def fault(self, columns: Sequence[Column], codes: Sequence[int]) -> str | None:
        """Find what is wrong with codes that are in their columns' ranges but cannot come together.

        Parameters
        ----------
        columns : sequence of Column
            The question's own, as published.
        codes : sequence of int
            One for each column.

        Returns
        -------
        str or None
            What the codes must be, in words that follow "must be".
        """
        return None

    def condition_of(self, channel: Channel) -> float:
        """Return the condition number of a channel: how much of the answers its reports keep."""
        return float(np.linalg.cond(channel.probabilities))

    def as_dict(self) -> dict[str, Any]:
        """Return the question as the table that a survey file holds, without what is empty."""
        table = {
            "id": self.id,
            "kind": self.kind,
            "mechanism": self.mechanism,
            "epsilon": self.epsilon,
            **self.settings(),
            "skip": self.skip,
            "by_hand": self.by_hand,
            "matrix": self.matrix,
            "matrix_wording": sources(self.matrix_wording),
            "wording": sources(self.wording),
            "note": sources(self.note),
            "help": sources(self.help),
            "picture": self.picture and self.picture.as_dict(),
        }
        if self.linked:  # what the section says for all of them
            table |= dict.fromkeys(("mechanism", "epsilon", "by_hand"))
            table |= {"skip": None} if self.linked.skip else {}
        return {key: value for key, value in table.items() if value not in (None, {})}

    def settings(self) -> dict[str, Any]:
        """Return the keys that only this kind has."""
        return {}


def read_shared(
    fields: Fields, languages: tuple[str, ...], kind: str, mechanisms: tuple[str, ...]
) -> dict[str, Any]:
    """Read the keys that every kind has, but for `skip` and `by_hand`."""
    identifier = fields.name("id", IDENTIFIER, "identifier")
    if identifier in RESERVED:
        fields.problem("id", "name_reserved", names=tuple(sorted(RESERVED)))
    mechanism = fields.choice("mechanism", mechanisms)
    return {
        "id": identifier,
        "kind": kind,
        "wording": fields.marked_texts("wording", languages, most=LONGEST_TEXT),
        "mechanism": mechanism,
        "epsilon": read_epsilon(fields, mechanism),
        "note": fields.marked_texts("note", languages, most=LONGEST_TEXT, required=False),
        "help": fields.marked_texts("help", languages, most=LONGEST_HELP, required=False),
        "picture": read_picture(fields, languages),
        **(read_matrix(fields, languages) if kind in ("yes_no", "choice") else {}),
    }


def read_matrix(fields: Fields, languages: tuple[str, ...]) -> dict[str, Any]:
    """Read the group of questions that a question stands in."""
    wording = fields.marked_texts("matrix_wording", languages, most=LONGEST_TEXT, required=False)
    if fields.get("matrix") is None:
        return {"matrix_wording": wording}
    return {"matrix": fields.name("matrix", IDENTIFIER, "identifier") or None, "matrix_wording": wording}


def read_epsilon(fields: Fields, mechanism: str) -> float | None:
    """Read epsilon where the mechanism takes one, and refuse it where the mechanism fixes it."""
    value = fields.get("epsilon")
    if mechanism == "coin":
        if value is not None:
            fields.problem("epsilon", "epsilon_of_coins")
        return None
    try:
        return require_epsilon(value)
    except Refusal as refusal:
        fields.refused("epsilon", refusal)
        return None


def read_skip(fields: Fields, rule: str) -> str | None:
    """Read the key ``skip``, which says how the question may be left out.

    Parameters
    ----------
    rule : str
        ``skip`` where a skip can be one more randomized answer, and another that says why it cannot.
    """
    value = fields.get("skip")
    if value is None or value == "apart" or (value == "randomized" and rule == "skip"):
        return value  # type: ignore[no-any-return]
    fields.problem("skip", rule)
    return None


def read_question_wants(fields: Fields, mechanism: str) -> Wants | None:
    """Read what a designed channel is wanted for, and refuse it where the mechanism does not ask."""
    value = fields.get("wants")
    if mechanism != "designed":
        if value is not None:
            fields.problem("wants", "only_with", mechanism="designed")
        return None
    try:
        read_wants(value)
    except Refusal as refusal:
        fields.problems.append(
            Problem(fields.place + refusal.parameter, refusal.rule, refusal.limits, refusal.value)
        )
        return None
    return tuple((want, value[want]) for want in WANTS if want in value)


def read_options(fields: Fields, languages: tuple[str, ...], most: int, least: int = 2) -> tuple[Texts, ...]:
    """Read a list of `least` to `most` options, each a text in every language of the survey."""
    value = fields.get("options")
    if not isinstance(value, list) or not least <= len(value) <= most:
        fields.problem("options", "options", least=least, most=most)
        return ()
    # Each option reads like a key of its own, so that a problem names its place: options[2].en.
    inner = Fields({f"options[{n}]": text for n, text in enumerate(value)}, fields.place, fields.problems)
    return tuple(inner.texts(key, languages, LONGEST_OPTION) for key in inner.table)
