"""The simulation, as a visitor plays with it: its counts turned back as the product turns them back."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from test_learn import Lesson

from survey.estimate import estimate_proportions
from survey.interval import proportion_intervals
from survey.mechanisms import per_box
from survey.plan.variance import share_variances

SHOWN = """
const done = arguments[0];
const start = performance.now();
document.querySelector("[data-action=again]").click();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
"""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "simulation")
    return lesson


def numbers(words):
    """The numbers in a piece of text."""
    return [float(number.replace(",", "")) for number in re.findall(r"-?[\d,]*\d(?:\.\d+)?", words)]


def table(lesson):
    """Box -> share in percent; original, noisy, estimated count; ends of the interval; whether it holds."""
    found = {}
    for row in lesson.browser.find_elements(By.CSS_SELECTOR, "[data-show=result] tbody tr"):
        name, *cells = [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
        found[name] = (*(number for cell in cells[:-1] for number in numbers(cell)), cells[-1] == "yes")
    return found


def set_all(lesson, **values):
    """Write values into the fields."""
    for name, value in values.items():
        lesson.enter(name.replace("_", "-"), str(value))


@pytest.mark.parametrize(("epsilon", "respondents"), [(1, 2000), (0.5, 200), (6, 10)])
def test_what_is_made_of_the_noisy_counts_is_what_the_product_makes_of_them(lesson, epsilon, respondents):
    set_all(lesson, epsilon=epsilon, respondents=respondents)
    box = per_box(5, epsilon, "box")
    shown = table(lesson)
    assert len(shown) == 5
    for share, original, noisy, estimated, low, high, holds in shown.values():
        counts = [respondents - int(noisy), int(noisy)]
        interval = proportion_intervals(box, counts, 0.95, "likelihood_ratio")[1]
        assert 0 <= original <= respondents
        assert estimated == pytest.approx(
            respondents * estimate_proportions(box, counts).proportions[1], abs=0.0501
        )
        assert [low, high] == pytest.approx(
            [respondents * interval.low, respondents * interval.high], abs=0.0501
        )
        assert holds == (interval.low <= share / 100 <= interval.high)
    cost = numbers(lesson.text("[data-value=cost]"))
    assert cost[0] == pytest.approx(100 * math.tanh(epsilon / 2), abs=0.0501)
    assert cost[-1] == pytest.approx(box.question_epsilon, abs=0.00501)
    assert lesson.complaints() == []


def test_a_hundred_runs_spread_and_cover_as_theory_says(lesson):
    set_all(lesson, epsilon=1, respondents=1000, share_0=50)
    lesson.act("many")
    covered = numbers(lesson.find("[data-value=coverage]:not(:empty)").text)
    assert covered[0] == 500
    assert covered[3:] == [475, 10, 95, 100, 2.2]
    boxes = [row.text for row in lesson.browser.find_elements(By.CSS_SELECTOR, ".strip-words")]
    held, observed, theory = zip(*((numbers(box)[0], *numbers(box)[-2:]) for box in boxes), strict=True)
    assert sum(held) == covered[1]
    assert covered[1] >= 500 * 0.95 - 8 * math.sqrt(500 * 0.95 * 0.05)
    sd = math.sqrt(1000 * share_variances(per_box(5, 1.0, "box"), [0.5, 0.5])[1])
    assert theory[0] == pytest.approx(sd, abs=0.0501)
    # The deviation of 100 runs is itself uncertain by one part in the root of 200.
    assert np.array(observed) == pytest.approx(np.array(theory), rel=6 / math.sqrt(200))
    dots, crosses = (
        len(lesson.browser.find_elements(By.CSS_SELECTOR, f".strips .{name}"))
        for name in ("run", "run-missed")
    )
    assert (dots, crosses) == (covered[1], 500 - covered[1])


def test_what_cannot_be_used_is_explained_at_the_field_and_changes_nothing(lesson, browser):
    before = table(lesson)
    for name, typed, said in (
        ("epsilon", "0", "from 0.05 to 6"),
        ("respondents", "0", "from 10 to 100,000"),
        ("respondents", Keys.END + ".5", "2000.5 is not whole"),
        ("share-1", Keys.END + "0", "180 is outside"),
    ):
        field = browser.find_element(By.ID, f"control-{name}")
        good = field.get_attribute("value")
        lesson.enter(name, typed) if typed.isdigit() else field.send_keys(typed)
        assert field.get_attribute("aria-invalid") == "true"
        assert said in lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert lesson.has("[data-show=result].stale")
        assert table(lesson) == before
        lesson.enter(name, good)
        assert not lesson.has(".stale")
        assert table(lesson) == before  # the same people, and the same luck


def test_boxes_come_and_go_and_a_link_brings_a_run_back(lesson, browser, site):
    lesson.find(".naming summary").click()
    lesson.find(".naming input").clear()
    lesson.find(".naming input").send_keys("Slept & dreamt")
    lesson.act("more")
    shown = table(lesson)
    assert len(shown) == 6
    assert next(iter(shown)) == "Slept & dreamt"
    link = lesson.find("[data-show=actions] a").get_attribute("href")
    assert link.startswith(f"{site.address}/learn/simulation?language=en#")
    lesson.act("again")
    assert table(lesson) != shown
    browser.get("about:blank")
    browser.get(link)
    lesson.find("[data-show=controls] input")
    assert table(lesson) == shown
    for _ in range(4):
        lesson.act("fewer") if lesson.has("details[open]") else lesson.find(".naming summary").click()
    assert len(table(lesson)) == 3


def test_an_estimate_outside_what_can_be_is_shown_as_it_is_with_the_reason(browser, site):
    lesson = Lesson(browser)
    setting = "epsilon=0.05&respondents=200&seed=3&box=1+A&box=99+B"
    browser.get(f"{site.address}/learn/simulation?language=en#{setting}")
    lesson.find("[data-show=controls] input")
    found = table(lesson)
    beyond = [name for name, (_, _, _, estimated, *_) in found.items() if not 0 <= estimated <= 200]
    assert beyond == ["A"]
    assert "Outside 0 to 200, and shown as it is: A." in lesson.text("[data-value=outside]")
    assert all(0 <= low <= high <= 200 for _, _, _, _, low, high, _ in found.values())


def test_runs_can_be_stopped_and_are_forgotten_with_another_setting(lesson, browser):
    lesson.act("large")
    browser.execute_script(
        "for (const action of ['many', 'stop']) document.querySelector(`[data-action=${action}]`).click()"
    )
    assert not browser.find_element(By.TAG_NAME, "progress").is_displayed()
    lesson.act("many")
    WebDriverWait(browser, 20).until(lambda _: lesson.has(".strips .run"))
    lesson.act("small")
    assert not lesson.has(".strips .run")
    assert not browser.find_element(By.TAG_NAME, "progress").is_displayed()
    assert all(0 <= original <= 200 for _, original, *_ in table(lesson).values())


def test_a_million_answers_are_randomized_and_shown_within_a_fifth_of_a_second(browser, site):
    lesson = Lesson(browser)
    boxes = "".join(f"&box={share}+Box" for share in range(0, 100, 10))
    browser.get(f"{site.address}/learn/simulation?language=en#epsilon=1&respondents=100000&seed=1{boxes}")
    assert "1,000,000 answers" in lesson.text("[data-show=result]")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".trio-bar")) == 30
    taken = [
        browser.execute_async_script(SHOWN) for _ in range(5)
    ]  # the first are slower, and others may be busy
    print("milliseconds:", *(f"{each:.0f}" for each in taken))
    assert min(taken) < 200
