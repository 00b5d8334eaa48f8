"""A schema that is not as this version makes it keeps a server from starting, or is told to the operator."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from server.store.engine import Unavailable
from server.store.upkeep.deviation import Deviation

WAY_ON = (
    "remove what is more, or carry the rows into new tables: candor backup, then candor restore --anew "
    "to a new place"
)


def refuse(deviations: Iterable[Deviation]) -> None:
    """Refuse a database whose schema could do other than this version does.

    Raises
    ------
    Unavailable
        With each part that is refused, and the way on.
    """
    if refused := [str(deviation) for deviation in deviations if deviation.refused]:
        raise Unavailable(f"{'; '.join(refused)}: {WAY_ON}")


def unaccepted(deviations: Iterable[Deviation], accepted: Collection[str]) -> list[Deviation]:
    """Return the deviations that are not refused, and that the operator has not accepted by name either."""
    return [deviation for deviation in deviations if not deviation.refused and deviation.part not in accepted]
