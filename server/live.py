"""What the editor's form would mean as it stands: the figures follow the slider, and nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from flask import render_template
from werkzeug.datastructures import MultiDict
from wtforms import Form

from server import offload
from server.catalogue import section
from server.forms.editor import PlanForm
from server.forms.faults import Fault
from server.forms.question import SETTINGS, question_form, question_table
from server.language import current, translate
from server.missing import missing
from server.preview import Preview, draft_preview, read, settings, total
from survey.fields import Problem
from survey.publication import canonical_json

NAME = re.compile(r"questions-(?P<index>[0-9]{1,3})-(?P<rest>(?P<key>[a-z_]+)(?:-(?P<part>.+))?)")
"""A field of a question, such as ``questions-0-epsilon`` or ``questions-0-options-2-en``."""

Table = Mapping[str, Any]
Faults = tuple[tuple[str, Fault], ...]
"""The names of fields, each with what is wrong."""


@dataclass
class Typed:
    """One question as typed: its settings as fields, and its texts."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def text(self, key: str, language: str) -> str:
        """Give a text in a language, or in another in which there is one."""
        prefix = f"{key}-"
        written = (text for name, text in self.texts.items() if name.startswith(prefix) and text.strip())
        return self.texts.get(prefix + language, "").strip() or next(written, "").strip()


@dataclass(frozen=True)
class Shown:
    """What is shown of one question.

    Attributes
    ----------
    preview : Preview or None
        None where a setting is missing or refused.
    problems : tuple of str
        What is missing, in words; nothing where the field itself says it.
    unit : str
        Of a number, in the language of the page.
    entry : bytes or None
        The question as it would be published, as JSON, for the respondent's own modules.
    """

    preview: Preview | None
    problems: tuple[str, ...] = ()
    unit: str = ""
    entry: bytes | None = None


def page(sent: MultiDict[str, str], changed: str) -> str:
    """Render the parts of the editor that follow its fields, each by itself.

    Parameters
    ----------
    sent : MultiDict
        The editor's form as it stands.
    changed : str
        The places of the questions to answer for, apart by commas; all of them where it says ``all``.
    """
    plan = PlanForm(sent)
    plan.validate()
    respondents = None if plan.respondents.errors else int(plan.respondents.data)
    questions = typed_questions(sent)
    checked = [check(tuple(each.fields)) for each in questions]
    previews = offload.run(figures, [table for table, _ in checked], respondents)
    wanted = (
        range(len(questions))
        if changed == "all"
        else [int(each) for each in changed.split(",") if each.isdecimal()]
    )
    shown = {
        index: show(index, questions[index], checked[index][0], previews[index])
        for index in wanted
        if index < len(questions)
    }
    faults = [(name, each) for name in plan.data for each in plan[name].errors]
    faults += [
        (f"questions-{n}-{name}", each) for n, (_, found) in enumerate(checked) for name, each in found
    ]
    return render_template(
        "editor_live.html",
        shown=shown,
        previews=previews,
        faults=faults,
        **budget_of(plan, previews),
    )


def typed_questions(sent: MultiDict[str, str]) -> list[Typed]:
    """Take the form apart by questions. Of an option's texts the first stands for it among the settings."""
    questions: dict[int, Typed] = {}
    for name, value in sent.items():
        found = NAME.fullmatch(name)
        if found is None:
            continue
        typed = questions.setdefault(int(found["index"]), Typed())
        if found["key"] not in SETTINGS:
            typed.texts[found["rest"]] = value
        elif found["part"] is None:
            typed.fields.append((found["rest"], value))
        else:
            typed.texts[found["rest"]] = value
            typed.fields.append((f"options-{found['part'].partition('-')[0]}-{FIRST}", ""))
    return [questions[index] for index in sorted(questions)]


FIRST = "en"
"""A language that every option has a field in here, whatever the draft's are: its text is not looked at."""


@lru_cache(maxsize=1024)
def check(fields: tuple[tuple[str, str], ...]) -> tuple[Table | None, Faults]:
    """Read the settings of one question by the form that saves them.

    Returns
    -------
    table : Mapping or None
        As it stands in a survey file, without texts; None where something is refused.
    faults : tuple
    """
    form: Form = question_form((FIRST,))(MultiDict(dict(fields)))
    form.validate()
    found = tuple(
        (name, each) for name in sorted(SETTINGS) for each in form[name].errors if isinstance(each, Fault)
    )
    return (None if found else question_table(form.data, [])), found


def figures(tables: list[Table | None], respondents: int | None) -> list[Preview | None]:
    """Give the preview of every question, without margins where it is not known how many will answer."""
    previews = [None if each is None else draft_preview(settings(each), respondents or 1) for each in tables]
    if respondents is None:
        return [None if each is None else replace(each, comparison=None) for each in previews]
    return previews


def budget_of(plan: PlanForm, previews: list[Preview | None]) -> Mapping[str, Any]:
    """Give the survey's total and its limit, as far as their fields can be read."""
    waves = None if plan.waves.errors else int(plan.waves.data)
    return {
        "sum_of_all": None if waves is None else total(previews, waves),
        "waves": waves,
        "limit": float(plan.limit.data) if plan.limit.data and not plan.limit.errors else None,
        "limit_known": not plan.limit.errors,
    }


def show(index: int, typed: Typed, table: Table | None, preview: Preview | None) -> Shown:
    """Put together what is shown of one question."""
    if table is None:
        return Shown(None)
    reading = read(settings(table))
    if preview is None:
        problems = (replace(each, key=f"questions[{index}].{each.key}") for each in reading.problems)
        return Shown(None, tuple(dict.fromkeys(map(said, problems))))
    language = current()
    entry = {**table, **texts_of(typed, table, language), **reading.published}
    return Shown(preview, unit=typed.texts.get(f"unit-{language}", ""), entry=canonical_json(entry))


def said(problem: Problem) -> str:
    """Say what is missing of a question, without its number."""
    return missing(problem).partition(": ")[2]


def texts_of(typed: Typed, table: Table, language: str) -> dict[str, Any]:
    """Give the texts of a question in one language, with something where one is missing."""
    texts: dict[str, Any] = {
        "id": "draft",
        "wording": {language: typed.text("wording", language) or translate("editor.seen.wording")},
    }
    if "options" in table:
        names = dict.fromkeys(
            name.rpartition("-")[0] for name, _ in typed.fields if name.startswith("options-")
        )
        texts["options"] = [
            {language: typed.text(name, language) or translate("editor.option", n=n)}
            for n, name in enumerate(names, 1)
        ]
    return texts | {key: {language: text} for key in ("note", "unit") if (text := typed.text(key, language))}


def messages() -> bytes:
    """Give the words of the respondent's page in the language of this one, as the JSON of an island."""
    return canonical_json({current(): dict(section(current(), "respond"))})
