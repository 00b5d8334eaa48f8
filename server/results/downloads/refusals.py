"""Answers to whoever asks for single reports that cannot be had: not yet, or not here."""

from __future__ import annotations

from flask import Flask, Response, make_response, render_template, request, url_for

from server.language.request_language import translate
from server.results.downloads.temporary_files import TooManyFiles
from server.services import services
from server.store.results.visible_results import GroupWithheld, InPreparation, ReportsRemoved, ReportsWithheld

RETRY_SECONDS = "5"


def init_app(app: Flask) -> None:
    """Answer requests for reports that cannot be read yet."""
    app.register_error_handler(InPreparation, preparing)
    app.register_error_handler(ReportsWithheld, withheld)
    app.register_error_handler(GroupWithheld, too_few)
    app.register_error_handler(ReportsRemoved, removed)
    app.register_error_handler(NotInstalled, not_installed)
    app.register_error_handler(TooManyFiles, busy)


class NotInstalled(Exception):
    """A file cannot be made, because what makes it is not installed on this server."""


def preparing(_error: Exception) -> Response:
    """Say that the reports are being prepared, and make sure that they are."""
    services().finisher.start()
    return make_response(page("preparing"), 503, {"Retry-After": RETRY_SECONDS})


def withheld(_error: Exception) -> Response:
    """Say that an open survey keeps its reports back."""
    return make_response(page("withheld"), 409)


def too_few(_error: Exception) -> Response:
    """Say that a group is so small that nothing of it is shown."""
    return make_response(page("too_few"), 409)


def removed(_error: Exception) -> Response:
    """Say that the reports are gone, for good."""
    return make_response(page("removed"), 410)


def busy(_error: Exception) -> Response:
    """Say that other files are being made and sent."""
    return make_response(page("busy"), 503, {"Retry-After": RETRY_SECONDS})


def not_installed(_error: Exception) -> Response:
    """Say what the server lacks."""
    return make_response(page("not_installed"), 501)


def page(key: str) -> str:
    """Render a message, with the way back to the estimates."""
    return render_template(
        "staff/message.html",
        title=translate(f"download.{key}.title"),
        text=translate(f"download.{key}.text"),
        estimates=url_for("results.show", slug=(request.view_args or {})["slug"]),
    )
