"""The Flask application of the API, and its OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from flask import Flask, Response, request
from flask.sessions import SecureCookieSession, SessionInterface
from flask_smorest import Api

from server.api import access, deprecation, operations, problems, responses, results, survey_changes, surveys
from server.language.catalogue import FIRST, say
from server.runtime import offload
from server.web import content_policy
from server.web.limits import gate
from survey.schema import as_json

VIEWS = (surveys, survey_changes, results)
"""The modules whose views `operations.blueprint` has collected."""

VERSION = "1.0"


class NoSessions(SessionInterface):
    """Sessions that never exist: the API neither reads nor sets a cookie."""

    def open_session(self, app: Flask, request: Any) -> SecureCookieSession | None:
        """Return no session."""
        return None

    def save_session(self, app: Flask, session: Any, response: Response) -> None:
        """Keep nothing."""


class Description(Api):
    """The OpenAPI description without flask-smorest's own errors; `problems` describes ours."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Leave errors to `problems`."""

    def _register_responses(self) -> None:
        """Leave the descriptions of errors to `operations.documented`."""

    def _register_pagination_header(self) -> None:
        """Leave out a header that is not sent: pages are linked by Link."""


def build(pages: Flask) -> Flask:
    """Build the application, which shares the services of the application of the pages."""
    app = Flask(__package__, static_folder=None, template_folder=None)
    app.secret_key = pages.secret_key  # under which failed attempts are counted
    app.extensions["candor"] = pages.extensions["candor"]
    strangers = pages.extensions["candor.gate"].strangers
    gate.init_app(app, partial(access.visitor, app), strangers)  # the pages' application sees to proxies
    content_policy.init_app(app)
    app.session_interface = NoSessions()
    problems.init_app(app)
    app.after_request(responses.finish)
    app.after_request(deprecation.announce)
    app.register_blueprint(operations.blueprint)
    app.add_url_rule("/api/v1/openapi.json", "description", describe)
    gate.check(app)
    return app


def describe() -> Response:
    """Answer with the description."""
    return responses.answer(located(offload.run(description)))


@cache
def description() -> dict[str, Any]:
    """Describe every operation, the same for every application: the first call takes a tenth of a second."""
    app = Flask(__package__, static_folder=None, template_folder=None)
    app.config.update(
        API_TITLE="Candor",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "info": {"description": say(FIRST, "api.description")},
            "security": [{"token": []}],
        },
    )
    api = Description(app)
    api.spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": say(FIRST, "api.token")}
    )
    api.spec.components.schema("SurveyFile", survey_file())
    api.register_blueprint(operations.blueprint)
    tables: dict[str, Any] = api.spec.to_dict()
    return tables


def survey_file() -> dict[str, Any]:
    """Return the JSON Schema of survey files, its references rewritten for the OpenAPI description."""
    place = '"#/components/schemas/SurveyFile/definitions/'
    found: dict[str, Any] = json.loads(as_json().replace('"#/definitions/', place))
    del found["$schema"]
    return found


def located(description: Mapping[str, Any]) -> dict[str, Any]:
    """Add the address of the API to its description, below the server's prefix if it has one."""
    return {**description, "servers": [{"url": request.script_root or "/"}]}
