"""An option for people to whom a question does not apply: one press, in the languages that we speak."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from server.forms.question import MOST
from server.language.catalogue import LANGUAGES, say

ACTION = re.compile(r"inapplicable-(?P<question>[0-9]{1,3})")


def in_words() -> dict[str, str]:
    """Return what the option says in each language that we speak."""
    return {code: say(code, "texts.inapplicable") for code in LANGUAGES}


def add_inapplicable(data: Mapping[str, Any], action: str) -> str | None:
    """Add the option where the pressed button says so; give the place to look at next."""
    found = ACTION.fullmatch(action)
    if found is None or int(found["question"]) >= len(data["questions"]):
        return None
    question = data["questions"][int(found["question"])]
    options = question["options"]
    if len(options) < MOST.get(question["kind"], 0):
        options.append({code: text for code, text in in_words().items() if code in data["languages_"]})
    return f"questions-{found['question']}-options-{len(options) - 1}"
