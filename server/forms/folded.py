"""The whole of a draft in one field: what is typed in panels that are folded travels as JSON.

The page has fields for the panel that is open alone. Where that is all that comes, as from a program or an
older page, the fields are the whole draft.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from server.forms.panels import stands_in

NAMES = {"languages_": "languages"}
"""Names of the form's data whose fields have another name."""

OTHERWISE = frozenset({"basis", "add_kind"})
"""Names of the form's data that are not what was typed."""

DEEPEST = 6
MOST_NAMES = 50_000


class FoldedError(ValueError):
    """The field does not hold a draft: it was not written by our page."""


def unfolded(sent: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return all fields of a draft: those of the open panel as they came, the others out of ``typed``.

    Raises
    ------
    FoldedError
        If ``typed`` is there and holds something else.
    """
    if "typed" not in sent:
        return sent
    opened = sent.get("open", "")
    whole: MultiDict[str, str] = MultiDict()
    for count, (name, value) in enumerate(fields_of(read(sent["typed"]))):
        if count == MOST_NAMES:
            raise FoldedError
        if not stands_in(name, opened):
            whole.add(name, value)
    for name, values in sent.lists():
        if name != "typed":
            whole.setlist(name, values)
    return whole


def read(text: str) -> Mapping[str, Any]:
    """Read JSON that must be an object."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise FoldedError from None
    if not isinstance(table, dict):
        raise FoldedError
    return table


def fields_of(typed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name what was typed as the page names its fields.

    Examples
    --------
    >>> list(fields_of({"title": {"en": "Rest"}, "languages_": ["en"], "questions": [{"by_hand": True}]}))
    [('title-en', 'Rest'), ('languages', 'en'), ('questions-0-', ''), ('questions-0-by_hand', 'y')]
    """
    for key, value in typed.items():
        if key not in OTHERWISE:
            yield from named(NAMES.get(key, key), value, DEEPEST)


def named(name: str, value: object, deep: int) -> Iterator[tuple[str, str]]:
    """Name one value, and what is in it."""
    if deep == 0:
        raise FoldedError
    if isinstance(value, bool) or value is None:
        if value:
            yield name, "y"
    elif isinstance(value, str):
        yield name, value.encode("utf-8", "replace").decode()  # half a character cannot be stored
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from named(f"{name}-{key}", each, deep - 1)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            if isinstance(each, str):
                yield from named(name, each, deep - 1)
            else:
                yield f"{name}-{index}-", ""  # an option without any text is an option
                yield from named(f"{name}-{index}", each, deep - 1)
    else:
        raise FoldedError


def folded(data: Mapping[str, Any]) -> str:
    """Return what was typed as the JSON that `unfolded` reads."""
    kept = {key: value for key, value in data.items() if key not in OTHERWISE}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
