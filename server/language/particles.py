"""Korean particles after words that are only known when a message is said: they follow the last sound."""

from __future__ import annotations

FIRST, LAST, FINALS = 0xAC00, 0xD7A3, 28
"""Syllables of Hangul in Unicode: of each 28 that follow one another the first ends in a vowel."""

PAIRS = {"과": "와", "은": "는", "이": "가", "을": "를"}
"""After a consonant -> after a vowel."""


class Named(str):
    """A word that a message names, such as ``{one:과}``: with that particle, or the one for a vowel.

    Examples
    --------
    >>> "{:과} {:을} {:은} {}".format(Named("영어"), Named("독일"), Named("xx"), Named("글"))
    '영어와 독일을 xx은(는) 글'
    """

    __slots__ = ()

    def __format__(self, wanted: str) -> str:
        """Write the word, with its particle if one is wanted."""
        return str(self) + particle(self, wanted) if wanted in PAIRS else super().__format__(wanted)


def particle(word: str, after_consonant: str) -> str:
    """Choose between the two forms; both, where the word ends in no syllable of Hangul.

    Examples
    --------
    >>> particle("포르투갈어(브라질)", "과"), particle("일본어", "과"), particle("", "이")
    ('과', '와', '이(가)')
    """
    sound = word.rstrip(" )”’.")[-1:]
    if not (sound and FIRST <= ord(sound) <= LAST):
        return f"{after_consonant}({PAIRS[after_consonant]})"
    return PAIRS[after_consonant] if (ord(sound) - FIRST) % FINALS == 0 else after_consonant
