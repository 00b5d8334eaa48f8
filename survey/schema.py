"""A JSON Schema of the survey file, for editors that complete and check while people write.

Its limits are those of `survey.read_definition`, and it accepts every file that passes there. It cannot
express everything, such as that a step divides its range or that a sum stays below the limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from survey.channel import MAXIMUM_EPSILON
from survey.definition import OUTCOMES, PREVIEWS, TEXTS
from survey.design.wants import MOST_WEIGHT, WANTS
from survey.fields import DATE
from survey.invitations import LISTED
from survey.limits import LONGEST_HELP, LONGEST_OPTION, LONGEST_SLUG, LONGEST_TEXT
from survey.linked_section import ALONE, OF_SECTION
from survey.linked_section import MOST_BOXES as MOST_LINKED_BOXES
from survey.mechanisms.designed import LEAST_EPSILON, MOST_EPSILON
from survey.mechanisms.independent_boxes import MOST_BOXES, SCOPES
from survey.mechanisms.subset_selection import MOST_CATEGORIES
from survey.picture import LONGEST_ALT, MOST_SIDE, SHA256, TYPES
from survey.privacy.budget import MOST_WAVES
from survey.question import IDENTIFIER, KINDS, RESERVED
from survey.question.choice import IN_ORDER, MOST_OPTIONS, OPTIONS
from survey.question.number import LONGEST_UNIT
from survey.read_definition import (
    LANGUAGE,
    LARGEST_LIMIT,
    LARGEST_STEP,
    LONGEST_ADDRESS,
    MOST_LANGUAGES,
    OPTIONAL_TEXTS,
    SLUG,
    STEP,
    WEB_ADDRESS,
)
from survey.section import MOST_QUESTIONS
from survey.section import TEXTS as SECTION_TEXTS
from survey.version import NEW_KEYS, VERSIONS

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The version of JSON Schema that editors of TOML know."""

Schema = dict[str, Any]

ABOUT = {
    "candor": "The version of this format: the lowest that has all keys of the file.",
    "slug": "The last part of the survey's address.",
    "languages": "Codes such as en and ko; the first is shown to a reader of none of them.",
    "asked": "How many of the sections that are not asked always one person is asked, drawn by the browser.",
    "quick_exit": "Whether every screen can be left at once, and for which page.",
    "invitations": "Whether a report needs a one-time invitation, and whether those not used are listed.",
    "organisation": "Who asks; a survey cannot be opened without it.",
    "contact": "How to reach those who ask; a survey cannot be opened without it.",
    "kept_until": "Until when the data is kept; without it, or after that day, a survey cannot be opened.",
    "outcome": "When respondents see what is sent: after it was sent, or each result before.",
    "preview": "What chats show beside a link: only that it is a survey, or its title.",
    "title": "What stands above the survey or the section.",
    "introduction": "What stands under the title.",
    "information": "What people read before they take part.",
    "consent": "What they tick to take part.",
    "help": "Where somebody finds help; of a question, what is read on demand.",
    "closing": "What is read at the end.",
    "results": "What can be seen while the survey is open.",
    "budget": "What the survey may cost one person.",
    "questions": "The questions, in their order.",
    "sections": "The sections with their questions, in place of a plain list.",
    "step": "How many respondents the results of an open survey advance by.",
    "reports_while_open": "Whether noisy reports may be downloaded before the survey is closed.",
    "limit": "The most epsilon that the survey may cost one person, over all questions and waves.",
    "waves": "How often the same people are asked.",
    "always": "Whether everybody is asked this section, whatever is drawn.",
    "linked": "Whether one wheel decides for all answers of this section together.",
    "id": "Its name in every download.",
    "kind": "What is asked for: yes or no, one option, any of some boxes, or a number.",
    "mechanism": "How chance changes the answer.",
    "wording": "What is asked.",
    "note": "What stands under it.",
    "options": "What can be chosen, in this order.",
    "low": "The smallest answer.",
    "high": "The largest answer.",
    "unit": "What is counted, such as hours.",
    "epsilon": "The privacy loss bound: smaller protects more.",
    "delta": "Of the Gaussian mechanism: P(S | a) <= e^epsilon P(S | b) + delta.",
    "picture": "What the question shows: a file that is kept beside this one, under its SHA-256.",
    "alt": "What is read by whoever does not see the picture.",
    "skip": "How the question may be left out: as one more protected answer, or counted apart.",
    "by_hand": "Whether reports may also come from real coins.",
    "scope": "Whether epsilon is for the whole question or for each box.",
    "size": "How many options a reported set holds.",
    "utility": "How useful each report is under each answer: a square table.",
    "wants": "What a designed channel is for: shares, mean, curve, each with its weight.",
    "matrix": "The name that neighbouring questions on one scale share.",
    "matrix_wording": "What stands above them; the first of them has it.",
    "ordered": "Whether the options go from less to more.",
    "step_of_number": "The distance of two answers; it divides the range.",
}


def schema() -> Schema:
    """Return the schema of a survey file, as JSON can hold it."""
    texts = {name: text(most) for name, most in TEXTS.items()}
    questions = array({"$ref": "#/definitions/question"}, 1, MOST_QUESTIONS)
    properties: dict[str, Schema] = {
        "candor": {"enum": list(VERSIONS)},
        "slug": {"type": "string", "pattern": whole(SLUG.pattern), "maxLength": LONGEST_SLUG},
        "languages": array({"type": "string", "pattern": whole(LANGUAGE.pattern)}, 1, MOST_LANGUAGES)
        | {"uniqueItems": True},
        "asked": {"type": "integer", "minimum": 1, "maximum": MOST_QUESTIONS},
        "quick_exit": {
            "anyOf": [
                {"type": "boolean"},
                {"type": "string", "pattern": whole(WEB_ADDRESS.pattern), "maxLength": LONGEST_ADDRESS},
            ]
        },
        "invitations": {"enum": [False, True, LISTED]},
        "outcome": {"enum": list(OUTCOMES), "default": OUTCOMES[0]},
        "preview": {"enum": list(PREVIEWS), "default": PREVIEWS[0]},
        "kept_until": {"type": "string", "pattern": whole(DATE.pattern)},
        **texts,
        "results": table(
            {
                "step": whole_number(1, LARGEST_STEP) | {"default": STEP},
                "reports_while_open": {"type": "boolean", "default": False},
            }
        ),
        "budget": table(
            {
                "limit": {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST_LIMIT},
                "waves": whole_number(1, MOST_WAVES) | {"default": 1},
            }
        ),
        "questions": questions,
        "sections": array({"$ref": "#/definitions/section"}, 1, MOST_QUESTIONS),
    }
    required = ["candor", "slug", "languages", *(name for name in TEXTS if name not in OPTIONAL_TEXTS)]
    return {
        "$schema": DRAFT,
        "title": "A survey of Candor",
        **table(properties, required),
        "allOf": [
            {"oneOf": [{"required": ["questions"]}, {"required": ["sections"]}]},
            *map(at_least, NEW_KEYS),
        ],
        "definitions": {
            "section": section(questions),
            "question": question(),
            "linked_question": linked_question(),
            **{kind: of_kind(kind) for kind in KINDS},
        },
    }


def as_json() -> str:
    """Write the schema as the file that editors fetch."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def at_least(version: int) -> Schema:
    """Return the rule that a file with keys of a version has that version, or a later one."""
    later = [each for each in VERSIONS if each >= version]
    newer = [has(key) for key in NEW_KEYS[version]]
    return {"if": {"anyOf": newer}, "then": {"properties": {"candor": {"enum": later}}}}


def has(key: str) -> Schema:
    """Return the rule that a key is there, as `NEW_KEYS` names it: in the file, a section or a question."""
    holder, _, name = key.rpartition(".")
    if not holder:
        return {"required": [name]}
    holds = {"required": [holder], "properties": {holder: {"contains": {"required": [name]}}}}
    if holder != "questions":
        return holds
    within = {"required": ["sections"], "properties": {"sections": {"contains": holds}}}
    return {"anyOf": [holds, within]}


def section(questions: Schema) -> Schema:
    """Return the schema of a section: with the keys of linked questions where it links them."""
    own = {"$ref": "#/definitions/linked_question"}
    return {
        "if": {"properties": {"linked": {"const": True}}, "required": ["linked"]},
        "then": {
            "if": {"properties": {"questions": {"contains": of_boxes()}}},
            "then": section_with(array(linked_boxes(), 1, 1), LINKED, ["epsilon"]) | LINKED_BOXES,
            "else": section_with(array(own, 2, MOST_QUESTIONS), LINKED, []) | LINKED_COINS,
        },
        "else": section_with(questions, {}, []),
    }


def section_with(questions: Schema, own: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    """Return the schema of a section with questions of one sort, and with keys of its own."""
    properties: dict[str, Schema] = {
        "id": identifier(),
        "always": {"type": "boolean", "default": False},
        "linked": {"type": "boolean", "default": False},
        "questions": questions,
        **own,
    }
    properties |= {name: text(most) for name, most in SECTION_TEXTS.items()}
    return table(properties, ["id", "questions", *required])


def linked_question() -> Schema:
    """Return the schema of a question that is linked: it has no mechanism and no epsilon of its own."""
    choice: dict[str, Schema] = of_kind("choice")["properties"]
    properties = {key: each for key, each in choice.items() if key not in (*OF_SECTION, "size", "utility")}
    named = [kind for kind in ALONE if kind != "boxes"]
    properties |= {"kind": {"enum": named, "default": "yes_no"}, "skip": {"enum": ["randomized"]}}
    chosen = {"if": {"properties": {"kind": {"const": "choice"}}, "required": ["kind"]}}
    return (
        table(properties, ["id", "wording"])
        | chosen
        | {
            "then": {"required": ["options"]},
            "else": without("options", "ordered"),
        }
    )


def linked_boxes() -> Schema:
    """Return the schema of a question whose boxes are linked."""
    boxes: dict[str, Schema] = of_kind("boxes")["properties"]
    properties = {key: each for key, each in boxes.items() if key not in (*OF_SECTION, "scope", "skip")}
    return table(properties, ["id", "kind", "wording", "options"])


def of_boxes() -> Schema:
    """Return the rule that a question has boxes."""
    return {"properties": {"kind": {"const": "boxes"}}, "required": ["kind"]}


def question() -> Schema:
    """Return the schema of a question of any kind: a yes/no question unless it says otherwise."""
    kinds = {"properties": {"kind": {"enum": list(KINDS), "default": "yes_no"}}}
    return kinds | {"allOf": [when_kind(kind) for kind in KINDS]}


def when_kind(kind: str) -> Schema:
    """Return the rule that a question of a kind has that kind's keys."""
    named: Schema = {"properties": {"kind": {"const": kind}}}
    if kind != "yes_no":
        named["required"] = ["kind"]
    return {"if": named, "then": {"$ref": f"#/definitions/{kind}"}}


def of_kind(kind: str) -> Schema:
    """Return the schema of the questions of one kind."""
    own, needed, rules = OWN[kind]
    properties: dict[str, Schema] = {
        "id": identifier() | {"not": {"enum": sorted(RESERVED)}},
        "kind": {"const": kind},
        "mechanism": {"enum": list(KINDS[kind].mechanisms)},
        "epsilon": {"type": "number", "exclusiveMinimum": 0, "maximum": MAXIMUM_EPSILON},
        "wording": text(LONGEST_TEXT),
        "note": text(LONGEST_TEXT),
        "help": text(LONGEST_HELP),
        "picture": picture(),
        "skip": {"enum": ["apart", "randomized"] if kind in ("yes_no", "choice") else ["apart"]},
        **own,
    }
    fixed = when("coin", {"not": {"required": ["epsilon"]}}, {"required": ["epsilon"]})
    return table(properties, ["id", "mechanism", "wording", *needed]) | {"allOf": [fixed, *rules]}


def picture() -> Schema:
    """Return the schema of a question's picture."""
    properties: dict[str, Schema] = {
        "sha256": {"type": "string", "pattern": whole(SHA256.pattern)},
        "type": {"enum": list(TYPES)},
        "width": whole_number(1, MOST_SIDE),
        "height": whole_number(1, MOST_SIDE),
        "alt": text(LONGEST_ALT),
    }
    return table(properties, list(properties))


def when(mechanism: str | Sequence[str], then: Schema, otherwise: Schema | None = None) -> Schema:
    """Return a rule for the questions with a mechanism."""
    names = [mechanism] if isinstance(mechanism, str) else list(mechanism)
    rule: Schema = {"if": {"properties": {"mechanism": {"enum": names}}, "required": ["mechanism"]}}
    return rule | {"then": then} | ({} if otherwise is None else {"else": otherwise})


def without(*keys: str) -> Schema:
    """Return the rule that none of some keys is there."""
    return {"allOf": [{"not": {"required": [key]}} for key in keys]}


def text(most: int) -> Schema:
    """Return the schema of a text in every language of a survey."""
    spoken = {"type": "string", "minLength": 1, "maxLength": most, "pattern": r"\S"}
    return {
        "type": "object",
        "propertyNames": {"pattern": whole(LANGUAGE.pattern)},
        "additionalProperties": spoken,
        "minProperties": 1,
    }


def table(properties: Mapping[str, Schema], required: Sequence[str] = ()) -> Schema:
    """Return the schema of a table that has these keys and no others."""
    described = {
        key: each | ({"description": ABOUT[key]} if key in ABOUT and "description" not in each else {})
        for key, each in properties.items()
    }
    plain: Schema = {"type": "object", "properties": described, "additionalProperties": False}
    return plain | ({"required": list(required)} if required else {})


def array(items: Schema, least: int, most: int) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def whole_number(low: int, high: int) -> Schema:
    """Return the schema of a whole number."""
    return {"type": "integer", "minimum": low, "maximum": high}


def whole(pattern: str) -> str:
    """Return a pattern that the whole text must match."""
    return f"^(?:{pattern})$"


def identifier() -> Schema:
    """Return the schema of the name of a question or a section."""
    return {"type": "string", "pattern": whole(IDENTIFIER.pattern)}


def options(most: int) -> Schema:
    """Return the schema of a list of options."""
    return array(text(LONGEST_OPTION), 2, most)


def wanted() -> Schema:
    """Return the schema of what a designed channel is for."""
    weight = {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_WEIGHT}
    return table(dict.fromkeys(WANTS, weight)) | {"minProperties": 1}


DESIGNED: Schema = when(
    "designed",
    {
        "required": ["wants"],
        "properties": {"epsilon": {"minimum": LEAST_EPSILON, "maximum": MOST_EPSILON}},
    },
    without("wants"),
)
"""The rule of a channel designed for what is wanted."""

BY_HAND = {
    "if": {"properties": {"skip": {"const": "randomized"}}, "required": ["skip"]},
    "then": without("by_hand"),
}
"""The rule that two coins give no third answer."""

LINKED: Mapping[str, Schema] = {
    "epsilon": {"type": "number", "exclusiveMinimum": 0, "maximum": MAXIMUM_EPSILON},
    "asked": whole_number(2, MOST_QUESTIONS)
    | {"description": "How many of the linked questions one person is asked."},
    "skip": {"enum": ["randomized"]},
    "by_hand": {"enum": ["coin"]},
}
"""The keys of a section whose questions are linked."""

FEW_BOXES = {"maxItems": MOST_LINKED_BOXES}

LINKED_BOXES = {
    "if": {
        "properties": {"questions": {"items": {"properties": {"options": {"maxItems": MOST_LINKED_BOXES}}}}}
    },
    "then": without("by_hand"),
    "else": without("by_hand")
    | {"required": ["asked"], "properties": {"asked": {"maximum": MOST_LINKED_BOXES}}},
}
"""The rule that of many boxes each person is asked a few."""

OF_COINS: Schema = {"allOf": [{"properties": {"kind": {"const": "yes_no"}}}, without("skip")]}
"""The rule of a linked question whose answer coins may decide."""

LINKED_COINS = {
    "if": {"required": ["by_hand"]},
    "then": without("epsilon", "skip") | {"properties": {"questions": {"items": OF_COINS}}},
    "else": {"required": ["epsilon"]},
}
"""The rule that linked answers have an epsilon, or real coins may decide, which have their own."""

MATRIX: Mapping[str, Schema] = {"matrix": identifier(), "matrix_wording": text(LONGEST_TEXT)}

OWN: Mapping[str, tuple[Mapping[str, Schema], Sequence[str], Sequence[Schema]]] = {
    "yes_no": (
        {"by_hand": {"enum": ["coin"]}, **MATRIX},
        [],
        [when("coin", {"properties": {"skip": {"enum": ["apart"]}}}), BY_HAND],
    ),
    "choice": (
        {
            "options": options(MOST_OPTIONS),
            "ordered": {"type": "boolean", "default": False},
            **MATRIX,
            "size": whole_number(1, MOST_CATEGORIES - 1),
            "utility": array(array({"type": "number"}, 2, MOST_OPTIONS), 2, MOST_OPTIONS),
            "wants": wanted(),
        },
        ["options"],
        [
            when("subset", {}, without("size")),
            when("exponential", {}, without("utility")),
            *(
                when(
                    mechanism,
                    {"properties": {"options": {"minItems": max(2, least - 1), "maxItems": most}}},
                )
                for mechanism, (least, most) in OPTIONS.items()
            ),
            when(
                IN_ORDER,
                {
                    "properties": {"ordered": {"const": True}, "skip": {"enum": ["apart"]}},
                    "required": ["ordered"],
                },
            ),
            DESIGNED,
        ],
    ),
    "boxes": (
        {"options": options(MOST_BOXES), "scope": {"enum": list(SCOPES)}},
        ["options"],
        [when("per_box", {}, without("scope"))],
    ),
    "number": (
        {
            "low": {"type": "number"},
            "high": {"type": "number"},
            "step": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": ABOUT["step_of_number"],
            },
            "unit": text(LONGEST_UNIT),
            "delta": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "wants": wanted(),
        },
        ["low", "high", "step"],
        [when("gaussian", {"required": ["delta"]}, without("delta")), DESIGNED],
    ),
}
"""Kind -> the keys that only it has, those of them that must be there, and its rules."""
