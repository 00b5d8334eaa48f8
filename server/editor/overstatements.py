"""Words of a draft that promise too much, each with its field of the editor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.editor.missing import in_editor, place
from server.editor.standing import Entry, place_of
from server.language.request_language import translate
from survey.fields import Problem
from survey.privacy import Guess
from survey.promises import overstated


def overstatements(draft: Mapping[str, Any]) -> Iterator[Entry]:
    """List the words of a draft's texts that promise too much, each with its field.

    Parameters
    ----------
    draft : Mapping[str, Any]
        The tables of a survey file, which may lack some.
    """
    words = (Problem(key, "promise", {}, said) for key, said in overstated(draft))
    for problem in in_editor(words, draft):
        field = place(problem.path)
        yield Entry(field, f"{place_of(field)}: “{problem.value}”")


def figures_in_words(guess: Guess) -> str:
    """Say how often a guess is right, as the page says it beside such words."""
    return translate("editor.promises.figures", right=guess.times_right, telling=guess.times_telling)
