"""Characters that reverse text: a survey may need them, but they can disguise a text as another."""

from __future__ import annotations

import re

from survey.definition import Definition
from survey.opening_requirements import texts_of

CONTROL = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""The explicit embeddings, overrides and isolates, https://www.unicode.org/reports/tr9/ section 2."""


def warnings(definition: Definition) -> list[str]:
    """Return a sentence for each text that holds such a character: its key, and the character."""
    return [
        f"{key} contains U+{ord(control[0]):04X}, which can turn the text around it"
        for key, text in texts_of(definition.as_dict())
        if (control := CONTROL.search(text))
    ]
