"""What is known of the sections that only some people are asked: whom, and what their counts reveal."""

from __future__ import annotations

from dataclasses import dataclass

from survey.definition import Definition
from survey.estimate.oddity import asked_oddities
from survey.notice import Notice
from survey.privacy import Shuffled, amplified, together
from survey.results import Reached
from survey.section import Section


@dataclass(frozen=True)
class SectionFigures:
    """What is known of one section of a survey that draws sections.

    Attributes
    ----------
    section : Section
    asked, respondents : int
        How many people its counts hold who were asked it, of how many.
    published : Shuffled or None
        What its published counts reveal about somebody who was asked it, of all its questions together;
        None before there are any.
    unknown : Shuffled or None
        What these counts reveal by themselves to somebody who does not know who was asked; None where
        everybody is asked, or where rows can be had, which show it.
    notices : tuple of Notice
        Whether more or fewer people were asked than the draw gives.
    """

    section: Section
    asked: int
    respondents: int
    published: Shuffled | None
    unknown: Shuffled | None
    notices: tuple[Notice, ...]


def section_figures(
    definition: Definition,
    section: Section,
    reached: Reached,
    published: list[Shuffled],
    rows_given_out: bool,
) -> SectionFigures:
    """Return what is known of one section.

    Parameters
    ----------
    definition : Definition
        Of a survey that draws sections.
    section : Section
    reached : Reached
        Whom its counts hold.
    published : list of Shuffled
        What the counts of each of its questions reveal; empty before there are any.
    rows_given_out : bool
        Whether the noisy reports can be downloaded, person by person.
    """
    whole = together(published) if published else None
    hidden = whole is not None and reached.asked and not rows_given_out and not section.always
    notices: tuple[Notice, ...] = ()
    if reached.respondents and not section.always and definition.asked:
        drawn = definition.asked, len(definition.drawn)
        notices = asked_oddities(reached.asked, reached.respondents, *drawn)
    return SectionFigures(
        section=section,
        asked=reached.asked,
        respondents=reached.respondents,
        published=whole,
        unknown=amplified(whole, reached.asked, reached.respondents) if whole and hidden else None,
        notices=notices,
    )
