"""The domain: questions, channels, randomizing, estimates and what an observer can learn.

``survey.read`` opens the results of a survey: see `survey.analysis`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from survey.analysis import read

__all__ = ["read"]


def __getattr__(name: str) -> Any:
    """Import `read` when it is first asked for, as its libraries take a while to load."""
    if name != "read":
        raise AttributeError(f"module 'survey' has no attribute {name!r}")
    from survey.analysis import read

    return read
