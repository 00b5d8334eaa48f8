"""A bar on a terminal: the part of a long search that is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from survey.progress import heard_by

MOMENT = 1.0
"""Seconds that nobody needs to be told of."""


@contextmanager
def progress_bar(
    label: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Show how far the searches within are, if they last longer than a moment and somebody looks on.

    Parameters
    ----------
    label : str
        Says what is searched for.
    stream : TextIO, optional
        Standard error unless another one is given; nothing is written to what is no terminal.
    clock : callable
        Returns seconds.
    """
    stream = stream or sys.stderr
    begun = clock()
    with click.progressbar(length=100, label=label, file=stream, hidden=True) as bar:

        def hear(part: float) -> None:
            steps = int(100 * part) - bar.pos
            bar.hidden = not stream.isatty() or clock() < begun + MOMENT
            if steps > 0 and not bar.hidden:
                bar.update(steps)

        with heard_by(hear):
            yield
