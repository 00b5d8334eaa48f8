"""Drafts to edit, and an editor that is open on one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

from conftest import PASSWORD, Site
from pages import Staff
from selenium.webdriver import Chrome

from server.store import drafts, surveys
from server.store.drafts import Author
from survey.draft import Change, unit_hash, units

DRAWN = """
const drawn = (view) => view.querySelector(".device");
return document.querySelector("#editor:not([hidden])") && document.getElementById("total").firstChild
  && [...document.querySelectorAll(".seen-question")].every(drawn);
"""
"""Whether the draft is drawn, and its open question seen as respondents will see it."""

UID = "return document.querySelectorAll('#cards > .slip:not(.of-part)')[arguments[0] - 1]?.dataset.uid"
OPTION = "return document.querySelectorAll('.options-list > .option')[arguments[0] - 1]?.dataset.uid"


def large(slug: str) -> dict[str, Any]:
    """Write a draft with every mechanism of a number on the finest grid, and of fifty ordered options."""
    options = [{"en": f"Option {n}", "ko": f"선택 {n}"} for n in range(1, 51)]
    grid: dict[str, Any] = {"kind": "number", "low": 0, "high": 1000, "step": 1}
    questions: list[dict[str, Any]] = [
        grid | {"mechanism": name} for name in ("one_bit", "hybrid", "laplace")
    ]
    questions.append(grid | {"mechanism": "gaussian", "delta": 1e-6})
    choice = {"kind": "choice", "ordered": True, "options": options}
    questions += [choice | {"mechanism": name} for name in ("wheel", "exponential")]
    named = [
        {"id": f"asked_{n}", "epsilon": 1.0, "wording": {"en": "What?", "ko": "무엇?"}} | each
        for n, each in enumerate(questions)
    ]
    return draft(slug, questions=named)


def draft(slug: str, **more: Any) -> dict[str, Any]:
    """Write a draft with a question of every kind."""
    options = [{"en": f"Option {n}", "ko": f"선택 {n}"} for n in range(1, 13)]
    questions = [
        {"id": "copied", "mechanism": "spinner_coin"},
        {"id": "reason", "kind": "choice", "mechanism": "wheel", "options": options},
        {"id": "taken", "kind": "boxes", "mechanism": "sampled_box", "options": options[:5]},
        {"id": "drinks", "kind": "number", "mechanism": "hybrid", "low": 0, "high": 100, "step": 1},
    ]
    names = ("title", "organisation", "contact", "information", "consent")
    texts = {name: {"en": name, "ko": name} for name in names} | {"kept_until": "2030-12-31"}
    worded = [each | {"epsilon": 1.0, "wording": {"en": "What?", "ko": "무엇?"}} for each in questions]
    return {"candor": 1, "slug": slug, "languages": ["en", "ko"], **texts, "questions": worded} | more


def opening(site: Site, browser: Chrome) -> Callable[..., Staff]:
    """Give the function that opens the editor of a draft, which is made if there is none of that name."""

    def open_editor(slug: str, table: dict[str, Any] | None = None, **more: Any) -> Staff:
        """Sign in, open the editor, and wait until it is drawn; give whoever edits."""
        if site.storage.read(surveys.by_slug, slug) is None:
            site.storage.write(surveys.create_draft, table or draft(slug, **more))
        staff = Staff(browser)
        staff.sign_in(site.address, "ada", PASSWORD)
        browser.get(f"{site.address}/admin/surveys/{slug}")
        staff.until(lambda: browser.execute_script(DRAWN), "not all views")
        return staff

    return open_editor


CLICK = """
const [node] = arguments;
node.scrollIntoView({ block: "center", behavior: "instant" });
const [{ x, y, width, height }] = node.getClientRects(); // of words on two lines, the first
const top = document.elementFromPoint(x + width / 2, y + height / 2);
if (!node.contains(top)) return top ? top.outerHTML.slice(0, 200) : "the edge of the window";
node.focus({ preventScroll: true });
node.click();
return null;
"""
"""All in one moment: an answer that comes between a look and a click would move what is clicked on."""


def click(staff: Staff, selector: str) -> None:
    """Click on what a selector finds, in the middle of the window, where nothing lies over it."""
    over = staff.until(lambda: [staff.browser.execute_script(CLICK, staff.find(selector))])
    assert over == [None], f"over {selector} lies {over}"


def unfold(staff: Staff, panel: int | str) -> None:
    """Open a panel: a question by its number, or ``start``, ``plan``, ``end`` or ``results``."""
    place = card(staff, panel) if isinstance(panel, int) else f"#panel-{panel}"
    if not staff.has(f"{place} > .panel"):
        click(staff, f"{place} > .line")
    staff.until(lambda: staff.has(f"{place} > .panel"), f"{panel} does not open")


def card(staff: Staff, number: int) -> str:
    """Give the selector of the card of a question."""
    uid = staff.until(lambda: staff.browser.execute_script(UID, number), f"no question {number}")
    return f"#{uid}"


def field(staff: Staff, number: int, key: str) -> str:
    """Give the selector of a field of a question: ``field(staff, 1, "wording.en")``."""
    return f"[id='{card(staff, number)[1:]}.{key}']"


def option(staff: Staff, number: int, language: str = "en") -> str:
    """Give the selector of the field of an option of the question that is open."""
    uid = staff.until(lambda: staff.browser.execute_script(OPTION, number), f"no option {number}")
    return f"[data-uid='{uid}'] [lang={language}]"


def save_as(site: Site, name: str, slug: str, changed: dict[str, Any]) -> None:
    """Let somebody else save a draft in which some units are changed."""
    survey = site.survey(slug)
    stored = units(survey.document or {})
    changes = [Change(unit, unit_hash(stored.get(unit)), value) for unit, value in changed.items()]
    site.storage.write(drafts.save, survey.id, survey.tag, changes, Author(name, secrets.token_hex(8), 1))


def until(staff: Staff, selector: str, words: str) -> str:
    """Wait until the words, a pattern, stand there; give all that stands there."""

    def said() -> str | None:
        text = staff.browser.execute_script(
            "return document.querySelector(arguments[0])?.textContent ?? ''", selector
        )
        return text if re.search(words, text, re.DOTALL) else None

    return staff.until(said, f"{words!r} does not come at {selector}")


def offline(browser: Chrome, cut: bool) -> None:
    """Cut the network, or join it again."""
    conditions = {"offline": cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
