"""The pages as somebody uses them: each method is one thing a person does or sees."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import TypeVar

import requests
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
PATIENCE = 60
"""Seconds that anything on a page may take, also where the machine has other work."""

GLANCE = 0.05
"""Seconds between two looks at what is waited for: most of it is there at the first or the second."""

PACED = """
const frame = window.requestAnimationFrame;
let time = 0;
window.requestAnimationFrame = (work) => frame.call(window, () => work(time += 50));
"""
"""Let 50 milliseconds pass with whatever a frame draws, however long the machine takes over it."""

FIRST = """
const first = [...document.querySelectorAll(arguments[0])].find((each) => {
  const { width, height } = each.getBoundingClientRect();
  return width * height > 0 && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}) ?? null;
if (!first) return null;
"""
"""Find the first element of a selector that can be seen: the driver's own way takes three times as long."""

READ = r"""
const text = first.innerText ?? first.textContent;
return [text.replace(/[ \t\u00a0]+/g, " ").replace(/ ?\n\s*/g, "\n").trim()];
"""
"""Give its words: for a whole page the driver's own way takes half a second."""

PRESS = """
const over = () => {
  const [{ x, y, width, height }] = first.getClientRects(); // of words on two lines, the first
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return first.contains(top) ? "" : top?.outerHTML.slice(0, 200) ?? "the edge of the window";
};
if (over()) first.scrollIntoView({ block: "center", behavior: "instant" });
const above = over();
if (above) return above;
(first.control ?? first).focus({ preventScroll: true });
first.click();
return "";
"""
"""Press what can be seen where nothing lies over it: a sixth of the work of the driver's mouse."""

REPLACE = """
const [field, words] = arguments;
field.focus();
field.select();
return document.execCommand(words ? "insertText" : "delete", false, words);
"""
"""What is pasted over a field comes with one input event, as the browser's own."""

USE_AND_STOP = """
const [done] = arguments;
document.querySelector("[data-action=lock]").click();
const stop = () => {
  if (!document.querySelector("[data-action=skip]")) return requestAnimationFrame(stop);
  const turning = document.getAnimations();
  for (const each of turning) each.pause();
  done(turning.map((each) => each.effect.getComputedTiming().endTime));
};
stop();
"""
"""The page does it itself: by the time that the driver asks, a picture may have come to its end."""

Given = TypeVar("Given")


POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def figure(written: str) -> float:
    """Read a number as a lesson writes it: 1,234 or 5.61 × 10⁻⁵."""
    return float(written.replace(",", "").replace(" × 10", "e").translate(POWERS))


def nearest(number: float) -> int:
    """Round as a page does: a half goes up, where Python's round goes to the even side."""
    return math.floor(number + 0.5)


class Page:
    """What every page has; whoever has a mouse presses with it."""

    mouse = False

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def until(self, condition: Callable[[], Given | None], message: str = "") -> Given:
        """Wait until a condition gives something, and give that."""
        # An element of the page that is just being left is no answer: look again.
        wait = WebDriverWait(self.browser, PATIENCE, GLANCE, [StaleElementReferenceException])
        return wait.until(lambda _: condition(), message)

    def find(self, selector: str) -> WebElement:
        """Wait for an element that can be seen, and give it."""
        return self.until(
            lambda: self.browser.execute_script(f"{FIRST} return first;", selector),
            f"nothing to see at {selector}",
        )

    def click(self, selector: str) -> None:
        """Press what a selector finds as soon as it can be seen, with the mouse where somebody has one."""
        if self.mouse:
            self.find(selector).click()
            return

        def pressed() -> list[str] | None:
            over = self.browser.execute_script(FIRST + PRESS, selector)
            return None if over is None else [over]

        assert self.until(pressed, f"nothing to press at {selector}") == [""], (
            f"something lies over {selector}"
        )

    def has(self, selector: str) -> bool:
        """Tell whether an element is there now."""
        return bool(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def text(self, selector: str = "main") -> str:
        """Give the words that can be read there."""
        (words,) = self.until(
            lambda: self.browser.execute_script(FIRST + READ, selector), f"nothing to read at {selector}"
        )
        return words

    def unfold(self, selector: str) -> str:
        """Open what is folded there, and give the words that can then be read."""
        self.click(f"{selector} > summary")
        return self.text(selector)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, selector: str, key: str, most: int = 60) -> None:
        """Move the focus on until it is on an element that the selector finds, then press the key."""
        self.find(selector)
        for _ in range(most):
            if self.browser.execute_script("return document.activeElement.matches(arguments[0])", selector):
                self.press(key)
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def overflow(self) -> int:
        """Give by how many pixels the page is wider than the window."""
        return self.browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def complaints(self) -> list[str]:
        """Give what the browser's console says is wrong, policy violations among it."""
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]


class Respondent(Page):
    """Answers a survey."""

    def visit(self, address: str, screen: str = "welcome") -> None:
        """Open a survey's page and wait for a screen of it."""
        self.browser.get(address)
        self.wait_for(screen)

    @property
    def screen(self) -> str:
        """The name of the screen shown now."""
        return self.browser.execute_script("return document.body.dataset.screen ?? ''")

    def wait_for(self, screen: str) -> None:
        """Wait for a screen."""
        try:
            self.until(lambda: self.screen == screen)
        except TimeoutException:
            raise AssertionError(f"{self.screen!r} instead of {screen!r}") from None

    def act(self, action: str) -> None:
        """Click the button of this name."""
        self.click(f"[data-action={action}]")

    def consent(self) -> None:
        """Read the welcome, agree, begin."""
        if not self.find(".consent input").is_selected():  # as it still is after Back
            self.click(".consent label")
        self.act("begin")
        self.wait_for("question")

    def choose(self, answer: int, among: str = "") -> None:
        """Mark an answer, 0 for no and 1 for yes; or the option or the box at this position."""
        self.click(f"{among}label:has([data-answer='{answer}'])")

    def use_and_stop(self) -> list[float]:
        """Use the answer that is marked, and stop the picture at once; give when each motion would end."""
        self.find("[data-action=lock]")
        return self.browser.execute_async_script(USE_AND_STOP)

    def use(self) -> list[int]:
        """Use the answer that is marked; give what is recorded in every column of its question."""
        asked = self.find("section.question").get_dom_attribute("data-question")
        self.act("lock")
        return self.codes(f"[data-of='{asked}']")

    def enter(self, number: float | str, among: str = "") -> None:
        """Write a number into the field of the question."""
        field = self.find(f"{among}input.number")
        field.clear()
        field.send_keys(str(number))

    def codes(self, result: str = "[data-report]") -> list[int]:
        """Give what is recorded in every column of the question whose result is shown."""
        return [int(code) for code in (self.find(result).get_dom_attribute("data-report") or "").split()]

    def result(self) -> int:
        """Give what is recorded for a question of one column."""
        (report,) = self.codes()
        return report

    def answer(self, answer: int) -> int:
        """Answer a question of one column, and give what is recorded."""
        self.choose(answer)
        (report,) = self.use()
        return report

    def answer_all(self, answers: list[int]) -> list[int]:
        """Answer every question, each result seen first, up to the screen that shows what will be sent."""
        self.consent()
        reports = [self.answer(answer) for answer in answers]
        self.wait_for("review")
        return reports

    def mark(self, answers: list[int]) -> None:
        """Mark an answer to each question of a survey that is answered first and drawn at one press."""
        self.consent()
        left = iter(answers)
        while True:
            names = self.browser.execute_script(
                "return Array.from(document.querySelectorAll('section.question'), (e) => e.dataset.question)"
            )
            for name in names:
                self.choose(next(left), f"[data-question='{name}'] ")
            if not self.has("[data-action=next]"):
                break
            self.act("next")
            self.until(lambda last=names[-1]: not self.has(f"[data-question='{last}']"))
        assert next(left, None) is None

    def discard(self) -> None:
        """On the screen that shows what will be sent: discard it, which the page asks about once."""
        self.click(".apart summary")
        self.act("discard")
        self.wait_for("ended")

    def body(self) -> str:
        """Open the bytes that the page says it will send, and give them."""
        self.click("details:has([data-body]) summary")
        return self.text("[data-body]")

    def send(self, outcome: str = "sent") -> None:
        """Send, by the press that draws too where answers come first, and wait for what comes of it."""
        self.click("[data-action=press], [data-action=send]")
        self.wait_for(outcome)

    def sent(self) -> dict[str, list[int]]:
        """Give what the page says it has sent, by question, once all of it stands there."""
        self.find("[data-receipt]")
        items = self.browser.find_elements(By.CSS_SELECTOR, "li[data-of]")
        return {
            str(item.get_dom_attribute("data-of")): [
                int(code) for code in str(item.get_dom_attribute("data-report")).split()
            ]
            for item in items
        }

    def kept(self) -> str:
        """Give everything that the page keeps in the browser."""
        return self.browser.execute_script(
            "return JSON.stringify("
            "[Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])"
        )

    def session(self) -> dict[str, object]:
        """Return what the page keeps for the one survey that it shows: there must be nothing else."""
        ((key, value),), local, cookie = json.loads(self.kept())
        assert re.fullmatch(r"candor [0-9a-f]{64}", key)
        assert (local, cookie) == ([], "")
        return json.loads(value)

    def receipt(self) -> str:
        """Give the receipt number from the page of thanks."""
        found = re.search(r"\b[0-9a-f]{32}\b", self.text("[data-receipt]"))
        assert found
        return found[0]


class Staff(Page):
    """Signs in and works on surveys."""

    def sign_in(self, address: str, name: str, password: str) -> None:
        """Sign in as the page does, without the page, which takes longer than most of what follows."""
        page = requests.get(f"{address}/login", timeout=PATIENCE)
        token = TOKEN.search(page.text)[1]
        fields = {"csrf_token": token, "name": name, "password": password}
        cookies = dict(page.cookies)
        answer = requests.post(page.url, fields, cookies=cookies, allow_redirects=False, timeout=PATIENCE)
        assert answer.status_code == 302
        for cookie, value in answer.cookies.items():
            given = {"name": cookie, "value": value, "url": address, "secure": True, "httpOnly": True}
            assert self.browser.execute_cdp_cmd("Network.setCookie", given | {"path": "/"})["success"]

    def sign_in_on_the_page(self, address: str, name: str, password: str) -> None:
        """Sign in with the keyboard."""
        self.browser.get(f"{address}/login")
        self.fill("name", name)
        self.fill("password", password)
        self.press(Keys.ENTER)
        self.until(lambda: "/login" not in self.browser.current_url)

    def fill(self, name: str, value: str) -> None:
        """Write into a field."""
        self.replace(f"[name='{name}']", value)

    def replace(self, selector: str, value: str) -> None:
        """Write into the field that a selector finds, in the place of what it holds.

        All at once: of what is typed key by key a busy machine gives a page time to save or send a half.
        """
        field = self.find(selector)
        written = self.browser.execute_script(REPLACE, field, value)
        assert written or not value, f"{selector} takes nothing"


CHANCE = """
if (location.protocol === "http:") {
  const load = Number(sessionStorage.getItem("load")) + 1;
  sessionStorage.setItem("load", String(load));
  let state = Math.imul(load, 0x85ebca6b);
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    const once = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
    return twice ^ (twice >>> 15);
  };
  Crypto.prototype.getRandomValues = (words) => {
    for (const place of words.keys()) words[place] = next();
    return words;
  };
}
"""
"""The same words in every run, and others after each load of a page: splitmix32, seeded by the load."""


CELLS = r"""
const [table, parts] = arguments;
const read = (cell) => (cell.checkVisibility() ? cell.innerText.replace(/\s+/g, " ").trim() : "");
const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(parts)]);
return rows.filter((row) => row.length).map((row) => row.map(read));
"""


class Lesson(Page):
    """A lesson with something to try; chance plays the same in every run of the tests."""

    def __init__(self, browser):
        super().__init__(browser)
        if isinstance(browser, Chrome):
            browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CHANCE})

    def visit(self, site, slug, language="en"):
        """Open it, and wait until its script has drawn."""
        self.browser.get(f"{site.address}/learn/{slug}?language={language}")
        self.find("section.trial input, section.trial button")

    def enter(self, name, typed):
        """Write into the field of a control, in the place of what it holds."""
        field = self.find(f"#control-{name}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(typed)

    def paste(self, name, words):
        """Put all of it into a field at once: typed one by one, the first digits of 2.5 are a good number."""
        self.browser.execute_script(
            "const [field, words] = arguments; field.value = words; field.dispatchEvent(new Event('input'));",
            self.find(f"#control-{name}"),
            words,
        )

    def act(self, action):
        """Press a button."""
        self.click(f"[data-action={action}]")

    def cells(self, table, parts="th, td"):
        """Give the words of a table's rows, or of all in what a selector finds: cell by cell takes long."""

        def read():
            place = self.find(table) if isinstance(table, str) else table
            return self.browser.execute_script(CELLS, place, parts)

        return self.until(read, f"no rows in {table}")

    def rows(self, selector):
        """Give the numbers of a table's rows."""
        return [[figure(cell) for cell in row] for row in self.cells(selector, "td")]
