"""Which migrations a server of the version before can live with: servers are replaced one at a time.

Several servers on one database are brought up to date one after the other. The first new one migrates, and
the others go on with what it leaves. So a change of the tables comes in two versions wherever it can: one
adds what the next will use, and a later one removes what nobody uses any more. A migration after which
servers of the version before cannot go on stops them: they answer 503 from their next transaction on.
"""

from __future__ import annotations

from collections.abc import Iterable

ADDITIVE = frozenset(
    {
        "failed_attempts",
        "api_tokens",
        "audit",
        "pictures",
        "life",
        "draft_edits",
        "origins",
        "invitations",
        "staff_links",
    }
)
"""Migrations after which servers that do not know them can go on. Any other stops them."""


def generation(names: Iterable[str]) -> int:
    """Return how many of the migrations of these names stop servers that do not know them.

    The database holds this number. Two versions with the same one can work on it at the same time.

    Examples
    --------
    >>> generation(["surveys", "accounts", "failed_attempts"])
    2
    """
    return len(set(names) - ADDITIVE)
