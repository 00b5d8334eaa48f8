"""The front page: what this is, for somebody who came without a survey's address."""

from flask import Blueprint, render_template

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> str:
    """Show in a few lines what Candor does, and where staff sign in."""
    return render_template("pages/home.html")
