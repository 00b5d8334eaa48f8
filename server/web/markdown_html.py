"""Texts with Markdown as HTML; every word is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from flask import Flask
from markupsafe import Markup, escape

from survey.markdown import Marked, Node, children

ROLES = {"ul": Markup(' role="list"'), "ol": Markup(' role="list"'), "li": Markup(' role="listitem"')}
"""Roles of the spans that replace blocks in a phrase."""


Write = Callable[[str], Markup]
"""A function that writes a plain part of a text."""


def blocks(text: str, plain: Write = escape) -> Markup:
    r"""Write a text as paragraphs and lists. Without Markdown, blank lines separate the paragraphs.

    Examples
    --------
    >>> blocks("1 < 2\n\n3")
    Markup('<p>1 &lt; 2</p><p>3</p>')
    """
    if isinstance(text, Marked):
        return html(text.nodes, plain)
    parts = re.split(r"\n\s*\n", text)
    return Markup("").join(Markup("<p>{}</p>").format(plain(part)) for part in parts)


def phrase(text: str) -> Markup:
    """Write a text where blocks are not allowed, as in a heading.

    Examples
    --------
    >>> from survey.markdown import marked
    >>> phrase(marked("Have you *ever*?"))
    Markup('Have you <em>ever</em>?')
    """
    if not isinstance(text, Marked):
        return escape(text)
    alone = len(text.nodes) == 1 and text.nodes[0][0] == "p"
    return html(children(list(text.nodes[0])) if alone else text.nodes, phrases=True)


def html(nodes: Iterable[Node], plain: Write = escape, phrases: bool = False) -> Markup:
    """Write nodes one after the other."""
    return Markup("").join(
        plain(node) if isinstance(node, str) else element(node, plain, phrases) for node in nodes
    )


def element(node: list[Node], plain: Write, phrases: bool) -> Markup:
    """Write one node. A web page opens in a new tab and gets no referrer."""
    within = node[0] == "a"  # a contact in a link is no link of its own
    tag, inner = str(node[0]), html(children(node), escape if within else plain, phrases or within)
    if tag == "a":
        web = str(node[1]).startswith("https:")
        elsewhere = Markup(' target="_blank" rel="noopener noreferrer"') if web else ""
        return Markup('<a href="{}"{}>{}</a>').format(node[1], elsewhere, inner)
    if phrases and tag not in ("em", "strong"):
        return Markup('<span class="{}"{}>{}</span>').format(tag, ROLES.get(tag, ""), inner)
    return Markup("<{0}>{1}</{0}>").format(tag, inner)


def init_app(app: Flask) -> None:
    """Add the filters for templates."""
    app.add_template_filter(blocks)
    app.add_template_filter(phrase)
