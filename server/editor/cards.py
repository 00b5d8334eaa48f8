"""A draft at a glance: a card of one line for each question and each part, in the order of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.editor.advice import amount, measure_chosen
from server.editor.preview import Preview
from server.forms.grouping import is_line
from server.forms.marks import read as read_marks
from server.forms.panels import panel_of
from server.forms.section import ALONE
from server.language.request_language import translate


@dataclass(frozen=True)
class Card:
    """What one line says of a question, or of a part where it has no kind.

    Attributes
    ----------
    panel : str
        Which panel it opens: ``question-3`` or ``part-1``.
    index : int
        Its place among the questions or the parts, from 0.
    uid : str
        Its name on the page, whatever its place.
    text : str
        Wording or title, in the language of the page or another that has it.
    language : str
        That of `text`.
    kind, mechanism : str
        Empty for a part.
    epsilon, margin : str
        As they are shown; empty where they are not known.
    faults : int
        How many things are wrong or missing in it.
    inside : bool
        Whether it stands in a part with a line of its own.
    """

    panel: str
    index: int
    uid: str
    text: str
    language: str
    kind: str = ""
    mechanism: str = ""
    epsilon: str = ""
    margin: str = ""
    faults: int = 0
    inside: bool = False


def cards(
    data: Mapping[str, Any],
    previews: Sequence[Preview | None],
    faulty: Iterable[str],
    languages: Sequence[str],
) -> list[Card]:
    """Make the cards of a draft: a part stands before the first of its questions, an empty one at the end.

    Parameters
    ----------
    data : Mapping[str, Any]
        Of `draft_form`.
    previews : sequence of (Preview or None)
        Of its questions.
    faulty : iterable of str
        The fields that something is wrong with or missing in, each as often as there is.
    languages : sequence of str
        Those in which texts are shown, the first that has one.
    """
    wrong = Counter(map(panel_of, faulty))
    unnamed = {str(row) for row in range(len(data["sections"]))}
    found: list[Card] = []
    for index, question in enumerate(data["questions"]):
        if question["section"] in unnamed:
            unnamed.remove(question["section"])
            found.append(of_part(int(question["section"]), data, wrong, languages))
        seen = previews[index] if index < len(previews) else None
        text, language = first_text(question["wording"], languages)
        unit = first_text(question["unit"], languages)[0]
        found.append(
            Card(
                panel=f"question-{index + 1}",
                index=index,
                uid=question["uid"],
                text=text,
                language=language,
                kind=question["kind"],
                mechanism=question["mechanism"],
                epsilon=epsilon_of(seen) or left_to_the_plan(question["epsilon"], question["mechanism"]),
                margin=margin_of(seen, unit),
                faults=wrong[f"question-{index + 1}"],
                inside=question["section"] != ALONE,
            )
        )
    return [*found, *(of_part(int(row), data, wrong, languages) for row in sorted(unnamed, key=int))]


def of_part(row: int, data: Mapping[str, Any], wrong: Counter[str], languages: Sequence[str]) -> Card:
    """Make the card of a part."""
    section = data["sections"][row]
    text, language = first_text(section["title"], languages)
    panel = f"part-{row + 1}"
    return Card(panel, row, section["uid"], text or section["id"], language, faults=wrong[panel])


def first_text(texts: Mapping[str, str], languages: Sequence[str]) -> tuple[str, str]:
    """Return the first text that there is, and its language."""
    written = ((texts[code], code) for code in [*languages, *texts] if texts.get(code))
    text, code = next(written, ("", ""))
    return read_marks(text) or text, code


def epsilon_of(preview: Preview | None) -> str:
    """Write the loss of a question, shortly."""
    return f"ε = {amount(preview.epsilon)}" if preview else ""


def left_to_the_plan(epsilon: str, mechanism: str) -> str:
    """Say that the plan sets the epsilon of a question for which none was typed; nothing of others.

    Parameters
    ----------
    epsilon, mechanism : str
        As typed. Two coins have no epsilon to set.
    """
    return "" if epsilon or mechanism == "coin" else translate("editor.no_epsilon")


def margin_of(preview: Preview | None, unit: str) -> str:
    """Write the first margin of error of a question."""
    if preview is None or preview.comparison is None:
        return ""
    return next((measure_chosen(each, unit) for each in preview.comparison.margins), "")


def untranslated(data: Any, codes: Sequence[str]) -> dict[str, int]:
    """Count for each language the texts that another language has and this one lacks.

    Examples
    --------
    >>> untranslated({"title": {"en": "Rest", "ko": ""}, "options": [{"en": "", "ko": ""}]}, ["en", "ko"])
    {'en': 0, 'ko': 1}
    """
    counts = dict.fromkeys(codes, 0)
    for texts in texts_of(without_scales(data), set(codes)):
        written = {code for code in codes if texts.get(code)}
        for code in counts.keys() - written if written else ():
            counts[code] += 1
    return counts


def without_scales(data: Any) -> Any:
    """Leave out the texts of lines that are those of the first line of their scale."""
    questions = data.get("questions", [])
    own = [
        {**question, "options": [], "matrix_wording": {}} if is_line(questions, index) else question
        for index, question in enumerate(questions)
    ]
    return {**data, "questions": own}


def texts_of(data: Any, codes: set[str]) -> Iterator[Mapping[str, str]]:
    """Find all texts: tables from language to text."""
    if isinstance(data, Mapping):
        if codes & data.keys() and all(isinstance(each, str) for each in data.values()):
            yield data
        else:
            for each in data.values():
                yield from texts_of(each, codes)
    elif isinstance(data, list):
        for each in data:
            yield from texts_of(each, codes)


def written(data: Mapping[str, Any], offered: Sequence[str]) -> list[str]:
    """Return the languages that have fields to see: those that are ticked, and those with a text."""
    texts = list(texts_of({key: value for key, value in data.items() if key != "languages_"}, set(offered)))
    return [
        code
        for code in offered
        if code in (data["languages_"] or ()) or any(each.get(code) for each in texts)
    ]
