"""Gunicorn's log as lines of JSON."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from server.runtime.logs import Lines
from server.store.engine import Unavailable


class JSONLogger(Logger):  # type: ignore[misc]
    """Gunicorn's logger with our formatter: gunicorn's messages name paths and addresses, ours do not."""

    def setup(self, cfg: Any) -> None:
        """Set up handlers as gunicorn does, with our formatter."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(Lines(Unavailable))
