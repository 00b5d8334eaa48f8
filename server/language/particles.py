"""Korean particles after words that a message is filled with: their form follows the last sound."""

from __future__ import annotations

import re

FIRST, LAST, FINALS, RIEUL = 0xAC00, 0xD7A3, 28, 8
"""Syllables of Hangul in Unicode: of each 28 the first ends in a vowel, the ninth in rieul."""

WORD_JOINER = "\N{WORD JOINER}"

PAIRS = {"과": "와", "은": "는", "이": "가", "을": "를", "으로": "로"}
"""After a consonant -> after a vowel."""

SPOKEN = dict(zip("0123456789%", "영일이삼사오육칠팔구트", strict=True))
"""Last sign of a number -> its sound. Ten and hundred end in consonants, as zero does."""


class Named(str):
    """A word or number in a message such as ``{one:과}``, which writes the particle that fits its last sound.

    Examples
    --------
    >>> "{:과} {:을} {:은} {}".format(Named("영어"), Named("독일"), Named("xx"), Named("글"))
    '영어와 독일을 xx은(는) 글'
    >>> "{:을} {:을} {:으로} {:으로}".format(Named("0.5"), Named("10"), Named("1"), Named("95%"))
    '0.5를 10을 1로 95%로'
    """

    __slots__ = ()

    def __format__(self, wanted: str) -> str:
        """Write the word, with a particle if the format names one."""
        return str(self) + particle(self, wanted) if wanted in PAIRS else super().__format__(wanted)


def joined(text: str) -> str:
    """Put word joiners between signs and Korean, since browsers break there and a particle may begin no line.

    The value of ``{percent}`` ends in such a sign.

    Examples
    --------
    >>> joined("‘예’로, 95%는 (가)와") == "‘예’\N{WORD JOINER}로, 95%\N{WORD JOINER}는 (가)\N{WORD JOINER}와"
    True
    >>> joined("{percent}가 {n}명") == "{percent}\N{WORD JOINER}가 {n}명"
    True
    """
    return re.sub(r"([]’”)%]|\{percent\})(?=[가-힣])", rf"\1{WORD_JOINER}", text)


def particle(word: str, after_consonant: str) -> str:
    """Return the form of a particle that fits a word, or both forms if the word's sound is unknown.

    Examples
    --------
    >>> particle("포르투갈어(브라질)", "과"), particle("일본어", "과"), particle("물", "으로")
    ('과', '와', '로')
    >>> particle("", "이"), particle("xx", "으로")
    ('이(가)', '(으)로')
    """
    after_vowel = PAIRS[after_consonant]
    last = word.rstrip(" )”’.")[-1:]
    sound = SPOKEN.get(last, last)
    if not (sound and FIRST <= ord(sound) <= LAST):
        return "(으)로" if after_vowel == "로" else f"{after_consonant}({after_vowel})"
    final = (ord(sound) - FIRST) % FINALS
    return after_vowel if final == 0 or (final == RIEUL and after_vowel == "로") else after_consonant
