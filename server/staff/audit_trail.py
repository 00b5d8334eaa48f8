"""The audit log's record of what signed-in staff do: stored in the transaction that does it."""

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
    """Wrap a function of a transaction: the audit log says that whoever is signed in has done it.

    Examples
    --------
    ``services().storage.write(by_me(surveys.close_survey, "survey_closed", survey.slug), survey.id)``
    """
    return audit.noted(function, current_user.name, what, survey, about)


def made_by_me(
    create: Callable[Concatenate[Connection, Arguments], Survey], what: str, slug: str
) -> Callable[Concatenate[Connection, Arguments], Survey]:
    """Wrap a function that stores a new survey: whoever is signed in owns it, and the audit log says so."""
    return by_me(rights.owned(create, current_user.account.id), what, slug)


def edited_by_me(
    save: Callable[Concatenate[Connection, Arguments], Result], slug: str
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Wrap a function that saves a draft: the audit log says once a day that whoever is signed in does so."""
    return audit.noted_once_a_day(save, current_user.name, "draft_edited", slug, services().today)


def note_mine(what: str, survey: str | None = None, about: str | None = None) -> None:
    """Note in the audit log what whoever is signed in has done, where nothing else is stored."""
    services().storage.write(audit.note, current_user.name, what, survey, about)
