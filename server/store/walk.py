"""Walks over all reports of a survey, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from server.store.engine import Block, Place, ReportStore
from survey.publication import Publication

AT_ONCE = 4000
"""Reports that are in memory at a time."""


def parts(read: Callable[[Place], tuple[Block, Place | None]]) -> Iterator[Block]:
    """Yield the reports of a survey, part by part, the last of which may be empty.

    Parameters
    ----------
    read : callable
        Returns the part at a place and the next place, as `ReportStore.part` does.
    """
    block, place = read(None)
    yield block
    while place is not None:
        block, place = read(place)
        yield block


def whole(reports: ReportStore, survey_id: int, publication: Publication) -> Iterator[tuple[bytes, bytes]]:
    """Yield every receipt with its record, within one transaction."""
    read = partial(reports.part, survey_id, publication)
    for block in parts(lambda place: read(place, AT_ONCE)):
        yield from block
