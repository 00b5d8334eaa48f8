"""A cache that holds only so much: the oldest results make room for new ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from server.runtime import offload

Result = TypeVar("Result")


class BoundedCache(Generic[Result]):
    """The latest results, by what they were computed from.

    Parameters
    ----------
    size : int
        How much it holds: so many results, unless `weigh` counts something else.
    weigh : callable
        Returns how much of that a result takes.
    run : callable
        Calls the function that computes: outside the event loop, unless the function sees to it itself.
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
        """Return the result for a key; compute and remember it first if there is none.

        Notes
        -----
        Only computations wait for each other, so that all of them together take one thread. A result that is
        there is returned at once.
        """
        result = self.results.get(key)
        if result is not None:
            return result
        with self.computing:
            return self.run(self.computed, key, function)

    def put(self, key: Hashable, result: Result) -> None:
        """Remember a result in place of the oldest ones, unless it is larger than the whole cache."""
        self.results.pop(key, None)
        room = self.size - self.weigh(result)
        if room >= 0:
            while sum(map(self.weigh, [*self.results.values()])) > room:
                self.results.pop(next(iter(self.results)), None)
            self.results[key] = result

    def forget(self, concerns: Callable[[Hashable], bool]) -> None:
        """Drop the results whose keys the function accepts."""
        for key in filter(concerns, [*self.results]):
            self.results.pop(key, None)

    def computed(self, key: Hashable, function: Callable[[], Result]) -> Result:
        """Compute and remember a result, unless another request has done so meanwhile."""
        if key not in self.results:
            result = function()
            self.put(key, result)
            return result
        return self.results[key]
