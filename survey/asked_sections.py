"""The drawn sections that a row of reports answers, checked against the sets that a draw can give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from survey.block import Block, section_blocks
from survey.publication import Publication
from survey.section import Section


@dataclass(frozen=True)
class SetFault:
    """A reason why no draw gives the set of sections that a row answers.

    Attributes
    ----------
    section : str or None
        The section that it answers in part, or with codes that cannot come together; None where it answers
        too many sections or too few.
    columns : tuple of str
        The columns of that section, or the first column of every drawn section.
    """

    section: str | None
    columns: tuple[str, ...]


def asked_columns(publication: Publication, reports: Mapping[str, int]) -> frozenset[str]:
    """Return the columns that hold anything but "not asked".

    Parameters
    ----------
    publication : Publication
    reports : Mapping[str, int]
        Column -> code, every column.
    """
    return frozenset(
        name for name, column in publication.columns.items() if reports[name] != column.not_asked_code
    )


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
        Empty for exactly `Definition.asked` drawn sections, each answered whole, and codes in every block
        that can come together. A section that is always asked has no code for "not asked", so the range of
        its columns suffices where they are blocks of their own.
    """
    faults, whole = [], 0
    for section, blocks in checked_sections(publication):
        asked = [is_asked(block, reports) for block in blocks]
        if None in asked or len(set(asked)) > 1:
            names = tuple(column.name for block in blocks for column in block.columns)
            faults.append(SetFault(section.id, names))
        whole += blocks[0].drawn and all(asked)
    drawn = first_of_drawn(publication)
    if faults or not drawn or whole == publication.definition.asked:
        return faults
    return [SetFault(None, drawn)]


@lru_cache(maxsize=256)
def first_of_drawn(publication: Publication) -> tuple[str, ...]:
    """Return the first column of every section that is drawn."""
    first = (blocks[0] for _, blocks in section_blocks(publication))
    return tuple(block.columns[0].name for block in first if block.drawn)


@lru_cache(maxsize=256)
def checked_sections(publication: Publication) -> tuple[tuple[Section, tuple[Block, ...]], ...]:
    """Return the sections of which not every row of codes may come."""
    return tuple(
        (section, blocks)
        for section, blocks in section_blocks(publication)
        if blocks[0].drawn or any(block.possible for block in blocks)
    )


def is_asked(block: Block, reports: Mapping[str, int]) -> bool | None:
    """Return whether a row answers a block; None if its codes cannot come together."""
    row = tuple(reports[column.name] for column in block.columns)
    if block.possible is not None and row not in block.possible:
        return None
    return row != block.not_asked
