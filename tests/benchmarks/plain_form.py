"""A form of ten questions as one would write it in an hour: what a visit to Candor is compared with.

It uses WTForms, sqlite-utils and one style, and makes every submission durable in a commit of its own. Four
requests are a visit: the form, its style, the submission, and the page of thanks.
"""

from __future__ import annotations

import os
import sqlite3
import sys

from flask import Flask, redirect, render_template_string, url_for
from flask_wtf import FlaskForm
from sqlite_utils import Database
from werkzeug.wrappers import Response
from wtforms import RadioField
from wtforms.validators import InputRequired

QUESTIONS = [f"question_{number}" for number in range(10)]
PAGE = """<!doctype html><html lang="en"><title>Ten questions</title>
<link rel="stylesheet" href="{{ url_for('static', filename='candor.css') }}">
<main><form method="post">{{ form.csrf_token }}
{% for field in form if field.type == "RadioField" %}<fieldset><legend>{{ field.label.text }}</legend>
{% for option in field %}<label>{{ option }} {{ option.label.text }}</label>{% endfor %}
</fieldset>{% endfor %}<button class="button">Send</button></form></main>"""


def create_app(path: str, static: str) -> Flask:
    """Make the application, with its database at a path and its style in a folder."""
    app = Flask("plain_form", static_folder=static)
    app.secret_key = os.urandom(16)
    database = Database(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
    database.enable_wal()
    database.execute("PRAGMA synchronous = FULL")
    fields = {name: RadioField(name, [InputRequired()], choices=["yes", "no"]) for name in QUESTIONS}
    form_class = type("Form", (FlaskForm,), fields)

    @app.route("/", methods=["GET", "POST"])
    def ask() -> str | Response:
        form = form_class()
        if not form.validate_on_submit():
            return render_template_string(PAGE, form=form)
        database["answers"].insert({name: form[name].data for name in QUESTIONS})
        return redirect(url_for("thank"))

    @app.get("/thanks")
    def thank() -> str:
        return "<!doctype html><title>Thank you</title><p>Thank you."

    return app


if __name__ == "__main__":
    from gunicorn.app.base import BaseApplication

    class Server(BaseApplication):
        """Gunicorn with gevent on a socket that is handed over, as Candor runs it."""

        def load_config(self) -> None:
            for name, value in {
                "bind": f"fd://{sys.argv[1]}",
                "worker_class": "gevent",
                "workers": 1,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Flask:
            return create_app(*sys.argv[2:])

    Server().run()
