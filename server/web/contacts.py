"""Contacts in a plain text as links: web addresses, mail addresses and phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flask import Flask
from markupsafe import Markup, escape

from server.web.markdown_html import blocks

CONTACT = re.compile(
    r"(https://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#](?:[\w./?#@!$&'*+,;=:%~-]*[\w/#=&~-])?)?)"
    r"|(?:mailto:)?([\w.+%-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|tel:(\+?\d[\d ()-]*\d)"
    r"|(?<![\w.,/-])((?:\+\d|\(?0\d)(?:[ ()-]{0,2}\d){5,13})(?![\w/])",
    re.ASCII,
)
"""A contact. Its letters are ASCII, so that a Korean particle may follow. A phone number is long and begins
with + or 0, or is written ``tel:112``. `contacts` in static/js/respond/header.js has the same pattern."""


def contacts(text: str) -> Iterator[tuple[str, str | None]]:
    """Split a text into parts; give each contact the address that its link leads to, and None to the others.

    Examples
    --------
    >>> list(contacts("Ada: tel:112."))
    [('Ada: ', None), ('112', 'tel:112'), ('.', None)]
    """
    end = 0
    for match in CONTACT.finditer(text):
        web, mail, short, number = match.groups()
        if match.start() > end:
            yield text[end : match.start()], None
        dialled = number or short or ""
        leads = web or (f"mailto:{mail}" if mail else "tel:" + re.sub(r"[^+\d]", "", dialled))
        yield web or mail or dialled, leads
        end = match.end()
    if end < len(text):
        yield text[end:], None


def linked(text: str) -> Markup:
    """Write a text with its contacts as links. A web page opens in a new tab and gets no referrer.

    Examples
    --------
    >>> linked("<Ada>: tel:112")
    Markup('&lt;Ada&gt;: <a href="tel:112">112</a>')
    """
    return Markup("").join(link(said, leads) if leads else escape(said) for said, leads in contacts(text))


def link(said: str, leads: str) -> Markup:
    """Write one contact as a link. Its line may break after the @ and not within a word.

    Examples
    --------
    >>> link("ada@a.example", "mailto:ada@a.example")
    Markup('<a href="mailto:ada@a.example">ada@<wbr>a.example</a>')
    """
    elsewhere = Markup(' target="_blank" rel="noopener noreferrer"') if leads.startswith("https:") else ""
    return Markup('<a href="{}"{}>{}</a>').format(leads, elsewhere, Markup("@<wbr>").join(said.split("@")))


def reachable(text: str) -> Markup:
    """Write the paragraphs of a text with its contacts as links."""
    return blocks(text, linked)


def init_app(app: Flask) -> None:
    """Add the filters for templates."""
    app.add_template_filter(linked)
    app.add_template_filter(reachable)
