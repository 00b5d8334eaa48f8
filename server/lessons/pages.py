"""The pages of the lessons; each has a picture to try, which runs wholly in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from flask import Blueprint, Response, abort, render_template

from server.language.catalogue import say, section
from server.language.request_language import current
from server.language.script_words import words_of_script
from server.lessons.exercises import exercises
from server.lessons.glossary import entries, explained_in, terms, with_glossary
from server.lessons.minutes import minutes
from server.lessons.sources import sources
from server.web.constant_answer import constant_answer
from server.web.content_policy import use_policy
from server.web.files import assets
from server.web.files.client_files import checksums
from survey.publication import canonical_json

VERSION = version("candor-survey")

blueprint = Blueprint("learn", __name__)

FIRST = (
    "two-coins",
    "suspicion",
    "simulation",
    "spinner-and-coin",
    "spinner-only",
    "composition",
    "trust",
)
"""The slugs of the lessons for everybody, in the order of reading."""

FURTHER = ("noise", "choices", "asked-together", "made-to-order", "counts", "privacy-loss", "names-removed")
"""The slugs of the lessons that go further."""

LESSONS = FIRST + FURTHER
PARTS = {"first": FIRST, "further": FURTHER}


@blueprint.before_request
def choose_policy() -> None:
    """Forbid a lesson to send anything, so that everybody can check that nothing is sent."""
    use_policy("lesson")


@blueprint.get("/learn")
def contents() -> Response:
    """List the lessons, each with a small drawing of its picture."""
    takes = facts_of_all(current()).minutes
    parts = [(part, [(slug, name(slug), takes[slug]) for slug in slugs]) for part, slugs in PARTS.items()]
    page = render_template(
        "lessons/contents.html",
        parts=parts,
        thumbnail=thumbnail,
        thumbnails=[thumbnail(name(slug)) for slug in LESSONS],
        messages=canonical_json(script_messages(current())).decode(),
    )
    return constant_answer(page.encode())


@blueprint.get("/learn/sources", endpoint="sources")
def show_sources() -> Response:
    """List the sources of the lessons, and say how to check the scripts."""
    return constant_answer(render_template("lessons/sources.html", parts=sources()).encode())


@blueprint.get("/learn/glossary", endpoint="glossary")
def show_glossary() -> Response:
    """List all letters and terms, with their other names and the lessons that explain them."""
    language = current()
    page = render_template(
        "lessons/all_entries.html",
        terms=terms(language),
        letters=[entry for entry in entries(language) if entry.letters],
        explained_in=facts_of_all(language).explained_in,
        name_of=name,
    )
    return constant_answer(page.encode())


@blueprint.get("/learn/scripts.sha256")
def scripts() -> Response:
    """List the files that respondents' browsers load, as `candor client-hash` does."""
    return constant_answer(checksums(assets.served()).encode(), "text/plain")


@blueprint.get("/learn/<slug>")
def lesson(slug: str) -> Response:
    """Show a lesson, with the words of its script in the language of the page."""
    if slug not in LESSONS:
        abort(404)
    return constant_answer(with_glossary(rendered(slug), current()).encode())


@dataclass(frozen=True)
class LessonFacts:
    """The facts about all lessons that other pages tell.

    Attributes
    ----------
    minutes : mapping
        Slug -> minutes that the lesson takes.
    explained_in : mapping
        Key of an entry of the glossary -> slugs.
    """

    minutes: Mapping[str, int]
    explained_in: Mapping[str, list[str]]


@cache
def facts_of_all(language: str) -> LessonFacts:
    """Render every lesson once, in the language of this request, for what other pages tell of them."""
    pages = {slug: rendered(slug) for slug in LESSONS}
    return LessonFacts({slug: minutes(page) for slug, page in pages.items()}, explained_in(pages, language))


def rendered(slug: str) -> str:
    """Render a lesson without its glossary, which depends on the rest of the page."""
    place = LESSONS.index(slug)
    return render_template(
        f"lessons/{name(slug)}.html",
        lesson=name(slug),
        question=question(slug),
        exercises=exercises(current(), name(slug)),
        place=place_in_part(slug),
        previous=LESSONS[place - 1] if place else None,
        following=LESSONS[place + 1] if place + 1 < len(LESSONS) else None,
        name_of=name,
        version=VERSION,
        messages=canonical_json(script_messages(current(), name(slug))).decode(),
    )


def question(slug: str) -> str:
    """Return the question of a lesson, or its first sentences if it has none."""
    words = section(current(), f"learn_{name(slug)}")
    return str(words.get("question") or words["lede"])


def place_in_part(slug: str) -> str:
    """Say in words that a lesson is the n-th of so many."""
    part, slugs = next((part, slugs) for part, slugs in PARTS.items() if slug in slugs)
    return say(current(), f"learn.place_{part}", n=slugs.index(slug) + 1, all=len(slugs))


def name(slug: str) -> str:
    """Return the name of a lesson's template, script and catalogue."""
    return slug.replace("-", "_")


def thumbnail(lesson: str) -> str:
    """Return the path of the script that draws a lesson's picture small."""
    return f"js/lessons/{lesson}/thumbnail.js"


def script_messages(language: str, lesson: str | None = None) -> dict[str, object]:
    """Return the messages of a page's script: of all lessons, of the wheel, and of one lesson."""
    return words_of_script(language, "learn", *([f"learn_{lesson}"] if lesson else []))
