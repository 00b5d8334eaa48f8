"""Words in a survey's texts that promise more than chance can keep.

The list is short and fixed, so that its matches are nearly always promises. It knows English and Korean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from survey.opening_requirements import texts_of

NOBODY = r"(?:nobody|no[ -]one|none of us)"
KNOW = r"(?:know|see|tell|learn|find out|guess|identify|trace|prove)"
SAFE = r"(?:safe|secure|private|confidential|anonymous|protected|secret)"


def pattern(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives, ignoring case."""
    return re.compile("|".join(alternatives), re.IGNORECASE)


PHRASES = {
    "en": pattern(
        r"\banonym\w*",
        rf"\b{NOBODY} (?:can|could|will)(?: ever| possibly)? {KNOW}\b",
        rf"\bnot even (?:we|us|the researchers) can {KNOW}\b",
        rf"\b(?:100 ?%|completely|fully|totally|absolutely|perfectly|entirely) {SAFE}\b",
        rf"\bimpossible (?:for \w+ )?to {KNOW}\b",
        r"\b(?:can(?:not|['’]t)|can never) be (?:traced|identified|linked|known|guessed)\b",
        r"\buntraceable\b|\bunhackable\b",
        r"\bguaranteed? (?:privacy|secrecy|confidential\w*|protection|safety)\b",
        r"\bwe (?:can(?:not|['’]t)|will never|can never) (?:know|see|learn) (?:your|what you)\b",
    ),
    "ko": pattern(
        r"익명",
        r"(?:아무도|누구도|그 누구도|절대로?) [^.!?\n]{0,24}?(?:알|볼|맞힐|추적할|밝혀낼) 수 없",
        r"(?:100 ?%|백 ?퍼센트|완전히|완벽하게|절대로?|전적으로) (?:안전|비밀|보호|보장)",
        r"(?:비밀|안전|신원)(?:이|을|은|를)? (?:완전히 |완벽하게 |철저히 )?보장",
        r"추적(?:이|은|할 수)? ?(?:불가능|없)",
        r"(?:절대로?|결코) (?:알려지|드러나|밝혀지|새어 나가|노출되)",
    ),
}
"""Language -> the words that promise too much."""


def overstated(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield all words that promise too much, each with the key of its text.

    Parameters
    ----------
    table : Mapping[str, Any]
        The tables of a survey file, which may lack some.

    Examples
    --------
    >>> list(overstated({"title": {"en": "An anonymous survey", "ko": "설문"}}))
    [('title.en', 'anonymous')]
    """
    for key, text in texts_of(table):
        phrases = PHRASES.get(key.rpartition(".")[2].partition("-")[0])
        for match in phrases.finditer(" ".join(text.split())) if phrases else ():
            yield key, match[0]
