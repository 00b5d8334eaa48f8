"""Two people edit one draft: what both did stands, or they are asked. Nothing vanishes unseen."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from survey.draft import Change, Conflict, merged, unit_hash, units
from survey.draft.units import LISTS, from_units, is_node, is_order

DRAFT: dict[str, Any] = {
    "slug": "rest",
    "languages": ["en"],
    "title": {"en": "Rest"},
    "sections": [{"uid": "n000000000001", "id": "home", "title": {"en": "At home"}}],
    "questions": [
        {
            "uid": "n00000000000a",
            "id": "tired",
            "kind": "yes_no",
            "epsilon": 1.0,
            "wording": {"en": "Tired?"},
        },
        {
            "uid": "n00000000000b",
            "id": "often",
            "kind": "choice",
            "section": "n000000000001",
            "options": [
                {"uid": "n0000000000b1", "text": {"en": "Never"}},
                {"uid": "n0000000000b2", "text": {"en": "Daily"}},
            ],
        },
        {"uid": "n00000000000c", "id": "rent", "kind": "number", "section": "n000000000001"},
    ],
}
A, B, C, HOME = "n00000000000a", "n00000000000b", "n00000000000c", "n000000000001"


def changes(base: dict[str, Any], now: dict[str, Any]) -> list[Change]:
    """Do what the browser does: list the units in which a draft differs from what was loaded."""
    before, after = units(base), units(now)
    found = []
    for unit in dict.fromkeys([*after, *before]):
        if before.get(unit) == after.get(unit):
            continue
        if is_order(unit):
            common = set(before.get(unit, [])) & set(after.get(unit, []))
            orders = [[uid for uid in side.get(unit, []) if uid in common] for side in (before, after)]
            if orders[0] == orders[1]:
                continue
        behind = None
        if is_node(unit) and unit in after:
            owner, _, uid = unit.rpartition(".")
            order = after[f"{owner}.options" if owner else after[unit]]
            behind = ([None, *order])[order.index(uid)]
        found.append(Change(unit, unit_hash(before.get(unit)), after.get(unit), behind))
    return found


def edited(document: dict[str, Any], **values: Any) -> dict[str, Any]:
    """Return a copy with other values: ``edited(DRAFT, slug="x")``, or a unit with its dots as ``__``."""
    found = units(deepcopy(document)) | {unit.replace("__", "."): value for unit, value in values.items()}
    return from_units({unit: value for unit, value in found.items() if value is not None})


def without(document: dict[str, Any], uid: str) -> dict[str, Any]:
    """Return a copy without a question or a section; its questions stand alone then."""
    copy = deepcopy(document)
    for name in LISTS:
        copy[name] = [node for node in copy[name] if node["uid"] != uid]
    for question in copy["questions"]:
        if question.get("section") == uid:
            del question["section"]
    return copy


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


def random_edit(draw: random.Random, document: dict[str, Any], side: str) -> dict[str, Any]:
    """Return a copy after one to four edits of the kinds that the editor has."""
    copy = deepcopy(document)
    for _ in range(draw.randint(1, 4)):
        questions, sections = copy["questions"], copy["sections"]
        question = draw.choice(questions) if questions else None
        match draw.randrange(9):
            case 0:
                copy["title"] = {"en": f"{side}{draw.random()}"}
            case 1 if question:
                question["epsilon"] = draw.choice([1.5, 2.5, "two", None]) or 0.5
            case 2 if question:
                questions.remove(question)
            case 3:
                uid = f"n{draw.getrandbits(48):012x}"
                questions.insert(
                    draw.randint(0, len(questions)), {"uid": uid, "id": f"q{draw.randint(3, 5)}"}
                )
            case 4:
                draw.shuffle(questions)
            case 5 if question and sections:
                question["section"] = draw.choice(sections)["uid"]
            case 6 if sections:
                copy = without(copy, draw.choice(sections)["uid"])
            case 7 if question and question.get("options"):
                draw.choice(question["options"])["text"] = {"en": f"{side}{draw.random()}"}
            case 8 if question and question.get("options"):
                question["options"].remove(draw.choice(question["options"]))
    return from_units(units(copy))


def test_nothing_of_either_side_vanishes_unseen_in_10000_pairs_of_edits() -> None:
    """Each unit that one has changed is as they left it, or is named in a conflict; the other's too."""
    asked = 0
    for seed in range(10_000):
        draw = random.Random(seed)
        mine, theirs = (random_edit(draw, DRAFT, side) for side in ("mine", "theirs"))
        result = both(mine, theirs)
        if result.conflicts:
            asked += 1
            assert result.document == theirs
            for conflict in result.conflicts:
                sides = [named(side, conflict.unit) for side in (mine, theirs)]
                assert sides[0] != sides[1], seed
            continue
        base, own, other, now = map(units, (DRAFT, mine, theirs, result.document))
        for unit in {*base, *own, *other}:
            if is_order(unit):
                continue
            for side in (own, other):
                if side.get(unit) != base.get(unit):
                    renamed = unit.endswith(".id") and unit not in base
                    assert now.get(unit) == side.get(unit) or renamed, (seed, unit)
        assert {uid for uid in now if is_node(uid)} == surviving(base, own, other), seed
        names = [node["id"] for node in result.document.get("questions", [])]
        assert len(set(names)) == len(names) or any(len(set(n)) < len(n) for n in map(ids, (mine, theirs)))
    assert 1000 < asked < 9000


def named(document: dict[str, Any], unit: str) -> Any:
    """Return all that a document has at a unit or below it, and which questions a section has."""
    found = {name: value for name, value in units(document).items() if f"{name}.".startswith(f"{unit}.")}
    return found, {
        question["uid"] for question in document.get("questions", []) if question.get("section") == unit
    }


def surviving(base: dict[str, Any], own: dict[str, Any], other: dict[str, Any]) -> set[str]:
    """Return the nodes that both had and kept, or that one of them has added."""
    return {
        uid
        for uid in {*base, *own, *other}
        if is_node(uid) and (uid in own and uid in other if uid in base else True)
    }


def ids(document: dict[str, Any]) -> list[str]:
    """Return the short names of the questions."""
    return [question["id"] for question in document.get("questions", [])]
