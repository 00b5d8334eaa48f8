"""Pages of staff that take long to work out: until one is there, another says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread

from flask import Response, make_response, render_template, request, stream_with_context
from flask.typing import ResponseReturnValue
from markupsafe import escape

from server.language.request_language import translate
from server.runtime import offload
from survey.progress import Listener, heard_by

MOMENT, STEP = 1.0, 0.5
"""Seconds until it is said how far the work is, and between two looks at it."""

PLACE = "<!-- how far it is -->"
"""Stands in the template where that is sent, piece by piece."""

REFRESH = '<meta http-equiv="refresh" content="0{}">'


class Work:
    """A computation in a thread of its own; under gevent, in a greenlet.

    Attributes
    ----------
    part : float
        How much of it is done, from 0 to 1.
    error : Exception or None
        With which it ended.
    """

    def __init__(self, function: Callable[[Listener], object]) -> None:
        self.part = 0.0
        self.error: Exception | None = None
        self.function = function
        self.thread = Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Call the function, and keep the error with which it ends."""
        try:
            self.function(self.hear)
        except Exception as error:  # noqa: BLE001  # raised again in the greenlet that waits
            self.error = error

    def hear(self, part: float) -> None:
        """Note how far it is; what begins anew does not count back."""
        self.part = max(self.part, part)

    def ends_within(self, seconds: float | None) -> bool:
        """Wait so long at most, and return whether it has ended."""
        self.thread.join(seconds)
        return not self.thread.is_alive()


def answer_after(
    function: Callable[[Listener], object], answer: Callable[[], ResponseReturnValue]
) -> ResponseReturnValue:
    """Answer a request once some work is done; say how far it is where that takes longer than a moment.

    Parameters
    ----------
    function : callable
        Works out and keeps what the answer needs, outside the event loop, and tells how far it is.
    answer : callable
        Answers without working it out again.

    Notes
    -----
    The page needs no script. It is sent piece by piece, each of them hidden by the next. At the end it loads
    anew what was asked for, or goes where the answer leads.
    """
    work = Work(function)
    if work.ends_within(patience()):
        return answer()
    response = Response(stream_with_context(pieces(work, answer)), mimetype="text/html")
    response.headers["X-Accel-Buffering"] = "no"  # nginx would hold the pieces back
    return response


def patience() -> float | None:
    """Return the seconds after which it is said how far some work is; None where a request has its thread."""
    return MOMENT if offload.patched() else None


def pieces(work: Work, answer: Callable[[], ResponseReturnValue]) -> Iterator[str]:
    """Yield the page that waits for some work, and last where it leads."""
    begin, end = render_template("staff/progress_page.html", place=PLACE).split(PLACE)
    yield begin
    shown = -1
    while True:
        percent = int(100 * work.part)
        yield "\n" if percent == shown else bar(percent)  # a line shows proxies that somebody is there
        shown = percent
        if work.ends_within(STEP):
            break
    if work.error:
        wrong = f"<p>{escape(translate('error.500.title'))} {escape(translate('error.500.text'))}</p>"
        yield end.replace("</main>", wrong + "</main>")
        raise work.error
    if request.method in ("GET", "HEAD"):
        yield REFRESH.format("") + end
        return
    response = make_response(answer())
    if response.location:
        yield REFRESH.format(f"; url={escape(response.location)}") + end
    else:
        yield end.replace("</main>", main_of(response.get_data(as_text=True)) + "</main>")


def bar(percent: int) -> str:
    """Draw how far some work is."""
    label = escape(translate("awaited.title"))
    return f'<p><progress max="100" value="{percent}" aria-label="{label}"></progress> {percent}%</p>\n'


def main_of(page: str) -> str:
    """Return what stands in the main part of a page."""
    return page.partition("<main")[2].partition(">")[2].rpartition("</main>")[0]


def search_and_tell(search: Callable[[], object], listener: Listener) -> None:
    """Call a function outside the event loop whose searches tell a listener how far they are."""

    def listening() -> None:
        with heard_by(listener):
            search()

    offload.compute(listening)
