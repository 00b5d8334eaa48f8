"""What an admin types into the editor: a draft, which may be incomplete but not wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from wtforms import (
    BooleanField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    RadioField,
    SelectMultipleField,
    StringField,
    TextAreaField,
)

from server.forms.day import check_day
from server.forms.faults import fault
from server.forms.grouping import only_first, regroup, say_once
from server.forms.marks import as_typed, version_of
from server.forms.numbers import is_whole, readable, real
from server.forms.question import languages_of, question_form, question_table, typed_question
from server.forms.rows import Row
from server.forms.section import ALONE, apart, section_form, section_table, together, typed_section
from server.forms.state import State, carried, state_of
from server.forms.texts import texts_form, tidy, written_texts
from survey.definition import MARKED, OUTCOMES, TEXTS
from survey.invitations import LISTED
from survey.limits import LONGEST_SLUG
from survey.privacy.budget import MOST_WAVES
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.read_definition import LARGEST_LIMIT, LONGEST_ADDRESS, OPTIONAL_TEXTS, SLUG, STEP, is_web_address
from survey.section import MOST_QUESTIONS
from survey.section import TEXTS as SECTION_TEXTS

LARGEST_STEP = 1_000_000
EXPECTED = 1000
"""How many respondents margins of error are shown for, unless the admin expects another number."""
MOST_EXPECTED = 100_000_000

AFTER, BEFORE = OUTCOMES

LEAST_TIMES, MOST_TIMES = 51, 99
"""Times in 100 that a limit of the planner may be."""

Table = dict[str, Any]
"""A survey file's tables; a draft may lack some."""


def check_slug(form: Form, field: Field) -> None:
    """Check the last part of the survey's address: also a draft has one."""
    if not (SLUG.fullmatch(field.data) and len(field.data) <= LONGEST_SLUG):
        raise fault("editor.error.slug", most=LONGEST_SLUG, value=field.data)


def as_address(text: str) -> str:
    """Write words as the last part of an address, where they differ from one in capitals and spaces alone.

    Examples
    --------
    >>> as_address("Thirty Questions"), as_address("Thirty questions?")
    ('thirty-questions', 'Thirty questions?')
    """
    joined = re.sub(r"[\s_-]+", "-", text.lower())
    return joined if SLUG.fullmatch(joined) else text


class NewSurveyForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The address of a new draft, which may be typed as a title is."""

    slug = StringField(filters=[tidy, as_address], validators=[check_slug])


class ImportForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A survey file as text; an upload takes its place."""

    text = TextAreaField(filters=[tidy])
    leave_out = BooleanField()


def check_respondents(form: Form, field: Field) -> None:
    """Check the number of respondents that is expected."""
    if not is_whole(field.data, 1, MOST_EXPECTED):
        raise fault("editor.error.respondents", most=MOST_EXPECTED, value=field.data)


def check_times(field: Field) -> None:
    """Check a limit in times of 100; one that was not sent is the usual one."""
    field.data = field.data or field.default
    if not is_whole(field.data, LEAST_TIMES, MOST_TIMES):
        raise fault("editor.error.times", low=LEAST_TIMES, high=MOST_TIMES, value=field.data)


class PlanningForm(Form):  # type: ignore[misc]  # WTForms has no types
    """What a whole draft is planned for, and the draft that was."""

    basis = HiddenField()
    asked = HiddenField(filters=[tidy])
    total = StringField(filters=[tidy])
    right = StringField(filters=[tidy], default=str(MOST_RIGHT))
    telling = StringField(filters=[tidy], default=str(MOST_TELLING))
    respondents = StringField(filters=[tidy], validators=[check_respondents])

    def wanted(self) -> tuple[float, int, int, int, int | None]:
        """Return total, respondents, both limits and the number of parts of a form that is valid."""
        asked = int(self.asked.data) if is_whole(self.asked.data, 1, MOST_QUESTIONS) else None
        limits = int(self.right.data), int(self.telling.data)
        return float(self.total.data), int(self.respondents.data), *limits, asked

    def validate_right(self, field: Field) -> None:
        """Check how often a guess may be right on average."""
        check_times(field)

    def validate_telling(self, field: Field) -> None:
        """Check how often a guess may be right after the most telling result."""
        check_times(field)

    def validate_total(self, field: Field) -> None:
        """Check the most epsilon that one person may lose."""
        if not 0 < (readable(field.data) or 0) <= LARGEST_LIMIT:
            raise fault("editor.error.total", most=f"{LARGEST_LIMIT:.0f}", value=field.data)


class PlanForm(Form):  # type: ignore[misc]  # WTForms has no types
    """What the figures of all questions depend on: who is asked how often, and what it may cost them."""

    limit = StringField(filters=[tidy])
    waves = StringField(filters=[tidy], default="1")
    respondents = StringField(filters=[tidy], default=str(EXPECTED), validators=[check_respondents])
    asked = StringField(filters=[tidy])

    def validate_limit(self, field: Field) -> None:
        """Check the largest epsilon that the survey may cost one person, if there is to be one."""
        if field.data and not 0 < (readable(field.data) or 0) <= LARGEST_LIMIT:
            raise fault("editor.error.limit", most=f"{LARGEST_LIMIT:.0f}", value=field.data)

    def validate_waves(self, field: Field) -> None:
        """Check how often the same people are asked."""
        if not is_whole(field.data, 1, MOST_WAVES):
            raise fault("editor.error.waves", most=MOST_WAVES, value=field.data)

    def validate_asked(self, field: Field) -> None:
        """Check how many parts a person is asked, where that is not all of them."""
        if field.data and not is_whole(field.data, 1, MOST_QUESTIONS):
            raise fault("editor.error.asked", most=MOST_QUESTIONS, value=field.data)


@cache
def draft_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of a whole draft.

    Parameters
    ----------
    languages : tuple of str
        The languages that have fields, in order; the draft itself chooses among them.

    Notes
    -----
    Every field holds the text that was typed, so that a form can be shown again with nothing lost;
    `table` reads the values.
    """

    class DraftForm(PlanForm):
        """A draft but for its texts, which are added below: a form of their own for each."""

        basis = HiddenField()
        slug = StringField(filters=[tidy], validators=[check_slug])
        languages_ = SelectMultipleField(name="languages", choices=list(languages), validate_choice=False)
        step = StringField(filters=[tidy], default=str(STEP))
        reports_while_open = BooleanField()
        quick_exit = BooleanField()
        quick_exit_to = StringField(filters=[tidy])
        outcome_before = BooleanField()
        kept_until = StringField(filters=[tidy], validators=[check_day])
        invited = BooleanField()
        invited_listed = BooleanField()
        add_kind = RadioField(choices=[], default="yes_no", validate_choice=False)
        sections = FieldList(Row(section_form(languages)), max_entries=MOST_QUESTIONS)
        questions = FieldList(Row(question_form(languages)), max_entries=MOST_QUESTIONS)

        def process(self, *args: Any, **values: Any) -> None:
            """Take what was typed, and make the questions of each group alike."""
            super().process(*args, **values)
            regroup(self.questions)

        def validate(self, *args: Any, **values: Any) -> bool:
            """Check every field; what is wrong with a scale is said once."""
            valid: bool = super().validate(*args, **values)
            say_once(self.questions)
            return valid

        def validate_languages_(self, field: Field) -> None:
            """Check that there is a language, and that none is left out in which something is written."""
            if not field.data or set(field.data) - set(languages):
                raise fault("editor.error.languages", allowed=", ".join(languages))
            for code in set(languages) - set(field.data):
                if code in languages_with_texts(self.data):
                    raise fault("editor.error.language_has_texts", spoken=code)

        def validate_step(self, field: Field) -> None:
            """Check how many respondents make a step of the results."""
            if not is_whole(field.data, 1, LARGEST_STEP):
                raise fault("editor.error.step", most=LARGEST_STEP, value=field.data)

        def validate_quick_exit_to(self, field: Field) -> None:
            """Check the address that the quick exit leads to, if there is one."""
            if field.data and not is_web_address(field.data):
                raise fault("editor.error.quick_exit", most=LONGEST_ADDRESS, value=field.data)

        def validate_invited_listed(self, field: Field) -> None:
            """Check that no download before the close shows who sent what."""
            if self.invited.data and field.data and self.reports_while_open.data:
                raise fault("invitations.error.listed")

        def validate_questions(self, field: FieldList) -> None:
            """Check that no two questions have the same name, and that each is in a part that is there."""
            seen: set[str] = set()
            places = {ALONE, *map(str, range(len(self.sections.entries)))}
            for entry in field.entries:
                name, part = entry.value("id"), entry.value("section")
                if part not in places:
                    wrong = fault("editor.error.section", value=part)
                    entry.form["section"].errors = [wrong.args[0]]
                    raise wrong
                if name and name in seen:
                    wrong = fault("editor.error.id_twice", value=name)
                    entry.form["id"].errors = (*entry.form["id"].errors, wrong.args[0])
                    raise wrong
                seen.add(name)

    texts = {name: FormField(texts_form(languages, most, name in MARKED)) for name, most in TEXTS.items()}
    return type("DraftForm", (DraftForm,), texts)


def typed(draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields show for a draft: the inverse of `table`."""
    draft = as_typed(draft)
    results, budget = draft.get("results", {}), draft.get("budget", {})
    rows, questions = apart(draft)
    return {name: draft.get(name, {}) for name in TEXTS} | {
        "slug": draft.get("slug", ""),
        "languages_": list(draft.get("languages", [])),
        "step": str(results.get("step", STEP)),
        "reports_while_open": results.get("reports_while_open", False),
        "quick_exit": bool(draft.get("quick_exit")),
        "quick_exit_to": to if isinstance(to := draft.get("quick_exit"), str) else "",
        "outcome_before": draft.get("outcome") == BEFORE,
        "kept_until": draft.get("kept_until", ""),
        "invited": bool(draft.get("invitations")),
        "invited_listed": draft.get("invitations") == LISTED,
        "limit": repr(budget["limit"]) if "limit" in budget else "",
        "waves": str(budget.get("waves", 1)),
        "asked": str(draft.get("asked", "")),
        "sections": [typed_section(row) for row in rows],
        "questions": [typed_question(question) | {"section": place} for place, question in questions],
    }


def replaced(draft: Mapping[str, Any], before: Mapping[str, Any], was: State | None) -> State:
    """Return the state of a draft that takes another's place; questions of the same name stay what they are.

    Parameters
    ----------
    draft, before : Mapping[str, Any]
        The tables of the draft and of the other.
    was : dict or None
        What was typed into the other, if that is known.
    """
    return carried(state_of(typed(draft)), was or state_of(typed(before)))


def draft_table(data: Mapping[str, Any]) -> Table:
    """Read a valid form's data as the tables of a survey file, without what is empty.

    Parameters
    ----------
    data : Mapping[str, Any]
        ``form.data`` of a form that validated.
    """
    languages = data["languages_"]
    quick_exit = data["quick_exit_to"] or data["quick_exit"]
    draft: Table = {"slug": data["slug"], "languages": languages}
    draft |= {"asked": int(data["asked"])} if data["asked"] else {}
    draft |= {"quick_exit": quick_exit} if quick_exit else {}
    draft |= {"kept_until": data["kept_until"]} if data["kept_until"] else {}
    draft |= {"outcome": BEFORE if data["outcome_before"] else AFTER}
    draft |= {"invitations": LISTED if data["invited_listed"] else True} if data["invited"] else {}
    for name in TEXTS:
        texts = written_texts(data[name], languages)
        if texts or name not in OPTIONAL_TEXTS:
            draft[name] = texts
    draft["results"] = {"step": int(data["step"]), "reports_while_open": data["reports_while_open"]}
    if budget := budget_table(data):
        draft["budget"] = budget
    rows = [section_table(row, languages) for row in data["sections"]]
    questions = [(each["section"], question_table(each, languages)) for each in data["questions"]]
    only_first(questions)
    draft |= together(rows, questions)
    return {"candor": version_of(draft)} | draft


def budget_table(data: Mapping[str, Any]) -> Table:
    """Read limit and waves, without what a survey has that says nothing of them."""
    limit = {"limit": real(data["limit"])} if data["limit"] else {}
    return limit | ({"waves": int(data["waves"])} if int(data["waves"]) != 1 else {})


def languages_with_texts(data: Mapping[str, Any]) -> set[str]:
    """Find the languages in which something was typed: dropping one would lose its texts."""
    texts = [data[name] for name in TEXTS]
    texts += [row[name] for row in data["sections"] for name in SECTION_TEXTS]
    written_in = {code for each in texts for code, text in each.items() if text}
    return written_in.union(*map(languages_of, data["questions"]))
