"""Texts with marks as HTML, from their trees: every word of them is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask
from markupsafe import Markup, escape

from survey.markdown import Marked, Node, children

ROLES = {"ul": Markup(' role="list"'), "ol": Markup(' role="list"'), "li": Markup(' role="listitem"')}
"""Of the spans that stand for blocks where there can be none."""


def blocks(text: str) -> Markup:
    """Write a text as paragraphs and lists; one without marks is one paragraph.

    Examples
    --------
    >>> blocks("1 < 2")
    Markup('<p>1 &lt; 2</p>')
    """
    return html(text.nodes) if isinstance(text, Marked) else Markup("<p>{}</p>").format(text)


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


def html(nodes: Iterable[Node], phrases: bool = False) -> Markup:
    """Write nodes one after the other."""
    return Markup("").join(
        escape(node) if isinstance(node, str) else element(node, phrases) for node in nodes
    )


def element(node: list[Node], phrases: bool) -> Markup:
    """Write one node. A page by https opens elsewhere, and does not learn from where."""
    tag, inner = str(node[0]), html(children(node), phrases or node[0] == "a")
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
