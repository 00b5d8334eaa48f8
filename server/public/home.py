"""The front page, for visitors who have no address of a survey."""

from flask import Blueprint, Response, render_template

from server.language.request_language import current
from server.language.script_words import words_of_script
from server.public.example_results import example
from server.web.constant_answer import constant_answer
from server.web.content_policy import use_policy
from survey.publication import canonical_json

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> Response:
    """Show a wheel to spin, what many reports say together, and example results."""
    # Nothing can be sent from it, so that whoever spins the wheel can see that nothing is.
    use_policy("lesson")
    page = render_template(
        "public/home.html",
        example=example(),
        messages=canonical_json(words_of_script(current(), "home")).decode(),
    )
    return constant_answer(page.encode())
