"""Parts of a page as trees, from which a script draws them: markup passes through no string."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

Tree = list[Any]
"""Texts, and lists of a tag, its attributes and the tree within it."""

VOID = frozenset({"br", "img", "input", "hr"})

PART = "data-live"
"""The attribute that names a part."""


class PartReader(HTMLParser):
    """Reads the parts of a page.

    Attributes
    ----------
    parts : dict
        Name of a part -> the tree within the element that names it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, Tree] = {}
        self.open: list[Tree] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element, and a part where it names one."""
        attributes = {name: value or "" for name, value in attrs}
        inside: Tree = []
        if name := attributes.get(PART):
            self.parts[name] = inside
        elif not self.open:
            return
        if self.open:
            self.open[-1].append([tag, attributes, inside])
        if tag not in VOID:
            self.open.append(inside)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self.open and tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Take a text."""
        if self.open:
            self.open[-1].append(data)


def parts_of_page(page: str) -> dict[str, Tree]:
    """Return the parts of a page that our own template has written, by their names.

    Examples
    --------
    >>> parts_of_page('<body><p data-live="sum">Total <b class="sum">1.5</b></p></body>')
    {'sum': ['Total ', ['b', {'class': 'sum'}, ['1.5']]]}
    """
    reader = PartReader()
    reader.feed(page)
    return reader.parts
