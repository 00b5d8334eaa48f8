"""What is wrong with a field, as a message of the catalogue, so that a form knows no language."""

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


def fault(key: str, **values: object) -> ValidationError:
    """Make the error that a validator raises."""
    return ValidationError(Fault(key, MappingProxyType(values)))
