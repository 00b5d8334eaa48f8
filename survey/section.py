"""The sections of a survey: groups of questions that a person is asked all or none of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from survey import matrix
from survey.fields import Fields, Problem, Texts
from survey.linked import Linked
from survey.linked_section import alone, read_keys, read_wheel
from survey.markdown import sources
from survey.progress import each_a_step
from survey.question import Question, read_question
from survey.question.question import IDENTIFIER

MOST_QUESTIONS = 100
MOST_SETS = 2**20
"""The most sets of sections that one word of 32 bits draws from: each set is then within 2**-32 of 1/C."""

TEXTS = {"title": 200, "introduction": 2000}
"""The texts of a section, each with the most characters it may have; both may be empty."""


def no_texts() -> Texts:
    """Return a text in no language."""
    return MappingProxyType({})


@dataclass(frozen=True)
class Section:
    """Questions that a person is asked all or none of.

    Attributes
    ----------
    id : str
        Lower-case letters, digits and underscores; no two sections share one.
    title, introduction : Texts
        The texts above the first of its questions, per language; either may be empty.
    always : bool
        True if everybody is asked it, whatever is drawn.
    questions : tuple of Question
        One or more.
    linked : Linked or None
        The wheel that all its questions share; None where each is asked by itself.
    epsilon : float or None
        The privacy loss asked for, of all answers together; None where the questions are not linked.
    """

    id: str
    questions: tuple[Question, ...]
    title: Texts = field(default_factory=no_texts)
    introduction: Texts = field(default_factory=no_texts)
    always: bool = False
    linked: Linked | None = None
    epsilon: float | None = None

    @property
    def reporting(self) -> tuple[Question, ...]:
        """The questions of which each stands for reports of its own: of linked ones, the first."""
        return self.questions[:1] if self.linked else self.questions

    @property
    def answered(self) -> tuple[tuple[Question, int], ...]:
        """The places of a wheel: each answer's question, and the place among the question's columns."""
        return tuple(
            (question, place) for question in self.questions for place in range(len(question.column_names))
        )

    def with_wheel(self, linked: Linked) -> Section:
        """Return the section with its questions linked."""
        linked = replace(linked, section=self.id)
        questions = tuple(
            replace(
                question,
                mechanism="linked",
                epsilon=self.epsilon,
                linked=linked,
                place=place,
                skip="randomized" if linked.skip else question.skip,
                by_hand="coin" if linked.coins else None,
            )
            for place, question in enumerate(self.questions)
        )
        return replace(self, questions=questions, linked=linked)

    def spun(self, epsilon: float) -> Section:
        """Return a section whose questions are linked with the wheels of another epsilon; coins have one."""
        assert self.linked is not None  # noqa: S101  # its questions are linked
        if self.linked.coins:
            return self
        linked = Linked.spun(self.linked.sizes, epsilon, self.linked.asked, self.linked.skip)
        return replace(self, epsilon=epsilon).with_wheel(linked)

    @property
    def plain(self) -> bool:
        """True if it has no more to say than its question or matrix, and is written without a table."""
        texts = self.title or self.introduction
        alone = len(asked_together(("", question.matrix or "") for question in self.questions)) == 1
        return not (texts or self.always or self.linked) and alone and self.id == self.questions[0].id

    def as_dict(self) -> dict[str, Any]:
        """Return the section as the table that a survey file holds, without empty texts."""
        table: dict[str, Any] = {"id": self.id}
        table |= {name: sources(texts) for name in TEXTS if (texts := getattr(self, name))}
        table |= {"always": True} if self.always else {}
        if self.linked:
            table |= {"linked": True}
            table |= {"by_hand": "coin"} if self.linked.coins else {"epsilon": self.epsilon}
            table |= {"asked": self.linked.asked} if self.linked.sampled else {}
            table |= {"skip": "randomized"} if self.linked.skip else {}
        return table | {"questions": [question.as_dict() for question in self.questions]}


def asked_together(questions: Iterable[tuple[str, str]]) -> list[list[int]]:
    """Divide questions into sections, of which a person is asked all questions or none.

    Parameters
    ----------
    questions : iterable of (str, str)
        The part and the matrix of each question, in order; empty for none.

    Returns
    -------
    list of list of int
        The places of the questions of each section: those of a part, outside of parts neighbours in one
        matrix, else one question by itself. A section stands where its first question does.

    Examples
    --------
    >>> asked_together([("", ""), ("", "mood"), ("", "mood"), ("home", ""), ("", ""), ("home", "")])
    [[0], [1, 2], [3, 5], [4]]
    """
    sections: list[list[int]] = []
    parts: dict[str, list[int]] = {}
    last = ""  # the matrix outside of parts that may go on
    for place, (part, name) in enumerate(questions):
        if part in parts:
            parts[part].append(place)
        elif not part and name and name == last:
            sections[-1].append(place)
        else:
            sections.append([place])
            last = "" if part else name
            parts |= {part: sections[-1]} if part else {}
    return sections


def read_sections(fields: Fields, languages: tuple[str, ...], published: bool) -> tuple[Section, ...]:
    """Read ``sections``, or ``questions`` where there are none: then every question is a section."""
    fields.known.add("sections")
    if "sections" not in fields.table:
        questions = read_questions(fields, languages, published)
        places = asked_together(("", question.matrix or "") for question in questions)
        return tuple(
            Section(questions[together[0]].id, tuple(questions[place] for place in together))
            for together in places
        )
    if fields.get("questions") is not None:
        fields.problem("questions", "questions_in_sections")
    tables = fields.tables("sections", MOST_QUESTIONS)
    return tuple(each_a_step(lambda inner: read_section(inner, languages, published), tables))


def read_section(fields: Fields, languages: tuple[str, ...], published: bool) -> Section:
    """Read one table of ``sections``."""
    name = fields.name("id", IDENTIFIER, "identifier")
    title = fields.texts("title", languages, TEXTS["title"], required=False)
    introduction = fields.marked_texts("introduction", languages, TEXTS["introduction"], required=False)
    always = fields.truth("always", default=False)
    if fields.truth("linked", default=False):
        before = len(fields.problems)
        keys = read_keys(fields)
        prepare = partial(alone, wheel=keys)
        questions = read_questions(fields, languages, published=True, prepare=prepare)  # the wheel is checked
        section = Section(name, questions, title, introduction, always, epsilon=keys.epsilon)
        if len(fields.problems) == before:
            linked = read_wheel(fields, questions, keys)
            section = section.with_wheel(linked) if linked else section
    else:
        questions = read_questions(fields, languages, published)
        section = Section(name, questions, title, introduction, always)
    fields.refuse_unknown()
    return section


def read_questions(
    fields: Fields,
    languages: tuple[str, ...],
    published: bool,
    prepare: Callable[[Fields], Fields | None] = lambda fields: fields,
) -> tuple[Question, ...]:
    """Read the list of questions of a survey, or of one of its sections."""
    tables = filter(None, map(prepare, fields.tables("questions", MOST_QUESTIONS)))
    before = len(fields.problems)
    questions = tuple(each_a_step(lambda inner: read_question(inner, languages, published), tables))
    if len(fields.problems) == before:
        fields.problems += matrix.problems(questions, f"{fields.place}questions")
    return matrix.with_stems(questions)


def read_asked(fields: Fields, sections: Sequence[Section]) -> int | None:
    """Read ``asked``: the number of drawn sections that one person is asked; None for all of them."""
    drawn = sum(not section.always for section in sections)
    if fields.get("asked") is None or not sections:
        return None
    if not drawn:
        fields.problem("asked", "asked_always")
        return None
    asked = fields.whole("asked", 1, drawn, default=drawn)
    if (sets := math.comb(drawn, asked)) > MOST_SETS:
        fields.problem("asked", "asked_sets", most=MOST_SETS, sets=sets, asked=asked, drawn=drawn)
    return asked


def repeated_ids(sections: Sequence[Section]) -> Iterator[Problem]:
    """Find sections that share a name."""
    seen: set[str] = set()
    for index, section in enumerate(sections):
        if section.id and section.id in seen:
            yield Problem(f"sections[{index}].id", "name_of_section", {}, section.id)
        seen.add(section.id)
