"""Characters that turn text around: a survey may need them, but they can make a text read as another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from survey.definition import Definition

CONTROL = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""The explicit embeddings, overrides and isolates, https://www.unicode.org/reports/tr9/ section 2."""


def warnings(definition: Definition) -> list[str]:
    """Return a sentence for each text that holds such a character: its key, and the character."""
    return [
        f"{key} contains U+{ord(found[0]):04X}, which can turn the text around it"
        for key, text in texts(definition.as_dict(), "")
        if (found := CONTROL.search(text))
    ]


def texts(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """List every text of a survey file with its key, such as ``questions[0].wording.en``.

    Examples
    --------
    >>> list(texts({"title": {"en": "Exams"}, "questions": [{"id": "copied"}]}, ""))
    [('title.en', 'Exams'), ('questions[0].id', 'copied')]
    """
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from texts(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts(inner, f"{key}[{index}]")
