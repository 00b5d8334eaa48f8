"""A name that no survey has, like the one that it is made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from server.store.engine import Connection
from survey.limits import LONGEST_SLUG

LONGEST_NUMBER = 9
"""Digits: a longer number at the end of a name is part of the name, not a count."""


def suggest(db: Connection, slug: str) -> str:
    """Return a slug if it is free, else the first free one after it.

    Parameters
    ----------
    db : Connection
    slug : str
        One that an address may have.

    Notes
    -----
    Somebody may take it before it is used, so `server.store.surveys.create_draft` looks again.
    """
    taken = {name for (name,) in db.execute("SELECT slug FROM surveys").fetchall()}
    return next(each for each in numbered(slug) if each not in taken)


def numbered(slug: str) -> Iterator[str]:
    """Yield a slug, then the slug with a number: from 2, or from the one after its own.

    Examples
    --------
    >>> from itertools import islice
    >>> list(islice(numbered("health"), 3)), list(islice(numbered("health-2026"), 2))
    (['health', 'health-2', 'health-3'], ['health-2026', 'health-2027'])

    A number of ten digits is none:

    >>> [list(islice(numbered(slug), 2))[1] for slug in ("id-123456789", "id-1234567890")]
    ['id-123456790', 'id-1234567890-2']
    """
    yield slug
    found = re.fullmatch(rf"(.+)-([1-9][0-9]{{0,{LONGEST_NUMBER - 1}}})", slug)
    name, first = (found[1], int(found[2]) + 1) if found else (slug, 2)
    for number in count(first):
        end = f"-{number}"
        yield name[: LONGEST_SLUG - len(end)].rstrip("-") + end
