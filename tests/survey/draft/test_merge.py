"""Two people edit one draft: what both did stands, or they are asked. Nothing vanishes unseen."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest
from page_changes import changes
from random_edits import DRAFT, GROUPED, Writer, without

from survey.draft import Conflict, from_units, merged, units
from survey.draft.groups import SHARED
from survey.draft.units import is_node, is_order

A, B, C, HOME = "n00000000000a", "n00000000000b", "n00000000000c", "n000000000001"


def edited(document: dict[str, Any], **values: Any) -> dict[str, Any]:
    """Return a copy with other values: ``edited(DRAFT, slug="x")``, or a unit with its dots as ``__``."""
    found = units(deepcopy(document)) | {unit.replace("__", "."): value for unit, value in values.items()}
    return from_units({unit: value for unit, value in found.items() if value is not None})


def both(mine: dict[str, Any], theirs: dict[str, Any], base: dict[str, Any] = DRAFT) -> Any:
    """Save mine where theirs was saved first; both began with the same draft."""
    return merged(theirs, changes(base, mine))


class TestBothChangesStand:
    """Where nobody changed what the other changed, nobody is asked."""

    def test_two_settings_of_one_question(self) -> None:
        result = both(edited(DRAFT, **{f"{A}__epsilon": 2.0}), edited(DRAFT, **{f"{A}__id": "weary"}))
        assert not result.conflicts
        assert units(result.document)[f"{A}.epsilon"] == 2.0
        assert units(result.document)[f"{A}.id"] == "weary"

    def test_two_languages_of_one_text(self) -> None:
        result = both(edited(DRAFT, title__ko="쉼"), edited(DRAFT, title__en="Sleep"))
        assert result.document["title"] == {"en": "Sleep", "ko": "쉼"}

    def test_an_order_and_a_new_question(self) -> None:
        mine = deepcopy(DRAFT) | {"questions": [*DRAFT["questions"][::-1]]}
        theirs = deepcopy(DRAFT)
        theirs["questions"].insert(1, {"uid": "n00000000000d", "id": "q9"})
        result = both(mine, theirs)
        assert [node["uid"] for node in result.document["questions"]] == [C, B, A, "n00000000000d"]

    def test_two_new_questions_under_one_proposed_name_get_two(self) -> None:
        sides = [deepcopy(DRAFT), deepcopy(DRAFT)]
        for uid, side in zip(("n00000000000d", "n00000000000e"), sides, strict=True):
            side["questions"].append({"uid": uid, "id": "q4"})
        assert [node["id"] for node in both(*sides).document["questions"]][3:] == ["q5", "q4"]

    def test_two_new_groups_under_one_proposed_name_stay_two(self) -> None:
        sides = [deepcopy(DRAFT), deepcopy(DRAFT)]
        for digit, side in zip("de", sides, strict=True):
            lines = [{"uid": f"n0000000000{digit}{n}", "kind": "choice", "matrix": "scale_1"} for n in (1, 2)]
            side["questions"] += lines
        assert [node.get("matrix") for node in both(*sides).document["questions"]][3:] == [
            "scale_2", "scale_2", "scale_1", "scale_1"
        ]  # fmt: skip

    def test_the_same_save_sent_twice_is_one(self) -> None:
        mine = without(
            edited(DRAFT, slug="sleep", **{f"{B}__options": ["n0000000000b2", "n0000000000b1"]}), A
        )
        sent = changes(DRAFT, mine)
        first = merged(DRAFT, sent)
        assert merged(first.document, sent) == first

    def test_an_older_save_that_arrives_late_puts_nothing_back(self) -> None:
        late = changes(DRAFT, edited(DRAFT, title__en="Res"))
        newer = edited(DRAFT, title__en="Resting")
        result = merged(newer, late)
        assert result.document == newer
        assert result.conflicts == [Conflict("title.en", "Res", "Resting")]

    def test_a_line_that_they_put_on_top_of_a_group_has_the_scale_that_i_gave_it(self) -> None:
        mine, theirs = deepcopy(GROUPED), deepcopy(GROUPED)
        for line in mine["questions"][3:]:
            line["epsilon"] = 2.0
        theirs["questions"].insert(
            3, deepcopy(GROUPED["questions"][3]) | {"uid": "n00000000000d", "id": "q9"}
        )
        result = both(mine, theirs, GROUPED)
        assert [line["epsilon"] for line in result.document["questions"][3:]] == [2.0] * 4

    def test_a_name_that_i_have_typed_twice_stays_wrong(self) -> None:
        mine = deepcopy(DRAFT) | {"questions": [*DRAFT["questions"], {"uid": "n00000000000d", "id": "q4"}]}
        again = deepcopy(mine) | {"questions": [*mine["questions"], {"uid": "n00000000000e", "id": "q4"}]}
        assert merged(mine, changes(mine, again), is_known=True).document == again


class TestSomebodyMustChoose:
    """Where both changed the same, nothing is stored, and both values are named."""

    def test_one_setting(self) -> None:
        mine, theirs = (edited(DRAFT, **{f"{A}__epsilon": value}) for value in (2.0, 3.0))
        assert both(mine, theirs).conflicts == [Conflict(f"{A}.epsilon", 2.0, 3.0)]
        assert both(mine, theirs).document == theirs

    @pytest.mark.parametrize("removed_by_me", [True, False])
    def test_removed_against_changed(self, removed_by_me: bool) -> None:
        gone, changed = without(DRAFT, A), edited(DRAFT, **{f"{A}__epsilon": 2.0})
        [conflict] = both(*((gone, changed) if removed_by_me else (changed, gone))).conflicts
        assert conflict.unit == A
        own, other = (conflict.mine, conflict.theirs) if removed_by_me else (conflict.theirs, conflict.mine)
        assert own is None
        assert other[f"{A}.epsilon"] == 2.0

    def test_removed_against_what_had_no_value_before(self) -> None:
        mine = edited(DRAFT, **{f"{A}__note__en": "This week."})
        assert both(mine, without(DRAFT, A)).conflicts == [Conflict(A, {f"{A}.note.en": "This week."}, None)]

    @pytest.mark.parametrize("removed_by_me", [True, False])
    def test_an_option_removed_against_its_text(self, removed_by_me: bool) -> None:
        gone = deepcopy(DRAFT)
        option = gone["questions"][1]["options"].pop()["uid"]
        changed = edited(DRAFT, **{f"{B}__{option}__text__en": "Always"})
        [conflict] = both(*((gone, changed) if removed_by_me else (changed, gone))).conflicts
        assert conflict.unit == f"{B}.{option}"

    @pytest.mark.parametrize("removed_by_me", [True, False])
    def test_moved_into_a_part_that_the_other_removed(self, removed_by_me: bool) -> None:
        gone, moved = without(DRAFT, HOME), edited(DRAFT, **{f"{A}__section": HOME})
        [conflict] = both(*((gone, moved) if removed_by_me else (moved, gone))).conflicts
        assert conflict.unit == (HOME if removed_by_me else f"{A}.section")


def test_nothing_of_either_side_vanishes_unseen() -> None:
    """As tests/benchmarks/merges.py says of twenty times as many."""
    asked = sum(map(is_asked, range(500)))
    assert 50 < asked < 450


def is_asked(seed: int) -> bool:
    """Return whether two who edit at random are asked; if not, what each has changed is as they left it."""
    draw = random.Random(seed)
    mine, theirs = (Writer(draw, GROUPED, name).edit(draw.randint(1, 4)) for name in ("mine", "theirs"))
    result = both(mine, theirs, GROUPED)
    for conflict in result.conflicts:
        assert in_unit(mine, conflict.unit) != in_unit(theirs, conflict.unit), seed
    if result.conflicts:
        assert result.document == theirs
        return True
    base, own, other, now = map(units, (GROUPED, mine, theirs, result.document))
    for unit in {*base, *own, *other}:
        for side in (own, other):
            if side.get(unit) != base.get(unit) and not is_copied(unit, base, side):
                assert now.get(unit) == side.get(unit), (seed, unit)
    assert {uid for uid in now if is_node(uid) and "." not in uid} == surviving(base, own, other), seed
    return False


def is_copied(unit: str, base: dict[str, Any], side: dict[str, Any]) -> bool:
    """Return whether a unit of a new question is a name that was proposed, or what its group has anyway."""
    node, _, key = unit.partition(".")
    shared = f"{node}.matrix" in side and (is_node(key.partition(".")[0]) or key.partition(".")[0] in SHARED)
    return is_order(unit) or (node not in base and (key in ("id", "matrix") or shared))


def in_unit(document: dict[str, Any], unit: str) -> Any:
    """Return all that a document has at a unit or below it, and which questions a section has."""
    whole = {name: value for name, value in units(document).items() if f"{name}.".startswith(f"{unit}.")}
    inside = {node["uid"] for node in document.get("questions", []) if node.get("section") == unit}
    return whole, inside


def surviving(base: dict[str, Any], own: dict[str, Any], other: dict[str, Any]) -> set[str]:
    """Return the questions and sections that both have still, or that one of them has added."""
    nodes = {uid for uid in {*base, *own, *other} if is_node(uid) and "." not in uid}
    return {uid for uid in nodes if (uid in own and uid in other) or uid not in base}
