"""What takes long to compute is kept: whoever asks again has it at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from server.runtime import offload

Result = TypeVar("Result")


class BoundedCache(Generic[Result]):
    """Results of computations by what they were computed from, the latest ones.

    Parameters
    ----------
    size : int
        How much is kept in all: how many results, unless something else is weighed.
    weigh : callable
        How much of that a result takes.
    run : callable
        Calls what computes: outside the event loop, unless that sees to it itself.
    """

    def __init__(
        self,
        size: int,
        weigh: Callable[[Result], int] = lambda result: 1,
        run: Callable[..., Result] = offload.run,
    ) -> None:
        self.size = size
        self.weigh = weigh
        self.run = run
        self.computing = Lock()
        self.results: dict[Hashable, Result] = {}

    def get(self, key: Hashable, function: Callable[[], Result]) -> Result:
        """Return the result that is kept for a key; where there is none, compute it outside the event loop.

        Notes
        -----
        Only computations wait for each other, so that they take one of the threads that there are; what is
        kept is returned while another is under way.
        """
        kept = self.results.get(key)
        if kept is not None:
            return kept
        with self.computing:
            return self.run(self.computed, key, function)

    def put(self, key: Hashable, result: Result) -> None:
        """Remember a result in place of the oldest ones; one that is too large is not remembered."""
        self.results.pop(key, None)
        room = self.size - self.weigh(result)
        if room >= 0:
            while sum(map(self.weigh, [*self.results.values()])) > room:
                self.results.pop(next(iter(self.results)), None)
            self.results[key] = result

    def forget(self, concerns: Callable[[Hashable], bool]) -> None:
        """Keep no longer what has certain keys."""
        for key in filter(concerns, [*self.results]):
            self.results.pop(key, None)

    def computed(self, key: Hashable, function: Callable[[], Result]) -> Result:
        """Compute and remember a result, unless an earlier request has done so."""
        if key not in self.results:
            result = function()
            self.put(key, result)
            return result
        return self.results[key]
