"""Compiled templates that are kept beside the templates."""

import sys

import pytest
from flask import Flask, render_template

from server.web import template_cache


@pytest.fixture
def rendered(tmp_path, monkeypatch):
    """A function that renders a template in a new application; gives the text, and what was compiled."""
    monkeypatch.setattr(Flask, "jinja_options", {})  # in other tests applications share what is compiled
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def render(text):
        (tmp_path / "page.html").write_text(text)
        app = Flask("one", template_folder=tmp_path)
        template_cache.init_app(app, tmp_path)
        compiled = []
        own = app.jinja_env.compile
        monkeypatch.setattr(
            app.jinja_env, "compile", lambda source, *more: compiled.append(source) or own(source, *more)
        )
        with app.app_context():
            return render_template("page.html"), compiled

    return render


def test_a_template_is_compiled_again_only_when_it_has_changed(rendered):
    assert rendered("one") == ("one", ["one"])
    assert rendered("one") == ("one", [])
    assert rendered("two") == ("two", ["two"])


def test_nothing_is_kept_where_nothing_can_be_written(rendered, tmp_path):
    (tmp_path / template_cache.FOLDER).touch()
    assert [rendered("one"), rendered("one")] == [("one", ["one"])] * 2


def test_nothing_is_kept_where_python_keeps_nothing(rendered, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [rendered("one"), rendered("one")] == [("one", ["one"])] * 2
    assert not (tmp_path / template_cache.FOLDER).exists()


def test_a_damaged_file_is_none(rendered, tmp_path):
    rendered("one")
    (kept,) = (tmp_path / template_cache.FOLDER).iterdir()
    whole = kept.read_bytes()
    for length in range(100):
        kept.write_bytes(whole[:length])
        assert rendered("one") == ("one", ["one"])


@pytest.mark.parametrize("library", ["candor", "jinja2"])
def test_a_file_of_another_version_is_none(rendered, monkeypatch, library):
    rendered("one")
    if library == "candor":
        monkeypatch.setattr(template_cache, "version", lambda name: f"later {name}")
    else:
        monkeypatch.setattr(template_cache.jinja2, "__version__", "later")
    assert rendered("one") == ("one", ["one"])
