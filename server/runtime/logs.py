"""Lines of JSON for a log that machines read: what happened in the server, and nothing of who asked for what.

A line names the kind of an error and the lines of code that it went through. It has no message of an error
that is not ours, which may repeat what somebody sent, and no address, agent, referer or path: of a request
it names the rule of its route, such as ``/s/<slug>``.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from flask import has_request_context, request

ROOT = Path(__file__).resolve().parents[2]

MOST_FRAMES = 12
"""The innermost calls of an error that a line names."""

PLAIN = (int, float, bool)
"""What may stand in a message besides our own errors: the number of a process, a count of seconds."""


class Lines(logging.Formatter):
    """Writes a record as one line of JSON.

    Parameters
    ----------
    ours : type
        The errors whose messages are for the operator, such as that the disk is full.
    """

    def __init__(self, ours: type[Exception]) -> None:
        super().__init__()
        self.ours = ours

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds")
        line: dict[str, object] = {
            "time": moment,
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self.event(record),
        }
        if has_request_context() and request.url_rule is not None:
            line["route"] = str(request.url_rule.rule)
        if record.exc_info and record.exc_info[0] is not None:
            kind, error, trace = record.exc_info
            line["error"] = kind.__name__
            if isinstance(error, self.ours):
                line["why"] = str(error)
            line["where"] = list(frames(trace))[-MOST_FRAMES:]
        return json.dumps(line, ensure_ascii=False)

    def event(self, record: logging.LogRecord) -> str:
        """Return the message, with what it was given only if that is plain or ours."""
        if record.exc_info and record.name == "server":
            return "unexpected error"  # Flask puts the path into its message
        given = record.args if isinstance(record.args, tuple) else (record.args,)
        if all(isinstance(each, (*PLAIN, self.ours)) for each in given):
            return record.getMessage()
        return str(record.msg)


def frames(trace: TracebackType | None) -> Iterator[str]:
    """Yield the calls of an error, the outermost first: file, line and function, without any value."""
    for frame, line in traceback.walk_tb(trace):
        file = Path(frame.f_code.co_filename)
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(*file.parts[-2:])
        yield f"{name.as_posix()}:{line} {frame.f_code.co_name}"


def use(ours: type[Exception]) -> None:
    """Write what the server and its libraries log as lines of JSON, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(ours))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("server").setLevel(logging.INFO)
