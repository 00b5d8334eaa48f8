"""Buttons do by loads what the script does at once: the same cases hold for both."""

import json
from pathlib import Path

import pytest

from server.forms.arrangement import rearrange
from server.forms.removal import removed

CASES = json.loads((Path(__file__).parents[1] / "js" / "rearranged.json").read_text())


def draft(said):
    """Questions as `name:part@scale`, with as many parts as they name."""
    named = [(each.partition("@")[0].partition(":"), each.partition("@")[2]) for each in said]
    questions = [
        {"id": name, "section": part, "matrix": scale, "options": []} for (name, _, part), scale in named
    ]
    parts = max((int(part) + 1 for (_, _, part), _ in named if part), default=0)
    return [{"id": f"part_{n}"} for n in range(parts)], questions


def said(questions):
    """Write questions as `draft` reads them."""
    return [
        each.get("id", "")
        + (f":{part}" if (part := each.get("section")) else "")
        + (f"@{scale}" if (scale := each.get("matrix")) else "")
        for each in questions
    ]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['what']} {case.get('at')} of {case['before']}"
)
def test_every_case_of_both_comes_out_the_same(case):
    sections, questions = draft(case["before"])
    if case["what"].startswith("remove"):
        what = "remove-section" if case["what"] == "remove-part" else "remove"
        gone = removed(sections, questions, f"{what}-{case['at']}")
        assert said(questions) == case["after"]
        gone.restore(sections, questions)
        assert said(questions) == case["before"]
        return
    action = case["what"] + (f"-{case['at']}" if "at" in case else "")
    rearrange(sections, questions, action, "yes_no", str(case.get("to", 0) + 1))
    assert said(questions) == case["after"]
