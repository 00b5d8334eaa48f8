"""Which languages have fields in the editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.language.catalogue import LANGUAGES
from survey.read_definition import LANGUAGE, MOST_LANGUAGES


def offered(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that have fields: the draft's in its order, then Candor's other languages."""
    return tuple(dict.fromkeys([*draft.get("languages", []), *LANGUAGES]))


def languages_of(codes: object) -> tuple[str, ...]:
    """Return the languages that a form has where no draft is stored: Candor's, and valid others."""
    some = [code for code in codes if isinstance(code, str)] if isinstance(codes, list) else []
    return offered({"languages": [code for code in some if LANGUAGE.fullmatch(code)][:MOST_LANGUAGES]})
