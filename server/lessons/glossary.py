"""The glossary: a sentence for each letter and term, under the lessons that use it and on a page of all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape

from flask import render_template

from server.language.catalogue import section

PLACE = "<!-- glossary -->"
"""The mark that a lesson has in the place of its glossary."""

LETTER = re.compile(r'data-letter="([^"]+)"')
UNSEEN = re.compile(r"<(script|style|math)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
NAMED = re.compile(r"<dfn>(.*?)</dfn>", re.DOTALL)
"""The names of a lesson's idea, right after its picture."""


@dataclass(frozen=True)
class Entry:
    """A letter or a term.

    Attributes
    ----------
    key : str
        As in the catalogue, such as ``letter.epsilon``.
    name : str
        The letter as in formulas, or the term as in the list. ``|`` separates letters that one sentence
        explains together.
    says : str
        The sentence that explains it.
    forms : tuple of str
        The words for a term in a sentence, its other names among them; none for a letter.
    also : tuple of str
        The other names of a term.
    """

    key: str
    name: str
    says: str
    forms: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that the sentence explains; none for a term."""
        return () if self.forms else tuple(self.name.split("|"))

    def occurs(self, text: str) -> bool:
        """Return whether a text has the term as a word; a Korean particle may follow it."""
        return any(
            re.search(rf"(?<!\w){re.escape(form)}(?![a-zA-Z])", text, re.IGNORECASE) for form in self.forms
        )


@cache
def entries(language: str) -> tuple[Entry, ...]:
    """Read all letters and then all terms, in the order of the catalogue."""
    words = {key: str(text) for key, text in section(language, "learn_glossary").items()}

    def read() -> Iterator[Entry]:
        for key in words:
            kind, _, rest = key.partition(".")
            if kind == "letter" and rest.endswith(".sign"):
                name = key.removesuffix(".sign")
                yield Entry(name, words[key], words[f"{name}.says"])
            elif kind == "term" and rest.endswith(".name"):
                name = key.removesuffix(".name")
                also = tuple(filter(None, words[f"{name}.also"].split("|")))
                forms = (*words[f"{name}.forms"].split("|"), *also)
                yield Entry(name, words[key], words[f"{name}.says"], forms, also)

    return tuple(sorted(read(), key=lambda entry: bool(entry.forms)))


def used(page: str, language: str) -> list[Entry]:
    """Find the letters in the formulas of a page and the terms in its words."""
    main = page.partition("<main")[2].partition("</main>")[0]
    letters = {unescape(letter) for letter in LETTER.findall(main)}
    text = unescape(TAG.sub(" ", UNSEEN.sub(" ", main)))
    return [entry for entry in entries(language) if letters.intersection(entry.letters) or entry.occurs(text)]


def terms(language: str) -> list[Entry]:
    """Sort the terms by their names."""
    return sorted((entry for entry in entries(language) if entry.forms), key=lambda entry: entry.name.lower())


def explained_in(pages: Mapping[str, str], language: str) -> dict[str, list[str]]:
    """Find the lessons that name an entry after their picture, or else the first that uses it.

    Parameters
    ----------
    pages : Mapping
        Slug -> page of each lesson, in the order of reading.
    language : str

    Returns
    -------
    dict
        Key of an entry -> slugs.
    """
    naming: dict[str, list[str]] = {}
    first: dict[str, list[str]] = {}
    for slug, page in pages.items():
        named = {unescape(name).lower() for name in NAMED.findall(page)}
        for entry in used(page, language):
            first.setdefault(entry.key, [slug])
            if named.intersection(form.lower() for form in entry.forms):
                naming.setdefault(entry.key, []).append(slug)
    return first | naming


def with_glossary(page: str, language: str) -> str:
    """Put the glossary of a page into its place."""
    if PLACE not in page:
        return page
    return page.replace(PLACE, render_template("lessons/glossary.html", entries=used(page, language)), 1)
