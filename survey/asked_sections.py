"""The drawn sections that a row of reports answers, checked against the sets that a draw can give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from survey.publication import Publication, section_columns


@dataclass(frozen=True)
class SetFault:
    """A reason why no draw gives the set of sections that a row answers.

    Attributes
    ----------
    section : str or None
        The section that it answers in part; None where it answers too many sections or too few.
    columns : tuple of str
        The columns of that section, or the first column of every drawn section.
    """

    section: str | None
    columns: tuple[str, ...]


@lru_cache(maxsize=256)
def not_asked_codes(publication: Publication) -> Mapping[str, Mapping[str, int]]:
    """Return the codes for "not asked": section -> column -> code, for every section that is drawn."""
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
    """Find what keeps a row from answering a set of sections that a person may be asked.

    Parameters
    ----------
    publication : Publication
    reports : Mapping[str, int]
        Column -> code, every column, each code in its column's range.

    Returns
    -------
    list of SetFault
        Empty for exactly `Definition.asked` drawn sections, each answered whole. A section that is always
        asked has no code for "not asked", so the range of its columns suffices.
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
