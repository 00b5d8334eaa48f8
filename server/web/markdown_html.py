"""Texts with marks as HTML, from their trees: every word of them is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from flask import Flask
from markupsafe import Markup, escape

from survey.markdown import Marked, Node, children

ROLES = {"ul": Markup(' role="list"'), "ol": Markup(' role="list"'), "li": Markup(' role="listitem"')}
"""Of the spans that stand for blocks where there can be none."""


Write = Callable[[str], Markup]
"""Writes the plain parts of a text."""


def blocks(text: str, plain: Write = escape) -> Markup:
    r"""Write a text as paragraphs and lists; one without marks has a paragraph for every blank line.

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
    """Write a text where there can be no blocks, as in a heading.

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
    """Write one node. A page by https opens elsewhere, and does not learn from where."""
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
    """Bind the filters in templates."""
    app.add_template_filter(blocks)
    app.add_template_filter(phrase)
