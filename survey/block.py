"""Blocks of columns: those whose codes come from one report, and that are counted together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from survey.column import Column
from survey.publication import Publication, section_columns
from survey.section import Section

Codes = tuple[int, ...]


@dataclass(frozen=True)
class Block:
    """Columns whose codes come from one report.

    Attributes
    ----------
    columns : tuple of Column
        One column for a question that is asked by itself.
    drawn : bool
        True if the section is drawn, so that not everybody is asked.
    rows : tuple of tuple of int, or None
        The codes that may come together, one of each column; where the section is drawn, the last row says
        "not asked". None of a block of one column, of which every code may come.
    """

    columns: tuple[Column, ...]
    drawn: bool
    rows: tuple[Codes, ...] | None = None

    @property
    def codes(self) -> int:
        """The number of codes that it is counted by: its rows, or the codes of its one column."""
        return self.columns[0].codes if self.rows is None else len(self.rows)

    @property
    def asked_codes(self) -> int:
        """The number of them that somebody who is asked may send: all but "not asked", which is the last."""
        return self.codes - self.drawn

    @cached_property
    def possible(self) -> frozenset[Codes] | None:
        """The rows to look one up in; None of a block of one column."""
        return None if self.rows is None else frozenset(self.rows)

    @cached_property
    def not_asked(self) -> Codes | None:
        """The codes of somebody who was not asked; None where everybody is."""
        return tuple(column.codes - 1 for column in self.columns) if self.drawn else None


@lru_cache(maxsize=256)
def section_blocks(publication: Publication) -> tuple[tuple[Section, tuple[Block, ...]], ...]:
    """Pair each section with its blocks, in the order of their columns."""
    definition = publication.definition
    return tuple(
        (section, blocks(section, tuple(columns.values()), definition.samples and not section.always))
        for section, columns in section_columns(publication)
    )


def blocks(section: Section, columns: tuple[Column, ...], drawn: bool) -> tuple[Block, ...]:
    """Put the columns of linked questions into one block, and any other into one of its own."""
    if section.linked:
        return (Block(columns, drawn, section.linked.rows(drawn=drawn)),)
    return tuple(Block((column,), drawn) for column in columns)


def blocks_of(publication: Publication) -> tuple[Block, ...]:
    """Return all blocks, in the order of their columns."""
    return tuple(block for _, blocks in section_blocks(publication) for block in blocks)


def linked_block(publication: Publication, row: str, column: str) -> tuple[str, Block] | None:
    """Find the section that links two columns, and its block; None where they are not linked."""
    for section, blocks in section_blocks(publication):
        names = [each.name for each in blocks[0].columns]
        if blocks[0].rows is not None and row in names and column in names:
            return section.id, blocks[0]
    return None


def pair_codes(block: Block, counts: Sequence[int], row: str, column: str) -> npt.NDArray[np.int64]:
    """Count pairs of codes of two columns of a block from the counts of its rows.

    Returns
    -------
    ndarray of int, shape (codes of the row, codes of the column)
    """
    places = {each.name: place for place, each in enumerate(block.columns)}
    rows = np.array(block.rows)
    pairs = np.zeros([block.columns[places[name]].codes for name in (row, column)], np.int64)
    np.add.at(pairs, (rows[:, places[row]], rows[:, places[column]]), counts)
    return pairs
