"""What is read before the first question: short, with Begin near, and help within reach on every screen."""

from __future__ import annotations

import pytest
from conftest import start
from pages import Respondent

from server.cli.simulation.respondents import read_examples
from server.store import surveys

PHONE = (390, 844)
MOST_SCREENS = 1.75
EXAMPLES = {definition.slug: definition for definition in read_examples()}
BEGIN = """
const [button] = document.querySelectorAll("[data-action=begin]");
const some = [...document.querySelectorAll(".telling, .waves")].map(({ offsetHeight }) => offsetHeight);
const above = some.reduce((sum, height) => sum + height, 0);
return button.getBoundingClientRect().bottom + scrollY - above;
"""
"""The end of Begin, in pixels, less the most telling result and the waves, which only some surveys tell."""


@pytest.fixture
def example(site, request):
    """An example survey as it is published; gives its definition."""
    definition = EXAMPLES[request.param]
    site.storage.write(lambda db: surveys.open_survey(db, surveys.import_definition(db, definition).id))
    return definition


@pytest.mark.parametrize("example", EXAMPLES, indirect=True)
def test_begin_is_near(site, browser, example):
    width, height = PHONE
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{example.slug}")
    for language in example.languages:
        respondent.click(f"#languages [lang={language}]")
        bottom = browser.execute_script(BEGIN)
        print(f"\n{example.slug}, {language}: Begin within {bottom / height:.2f} screens")
        assert bottom <= MOST_SCREENS * height
    assert respondent.overflow() == 0


BROKEN = """
const nodes = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
const broken = [];
while (nodes.nextNode()) {
  const node = nodes.currentNode;
  if (!node.parentElement.checkVisibility() || node.parentElement.closest("a")) continue;
  for (const { 0: word, index } of node.data.matchAll(/\\S+/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
  }
}
return broken;
"""
"""Words that do not stand on one line, but for addresses."""


BESIDE = """
const width = (name) => document.querySelector(`.aside .device ${name}`).getBoundingClientRect().width;
const answer = document.querySelector(".answer label").getBoundingClientRect();
return [answer.bottom, width(".wheel"), width(".coin")];
"""
"""The end of the first answer, and the widths of the wheel and its coin."""

SIZES = """
const places = [":root", ".promise", ".promise + p"].map((name) => document.querySelector(name));
return places.map((place) => getComputedStyle(place).fontSize);
"""


@pytest.fixture(scope="module")
def large(site, tmp_path_factory):
    """A phone whose reader has doubled the size of text; gives what opens a survey there."""
    profile = tmp_path_factory.mktemp("large") / "profile"
    browser = start(profile, "--blink-settings=defaultFontSize=32", "--force-prefers-reduced-motion")
    width, height = PHONE
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    respondent = Respondent(browser)

    def visit(slug):
        respondent.visit(f"{site.address}/s/{slug}")
        assert browser.execute_script(SIZES) == ["32px"] * 3
        return respondent

    yield visit
    browser.quit()


def test_text_of_twice_the_size_leaves_begin_within_three_screens_of_a_phone(site, large):
    height = PHONE[1]
    for definition in EXAMPLES.values():
        slug = site.fresh("twice")
        site.open(definition.as_dict() | {"slug": slug})
        respondent = large(slug)
        for language in definition.languages:
            respondent.click(f"#languages [lang={language}]")
            begin = respondent.find("[data-action=begin]").rect
            bottom = begin["y"] + begin["height"]
            print(f"\n{definition.slug}, {language}: Begin within {bottom / height:.2f} screens")
            assert bottom <= 3 * height
            assert respondent.browser.execute_script(BROKEN) == []
            assert respondent.overflow() == 0
        respondent.consent()
        for language in definition.languages:
            respondent.click(f"#languages [lang={language}]")
            assert respondent.browser.execute_script(BROKEN) == []
            assert respondent.overflow() == 0


def test_it_leaves_the_first_answer_within_the_first_screen_and_the_wheel_larger_than_its_coin(site, large):
    wording = {"en": "How often did you do the thing in question?", "ko": "그 일을 얼마나 자주 했습니까?"}
    questions = [
        {"id": name, "wording": wording, "mechanism": "spinner_coin", "epsilon": 0.9} for name in "ab"
    ]
    site.publish(slug := site.fresh("large"), questions=questions)
    respondent = large(slug)
    respondent.consent()
    for _ in questions:
        for language in wording:
            respondent.click(f"#languages [lang={language}]")
            answer, wheel, coin = respondent.browser.execute_script(BESIDE)
            print(f"\n{language}: the first answer ends at {answer:.0f}, wheel {wheel:.0f}, coin {coin:.0f}")
            assert answer <= PHONE[1]
            assert wheel >= coin
            assert respondent.browser.execute_script(BROKEN) == []
            assert respondent.overflow() == 0
        respondent.answer(1)


PLACES = """
return ["h1", ".who", "h1 ~ div", ".ways > a", ".ways summary", "#languages button"].map((name) => {
  const { left, top, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, document.querySelector(name).innerText, left, top, width, height].join(" ");
});
"""
"""What the server writes, and where it stands."""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps_when_the_scripts_have_come(site, browser, width):
    (definition, *_) = EXAMPLES.values()
    slug = site.fresh("still")
    site.open(definition.as_dict() | {"slug": slug})
    address = f"{site.address}/s/{slug}"
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    respondent = Respondent(browser)
    browser.execute_cdp_cmd("Network.enable", {})
    try:
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*respond.js"]})
        browser.get(address)
        before = browser.execute_script(PLACES)
    finally:
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    respondent.visit(address)
    assert browser.execute_script(PLACES) == before


def test_a_quick_exit_clears_what_it_can_and_nothing_is_drawn_again(site, browser):
    respondent = Respondent(browser)
    elsewhere = "https://elsewhere.invalid/"
    site.publish("exit", ("coin", None), ("spinner", 1.0), candor=2, quick_exit=elsewhere)
    address = f"{site.address}/s/exit"
    respondent.visit(address)
    steps = browser.execute_script("return history.length")
    respondent.consent()
    respondent.act("earlier")
    respondent.wait_for("welcome")
    respondent.consent()
    respondent.answer(1)
    respondent.choose(1)
    assert browser.execute_script("return history.length") == steps, "no step of the survey is left behind"
    respondent.act("leave")
    respondent.until(lambda: browser.current_url == elsewhere)
    respondent.visit(address, "ended")
    assert respondent.session() == {"word": "ended"}
    assert not respondent.has("main button")
    assert site.rows("exit") == []


def test_every_screen_leads_to_the_lessons_and_to_the_authors_contacts(site, respondent):
    contacts = {"en": "Ada: ada@help.example, tel:112\nhttps://help.example/now", "ko": "전화 02-123-4567"}
    site.publish("contacts", ("coin", None), help=contacts)
    respondent.visit(f"{site.address}/s/contacts")
    for screen in ("welcome", "question", "review", "sent"):
        respondent.wait_for(screen)
        lessons = respondent.find(".ways > a")
        assert lessons.get_attribute("href") == f"{site.address}/learn"
        assert (lessons.get_attribute("target"), lessons.get_attribute("rel")) == (
            "_blank",
            "noopener noreferrer",
        )
        respondent.click(".ways summary")
        links = respondent.browser.find_elements("css selector", ".ways .help a")
        assert [link.get_attribute("href") for link in links] == [
            "mailto:ada@help.example",
            "tel:112",
            "https://help.example/now",
        ]
        respondent.click(".ways summary")
        if screen == "welcome":
            respondent.consent()
        elif screen == "question":
            respondent.answer(1)
        elif screen == "review":
            respondent.send()
    respondent.click("#languages [lang=ko]")
    respondent.click(".ways summary")
    assert respondent.find(".ways .help a").get_attribute("href") == "tel:021234567"
    assert respondent.complaints() == []
