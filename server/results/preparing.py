"""What everybody reads who asks for single reports of a survey that was closed a moment ago."""

from __future__ import annotations

from flask import Flask, Response, make_response, render_template, request, url_for

from server.language.chosen import translate
from server.services import services
from server.store.submissions import InPreparation

RETRY_SECONDS = "5"


def init_app(app: Flask) -> None:
    """Answer requests for reports that cannot be read yet."""
    app.register_error_handler(InPreparation, preparing)


def preparing(_error: Exception) -> Response:
    """Say that the reports are being prepared, and see to it that somebody is at it."""
    services().finisher.start()
    page = render_template(
        "web/message.html",
        title=translate("download.preparing.title"),
        text=translate("download.preparing.text"),
        estimates=url_for("results.show", **(request.view_args or {})),
    )
    return make_response(page, 503, {"Retry-After": RETRY_SECONDS})
