"""A survey frozen for publication: canonical JSON with the integers of every channel, and its fingerprint."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from survey.channel import Channel
from survey.column import Column
from survey.definition import Definition
from survey.fields import DefinitionError, Problem
from survey.mechanisms import BoxChannel, GaussianChannel
from survey.privacy import Budget, Guess, Reports, guess, keeps_limit, plain_sum, reports_of
from survey.question import Question, YesNo
from survey.section import Section

# Escaped, so that the same bytes can stand in a script element and be the bytes that were fingerprinted.
ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


T = TypeVar("T")


@dataclass(frozen=True)
class Publication:
    """A published survey, from which the respondents' page, the stored reports and the estimates follow.

    Attributes
    ----------
    definition : Definition
    columns : Mapping[str, Column]
        Column name -> column, in the order of the questions, with the channels of the published integers.
    json : bytes
        The canonical JSON: sorted keys, no white space, UTF-8.
    fingerprint : str
        SHA-256 of `json`, 64 hexadecimal digits.

    Notes
    -----
    Two are equal if their bytes are: the rest follows from these, and takes long to compare.
    """

    definition: Definition = field(compare=False)
    columns: Mapping[str, Column] = field(compare=False)
    json: bytes
    fingerprint: str

    @property
    def channels(self) -> Mapping[str, Channel]:
        """Column name -> the channel of the browser's reports, in the order of the questions."""
        return MappingProxyType({name: column.channel for name, column in self.columns.items()})

    @property
    def reports(self) -> Reports[Channel]:
        """A channel for every report that one person makes in one wave, those of drawn sections apart."""
        return self.by_section(lambda _question, columns: reports_of(columns))

    def by_section(self, amounts: Callable[[Question, tuple[Column, ...]], Iterable[T]]) -> Reports[T]:
        """Group the amounts of questions into those of everybody and those of drawn sections.

        Linked questions share one report, so that their amount is that of the first.
        """
        always: list[T] = []
        drawn: list[list[T]] = []
        for section in self.definition.sections:
            of_section = [
                amount
                for question in section.reporting
                for amount in amounts(question, tuple(self.columns[name] for name in question.column_names))
            ]
            if section.always or not self.definition.samples:
                always += of_section
            else:
                drawn.append(of_section)
        asked = self.definition.asked
        return Reports.drawn_from(drawn, asked, always) if drawn and asked else Reports(tuple(always))

    @property
    def budget(self) -> Budget:
        """The privacy loss of one person: the plain sum over the most that they are asked, and waves."""
        return plain_sum(self.reports, self.definition.waves)

    @property
    def guess(self) -> Guess:
        """The share of right guesses at one person's answers, on average and at worst."""
        return guess(self.reports, self.definition.waves)


def canonical_json(value: Any) -> bytes:
    r"""Write JSON in its one canonical way, safe inside a script element.

    Examples
    --------
    >>> canonical_json({"b": "</script>", "a": 1})
    b'{"a":1,"b":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.translate(ESCAPES).encode()


def publish(definition: Definition) -> Publication:
    """Freeze a definition: build every channel and take the fingerprint.

    Raises
    ------
    DefinitionError
        If the survey would cost one person more than its own limit.
    """
    table = definition.as_dict()
    columns = [question.columns() for question in definition.questions]
    for question, entry, built in zip(definition.questions, question_tables(table), columns, strict=True):
        entry |= question_entry(question, built)
    for section, entry in zip(definition.sections, table.get("sections", []), strict=False):
        entry |= section_entry(section)
    table |= {"nodes": nodes} if (nodes := definition.nodes) else {}
    table["guess"] = publication_of(definition, columns, b"").guess.as_dict()
    publication = publication_of(definition, columns, canonical_json(table))
    if problems := over_limit(publication):
        raise DefinitionError(definition.slug, problems)
    return publication


def question_tables(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the table of every question of a survey file or publication, in order."""
    tables = table.get("sections", [table])
    return [entry for holder in tables for entry in holder["questions"]]


def publication_of(definition: Definition, columns: list[tuple[Column, ...]], data: bytes) -> Publication:
    """Assemble a publication from its definition, the columns of each question and its bytes."""
    samples = definition.samples
    drawn = [
        (samples and not section.always) or (section.linked is not None and section.linked.sampled)
        for section in definition.sections
        for _ in section.questions
    ]
    named = {
        column.name: replace(column, drawn=only_some)
        for built, only_some in zip(columns, drawn, strict=True)
        for column in built
    }
    return Publication(definition, MappingProxyType(named), data, hashlib.sha256(data).hexdigest())


def question_entry(question: Question, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Return what is published of a question besides its keys: its columns, and how its boxes are sampled.

    Notes
    -----
    The loss of a question that samples boxes is `sampled` times that of its `box`. The integers of the
    columns include the draw of the boxes; the estimates use them.
    """
    entry: dict[str, Any] = {"columns": [column_entry(question, column) for column in columns]}
    channel = columns[0].channel
    if isinstance(channel, BoxChannel) and channel.reports > channel.box.reports:
        entry |= {"sampled": channel.sampled, "box": plain(channel.box)}
    return entry


def section_entry(section: Section) -> dict[str, Any]:
    """Return what is published of a section besides its keys: the wheels of linked questions."""
    return {"wheels": [compact(each) for each in section.linked.wheels]} if section.linked else {}


def column_entry(question: Question, column: Column) -> dict[str, Any]:
    """Return what is published of a column: its channel, and that of reports made by hand, if any."""
    whole = isinstance(question, YesNo) and question.skip_answer is None
    entry = {"name": column.name} | (plain if whole else compact)(column.channel)
    return entry | {"by_hand": plain(column.by_hand)} if column.by_hand else entry


def plain(channel: Channel) -> dict[str, Any]:
    """Return all weights, the loss as two integers, and its logarithm."""
    return {"weights": channel.weights.tolist(), "loss": list(channel.loss), "epsilon": channel.epsilon}


def compact(channel: Channel) -> dict[str, Any]:
    """Return a channel in its compact form, and the loss that it keeps.

    The Gaussian mechanism has a delta: the page checks its promise by a ratio and an integer delta.
    """
    if isinstance(channel, GaussianChannel):
        epsilon, delta = channel.guarantee
        return {
            "form": channel.form.as_dict(),
            "ratio": list(channel.ratio),
            "delta_weight": channel.delta_weight,
            "epsilon": epsilon,
            "delta": delta,
        }
    return {"form": channel.form.as_dict(), "loss": list(channel.loss), "epsilon": channel.epsilon}


def over_limit(publication: Publication) -> list[Problem]:
    """Find a survey whose epsilon, over all that one person can be asked and waves, exceeds its limit."""
    limit, total = publication.definition.limit, publication.budget.epsilon
    if keeps_limit(total, limit):
        return []
    waves = publication.definition.waves
    least = math.ceil(round(total * 1e4, 6)) / 1e4  # rounded up, but for what is left of adding doubles
    limits: dict[str, object] = {"least": least, "waves": waves}
    rule = "total"
    if publication.definition.samples:
        always = plain_sum(publication.reports.always, waves).epsilon
        too_much = not keeps_limit(always, limit)
        rule = "total_always" if too_much else "total_asked"
        if too_much:
            limits["always"] = always
    return [Problem("budget.limit", rule if waves == 1 else f"{rule}_waves", limits, limit)]


def section_columns(publication: Publication) -> list[tuple[Section, dict[str, Column]]]:
    """Pair each section with the columns of all its questions, in order."""
    columns = publication.columns
    return [
        (section, {name: columns[name] for question in section.questions for name in question.column_names})
        for section in publication.definition.sections
    ]


def question_columns(publication: Publication) -> list[tuple[Question, dict[str, Column]]]:
    """Pair each question with its own columns, in order."""
    return [
        (question, {name: publication.columns[name] for name in question.column_names})
        for question in publication.definition.questions
    ]
