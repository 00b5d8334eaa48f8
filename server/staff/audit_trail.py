"""Deeds of whoever is signed in: each is done together with the line of the audit log that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from flask_login import current_user

from server.services import services
from server.store.engine import Connection
from server.store.staff import audit, rights
from server.store.surveys import Survey

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def by_me(
    function: Callable[Concatenate[Connection, Arguments], Result],
    what: str,
    survey: str | None = None,
    about: str | None = None,
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Make a function of a transaction note that whoever is signed in has done it: `audit.noted`.

    Examples
    --------
    ``services().storage.write(by_me(surveys.close_survey, "survey_closed", found.slug), found.id)``
    """
    return audit.noted(function, current_user.name, what, survey, about)


def made_by_me(
    create: Callable[Concatenate[Connection, Arguments], Survey], what: str, slug: str
) -> Callable[Concatenate[Connection, Arguments], Survey]:
    """Make a function that stores a new survey give it to whoever is signed in, and note it."""
    return by_me(rights.owned(create, current_user.account.id), what, slug)


def note_mine(what: str, survey: str | None = None, about: str | None = None) -> None:
    """Note what whoever is signed in has done, where nothing else is stored."""
    services().storage.write(audit.note, current_user.name, what, survey, about)
