"""Linked questions in a real browser: all are answered, then one wheel turns for all of them."""

from __future__ import annotations

import pytest
from conftest import definition

TEXTS = {"en": "Is it so?", "ko": "그렇습니까?"}


@pytest.fixture
def publish(site):
    """Open a survey of four linked questions; gives its slug."""

    def open_one(outcome: str = "after", **more: object) -> str:
        slug = site.fresh("linked")
        questions = [{"id": f"item_{number}", "wording": TEXTS} for number in range(4)]
        section = {"id": "together", "linked": True, "epsilon": 10.0, "questions": questions} | more
        table = definition(slug, []) | {"candor": 3, "outcome": outcome, "sections": [section]}
        del table["questions"]
        site.open(table)
        return slug

    return open_one


def test_one_press_draws_all_answers_with_one_word(site, respondent, publish):
    """Seven presses: the box, Begin, four answers, and one that draws and sends."""
    slug = publish()
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.browser.execute_script(
        "window.words = 0; const own = crypto.getRandomValues.bind(crypto);"
        "crypto.getRandomValues = (a) => { window.words += a.length; return own(a); };"
    )
    respondent.mark([1, 0, 0, 1])
    assert "all four are sent as you gave them" in respondent.text()
    respondent.send()
    # Five words of 32 bits: one for the wheel, and four for the receipt.
    assert respondent.browser.execute_script("return window.words") == 5
    assert list(respondent.sent().values()) == [[1], [0], [0], [1]]  # at this epsilon chance rarely speaks
    (row,) = site.rows(slug)
    assert [row[f"item_{number}"] for number in range(4)] == [1, 0, 0, 1]
    assert not respondent.complaints()
