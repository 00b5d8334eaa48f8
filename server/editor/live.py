"""What the editor's form would mean as it stands: the figures follow the slider, and nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from flask import render_template
from werkzeug.datastructures import MultiDict
from wtforms import Form

from server.editor.cards import epsilon_of, left_to_the_plan, margin_of
from server.editor.missing import missing, worded, wrong
from server.editor.preview import Preview, together
from server.editor.reading import Reading, read, settings
from server.editor.whole import is_for_the_plan
from server.editor.wording import Hint, hints
from server.forms.editor import PlanForm
from server.forms.faults import Fault
from server.forms.marks import read as read_marks
from server.forms.picture import picture_table
from server.forms.question import SETTINGS, question_form, question_table
from server.forms.section import Parts
from server.language.catalogue import section
from server.language.request_language import current, translate
from server.runtime import offload
from survey.fields import Problem
from survey.privacy import guess, plain_sum
from survey.publication import canonical_json
from survey.question.question import MARKED
from survey.section import MOST_QUESTIONS

NAME = re.compile(r"questions-(?P<index>[0-9]{1,3})-(?P<rest>(?P<key>[a-z_]+)(?:-(?P<part>.+))?)")
"""A field of a question, such as ``questions-0-epsilon`` or ``questions-0-options-2-en``."""

ROW = re.compile(r"sections-(?P<index>[0-9]{1,3})-.+")
"""A field of a part."""

PLACE = re.compile(r"[0-9]{1,3}")

Table = Mapping[str, Any]
Settings = tuple[tuple[str, str], ...]
"""The names and the values of a question's fields."""
Faults = tuple[tuple[str, Fault], ...]
"""The names of fields, each with what is wrong."""


@dataclass
class Typed:
    """One question as typed: its settings as fields, and its texts."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def text(self, key: str, language: str) -> str:
        """Return a text in a language, or in another language that has one."""
        prefix = f"{key}-"
        written = (text for name, text in self.texts.items() if name.startswith(prefix) and text.strip())
        return self.texts.get(prefix + language, "").strip() or next(written, "").strip()


@dataclass(frozen=True)
class Assessment:
    """The settings of one question, checked.

    Attributes
    ----------
    table : Mapping or None
        As in a survey file, without texts; None where the form refuses something.
    faults : tuple
        What is refused, by the form or because the settings do not go together.
    reading : Reading
    preview : Preview or None
        With margins where they were asked for; None where a setting is missing or refused.
    """

    table: Table | None
    faults: Faults
    reading: Reading
    preview: Preview | None


@dataclass(frozen=True)
class QuestionView:
    """What is shown of one question.

    Attributes
    ----------
    preview : Preview or None
        None where a setting is missing or refused.
    missing : tuple of str
        What is missing, in words.
    planned : bool
        Whether its epsilon is left to the plan.
    marked : bool
        Whether a field says what is wrong with it.
    unit : str
        Of a number, in the language of the page.
    entry : bytes or None
        The question as it would be published, as JSON, for the respondent's own modules.
    hints : tuple of Hint
        What is worth another look in its texts.
    """

    preview: Preview | None
    missing: tuple[str, ...] = ()
    planned: bool = False
    marked: bool = False
    unit: str = ""
    entry: bytes | None = None
    hints: tuple[Hint, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether the comparison with the other mechanisms is still to be asked for."""
        comparison = self.preview.comparison if self.preview else None
        return comparison is not None and not comparison.complete


def live_parts(sent: MultiDict[str, str], changed: str, in_full: bool) -> str:
    """Render the parts of the editor that follow its fields, each by itself.

    A page that has a question open is told all of that one; of the others, what their cards say.

    Parameters
    ----------
    sent : MultiDict
        The editor's form as it stands.
    changed : str
        The places of the questions to answer for, apart by commas; all of them where it says ``all``.
    in_full : bool
        Whether to compare the other mechanisms even where that takes longer than a slider should wait.
    """
    plan = PlanForm(sent)
    plan.validate()
    respondents = None if plan.respondents.errors else int(plan.respondents.data)
    questions = typed_questions(sent)
    wanted = wanted_of(changed, len(questions))
    typed = [tuple(each.fields) for each in questions]
    asked_together = typed_parts(sent, questions, plan)
    chances = [asked_together.chance(n) if n in wanted else None for n in range(len(questions))]
    checked = offload.compute(assess_all, typed, respondents, chances, in_full)
    faults = [(name, each) for name in plan.data for each in plan[name].errors]
    faults += [
        (f"questions-{n}-{name}", fault) for n, each in enumerate(checked) for name, fault in each.faults
    ]
    previews = [each.preview for each in checked]
    return render_template(
        "editor/live.html",
        shown={
            index: replace(view_of(index, questions[index], checked[index]), hints=hints_of(questions[index]))
            for index in sorted(wanted)
            if sent.get("open", f"question-{index + 1}") == f"question-{index + 1}"
        },
        cards=[card_of(questions[index], checked[index]) for index in sorted(wanted)],
        previews=previews,
        unplanned=sum(map(lacks_epsilon, questions)),
        faults=[(name, worded(each)) for name, each in faults],
        **budget_of(plan, previews, asked_together),
    )


def wanted_of(changed: str, questions: int) -> set[int]:
    """Read which questions are to be answered for.

    Examples
    --------
    >>> wanted_of("all", 2), wanted_of("1,7,total", 2), wanted_of("9" * 5000, 2)
    ({0, 1}, {1}, set())
    """
    if changed == "all":
        return set(range(questions))
    named = {int(each) for each in changed.split(",") if PLACE.fullmatch(each)}
    return named & set(range(questions))


def typed_questions(sent: MultiDict[str, str]) -> list[Typed]:
    """Take the form apart by questions. Of an option's texts the first stands for it among the settings."""
    questions: dict[int, Typed] = {}
    for name, value in sent.items():
        found = NAME.fullmatch(name)
        if found is None or (int(found["index"]) not in questions and len(questions) == MOST_QUESTIONS):
            continue
        typed = questions.setdefault(int(found["index"]), Typed())
        if found["key"] not in SETTINGS:
            typed.texts[found["rest"]] = value
        elif found["part"] is None:
            typed.fields.append((found["rest"], value))
        else:
            typed.texts[found["rest"]] = value
            typed.fields.append((f"options-{found['part'].partition('-')[0]}-{FIRST}", ""))
    in_order = [questions[index] for index in sorted(questions)]
    for before, each in pairwise(in_order):  # the scale of a group is that of its first
        if each.texts.get("matrix") and each.texts["matrix"] == before.texts.get("matrix"):
            each.fields = before.fields
    return in_order


def typed_parts(sent: MultiDict[str, str], questions: list[Typed], plan: PlanForm) -> Parts:
    """Read which questions are asked together; a part that has no row is none."""
    rows = {int(found["index"]) for name in sent if (found := ROW.fullmatch(name))}
    return Parts(
        tuple((each.texts.get("section", ""), each.texts.get("matrix", "")) for each in questions),
        tuple(f"sections-{row}-always" in sent for row in range(max(rows, default=-1) + 1)),
        int(plan.asked.data) if plan.asked.data and not plan.asked.errors else None,
    )


FIRST = "en"
"""A language that every option has a field in here, whatever the draft's are: its text is not looked at."""


@lru_cache(maxsize=1024)
def read_settings(fields: Settings) -> tuple[Table | None, Faults]:
    """Read the settings of one question by the form that saves them.

    Returns
    -------
    table : Mapping or None
        As in a survey file, without texts; None where something is refused.
    faults : tuple
    """
    form: Form = question_form((FIRST,))(MultiDict(dict(fields)))
    form.validate()
    found = tuple(
        (name, each) for name in sorted(SETTINGS) for each in form[name].errors if isinstance(each, Fault)
    )
    return (None if found else question_table(form.data, [])), found


def assess_all(
    typed: list[Settings], respondents: int | None, chances: list[float | None], in_full: bool
) -> list[Assessment]:
    """Check every question; those that a person has a known chance to be asked get margins."""
    return [
        assess(fields, respondents, chance, in_full) for fields, chance in zip(typed, chances, strict=True)
    ]


def assess(fields: Settings, respondents: int | None, chance: float | None, in_full: bool) -> Assessment:
    """Check one question: by its form, then as what would be published."""
    table, faults = read_settings(fields)
    if table is None:
        return Assessment(None, faults, Reading(), None)
    reading = read(settings(table))
    faults = tuple(
        (each.path, Fault(message, {}))
        for each in reading.problems
        if refused(each) and (message := wrong(each.rule))
    )
    known = reading.known
    if known is None:
        return Assessment(table, faults, reading, None)
    if respondents is None or chance is None:
        return Assessment(table, faults, reading, known.preview)
    preview = known.at(respondents, chance, in_full)
    return Assessment(table, faults, reading, preview)


REFUSED = frozenset({"epsilon", "step", "utility"})
"""Settings that may be right by themselves and wrong with the others."""


def refused(problem: Problem) -> bool:
    """Return whether something was typed that does not fit the other settings."""
    return problem.path in REFUSED and wrong(problem.rule) is not None


def budget_of(plan: PlanForm, previews: list[Preview | None], asked_together: Parts) -> Mapping[str, Any]:
    """Return the survey's total and its limit, as far as their fields can be read."""
    waves = None if plan.waves.errors else int(plan.waves.data)
    reports = together(previews, asked_together)
    return {
        "sum_of_all": None if waves is None else plain_sum(reports, waves),
        "guess_of_all": None if waves is None else guess(reports, waves),
        "parts": asked_together if asked_together.samples else None,
        "waves": waves,
        "limit": float(plan.limit.data) if plan.limit.data and not plan.limit.errors else None,
        "limit_known": not plan.limit.errors,
    }


@dataclass(frozen=True)
class CardFigures:
    """What a card says of a question: its name on the page, epsilon and margin as written."""

    uid: str
    epsilon: str
    margin: str


def card_of(typed: Typed, checked: Assessment) -> CardFigures:
    """Write the figures of a card."""
    preview, fields = checked.preview, dict(typed.fields)
    by_plan = left_to_the_plan(fields.get("epsilon", ""), fields.get("mechanism", ""))
    return CardFigures(
        typed.texts.get("uid", ""),
        epsilon_of(preview) or by_plan,
        margin_of(preview, typed.text("unit", current())),
    )


def lacks_epsilon(typed: Typed) -> bool:
    """Return whether the plan is to set the epsilon of a question."""
    fields = dict(typed.fields)
    return not (fields.get("epsilon", "").strip() or fields.get("mechanism") == "coin")


def view_of(index: int, typed: Typed, checked: Assessment) -> QuestionView:
    """Put together what is shown of one question."""
    table, reading = checked.table, checked.reading
    if table is None:
        return QuestionView(None, marked=True)
    if reading.known is None:
        found = [each for each in reading.problems if not refused(each)]
        named = [replace(each, path=f"questions[{index}].{each.path}") for each in found]
        planned = any(map(is_for_the_plan, named))
        problems = [each for each in named if not is_for_the_plan(each)]
        absent = (key for key in ENDS if table["kind"] == "number" and key not in table)
        problems += [Problem(f"questions[{index}].{key}", "finite", {}, None) for key in absent]
        return QuestionView(
            None, tuple(dict.fromkeys(map(missing_words, problems))), planned, bool(checked.faults)
        )
    language = current()
    entry = {**table, **texts_of(typed, table, language), **reading.known.published}
    unit = typed.texts.get(f"unit-{language}", "")
    return QuestionView(checked.preview, unit=unit, entry=canonical_json(entry))


def hints_of(typed: Typed) -> tuple[Hint, ...]:
    """Return what is worth another look in the texts of a question, as they are typed.

    A line of several on one scale is no sentence of its own, and gets no advice.
    """
    if typed.texts.get("matrix", "") or dict(typed.fields).get("matrix", ""):
        return ()
    texts: dict[str, dict[str, str]] = {}
    for name, text in typed.texts.items():
        key, _, language = name.partition("-") if not name.startswith("options-") else name.rpartition("-")
        texts.setdefault(key, {})[language] = text
    options = [each for key, each in texts.items() if key.startswith("options-")]
    kind = dict(typed.fields).get("kind", "")
    return hints(texts.get("wording", {}), texts.get("note", {}), kind, options)


ENDS = ("low", "high", "step")
"""Of a grid; reading it stops at the first that is missing."""


def missing_words(problem: Problem) -> str:
    """List what a question lacks, without its number."""
    return missing(problem).partition(": ")[2]


def picture_of(typed: Typed) -> dict[str, Any]:
    """Return the picture of a question, if it has one; its description apart."""
    named = {key: typed.texts.get(f"picture-{key}", "") for key in ("sha256", "type", "width", "height")}
    return picture_table({**named, "alt": {}}, [])


def texts_of(typed: Typed, table: Table, language: str) -> dict[str, Any]:
    """Return the texts of a question in one language, with a stand-in for any that is missing."""
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
    others = {key: typed.text(key, language) for key in ("note", "help", "unit")}
    texts |= {key: {language: text} for key, text in others.items() if text}
    if picture := picture_of(typed):
        texts["picture"] = picture | {"alt": {language: typed.text("picture-alt", language)}}
    trees = {text.source: text.nodes for text in map(read_marks, written(texts)) if text}
    return texts | ({"nodes": trees} if trees else {})


def written(texts: Mapping[str, Any]) -> Iterator[str]:
    """List the texts of a question that may have marks."""
    return (text for key in MARKED for text in texts.get(key, {}).values())


SPOKEN = re.compile(
    r"kind\.\w+\.name|mechanism\.\w+\.name|question|part|no_questions|ready|open|try|missing\.title"
)
"""Messages of the editor that its script says."""


def messages() -> bytes:
    """Return what the script says in this page's language, as the JSON of an island.

    Those of the respondents' page are among them: its own modules draw the view of a question.
    """
    language = current()
    editor = {key: each for key, each in section(language, "editor").items() if SPOKEN.fullmatch(key)}
    named = {f"editor.{key}": each for key, each in editor.items()}
    named |= {f"outline.{key}": each for key, each in section(language, "outline").items()}
    return canonical_json({language: dict(section(language, "respond")) | named})
