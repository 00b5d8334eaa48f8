"""Errors of fields, as messages of the catalogue, so that a form knows no language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from wtforms import ValidationError


@dataclass(frozen=True)
class Fault:
    """One error of a field; templates say it with ``_(fault.key, **fault.values)``.

    Attributes
    ----------
    key : str
        The message in the catalogue.
    values : Mapping[str, object]
        What the message's ``{names}`` stand for.
    """

    key: str
    values: Mapping[str, object]


LONGEST = 80
"""Characters of what was typed that an error repeats."""


def fault(key: str, **values: object) -> ValidationError:
    """Make the error that a validator raises; what was typed is repeated as far as that helps."""
    return ValidationError(
        Fault(key, MappingProxyType({name: shortened(value) for name, value in values.items()}))
    )


def shortened(value: object) -> object:
    """Cut a text of thousands of characters down to its beginning.

    Examples
    --------
    >>> shortened("9" * 1000000) == "9" * 79 + "…", shortened(3)
    (True, 3)
    """
    return value[: LONGEST - 1] + "…" if isinstance(value, str) and len(value) > LONGEST else value
