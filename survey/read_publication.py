"""Read a published survey back, and check that all that it states follows from its integers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from survey import compact_form
from survey.channel import TOTAL, Channel
from survey.column import Column
from survey.compact_form import CompactForm, Windows
from survey.definition import Definition
from survey.fields import DefinitionError, Problem
from survey.linked import Linked
from survey.markdown import require_tree, with_nodes
from survey.mechanisms import GaussianChannel
from survey.publication import (
    Publication,
    canonical_json,
    over_limit,
    publication_of,
    question_entry,
    question_tables,
    section_entry,
)
from survey.question import Question
from survey.read_definition import from_dict
from survey.section import Section

SOURCE = "the published survey"


ROUNDED = 2e-6
"""The greatest difference of a figure that two processors compute on a grid."""


def load(data: bytes) -> Publication:
    """Read a published survey back, with its channels from the published integers.

    Parameters
    ----------
    data : bytes
        What `publish` wrote.

    Raises
    ------
    DefinitionError
        If the bytes are not canonical, a channel is not one of its question, or a stated figure such as its
        loss does not follow from the integers.
    """
    table = json.loads(data)
    if canonical_json(table) != data:
        raise DefinitionError(SOURCE, [Problem("the file", "canonical", {}, data[:40])])
    keys = ("columns", "sampled", "box")
    entries = [{key: entry.pop(key) for key in keys if key in entry} for entry in question_tables(table)]
    nodes, stated = table.pop("nodes", {}), table.pop("guess", None)
    wheels = [section.pop("wheels", None) for section in table.get("sections", [])]
    definition = from_dict(table, SOURCE, published=True, read=partial(as_published, nodes))
    columns: list[tuple[Column, ...]] = []
    problems = list(differing({"nodes": nodes}, {"nodes": definition.nodes}, "the texts"))
    definition, faults = with_wheels(definition, wheels)
    problems += faults
    for question, entry in zip(definition.questions, entries, strict=True):
        try:
            built = read_columns(question, entry)
        except (ValueError, LookupError, TypeError) as error:
            problems.append(
                Problem(f"{question.id}.columns", "columns_built", {"reason": str(error)}, "others")
            )
        else:
            columns.append(built)
            problems += differences(entry, question_entry(question, built), question.id)
            problems += broken_promise(built[0].channel, question.id)
    if not problems:
        publication = publication_of(definition, columns, data)
        problems = over_limit(publication) + misstated(stated, publication.guess.as_dict())
    if problems:
        raise DefinitionError(SOURCE, problems)
    return publication


def with_wheels(definition: Definition, published: list[Any]) -> tuple[Definition, list[Problem]]:
    """Put the published wheels into the sections that link their questions, and find their faults."""
    sections: list[Section] = []
    problems: list[Problem] = []
    for section, entries in zip_longest(definition.sections, published):
        linked = section.linked
        if linked:
            place = f"{section.id}.wheels"
            try:
                forms = [compact_form.from_dict(entry["form"]) for entry in entries]
                wheels = tuple(Channel(form.weights(), form) for form in forms)
                linked = restored(linked, wheels)
            except (ValueError, LookupError, TypeError) as error:
                problems.append(Problem(place, "columns_built", {"reason": str(error)}, "others"))
            else:
                section = section.with_wheel(linked)
                problems += differing({"wheels": entries}, section_entry(section), section.id)
        elif entries is not None:
            problems.append(Problem(f"{section.id}.wheels", "columns", {}, "wheels"))
        sections.append(section)
    return replace(definition, sections=tuple(sections)), problems


def restored(linked: Linked, wheels: tuple[Channel, ...]) -> Linked:
    """Return the same questions with other wheels.

    Raises
    ------
    ValueError
        If they are not wheels of as many combinations, or coins have other chances.
    """
    expected = [each.answers for each in linked.wheels]
    if [each.answers for each in wheels] != expected or not all(map(is_wheel, wheels)):
        raise ValueError(f"wheels must be of {expected} combinations each alike")
    if linked.coins and [each.form for each in wheels] != [each.form for each in linked.wheels]:
        raise ValueError("wheels must have the chances of coins")
    return replace(linked, wheels=wheels)


def is_wheel(channel: Channel) -> bool:
    """Return whether a channel has a report for each answer, and every other report is as likely."""
    form = channel.form
    return (
        isinstance(form, Windows) and form.windows[0][:2] == (channel.answers, 1) and len(form.windows) == 1
    )


def as_published(nodes: Mapping[str, Any], text: str) -> str:
    """Read a text with its published tree, as another version of the parser might give another tree.

    Raises
    ------
    Refusal
        If it is not a tree.
    """
    return with_nodes(text, require_tree(nodes[text])) if text in nodes else text


def read_columns(question: Question, entry: Mapping[str, Any]) -> tuple[Column, ...]:
    """Build a question's columns from what was published of them.

    Raises
    ------
    ValueError, LookupError, TypeError
        If they cannot be built from it.
    """
    box = Channel(np.array(entry["box"]["weights"])) if "box" in entry else None
    if question.linked:
        return question.columns()  # they follow from the published wheels
    channel = question.restored(read_form(entry["columns"][0]), box, entry.get("sampled"))
    if channel.answers != question.answers:
        raise ValueError(f"answers must be {question.answers}, got {channel.answers}")
    return question.columns_of(channel)


def read_form(entry: Mapping[str, Any]) -> CompactForm:
    """Read the form of a published column: all its weights, or fewer integers that expand to them."""
    if "form" in entry:
        return compact_form.from_dict(entry["form"])
    return Channel(np.array(entry["weights"])).form


def differences(published: Mapping[str, Any], expected: Mapping[str, Any], place: str) -> Iterator[Problem]:
    """Find figures that do not follow from the published integers."""
    columns = {column.get("name"): column for column in published["columns"]}
    for column in expected["columns"]:
        yield from differing(columns.pop(column["name"], {}), column, column["name"])
    if columns:
        yield Problem(f"{place}.columns", "columns", {}, sorted(map(str, columns)))
    stated, right = (dict(entry) | {"columns": None} for entry in (published, expected))
    yield from differing(stated, right, place)


def differing(published: Mapping[str, Any], expected: Mapping[str, Any], place: str) -> Iterator[Problem]:
    """Find the keys of a table that have other values than expected."""
    for key in sorted(published.keys() | expected.keys()):
        if canonical_json(published.get(key)) != canonical_json(expected.get(key)):
            yield Problem(f"{place}.{key}", "of_weights", {"figure": key}, published.get(key))


def misstated(stated: Any, figures: Mapping[str, float]) -> list[Problem]:
    """Find figures of a guess that are missing, or differ from the integers' by more than rounding."""
    if (
        isinstance(stated, dict)
        and stated.keys() == figures.keys()
        and all(type(stated[key]) is float and abs(stated[key] - figures[key]) <= ROUNDED for key in figures)
    ):
        return []
    return [Problem("guess", "figures", {"figures": dict(figures)}, stated)]


def broken_promise(channel: Channel, place: str) -> list[Problem]:
    """Find a Gaussian channel whose delta is larger than the one asked for."""
    if isinstance(channel, GaussianChannel) and channel.delta_weight > math.floor(
        channel.asked_delta * TOTAL
    ):
        limits = {"delta": channel.asked_delta}
        return [Problem(f"{place}.delta_weight", "delta_weight", limits, channel.delta_weight)]
    return []
