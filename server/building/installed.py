"""Candor: surveys on subjects that people do not answer honestly.

``candor.read("all.zip")`` opens what a results page offers for download: see `candor.survey.analysis`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from survey.analysis import read

__all__ = ["read"]


def __getattr__(name: str) -> Any:
    """Import `read` when it is first asked for, as its libraries take a while to load."""
    if name != "read":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from survey.analysis import read

    return read


def main() -> None:
    """Run the command ``candor``."""
    from server.cli import main

    main(prog_name="candor")
