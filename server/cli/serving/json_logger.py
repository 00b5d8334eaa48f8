"""How gunicorn writes its log where that is JSON."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from server.runtime.logs import Lines
from server.store.engine import Unavailable


class JSONLogger(Logger):  # type: ignore[misc]
    """Gunicorn's own log with our lines: its messages name paths and addresses, ours do not."""

    def setup(self, cfg: Any) -> None:
        """Set handlers up as gunicorn does, and let them write lines."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(Lines(Unavailable))
