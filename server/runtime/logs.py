"""A log of JSON lines for programs: it records events of the server, and nothing about who asked for what.

A line names the class of an error and the lines of code that raised it. It repeats the message of our own
errors only, because another message may quote a request. A line holds no address, agent, referer or path. It
names the rule of the route instead, such as ``/s/<slug>``.
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

PACKAGE = __name__.removesuffix(".runtime.logs")
ROOT = Path(__file__).resolve().parents[2]

MOST_FRAMES = 12
"""The innermost calls of an error that a line names."""

PLAIN = (int, float, bool)
"""The types that a message may show besides our own errors, such as a process number or some seconds."""


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
        """Return the message, with its arguments only if all are plain values or our own errors."""
        if record.exc_info and record.name == PACKAGE:
            return "unexpected error"  # Flask puts the path into its message
        arguments = record.args if isinstance(record.args, tuple) else (record.args,)
        if all(isinstance(argument, (*PLAIN, self.ours)) for argument in arguments):
            return record.getMessage()
        return str(record.msg)


def frames(trace: TracebackType | None) -> Iterator[str]:
    """Yield file, line and function of each call in a traceback, the outermost first."""
    for frame, line in traceback.walk_tb(trace):
        file = Path(frame.f_code.co_filename)
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(*file.parts[-2:])
        yield f"{name.as_posix()}:{line} {frame.f_code.co_name}"


def use(ours: type[Exception]) -> None:
    """Write what the server and its libraries log as lines of JSON, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(ours))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(PACKAGE).setLevel(logging.INFO)
