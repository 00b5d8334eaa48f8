"""Texts with marks: emphasis, lists and links in Markdown, as a small tree that a page builds node by node.

A tree is a list of blocks, each a list of its tag and its children: ``["p", "Have you ", ["em", "ever"]]``.
The tags are those of `TAGS`; a link has its address before its children. Nothing else of Markdown is read:
no HTML, images, headings, code or entities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from survey.rules import Refusal

if TYPE_CHECKING:
    from markdown_it.token import Token

BLOCKS = frozenset({"p", "ul", "ol"})
TAGS = BLOCKS | {"li", "em", "strong", "a"}

MOST_NODES = 400
"""The most paragraphs, lists, items, emphases and links of a text, together."""

DEEPEST = 8
"""The most levels of them within one another; a list within a list takes two."""

LONGEST = 10_000
"""The most characters, twice those of any text, as `escaped` may add some. A longer text is not parsed."""

PERHAPS = re.compile(r"[*_\\]|\]\(|^[ \t]*(?:[-+]|1[.)])[ \t]", re.MULTILINE)
"""A text that holds none of these has no marks, and is not parsed."""

SPECIAL = re.compile(r"([\\*_\[\]]|^[ \t]*[-+](?=[ \t])|(?<=1)[.)])", re.MULTILINE)
"""The characters before which a backslash keeps a text as it is."""

ADDRESS = re.compile(r"https://[^\s<>\"]+|mailto:[\w.+%-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
LONGEST_ADDRESS = 300
ORDERED = re.compile(r"[ \t]*(?!1[.)])[0-9]+[.)]")

Node = str | list[Any]
"""A text, or a list of a tag, the address of a link, and the children."""


class Marked(str):
    """A text without its marks, with its source and its tree.

    Attributes
    ----------
    source : str
        The text as it was written, in Markdown.
    nodes : list of Node
    """

    __slots__ = ("nodes", "source")
    source: str
    nodes: list[Node]


class TooManyMarks(Refusal):
    """A text with more marks than `MOST_NODES`, or deeper than `DEEPEST`."""

    def __init__(self) -> None:
        super().__init__("text", "marks", most=MOST_NODES, deepest=DEEPEST)


def marked(source: str) -> str:
    """Read a text: return it as it is where it has no marks or is too long, otherwise as `Marked`.

    Parameters
    ----------
    source : str
        As it was written.

    Raises
    ------
    TooManyMarks

    Examples
    --------
    >>> marked("Have you *ever* copied?").nodes
    [['p', 'Have you ', ['em', 'ever'], ' copied?']]
    >>> marked("2 * 3 = 6"), marked("*often*")
    ('2 * 3 = 6', 'often')
    """
    if len(source) > LONGEST or not PERHAPS.search(source):
        return source
    nodes = parse_tree(source)
    if not has_text(nodes):  # "* * *" is no list of nothing
        return source
    bare = all(node[0] == "p" and all(isinstance(child, str) for child in node[1:]) for node in nodes)
    if bare and " ".join(plain_text(nodes).split()) == " ".join(source.split()):
        return source
    return with_nodes(source, nodes)


def with_nodes(source: str, nodes: list[Node]) -> Marked:
    """Return a text with its tree."""
    text = Marked(plain_text(nodes))
    text.source, text.nodes = source, nodes
    return text


def source(text: str) -> str:
    """Return a text as it was written."""
    return text.source if isinstance(text, Marked) else text


def sources(texts: Mapping[str, str]) -> dict[str, str]:
    """Return a text as it was written in every language."""
    return {language: source(text) for language, text in texts.items()}


def escaped(text: str) -> str:
    r"""Escape a text that was written before there were marks, so that it reads the same.

    Examples
    --------
    >>> escaped("2 * 3"), escaped("*sic*"), marked(escaped("*sic*"))
    ('2 * 3', '\\*sic\\*', '*sic*')
    """
    try:
        if not isinstance(marked(text), Marked):
            return text
    except TooManyMarks:
        pass
    return SPECIAL.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", text)


def require_tree(nodes: object) -> list[Node]:
    """Check a tree that was published.

    Raises
    ------
    Refusal
        If it is not a list of blocks, or holds a node that no parsed text has.
    """
    if not isinstance(nodes, list) or not all(is_node(node) and node[0] in BLOCKS for node in nodes):
        raise Refusal("nodes", "tree", tags=tuple(sorted(TAGS)), deepest=DEEPEST)
    level, deep = nodes, 0
    while level:
        inner = [child for node in level for child in children(node) if not isinstance(child, str)]
        deep += 1
        if deep > DEEPEST or not all(map(is_node, inner)):
            raise Refusal("nodes", "tree", tags=tuple(sorted(TAGS)), deepest=DEEPEST)
        level = inner
    return nodes


def is_node(node: object) -> bool:
    """Return whether a node begins as it must: with its tag, and with an address where it is a link."""
    if not isinstance(node, list) or not node or not isinstance(node[0], str) or node[0] not in TAGS:
        return False
    return node[0] != "a" or (len(node) > 1 and isinstance(node[1], str) and is_address(node[1]))


def children(node: list[Any]) -> list[Node]:
    """Return the nodes within a node."""
    return node[2:] if node[0] == "a" else node[1:]


def trees(texts: Iterable[Mapping[str, str]]) -> dict[str, list[Node]]:
    """Return the tree of every text with marks: source -> tree."""
    each = (text for spoken in texts for text in spoken.values())
    return {text.source: text.nodes for text in each if isinstance(text, Marked)}


def plain_text(nodes: Sequence[Node], between: str = "\n\n") -> str:
    r"""Return the text of a tree without marks: items begin with a hyphen or a number, without addresses.

    Examples
    --------
    >>> plain_text([["p", "Of ", ["a", "https://example.org/", "ours"]], ["ol", ["li", "no"], ["li", "yes"]]])
    'Of ours\n\n1. no\n2. yes'
    """
    parts: list[str] = []
    joined = True
    for node in nodes:
        block = not isinstance(node, str) and node[0] in BLOCKS
        if parts and (block or not joined):
            parts.append(between)
        joined = not block
        parts.append(node if isinstance(node, str) else plain_node(node))
    return "".join(parts)


def has_text(nodes: Sequence[Node]) -> bool:
    """Return whether a tree has any text."""
    return any(bool(node.strip()) if isinstance(node, str) else has_text(children(node)) for node in nodes)


def plain_node(node: list[Any]) -> str:
    """Return the text of a node without marks."""
    if node[0] not in ("ul", "ol"):
        return plain_text(children(node))
    starts = ("- " if node[0] == "ul" else f"{number}. " for number in range(1, len(node)))
    return "\n".join(start + plain_text(item[1:], "\n") for start, item in zip(starts, node[1:], strict=True))


def parse_tree(source: str) -> list[Node]:
    """Parse a text into its tree.

    Raises
    ------
    TooManyMarks
    """
    tree: list[Node] = []
    within: list[list[Any]] = [tree]
    count = 0
    for token in flatten(parser()(source)):
        if token.nesting == 1:
            node: list[Any] = [token.tag]
            node += [token.attrs["href"]] if token.tag == "a" else []
            count += 1
            within[-1].append(node)
            within.append(node)
            if count > MOST_NODES or len(within) > DEEPEST + 1:
                raise TooManyMarks
        elif token.nesting == -1:
            closed = within.pop()
            if closed[0] == "a" and len(closed) == 2:
                closed.append(closed[1])
        else:
            text = "\n" if token.type in ("softbreak", "hardbreak") else token.content
            inside = within[-1]
            if len(inside) > 1 + (inside[0] == "a") and isinstance(inside[-1], str):
                inside[-1] += text
            elif text:
                inside.append(text)
    return tree


def flatten(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens with inline ones unpacked, without the paragraphs of a tight list."""
    for token in tokens:
        if token.type == "inline":
            yield from token.children or ()
        elif not token.hidden:
            yield token


@lru_cache(maxsize=1)
def parser() -> Callable[[str], list[Token]]:
    """Make the parser when it is first needed, as its library takes a while to load."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock, list_block

    def from_one(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        """Begin a numbered list with 1 only: 2024. 3. 5. is a date."""
        line = state.src[state.bMarks[start] : state.eMarks[start]]
        is_date = state.level == 0 and not silent and ORDERED.match(line)
        return not is_date and list_block(state, start, end, silent)

    made = MarkdownIt("zero", {"maxNesting": 4 * DEEPEST}).enable(["list", "emphasis", "link", "escape"])
    made.block.ruler.at("list", from_one, {"alt": ["paragraph", "reference", "blockquote"]})
    made.validateLink = is_address  # type: ignore[assignment,method-assign]
    return made.parse


def is_address(address: str) -> bool:
    """Return whether a link may have this address: a page by https, or a mail address."""
    return len(address) <= LONGEST_ADDRESS and ADDRESS.fullmatch(address) is not None
