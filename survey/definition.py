"""The definition of a survey, and the tables of its file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from typing import Any

import tomli_w

from survey.fields import Texts
from survey.invitations import Invitations
from survey.markdown import Node, sources, trees
from survey.picture import Picture
from survey.question import Question
from survey.section import Section
from survey.version import WITH_SECTIONS, WITH_TEXTS, version_needed

TEXTS = {
    "title": 200,
    "organisation": 200,
    "contact": 200,
    "information": 5000,
    "consent": 2000,
    "help": 5000,
    "closing": 2000,
}
"""The texts around the questions, each with the most characters it may have."""

MARKED = ("information", "consent", "help", "closing")
"""The texts that may have marks: a title is shown by the browser too, and who asks stands in one line."""

OUTCOMES = ("after", "before")
"""The time at which a respondent sees the results: after all were sent, or each before it is sent."""

PREVIEWS = ("neutral", "title")
"""The words that chats show beside a link to the survey: only that it is one, or its title."""


@dataclass(frozen=True)
class Definition:
    """A survey that has passed every check.

    Attributes
    ----------
    slug : str
        The last part of the survey's address.
    languages : tuple of str
        Language codes; the first is shown to a reader whose language is not among them.
    title, organisation, contact, information, consent, help, closing : Texts
        The texts before and after the questions; organisation and contact say who asks. Title, information
        and consent are never empty.
    step : int
        While the survey is open its results advance by this many respondents at a time, so that two
        results read one after the other never differ by one person.
    reports_while_open : bool
        Whether noisy reports may be downloaded before the survey is closed.
    limit : float or None
        The largest epsilon that the survey may cost one person, over all questions and waves: it is not
        published above it. None for no limit.
    waves : int
        The number of times that the same people are asked.
    sections : tuple of Section
        The sections, in the order in which they are asked; a question written without one is a section.
    asked : int or None
        How many of the sections that are not asked always one person is asked, drawn by the browser before
        any answer; None for all of them.
    quick_exit : bool or str
        Whether every screen has a button that leaves the survey at once, and for which page: an address, or
        True for an empty one.
    invitations : bool or str
        Whether a report needs a one-time invitation; ``"listed"`` if the researchers also see which were not
        used.
    outcome : str
        ``"after"`` if one press draws all results and sends them, and they are shown afterwards; ``"before"``
        if each result is seen before it is sent.
    preview : str
        One of `PREVIEWS`; ``"neutral"`` where people are invited or can leave at once, for whoever sees the
        screen of somebody who was sent the link would read what the survey asks about.
    kept_until : date or None
        Until when the data is kept, as respondents are told.
    """

    slug: str
    languages: tuple[str, ...]
    title: Texts
    organisation: Texts
    contact: Texts
    information: Texts
    consent: Texts
    help: Texts
    closing: Texts
    step: int
    reports_while_open: bool
    limit: float | None
    waves: int
    sections: tuple[Section, ...]
    asked: int | None = None
    quick_exit: bool | str = False
    invitations: Invitations = False
    outcome: str = OUTCOMES[0]
    preview: str = PREVIEWS[0]
    kept_until: date | None = None

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, in order."""
        return tuple(question for section in self.sections for question in section.questions)

    @property
    def seen_first(self) -> bool:
        """True if people see each result before they send it, and may leave over it."""
        return self.outcome == "before"

    def is_seen_first(self, question: Question) -> bool:
        """Return whether people may see their result of a question before they send it.

        Linked answers may come from real coins, whose results are always seen, and look alike.
        """
        return self.seen_first or (question.linked is not None and question.linked.coins)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in order, each once."""
        shown = (question.picture for question in self.questions)
        return tuple({picture.sha256: picture for picture in shown if picture}.values())

    @property
    def drawn(self) -> tuple[Section, ...]:
        """The sections among which each person's are drawn, in order."""
        return tuple(section for section in self.sections if not section.always)

    @property
    def sections_asked(self) -> int:
        """The number of sections that one person is asked, with those that everybody is asked."""
        drawn = len(self.drawn)
        return len(self.sections) - drawn + (drawn if self.asked is None else self.asked)

    @property
    def samples(self) -> bool:
        """True if people are asked different sections."""
        return self.asked is not None and self.asked < len(self.drawn)

    @property
    def sets(self) -> int:
        """The number of sets of sections that a person may be asked: C(sections, asked), or 1."""
        return math.comb(len(self.drawn), self.asked) if self.asked is not None else 1

    @property
    def plain(self) -> bool:
        """True if its sections are written as bare questions."""
        return all(each.plain for each in self.sections)

    @property
    def format(self) -> int:
        """The version of the survey file that this needs: one without newer keys keeps its first bytes."""
        return WITH_TEXTS if self.nodes else version_needed(self.tables())

    def as_dict(self) -> dict[str, Any]:
        """Return the definition as the tables that its file holds, without empty texts."""
        table = self.tables()
        version = self.format
        if version == WITH_SECTIONS and self.plain:  # as this version has always been written
            table["sections"] = [section.as_dict() for section in self.sections]
            del table["questions"]
        return {"candor": version} | table

    @property
    def nodes(self) -> dict[str, list[Node]]:
        """Text as it was written -> its tree, for the texts that have marks."""
        texts = [getattr(self, name) for name in MARKED]
        texts += [section.introduction for section in self.sections]
        texts += [each for question in self.questions for each in question.marked_texts]
        return trees(texts)

    def tables(self) -> dict[str, Any]:
        """Return the tables of the file without its version."""
        table: dict[str, Any] = {"slug": self.slug, "languages": list(self.languages)}
        table |= {} if self.asked is None else {"asked": self.asked}
        table |= {"quick_exit": self.quick_exit} if self.quick_exit else {}
        table |= {name: sources(texts) for name in TEXTS if (texts := getattr(self, name))}
        table |= {"kept_until": self.kept_until.isoformat()} if self.kept_until else {}
        table |= {"invitations": self.invitations} if self.invitations else {}
        table |= {} if self.preview == PREVIEWS[0] else {"preview": self.preview}
        table["outcome"] = self.outcome
        table["results"] = {"step": self.step, "reports_while_open": self.reports_while_open}
        if budget := self.budget_as_dict():
            table["budget"] = budget
        grouped = len(self.sections) < len(self.questions)
        if self.plain and not (grouped and self.asked is not None):  # the draw has to see the groups
            return table | {"questions": [question.as_dict() for question in self.questions]}
        return table | {"sections": [section.as_dict() for section in self.sections]}

    def budget_as_dict(self) -> dict[str, Any]:
        """Return the limit and the waves, leaving out what the survey does not set."""
        limit = {} if self.limit is None else {"limit": self.limit}
        return limit | ({} if self.waves == 1 else {"waves": self.waves})

    def as_toml(self) -> str:
        """Write the survey file; `parse` reads the same definition from it."""
        in_lines = tomli_w.dumps(self.as_dict())
        # A text over several lines cannot hold a carriage return: it is read as a line break without one.
        return in_lines if "\\r" in in_lines else tomli_w.dumps(self.as_dict(), multiline_strings=True)
