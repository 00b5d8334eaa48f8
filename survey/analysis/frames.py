"""Data frames, where pandas is installed."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def frame(rows: Any, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return rows as a data frame.

    Parameters
    ----------
    rows : list of dict, or ndarray
    columns : sequence of str, optional
        The names of an array's columns.

    Raises
    ------
    ImportError
        Without pandas.
    """
    return extra("pandas").DataFrame(rows, columns=columns)


def extra(name: str) -> Any:
    """Import a library that only analysis needs.

    Raises
    ------
    ImportError
        Without it; the message names the library to install.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        message = f"{library} is needed for this: pip install {library}"
        raise ImportError(message, name=name) from error
