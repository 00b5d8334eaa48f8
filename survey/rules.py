"""The rules of a survey file and of its mechanisms, each by its name and in English, for Python callers.

The catalogues of `server.language` have them in other languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        # any key
        "absent": "absent (known keys here: {known})",
        "one_of": "one of {choices}",
        "whole": "a whole number from {low} to {high}",
        "date": "a date from {low} to {high}, written as 2027-12-31",
        "table": "a table",
        "tables": "a list of 1 to {most} tables",
        "truth": "true or false",
        "text": "a text of 1 to {most} characters",
        "texts": "a table with a text for each of {languages}",
        "marks": "a text with at most {most} marks, at most {deepest} within one another",
        "identifier": "1 to 40 lower-case letters, digits and underscores that start with a letter",
        "more_problems": "mended as well (only {most} problems are named)",
        # the file
        "toml": "TOML ({reason})",
        "toml_names": "a line with keys of at most {most} names",
        "toml_word": "a line with names and numbers of at most {most} characters",
        "toml_brackets": "a line with at most {most} open brackets",
        "version": "1, 2 or 3, the version of this format",
        "version_of_keys": "{version}, the version of this format that has {keys}",
        # the survey
        "slug": "lower-case letters and digits, joined by single hyphens",
        "slug_stored": "at most {most} lower-case letters and digits, joined by single hyphens",
        "slug_free": "an address that no other survey has",
        "slug_length": "at most {most} characters long",
        "languages": 'a list of 1 to {most} different language codes such as "en"',
        "quick_exit": "true, or an address that begins with https:// and has at most {most} characters",
        "preview_neutral": '"neutral" where people are invited or can leave at once: a preview shows whoever '
        "sees a chat what they were asked about",
        "limit": "a number above 0 and up to {most:g}, the most epsilon over all questions and waves",
        "invitations": 'true, false or "listed"',
        "listed_closed": 'true or false: with "listed", no report can be downloaded before the survey '
        "is closed",
        "promise": "words that the survey keeps",
        "total": "at least {least}, the epsilon of all questions",
        "total_waves": "at least {least}, the epsilon of all questions over {waves} waves",
        "total_asked": "at least {least}, the epsilon of the sections that one person is asked",
        "total_asked_waves": "at least {least}, the epsilon of the sections that one person is asked "
        "over {waves} waves",
        "total_always": "at least {least}, the epsilon of the sections that one person is asked "
        "({always:.4f} of it always)",
        "total_always_waves": "at least {least}, the epsilon of the sections that one person is asked "
        "({always:.4f} of it always) over {waves} waves",
        # sections
        "questions_in_sections": "absent: the questions stand in their sections",
        "name_of_section": "used by no other section",
        "name_of_column": "used by no other question or column",
        "number_of_questions": "few enough for {most} questions",
        "number_of_columns": "few enough for {most} columns, one for each box",
        "asked_always": "absent: every section is asked always",
        "asked_sets": "a number that leaves at most {most} sets of sections (now {sets} sets of {asked} "
        "out of {drawn})",
        # linked questions
        "linked_several": "absent: a section with one question has nothing to link",
        "linked_kind": "yes_no, choice or boxes: no other kind can be linked (put this question into a "
        "section of its own)",
        "linked_boxes": "a whole number from 2 to {most}: of {boxes} boxes, one wheel takes at most {most}, "
        "a random set for each person",
        "linked_boxes_alone": "yes_no or choice beside other questions: boxes fill a wheel of their own (put "
        "them into a section without other questions, or ask a yes_no question for each box)",
        "linked_boxes_skip": "absent: linked boxes are left out by the skip of their section",
        "linked_section": "absent: linked questions have one wheel, and the epsilon of their section",
        "linked_skip": 'absent or "randomized": linked answers are left out as one more protected answer',
        "linked_skip_of_all": "absent: the section can be left out as a whole",
        "linked_coins_epsilon": "absent where real coins may decide: they give ln(1 + K), which is "
        "{epsilon:.4f} for K = {combinations} combinations of answers",
        "linked_coins_kind": "yes_no where real coins may decide: a coin has two sides",
        "linked_coins_skip": "absent where real coins may decide: a coin has no side for a skip",
        "linked_combinations": "absent: the answers have {combinations} combinations, and one wheel takes at "
        "most {most} (link fewer questions or offer fewer options, or ask each person a few of them with "
        "asked)",
        "linked_rows": "a number that leaves at most {most} sets of questions with their combinations (now "
        "{rows})",
        # questions on one scale
        "matrix_neighbours": "that of neighbouring questions only",
        "matrix_section": "used in no other section",
        "matrix_absent": "absent: the question names no matrix that it could stand above",
        "matrix_wording": "what stands above the questions of {matrix}",
        "matrix_first": "absent: {first}, the first question of {matrix}, has it",
        "matrix_without": "absent in a matrix",
        "matrix_same": "the same as that of {first}, the first question of the matrix {matrix}: {expected}",
        # a question
        "name_reserved": "a name other than {names}",
        "options": "a list of {least} to {most} texts",
        "skip": 'absent, "apart" or "randomized"',
        "skip_boxes": 'absent or "apart": each box counts as a separate question',
        "skip_coins": 'absent or "apart": two coins cannot give a third answer',
        "skip_ordered": 'absent or "apart": on an ordered scale a skip is not between any two options',
        "skip_number": 'absent or "apart": no number stands for a skip',
        "by_hand": 'absent or "coin"',
        "by_hand_skip": "absent where a skip is randomized: two coins cannot give a third answer",
        "ordered": "wheel, subset or cyclic where the options are not ordered",
        "scope_sampled": "absent: with sampled boxes, epsilon applies to the question",
        "only_with": "absent: only the mechanism {mechanism} has one",
        "sha256": "the SHA-256 of a picture, 64 hexadecimal digits",
        # what a mechanism takes
        "epsilon": "a number above 0 and at most {most:g}",
        "epsilon_of_coins": "absent: the loss of two coins is ln 3",
        "epsilon_estimable": "larger: the reports would show too little about the answers for an estimate "
        "(a condition number of {condition:.3g}, at most {most:g})",
        "epsilon_mean": "larger: in weights of 32 bits the mean misses by {miss:.1g} of the range",
        "epsilon_designed": "a number from {least:g} to {most:g} for a designed channel",
        "epsilon_points": "larger for a grid of {points} points",
        "epsilon_delta": "larger, or delta, for weights of 32 bits",
        "delta": "a number above 0 and below 1",
        "finite": "a finite number",
        "low": "a number below high = {high}",
        "step_positive": "a number above 0",
        "step_divides": "a number that divides the range from {low} to {high} into 1 to {most} equal steps",
        "step_designed": "larger: a designed channel takes at most {most} points, not {points}",
        "step_even": "larger, or low and high nearer to 0: in numbers of 16 digits the grid is uneven by "
        "{uneven:.1g} of the range",
        "subset_categories": "a whole number from 2 to {most} for subset selection; the wheel takes more",
        "cyclic_categories": "a whole number from {least} to {most} for cyclic sets; subset selection takes "
        "fewer",
        "utility": "a square table, {options} rows of {options} finite numbers",
        "utility_differs": "different between answers",
        "utility_mirror": "the same read backwards, or of at most {most} categories",
        "wants": "a table with at least one of {choices}, each with its weight",
        "want_weight": "a number above 0 and up to {most:g}",
        "design_late": "another one: the best sets were not found in {seconds:g} seconds",
        "published_size": "short enough to be published in {most} bytes (it takes {size})",
        # a design on paper
        "chance": "a chance from 0 to 1, such as 3/4 or 0.75",
        "chance_above": "a chance above 0 and at most 1, such as 3/4 or 0.75",
        "half": "other than 1/2, at which reports say nothing",
        "above_zero": "above 0",
        "below_one": "below 1",
        "sum": "such that it and the others add up to 1",
        "linked_options": "two or more numbers of options, each at least 2",
        "linked_product": "numbers of options with at most {most} combinations of answers",
        "dice_totals": "totals from {low} to {high}",
        "dice_others": "totals that yes_on does not hold",
        "dice_truth": "totals that leave another one for the truth",
        # before a survey is opened
        "open_text": "a text of 1 to {most} characters before the survey is opened",
        "open_date": "a date such as 2027-12-31 before the survey is opened",
        "open_earliest": "{earliest} or a later day before the survey is opened",
        "open_blank": "a text in which {blank} is filled in",
        "open_language": "one of {languages}, which Candor speaks, before the survey is opened",
        "open_picture": "a picture that is here: upload it, or import the survey with the folder pictures "
        "beside its file",
        "open_picture_size": "of the type, width and height {type}, {width}, {height}",
        "open_reason": "a text of 1 to {most} characters that says why this survey is opened although it "
        "protects people little: a guess is right {right} times in 100, and {telling} after the most telling "
        "result (more than {little_right}, or more than {little_telling})",
        # a picture beside a survey file
        "picture_hash": "a file with the SHA-256 that is its name",
        "picture_readable": "a picture of the type {type} that can be read",
        "picture_size": "of the type {type}, {width} by {height} pixels",
        # a workbook
        "workbook": "a workbook in the format XLSX",
        "workbook_damaged": "a workbook in the format XLSX ({reason})",
        "workbook_bytes": "at most {most} bytes long",
        "workbook_parts": "a workbook of at most {most} parts",
        "workbook_names": "a workbook whose parts have different names",
        "workbook_password": "a workbook without a password",
        "workbook_unpacked": "at most {most} bytes long when it is unpacked",
        "workbook_packed": "packed to no less than a {most}th in each part",
        "workbook_cells": "a workbook with at most {rows} rows and {columns} columns in a sheet, and {cells} "
        "cells in all",
        "workbook_pictures": "without pictures: a survey holds texts only",
        "workbook_comments": "without comments on cells: a survey holds texts only",
        "workbook_macros": "without macros: a survey holds texts only",
        "workbook_values": "a value that a spreadsheet keeps as it is",
        "xlsform": "an XLSForm that can be read",
        "sheets": "absent: a form has the sheets {sheets}",
        "sheet_twice": "the only sheet of this name",
        "sheet_end": "empty: a sheet ends where more than {most} rows are empty",
        "heading": 'a heading with a language and its code such as "label::English (en)", or "label" where '
        "the sheet settings has a {default}",
        "heading_twice": "one column for each heading and language",
        "heading_above": "a heading above each column, and at most {most} empty columns between two",
        "heading_language": 'a language with its code such as "English (en)"',
        "cell_formula": "a value: formulas are not worked out (copy the cells and paste their values)",
        "cell_value": "a value",
        "cell_headless": "empty: its column has no heading in row 1",
        "cell_foreign": "empty: a survey cannot hold it",
        "cell_required": 'empty or "{expected}": {prefix}::skip says who may leave a question out',
        "group_ended": "followed by an end_group",
        "group_begun": "preceded by a begin_group",
        "group_within": "a question: there are no groups within groups (their questions go to the outer one)",
        "settings_row": "absent: a form has one row of settings",
        "type": "select_one, select_multiple, range, integer or decimal: no other type can be asked",
        "list": "{select} with a list of the sheet choices ({lists})",
        "list_none": "{select} with a list of the sheet choices (none)",
        "list_yes_no": "a select_one whose list has the names yes and no, as its mechanism asks for them",
        "list_numbers": "0, 1, 2, ...: the reports of a survey number the options in their order",
        "list_used": "an option of a list that a question uses",
        "list_last": "a select with nothing after its list",
        "parameters": "such as start=0 end=10 step=1",
        "parameters_say": "empty: parameters say it",
        "list_word": "'{word}', which the page says",
        "sheet_questions": "short enough for {most} questions",
        # a request of a program
        "once": "given once",
        "known": "absent (known here: {known})",
        "none_known": "absent (known here: none)",
        "no_column": "absent: no column can be compared",
        "other_column": "another column than row",
        "fingerprint": "the 64 hexadecimal digits of a SHA-256",
        "any_text": "a text",
        # what an editor sends
        "unit": "absent: no draft has it",
        "unit_text": "a text",
        "unit_number": "a number of at most 1e15, or what was typed in its place",
        "unit_tick": "true or false",
        "unit_text_or_tick": "a text, true or false",
        "unit_codes": 'a list of language codes such as "en"',
        "unit_table": "a table of numbers, or what was typed in its place",
        "unit_uids": "a list of different uids",
        "unit_node": "sections or questions",
        "unit_options": "options",
        "unit_sign": "a text without the character {sign} (at {place}), which no database keeps",
        "unit_room": "a list of at most {most}",
        "json": "JSON ({reason})",
        "json_object": "an object",
        "json_list": "a list",
        "page": "16 hexadecimal digits, drawn by the page",
        "json_once": "a name that stands once in its object",
        "json_number": "a number",
        "json_deep": "at most {most} deep",
        "json_room": "short enough: at most {most} values are read",
        # a publication
        "canonical": "canonical JSON",
        "columns": "those of the question",
        "columns_built": "those of the question ({reason})",
        "of_weights": "the {figure} of the weights",
        "figures": "the figures of the weights, {figures}",
        "delta_weight": "at most delta = {delta!r} of 2**32",
        "tree": "a text with a tree of {tags}, at most {deepest} within one another",
    }
)
"""Rule -> the values that it allows, in words that follow "must be"."""


class Refusal(ValueError):
    """A parameter that breaks a rule.

    Attributes
    ----------
    parameter : str
    rule : str
        One of `RULES`.
    limits : Mapping[str, object]
        The values of the names in the rule.
    value : object
        The value that breaks it; Ellipsis where it is not known.
    """

    def __init__(self, parameter: str, rule: str, value: object = ..., **limits: object) -> None:
        self.parameter, self.rule, self.limits, self.value = parameter, rule, limits, value
        got = "" if value is ... else f", got {value!r}"
        super().__init__(f"{parameter} must be {allowed(rule, limits)}{got}")


def allowed(rule: str, limits: Mapping[str, object]) -> str:
    """Return what a rule allows in English, in words that follow "must be".

    Examples
    --------
    >>> allowed("whole", {"low": 1, "high": 9}), allowed("one_of", {"choices": ("a", "b")})
    ('a whole number from 1 to 9', 'one of a, b')
    """
    return RULES[rule].format(**{name: listed(limit) for name, limit in limits.items()})


def listed(limit: object) -> object:
    """Join several values with commas, and leave a single value as it is."""
    return ", ".join(map(str, limit)) if isinstance(limit, tuple) else limit
