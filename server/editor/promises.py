"""Words in a survey's texts that promise more than chance can keep: each is marked, with both figures.

The list is short and fixed, so that what it marks is nearly always a promise. Other languages than English
and Korean get none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.editor.missing import in_editor, place
from server.editor.standing import Entry, place_of
from server.editor.wording import pattern
from survey.fields import Problem
from survey.opening import texts_of

NOBODY = r"(?:nobody|no[ -]one|none of us)"
KNOW = r"(?:know|see|tell|learn|find out|guess|identify|trace|prove)"
SAFE = r"(?:safe|secure|private|confidential|anonymous|protected|secret)"

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
"""Language -> what is marked in its texts."""


def overstated(draft: Mapping[str, Any]) -> Iterator[Entry]:
    """List the words of a draft's texts that promise too much, each with its field.

    Parameters
    ----------
    draft : Mapping[str, Any]
        The tables of a survey file, which may lack some.
    """
    for problem in in_editor(marked(draft), draft):
        field = place(problem.key)
        yield Entry(field, f"{place_of(field)}: “{problem.value}”")


def marked(draft: Mapping[str, Any]) -> Iterator[Problem]:
    """Find phrases of the list, as problems of the keys that hold them."""
    for key, text in texts_of(draft):
        phrases = PHRASES.get(key.rpartition(".")[2].partition("-")[0])
        for found in phrases.finditer(" ".join(text.split())) if phrases else ():
            yield Problem(key, "words that the survey keeps", found[0])
