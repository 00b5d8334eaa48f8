"""The number of people who were asked each section, and the privacy loss of the section's counts."""

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
    """The figures of one section of a survey that draws sections.

    Attributes
    ----------
    section : Section
    asked, respondents : int
        The number of people in its counts who were asked it, and the number of all people.
    published : Shuffled or None
        The privacy loss of its published counts for somebody who was asked it, over all its questions; None
        before there are any.
    unknown : Shuffled or None
        The privacy loss of these counts alone, for a reader who does not know who was asked. None where
        everybody is asked, or where rows can be downloaded, which show it.
    notices : tuple of Notice
        A warning if more or fewer people were asked than the draw gives.
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
    """Return the figures of one section.

    Parameters
    ----------
    definition : Definition
        Of a survey that draws sections.
    section : Section
    reached : Reached
        The people in its counts.
    published : list of Shuffled
        The privacy loss of the counts of each of its questions; empty before there are any.
    rows_given_out : bool
        True if the noisy reports can be downloaded, person by person.
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
