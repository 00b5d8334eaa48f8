"""What an admin types for one question: fields for every kind, of which those of its kind count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from wtforms import (
    BooleanField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    RadioField,
    StringField,
    TextAreaField,
)

from server.forms.faults import fault
from server.forms.numbers import is_whole, number, readable, real, square
from server.forms.picture import picture_form, picture_table, typed_picture
from server.forms.texts import texts_form, tidy, written_texts
from survey.channel import MAXIMUM_EPSILON, require_epsilon
from survey.limits import LONGEST_HELP, LONGEST_OPTION, LONGEST_TEXT
from survey.mechanisms import grid_points
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.mechanisms.independent_boxes import MOST_BOXES, SCOPES
from survey.mechanisms.subset_selection import MOST_CATEGORIES
from survey.question import IDENTIFIER, KINDS, RESERVED
from survey.question.choice import MOST_OPTIONS
from survey.question.number import LONGEST_UNIT
from survey.question.question import MARKED
from survey.rules import Refusal

MECHANISMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {kind: question.mechanisms for kind, question in KINDS.items()}
)
"""Kind -> the mechanisms that suit it."""

FIRST = MappingProxyType(
    {"yes_no": "spinner_coin", "choice": "wheel", "boxes": "sampled_box", "number": "hybrid"}
)
"""The mechanism that a new question starts with."""

MOST = MappingProxyType({"choice": MOST_OPTIONS, "boxes": MOST_BOXES})
"""How many options a question may have."""

SKIPS = ("randomized", "apart")

OF_KIND: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "yes_no": frozenset({"by_hand"}),
        "choice": frozenset({"options", "ordered"}),
        "boxes": frozenset({"options"}),
        "number": frozenset({"low", "high", "step", "unit"}),
    }
)
OF_MECHANISM: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "subset": frozenset({"size"}),
        "exponential": frozenset({"utility"}),
        "per_box": frozenset({"scope"}),
        "gaussian": frozenset({"delta"}),
    }
)
EVERYWHERE = frozenset({"epsilon", "skip"})
SETTINGS = frozenset(
    {"kind", "mechanism", *EVERYWHERE}.union(*OF_KIND.values(), *OF_MECHANISM.values()) - {"unit"}
)
"""Every field but the name and the texts: what a question's figures depend on."""


def asked(kind: str, mechanism: str) -> frozenset[str]:
    """Return the keys that a question of this kind with this mechanism has. Other input does not count.

    Examples
    --------
    >>> sorted(asked("boxes", "per_box"))
    ['epsilon', 'options', 'scope', 'skip']
    """
    found = EVERYWHERE | OF_KIND.get(kind, frozenset())
    if mechanism in MECHANISMS.get(kind, ()):
        found |= OF_MECHANISM.get(mechanism, frozenset())
    return found - {"epsilon"} if mechanism == "coin" else found


def skips(kind: str, mechanism: str) -> tuple[str, ...]:
    """Return the ways to record a skip: as one more option only where a report names options."""
    randomized = kind in {"yes_no", "choice"} and mechanism not in {"coin", "exponential"}
    return SKIPS if randomized else SKIPS[1:]


Check = Callable[[Form, Field], None]


def where_asked(check: Check) -> Check:
    """Run a check only on a field of the question's kind and mechanism in which something was typed."""

    def checked(form: Form, field: Field) -> None:
        """Run the check, or leave it out."""
        if field.data and field.short_name in asked(form.kind.data, form.mechanism.data):
            check(form, field)

    return checked


@cache
def question_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of one question."""
    texts = texts_form(languages, LONGEST_TEXT, may_have_marks=True)

    class QuestionForm(Form):  # type: ignore[misc]  # WTForms has no types
        """One question: the fields of every kind, of which only its own kind's are read."""

        uid = HiddenField(default="")
        kind = HiddenField(default="yes_no")
        id = StringField(filters=[tidy])
        section = StringField(default="")
        wording = FormField(texts)
        note = FormField(texts)
        help = FormField(texts_form(languages, LONGEST_HELP, may_have_marks=True))
        picture = FormField(picture_form(languages))
        options = FieldList(FormField(texts_form(languages, LONGEST_OPTION)), max_entries=max(MOST.values()))
        ordered = BooleanField()
        low = StringField(filters=[tidy])
        high = StringField(filters=[tidy])
        step = StringField(filters=[tidy])
        unit = FormField(texts_form(languages, LONGEST_UNIT))
        mechanism = RadioField(choices=[], default=FIRST["yes_no"], validate_choice=False)
        epsilon = StringField(filters=[tidy])
        delta = StringField(filters=[tidy])
        size = StringField(filters=[tidy])
        utility = TextAreaField(filters=[tidy])
        scope = RadioField(choices=list(SCOPES), default=SCOPES[0], validate_choice=False)
        skip = RadioField(choices=["", *SKIPS], default="", validate_choice=False)
        by_hand = BooleanField()
        matrix = HiddenField(default="")
        matrix_wording = FormField(texts)

        def validate_kind(self, field: Field) -> None:
            """Check that there is such a kind."""
            if field.data not in MECHANISMS:
                raise fault("editor.error.kind", allowed=", ".join(MECHANISMS), value=field.data)

        def validate_id(self, field: Field) -> None:
            """Check the name, if it has one yet: it is a column of the files, so some are taken."""
            if field.data and not IDENTIFIER.fullmatch(field.data):
                raise fault("editor.error.id", value=field.data)
            if field.data in RESERVED:
                raise fault("editor.error.id_reserved", value=field.data)

        def validate_matrix(self, field: Field) -> None:
            """Check the name of its group, which no page lets anybody type."""
            if field.data and not IDENTIFIER.fullmatch(field.data):
                raise fault("editor.error.id", value=field.data)

        def validate_options(self, field: FieldList) -> None:
            """Check that there are not more options than the kind takes."""
            most = MOST.get(self.kind.data)
            if most is not None and len(field.entries) > most:
                raise fault("editor.error.options", most=most, n=len(field.entries))

        def validate_mechanism(self, field: Field) -> None:
            """Check that the mechanism is one of the kind, and that it suits the options."""
            if field.data not in MECHANISMS.get(self.kind.data, (field.data,)):
                raise fault("editor.error.mechanism", value=field.data)
            if field.data == "exponential" and not self.ordered.data:
                raise fault("editor.error.unordered")
            if field.data == "subset" and self.categories() > MOST_CATEGORIES:
                raise fault("editor.error.subset", most=MOST_CATEGORIES, n=self.categories())

        @where_asked
        def validate_epsilon(self, field: Field) -> None:
            """Check that epsilon is a number that a question may have."""
            try:
                require_epsilon(readable(field.data))
            except ValueError:
                raise fault("editor.error.epsilon", most=f"{MAXIMUM_EPSILON:g}", value=field.data) from None

        @where_asked
        def validate_delta(self, field: Field) -> None:
            """Check that delta is a probability."""
            try:
                require_delta(readable(field.data))
            except Refusal:
                raise fault("editor.error.delta", value=field.data) from None

        @where_asked
        def validate_low(self, field: Field) -> None:
            """Check that the low end is a number below the high end."""
            check_number(field)
            refusal = self.grid_refusal(step=1)
            if refusal is not None and refusal.parameter == "low":
                raise fault("editor.error.low", high=self.high.data, value=field.data)

        @where_asked
        def validate_high(self, field: Field) -> None:
            """Check that the high end is a number."""
            check_number(field)

        @where_asked
        def validate_step(self, field: Field) -> None:
            """Check that whole steps lead from one end to the other."""
            check_number(field)
            refusal = self.grid_refusal(readable(field.data))
            if refusal is not None and refusal.parameter == "step":
                values = {"low": self.low.data, "high": self.high.data, "value": field.data}
                raise fault("editor.error.grid", **values)

        @where_asked
        def validate_size(self, field: Field) -> None:
            """Check that a set is smaller than all there is to report."""
            most = max(1, self.categories() - 1)
            if not is_whole(field.data, 1, most):
                raise fault("editor.error.size", most=most, value=field.data)

        @where_asked
        def validate_utility(self, field: Field) -> None:
            """Check that the utilities are a square of numbers, a row and a column for each option."""
            try:
                square(field.data, len(self.options.entries))
            except ValueError:
                raise fault("editor.error.utility", n=len(self.options.entries), value=field.data) from None

        @where_asked
        def validate_scope(self, field: Field) -> None:
            """Check what epsilon is meant for."""
            if field.data not in SCOPES:
                raise fault("editor.error.scope", allowed=", ".join(SCOPES), value=field.data)

        @where_asked
        def validate_skip(self, field: Field) -> None:
            """Check that a skip can travel like that with this mechanism."""
            if field.data not in SKIPS:
                raise fault("editor.error.skip", allowed=", ".join(SKIPS), value=field.data)
            if field.data not in skips(self.kind.data, self.mechanism.data):
                raise fault("editor.error.skip_randomized")
            if field.data == "randomized" and self.kind.data == "yes_no" and self.by_hand.data:
                raise fault("editor.error.skip_by_hand")

        def categories(self) -> int:
            """Count what a report of one choice may name: the options, and a skip that travels as one."""
            options: int = len(self.options.entries)
            return options + int(self.skip.data == "randomized")

        def grid_refusal(self, step: float | None) -> Refusal | None:
            """Return why there is no such grid; None where there is one, or an end is no number."""
            low, high = readable(self.low.data), readable(self.high.data)
            if low is None or high is None or step is None:
                return None
            try:
                grid_points(low, high, step)
            except Refusal as refusal:
                return refusal
            return None

    return QuestionForm


def check_number(field: Field) -> None:
    """Refuse what is no number."""
    if readable(field.data) is None:
        raise fault("editor.error.number", value=field.data)


def typed_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields show for a question of a draft: the inverse of `question_table`."""
    kind = question.get("kind", "yes_no")
    numbers = ("low", "high", "step", "epsilon", "delta", "size")
    return {
        "kind": kind,
        "id": question.get("id", ""),
        "wording": question.get("wording", {}),
        "note": question.get("note", {}),
        "help": question.get("help", {}),
        "matrix": question.get("matrix", ""),
        "matrix_wording": question.get("matrix_wording", {}),
        "picture": typed_picture(question.get("picture", {})),
        "options": question.get("options", []),
        "ordered": question.get("ordered", False),
        "unit": question.get("unit", {}),
        "mechanism": question.get("mechanism", FIRST[kind]),
        "utility": "\n".join(" ".join(map(repr, row)) for row in question.get("utility", [])),
        "scope": question.get("scope", SCOPES[0]),
        "skip": question.get("skip", ""),
        "by_hand": question.get("by_hand") == "coin",
    } | {name: repr(question[name]) if name in question else "" for name in numbers}


def question_table(data: Mapping[str, Any], languages: list[str]) -> dict[str, Any]:
    """Read a valid question as the table of a survey file.

    Notes
    -----
    Only the keys of its kind and mechanism are kept: an epsilon that was typed for two coins is dropped,
    since their loss is ln 3.
    """
    keys = asked(data["kind"], data["mechanism"])
    table: dict[str, Any] = {"kind": data["kind"], "mechanism": data["mechanism"]}
    table |= {name: data[name] for name in ("id",) if data[name]}
    readers: dict[str, Callable[[str], Any]] = {
        "epsilon": real,
        "delta": real,
        "low": number,
        "high": number,
        "step": number,
        "size": int,
        "utility": lambda text: square(text, len(data["options"])),
        "scope": str,
        "skip": str,
        "ordered": bool,
        "by_hand": lambda _: "coin",
    }
    table |= {key: read(data[key]) for key, read in readers.items() if key in keys and data[key]}
    if "options" in keys:
        table["options"] = [written_texts(option, languages) for option in data["options"]]
    if "unit" in keys and (unit := written_texts(data["unit"], languages)):
        table["unit"] = unit
    table["wording"] = written_texts(data["wording"], languages)
    texts = ("note", "help")
    if data["matrix"]:
        table["matrix"] = data["matrix"]
        texts = ("matrix_wording", "note")
    table |= {key: said for key in texts if (said := written_texts(data[key], languages))}
    if not data["matrix"] and (picture := picture_table(data["picture"], languages)):
        table["picture"] = picture
    return table


def new_question(kind: str) -> dict[str, Any]:
    """Return the fields of a question that was just added."""
    chosen = kind if kind in MECHANISMS else "yes_no"
    options: list[dict[str, str]] = [{}, {}] if chosen in MOST else []
    return {"kind": chosen, "mechanism": FIRST[chosen], "options": options}


def languages_of(question: Mapping[str, Any]) -> set[str]:
    """Find the languages in which something was typed."""
    texts = [*(question[key] for key in MARKED), question["unit"], *question["options"]]
    texts.append(question["picture"]["alt"])
    return {code for each in texts for code, text in each.items() if text}
