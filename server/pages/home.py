"""The front page: what this is, for somebody who came without a survey's address."""

from flask import Blueprint, Response, render_template

from server.pages.everybody import for_everybody

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> Response:
    """Show in a few lines what Candor does, and where staff sign in."""
    return for_everybody(render_template("pages/home.html"))
