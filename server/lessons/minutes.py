"""The minutes that a lesson takes: its words outside of folds are read, and its picture is tried."""

from __future__ import annotations

import re

WORDS_A_MINUTE = 150
"""Words of an explanation that somebody reads in a minute; of a story it would be more."""

TRYING = 1
"""Minutes for the guess and the picture."""

UNSEEN = re.compile(
    r"<(script|style|noscript|math)\b.*?</\1>"
    r"|<section class=\"cut-out\">.*?</section>"
    r"|<details(?:(?!<details|</details>).)*</details>",
    re.DOTALL,
)
"""The parts that are not read at first; of folds within one another, the innermost."""

TAG = re.compile(r"<[^>]+>")


def minutes(page: str) -> int:
    """Estimate the minutes that a page of a lesson takes while its folds stay shut.

    Examples
    --------
    >>> minutes("<main>" + "word " * 290 + "<details>" + "folded " * 900 + "</details></main>")
    3
    """
    main = page.partition("<main")[2].partition("</main>")[0]
    folded = -1
    while folded:
        main, folded = UNSEEN.subn(" ", main)
    return TRYING + round(len(TAG.sub(" ", main).split()) / WORDS_A_MINUTE)
