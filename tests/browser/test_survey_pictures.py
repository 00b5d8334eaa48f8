"""A survey with pictures: every browser asks for all of them, in their order, before anything is asked."""

from __future__ import annotations

import io

import pytest
from conftest import another_window, check_for_everybody, definition, show_at
from editing import field, opening, until
from PIL import Image

from server.store import pictures, surveys
from server.store.pictures import StoredPicture
from survey.read_definition import from_dict

COLORS = ("red", "green", "blue")


def texts(words):
    return {"en": words, "ko": f"{words} (한국어)"}


def drawn(color):
    file = io.BytesIO()
    Image.new("RGB", (120, 80), color).save(file, "PNG")
    return StoredPicture("png", 120, 80, file.getvalue())


PICTURES = {color: drawn(color) for color in COLORS}


def section(color):
    shown = {"sha256": PICTURES[color].sha256, "type": "png", "width": 120, "height": 80}
    question = {"id": color, "mechanism": "coin", "wording": texts(f"Is it {color}?")}
    return {
        "id": f"part_{color}",
        "questions": [question | {"picture": shown | {"alt": texts(f"A {color} box")}}],
    }


@pytest.fixture
def survey(site):
    """A survey of the test's own, open: each person is asked one of three parts, each with a picture."""
    slug = site.fresh("pictures")
    around = {key: value for key, value in definition(slug, ()).items() if key != "questions"}
    table = around | {"candor": 3, "asked": 1, "sections": [section(color) for color in COLORS]}

    def work(db):
        draft = surveys.import_definition(db, from_dict(table, slug))
        for picture in PICTURES.values():
            pictures.add(db, draft.id, picture)
        surveys.open_survey(db, draft.id)

    site.storage.write(work)
    return slug


def script(browser, word):
    """Let chance always give this word."""
    source = f"Crypto.prototype.getRandomValues = (array) => array.map(() => {word});"
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})


def begin(respondent):
    respondent.click(".consent label")
    respondent.click("[data-action=begin]:enabled")
    respondent.wait_for("question")


def asked_for(wire, survey):
    """Give the addresses of a survey that a browser has asked for, in order."""
    return [each.target for each in wire.requests if each.target.startswith(f"/s/{survey}")]


def test_all_pictures_are_asked_for_in_their_order_whoever_is_asked_what(wire, respondent, survey):
    """Three people of other chance: what their browsers ask for is the same, and ends before they begin."""
    everything = [f"/s/{survey}", *(f"/s/{survey}/pictures/{each.sha256}" for each in PICTURES.values())]
    seen = set()
    for word in (0, 2**31, 2**32 - 1):
        another_window(respondent.browser)
        respondent.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        script(respondent.browser, word)
        wire.requests.clear()
        respondent.visit(f"{wire.address}/s/{survey}")
        respondent.find("[data-action=begin]:enabled")
        assert asked_for(wire, survey) == everything
        begin(respondent)
        seen.add(respondent.text("[data-part=wording]"))
        respondent.answer(1)
        respondent.wait_for("review")
        assert asked_for(wire, survey) == everything
        assert respondent.complaints() == []
    assert len(seen) == 3


def test_a_question_shows_its_picture_to_everybody(wire, respondent, survey):
    script(respondent.browser, 0)
    respondent.visit(f"{wire.address}/s/{survey}")
    begin(respondent)
    image = respondent.find(".picture img")
    natural = "return arguments[0].naturalWidth"
    respondent.until(lambda: respondent.browser.execute_script(natural, image) == 120)
    assert image.get_attribute("src").startswith("blob:")
    assert image.get_attribute("alt") == "A red box"
    respondent.click("#languages [lang=ko]")
    assert image.get_attribute("alt") == "A red box (한국어)"
    check_for_everybody(respondent)
    show_at(respondent.browser, "dark", 320)
    assert respondent.overflow() <= 0
    respondent.browser.refresh()
    respondent.wait_for("question")
    respondent.find(".picture img")
    assert respondent.complaints() == []


def test_other_bytes_than_were_published_are_never_shown(wire, respondent, survey):
    script(respondent.browser, 2**31)
    wire.rewrites = spoiling
    respondent.visit(f"{wire.address}/s/{survey}")
    assert "One picture could not be loaded." in respondent.text(".loading-pictures .notice")
    assert not respondent.browser.find_element("css selector", "[data-action=begin]").is_enabled()
    check_for_everybody(respondent)
    respondent.act("pictures-again")
    respondent.find("[data-action=pictures-without]")
    respondent.act("pictures-without")
    begin(respondent)
    assert respondent.text("[data-part=wording]") == "Is it green?"
    assert respondent.text(".picture") == "Picture: A green box"
    wire.rewrites = None
    respondent.browser.refresh()
    respondent.wait_for("question")
    respondent.find(".picture img")


def spoiling(request, answer):
    """Put another picture in the place of the green one."""
    if PICTURES["green"].sha256 not in request.target:
        return answer
    return answer.replace(PICTURES["green"].data, PICTURES["green"].data[:-1] + b"x")


def test_a_picture_is_sent_as_soon_as_it_is_chosen_and_saved_with_the_draft(site, browser, tmp_path):
    slug = site.fresh("chosen")
    staff = opening(site, browser)(slug)
    for name, data in (("no.png", b"hello"), ("red.png", PICTURES["red"].data)):
        (tmp_path / name).write_bytes(data)
    staff.find(".question-picture summary").click()
    browser.find_element("id", "picture-file").send_keys(str(tmp_path / "no.png"))
    until(staff, ".question-picture .error", "This one is not.")
    browser.find_element("id", "picture-file").send_keys(str(tmp_path / "red.png"))
    staff.find(".uploaded img")
    staff.find(field(staff, 1, "picture.alt.en")).send_keys("A red box")
    until(staff, ".standing", "^Saved$")
    staff.until(lambda: site.survey(slug).draft["questions"][0].get("picture", {}).get("alt", {}).get("en"))
    assert site.survey(slug).draft["questions"][0]["picture"]["width"] == 120
    check_for_everybody(staff)
    staff.find("[data-does=unpicture]").click()
    staff.until(lambda: "picture" not in site.survey(slug).draft["questions"][0])
