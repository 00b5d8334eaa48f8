"""Which of the drawn sections a row of reports answers, and whether a draw can give just those."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from survey.publication import Publication, section_columns


@dataclass(frozen=True)
class SetFault:
    """Why no draw gives the set of sections that a row answers.

    Attributes
    ----------
    section : str or None
        The section that it answers in part; None where it answers too many sections, or too few.
    columns : tuple of str
        The columns of that section, or the first column of every drawn section.
    """

    section: str | None
    columns: tuple[str, ...]


@lru_cache(maxsize=256)
def not_asked_codes(publication: Publication) -> Mapping[str, Mapping[str, int]]:
    """Return column -> code for "not asked" of every section that only some people are asked, by its id."""
    drawn: dict[str, dict[str, int]] = {}
    for section, columns in section_columns(publication):
        codes = {name: column.not_asked_code for name, column in columns.items()}
        if drawn_codes := {name: code for name, code in codes.items() if code is not None}:
            drawn[section.id] = drawn_codes
    return drawn


def asked_columns(publication: Publication, reports: Mapping[str, int]) -> frozenset[str]:
    """Return the columns that hold anything but "not asked".

    Parameters
    ----------
    publication : Publication
    reports : Mapping[str, int]
        Column -> code, every column.
    """
    left_out = {
        name
        for codes in not_asked_codes(publication).values()
        for name, code in codes.items()
        if reports[name] == code
    }
    return frozenset(publication.columns.keys() - left_out)


def set_faults(publication: Publication, reports: Mapping[str, int]) -> list[SetFault]:
    """Return what keeps a row from answering a set of sections that a person may be asked.

    Parameters
    ----------
    publication : Publication
    reports : Mapping[str, int]
        Column -> code, every column, each code in its column's range.

    Returns
    -------
    list of SetFault
        None for exactly `Definition.asked` drawn sections, each answered whole. A section that is asked
        always has no code for "not asked", so that its columns' range takes care of it.
    """
    drawn = not_asked_codes(publication)
    if not drawn:
        return []
    asked = asked_columns(publication, reports)
    in_part = [
        SetFault(section, tuple(codes))
        for section, codes in drawn.items()
        if not codes.keys() <= asked and codes.keys() & asked
    ]
    whole = sum(codes.keys() <= asked for codes in drawn.values())
    if in_part or whole == publication.definition.asked:
        return in_part
    return [SetFault(None, tuple(next(iter(codes)) for codes in drawn.values()))]
