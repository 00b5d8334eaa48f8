"""Two people in two windows write in one draft at the same time, for real: nothing that is typed is lost."""

from __future__ import annotations

import pytest
from conftest import PASSWORD, check_for_everybody, show_at, start
from editing import click, draft, field, unfold, until
from pages import Staff

from server.store import surveys
from server.store.staff import accounts

OTHER = "eve"


@pytest.fixture(scope="module")
def another_browser(tmp_path_factory):
    """The browser of eve."""
    with start(tmp_path_factory.mktemp("eve") / "profile") as browser:
        yield browser


@pytest.fixture
def two(site, browser, another_browser):
    """Ada and eve, each in a browser of their own, both with the same draft open."""
    slug = site.fresh("two-windows")
    site.storage.write(surveys.create_draft, draft(slug))
    if site.storage.read(accounts.by_name, OTHER) is None:
        site.storage.write(accounts.create, OTHER, PASSWORD, "admin")
    people = []
    for name, window in (("ada", browser), (OTHER, another_browser)):
        show_at(window, "light", 1280)
        staff = Staff(window)
        staff.sign_in(site.address, name, PASSWORD)
        staff.browser.get(f"{site.address}/admin/surveys/{slug}")
        staff.until(lambda staff=staff: staff.has("#editor:not([hidden])"))
        people.append(staff)
    return slug, *people


def held_back(staff):
    """Let what is typed wait for "Save", so that a test decides who is first."""
    staff.browser.execute_script(
        "const { setTimeout } = window;"
        "window.setTimeout = (work, ms) => setTimeout(work, ms === 1000 ? 1e8 : ms);"
    )


def type_at_once(*typed):
    """Let people type by turns, a key each, as two who write at the same time."""
    for staff, place, _ in typed:
        staff.replace(place, "")
    for keys in zip(
        *(words.ljust(max(len(each[2]) for each in typed)) for _, _, words in typed), strict=True
    ):
        for (staff, place, _), key in zip(typed, keys, strict=True):
            staff.browser.find_element("css selector", place).send_keys(key)


def test_what_each_types_elsewhere_is_put_together_while_both_go_on(site, two):
    slug, ada, eve = two
    unfold(eve, 2)
    type_at_once((ada, field(ada, 1, "wording.en"), "Tired?"), (eve, field(eve, 2, "wording.en"), "Why so?"))
    for staff in (ada, eve):
        until(staff, ".standing", "^Saved$")
    questions = site.survey(slug).draft["questions"]
    assert [each["wording"]["en"].strip() for each in questions[:2]] == ["Tired?", "Why so?"]
    said = [staff for staff in (ada, eve) if staff.has("#joined")]
    assert said, "whoever was second reads what the other has changed"
    words = said[0].text("#joined")
    assert "has saved this draft too" in words
    # Whoever was second has the other's words too, and both go on without being asked.
    click(said[0], ".save-bar #save")
    second = eve if said[0] is ada else ada
    second.find(field(second, 2 if second is eve else 1, "wording.en")).send_keys(" Really?")
    until(second, ".standing", "^Saved$")
    questions = site.survey(slug).draft["questions"]
    assert [" Really?" in each["wording"]["en"] for each in questions[:2]].count(True) == 1
    assert not ada.has("#conflict")
    assert not eve.has("#conflict")


def test_who_comes_second_to_the_same_question_chooses_and_nothing_typed_is_lost(site, two):
    slug, ada, eve = two
    for staff in (ada, eve):
        held_back(staff)
    unfold(eve, 1)
    wordings = [field(staff, 1, "wording.en") for staff in (ada, eve)]
    type_at_once((ada, wordings[0], "What ada asks?"), (eve, wordings[1], "What eve asks?"))
    unfold(eve, 3)
    eve.replace(field(eve, 3, "wording.en"), "What only eve asks?")
    click(ada, "#save")
    until(ada, ".standing", "^Saved$")
    click(eve, "#save")
    said = until(eve, "#conflict", "ada saved this draft while you were writing.*Question 1, Wording")
    assert "What ada asks?" in said
    assert "What eve asks?" in said
    assert "What only eve asks?" not in said, "nobody else has changed that"
    # A window that is left now loses nothing either: the browser holds what was typed.
    held = eve.browser.execute_script("return Object.values(localStorage).join()")
    assert "What eve asks?" in held
    assert "What only eve asks?" in held
    assert eve.find("#conflict [value=mine]").is_selected()
    check_for_everybody(eve)
    click(eve, "#conflict label:has([value=theirs])")
    click(eve, "#conflict .button")
    until(eve, ".standing", "^Saved$")
    assert not eve.has("#conflict")
    questions = site.survey(slug).draft["questions"]
    assert questions[0]["wording"]["en"].strip() == "What ada asks?"
    assert questions[2]["wording"]["en"] == "What only eve asks?"
