"""The simulation, as a visitor plays with it: its counts turned back as the product turns them back."""

from __future__ import annotations

import math
import re
import statistics
import time

import numpy as np
import pytest
from conftest import show_at
from pages import PACED, Lesson, nearest
from plots import laid_out
from scipy.stats import binom
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from theory.spread import design_effect

from survey.estimate import estimate_proportions
from survey.interval import proportion_intervals
from survey.mechanisms import per_box, spinner_coin
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
    unfold(lesson)
    return lesson


def unfold(lesson):
    """Open what is folded, and wait until all boxes are drawn."""
    lesson.browser.execute_script("for (const each of document.querySelectorAll('.why')) each.open = true")
    lesson.find("[data-show=all] tbody")
    laid_out(lesson)


def numbers(words):
    """The numbers in a piece of text."""
    return [
        float(number.replace(",", ""))
        for number in re.findall(r"-?[\d,]*\d(?:\.\d+)?", words.replace("−", "-"))
    ]


def table(lesson):
    """Box -> share in percent; original, noisy, estimated count; ends of the interval; whether it holds."""
    found = {}
    for name, *cells in lesson.cells("[data-show=all]"):
        found[name] = (*(number for cell in cells[:-1] for number in numbers(cell)), cells[-1] == "yes")
    return found


def strips(lesson):
    """What is said of many runs, of each box."""
    return [row.text for row in lesson.browser.find_elements(By.CSS_SELECTOR, ".strip-words")]


def coverage(epsilon, respondents, share):
    """The chance that the interval of a box holds its share: the sum over all counts whose interval does."""
    channel = spinner_coin(epsilon)
    chances = binom(
        respondents, channel.probabilities[0, 1] * (1 - share) + channel.probabilities[1, 1] * share
    )
    held = 0.0
    for yes in range(respondents + 1):
        interval = proportion_intervals(channel, [respondents - yes, yes], 0.95, "likelihood_ratio")[1]
        if interval.low - 1e-9 <= share <= interval.high + 1e-9:
            held += chances.pmf(yes)
    return held


def set_all(lesson, **values):
    """Write values into the fields."""
    for name, value in values.items():
        lesson.paste(name.replace("_", "-"), str(value))


def test_what_is_made_of_the_noisy_counts_is_what_the_product_makes_of_them(lesson):
    for epsilon, respondents in [(1, 2000), (0.5, 200), (6, 10)]:
        set_all(lesson, epsilon=epsilon, respondents=respondents)
        box = per_box(5, epsilon, "box")
        shown = table(lesson)
        assert len(shown) == 5
        for share, original, noisy, estimated, low, high, holds in shown.values():
            counts = [respondents - int(noisy), int(noisy)]
            interval = proportion_intervals(box, counts, 0.95, "likelihood_ratio")[1]
            assert 0 <= original <= respondents
            exact = [estimate_proportions(box, counts).proportions[1], interval.low, interval.high]
            assert [estimated, low, high] == pytest.approx([respondents * each for each in exact], abs=0.501)
            assert all(each.is_integer() for each in (original, noisy, estimated, low, high))  # people
            assert holds == (interval.low <= share / 100 <= interval.high)
        cost = numbers(lesson.text("[data-value=cost]"))
        assert cost[0] == pytest.approx(100 * math.tanh(epsilon / 2), abs=0.0501)
        assert cost[-1] == pytest.approx(box.question_epsilon, abs=0.00501)
        assert lesson.complaints() == []


DOTS = """
const dots = [...document.querySelectorAll(".crowd .dot")];
const [range, mark] = [".crowd-range", ".crowd-mark"].map((each) => document.querySelector(each));
const [low, width] = ["x", "width"].map((each) => Number(range.getAttribute(each)));
const at = Number(mark.getAttribute("d").match(/M([\\d.]+)/)[1]);
return [dots.filter((dot) => dot.querySelector(".outer.yes")).length, dots.length, at, low, low + width];
"""
"""Light dots, all dots, and the estimate with the ends of its interval in columns of ten."""


def test_the_wheel_the_people_and_three_counts_side_by_side_are_of_the_same_run(lesson):
    for respondents in [200, 2000, 90_000]:
        set_all(lesson, epsilon=2, respondents=respondents)
        for action in ("again", None):
            if action:
                lesson.act(action)
            _, original, noisy, estimated, low, high, _ = next(iter(table(lesson).values()))
            shown = lesson.text("[data-show=result] .trio-numbers").split("\n")
            assert shown[::2] == ["Original", "Noisy", "Estimated"]
            assert [*map(numbers, shown[1::2])] == [[original], [noisy], [estimated]]
            assert numbers(lesson.text(".crowd-heads")) == [noisy, respondents - noisy]
            assert numbers(lesson.text(".crowd-said"))[:3] == [estimated, low, high]
            yes, dots, at, *ends = lesson.browser.execute_script(DOTS)
            assert (yes, dots) == (nearest(200 * noisy / respondents), 200)
            drawn = [
                max(0, min(respondents, each)) for each in (estimated, low, high)
            ]  # no further than the dots
            rounded = 10 / respondents  # half a person
            assert [at, *ends] == pytest.approx(
                [20 * each / respondents for each in drawn], abs=0.01 + rounded
            )
            each = respondents // 200
            assert (f"stands for {each} people" if each > 1 else "is one person") in lesson.text(
                "[data-value=scale]"
            )
            set_all(lesson, epsilon=1)
        assert "46.2%" in lesson.text("[data-value=bright]")
        assert lesson.text(".picture-of-run .key .bright b") == "46%"


def test_the_bars_are_drawn_again_when_a_phone_is_turned(lesson):
    axes = "return [...document.querySelectorAll('.trio-axis svg')].map((axis) => axis.childNodes.length)"

    def drawn():
        return lesson.browser.execute_script(axes)

    show_at(lesson.browser, "light", 390)
    upright = lesson.until(lambda: max(drawn()) <= 3 and drawn())
    assert len(upright) == 2  # of one box, and of all
    show_at(lesson.browser, "light", 800)
    lesson.until(lambda: all(now > before for now, before in zip(drawn(), upright, strict=True)), drawn())


LAYERS = """
const { transform, backfaceVisibility } = getComputedStyle(document.querySelector(".crowd .outer"));
return [transform, backfaceVisibility];
"""
"""What would make a layer of every dot."""


def test_a_run_can_be_watched_and_anything_else_takes_it_to_its_end(lesson):
    """The dots take nothing from the look of the coin beside them."""
    assert lesson.browser.execute_script(LAYERS) == ["none", "visible"]
    moving = {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
    lesson.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", moving)
    begun = lesson.browser.execute_script("""
      document.querySelector("[data-action=again]").click();
      return [".crowd-heads", ".crowd-said"].map((each) => document.querySelector(each).textContent);""")
    assert begun[0].startswith("Would tick: ")
    assert "would tick it" in begun[1]
    lesson.act("small")
    assert lesson.text(".crowd-heads").startswith("Recorded: ")
    assert len(lesson.browser.find_elements(By.CSS_SELECTOR, ".crowd .dot")) == 200
    places = "return [...document.querySelectorAll('.crowd .dot')].map((each) => each.style.transform).join()"
    there = lesson.browser.execute_script(places)
    time.sleep(0.3)
    assert lesson.browser.execute_script(places) == there
    lesson.browser.execute_script(PACED)
    lesson.act("again")
    lesson.until(lambda: lesson.has(".crowd-range"))
    assert lesson.text(".crowd-heads").startswith("Recorded: ")


def test_the_address_leads_back_to_what_was_set(lesson, browser):
    assert "#" not in browser.current_url  # nobody has touched anything
    set_all(lesson, epsilon=2, respondents=500, share_0=44)
    lesson.until(lambda: "box=44" in browser.current_url)
    shown = table(lesson)
    browser.refresh()
    unfold(lesson)
    assert table(lesson) == shown
    assert not lesson.has("[data-value=unread]:not([hidden])")


def test_a_hundred_runs_spread_and_cover_as_theory_says(lesson):
    set_all(lesson, epsilon=1, respondents=1000, share_0=50)
    lesson.act("many")
    covered = numbers(lesson.find("[data-value=coverage]:not(:empty)").text)
    boxes = [numbers(box) for box in strips(lesson)]
    held, runs, expected, observed, theory, times = zip(*boxes, strict=True)
    shares = [share / 100 for share, *_ in table(lesson).values()]
    chances = [coverage(1.0, 1000, share) for share in shares]
    assert set(runs) == {100}
    assert list(expected) == pytest.approx([100 * chance for chance in chances], abs=0.0501)
    variance = sum(100 * chance * (1 - chance) for chance in chances)
    assert covered == pytest.approx(
        [500, sum(held), sum(held) / 5, 100 * sum(chances), 2 * math.sqrt(variance)], abs=0.0501
    )
    assert abs(sum(held) - 100 * sum(chances)) <= 8 * math.sqrt(variance)
    channel = per_box(5, 1.0, "box")
    sd = math.sqrt(1000 * share_variances(channel, [0.5, 0.5])[1])
    assert theory[0] == pytest.approx(sd, abs=0.0501)
    # The whole price of the protection, not the factor 1/p = 2.16 of the noisy share alone.
    price = [math.sqrt(design_effect(spinner_coin(1.0), share)) for share in shares]
    assert list(times) == pytest.approx(price, abs=0.00501)
    # The deviation of 100 runs is itself uncertain by one part in the root of 200.
    assert np.array(observed) == pytest.approx(np.array(theory), rel=6 / math.sqrt(200))
    dots, crosses = (
        len(lesson.browser.find_elements(By.CSS_SELECTOR, f".strips .{name}"))
        for name in ("run", "run-missed")
    )
    assert (dots, crosses) == (covered[1], 500 - covered[1])


def test_how_many_intervals_hold_the_truth_is_said_for_the_setting(lesson):
    for epsilon, respondents, share, least, most in ((0.05, 200, 10, 0.999, 1), (6, 10, 18, 0, 0.85)):
        set_all(lesson, epsilon=epsilon, respondents=respondents, share_1=share)
        lesson.act("many")
        lesson.find("[data-value=coverage]:not(:empty)")
        chance = coverage(epsilon, respondents, share / 100)
        assert least <= chance <= most
        assert numbers(strips(lesson)[1])[2] == pytest.approx(100 * chance, abs=0.0501)


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
        lesson.paste(name, typed) if typed.isdigit() else field.send_keys(typed)
        assert field.get_attribute("aria-invalid") == "true"
        assert said in lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert lesson.has("[data-show=result].stale")
        assert table(lesson) == before
        for action in ("again", "many"):
            assert not lesson.find(f"[data-action={action}]").is_enabled()
        lesson.paste(name, good)
        assert not lesson.has(".stale")
        for action in ("again", "many"):
            assert lesson.find(f"[data-action={action}]").is_enabled()
        assert table(lesson) == before  # the same people, and the same luck


def test_a_wrong_entry_stays_as_it_was_typed_whatever_else_is_changed(lesson, browser):
    lesson.click(".naming summary")
    lesson.paste("share-1", "180")
    field = browser.find_element(By.ID, "control-share-1")
    lesson.find(".naming input").send_keys(", twice")
    assert field.get_attribute("value") == "180"
    for action in ("more", "fewer"):
        assert not browser.find_element(By.CSS_SELECTOR, f"[data-action={action}]").is_enabled()
    lesson.act("small")
    assert field.get_attribute("value") == "180"
    assert lesson.has(".stale")
    lesson.paste("share-1", "18")
    assert all(original <= 200 for _, original, *_ in table(lesson).values())
    lesson.paste("respondents", "1,000")
    assert not lesson.has(".stale")
    assert "1,000 respondents" in lesson.text("[data-show=all]")


def test_another_name_changes_the_labels_and_nothing_else(lesson, browser):
    lesson.act("many")
    lesson.find("[data-value=coverage]:not(:empty)")
    before, strip = table(lesson), strips(lesson)[0]
    lesson.click(".naming summary")
    lesson.find(".naming input").send_keys(", often")
    name, *others = table(lesson).items()
    assert name == ("Copied from somebody, often", before["Copied from somebody"])
    assert others == list(before.items())[1:]
    assert strips(lesson)[0] == strip.replace("Copied from somebody", "Copied from somebody, often")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".strips .run, .strips .run-missed")) == 500
    assert browser.find_element(By.CSS_SELECTOR, "label[for=control-share-0]").text == name[0]
    assert "often" in lesson.find("[data-show=controls] a").get_attribute("href")


def test_the_axis_under_the_dots_has_numbers_at_every_setting(lesson, browser):
    for action in ("large", "small", "open"):
        lesson.act(action)
        lesson.act("many")
        lesson.find("[data-value=coverage]:not(:empty)")
        marks = [mark.text for mark in browser.find_elements(By.CSS_SELECTOR, ".strips .tick")]
        assert len(marks) >= 3
        assert "Truth" in marks


def test_a_link_that_cannot_be_used_says_so(browser, site):
    lesson = Lesson(browser)
    browser.get(
        f"{site.address}/learn/simulation?language=en#epsilon=0&respondents=200&seed=3&box=1+A&box=99+B"
    )
    assert "cannot be used" in lesson.find("[data-value=unread]").text
    unfold(lesson)
    assert len(table(lesson)) == 5
    browser.execute_script("location.hash = '#epsilon=1&respondents=200&seed=3&box=1+A&box=99+B'")
    # The page is loaded again, all of it: what is unfolded while it loads is not all that there is.
    again = "return document.readyState === 'complete' && !document.querySelector('details.why[open]')"
    lesson.until(lambda: browser.execute_script(again))
    unfold(lesson)
    assert len(table(lesson)) == 2
    assert not browser.find_element(By.CSS_SELECTOR, "[data-value=unread]").is_displayed()


def test_boxes_come_and_go_and_a_link_brings_a_run_back(lesson, browser, site):
    lesson.click(".naming summary")
    lesson.find(".naming input").clear()
    lesson.find(".naming input").send_keys("Slept & dreamt")
    lesson.act("more")
    shown = table(lesson)
    assert len(shown) == 6
    assert next(iter(shown)) == "Slept & dreamt"
    link = lesson.find("[data-show=controls] a").get_attribute("href")
    assert link.startswith(f"{site.address}/learn/simulation?language=en#")
    lesson.act("again")
    assert table(lesson) != shown
    browser.get(f"{site.address}/robots.txt")
    browser.get(link)
    lesson.find("[data-show=controls] input")
    unfold(lesson)
    assert table(lesson) == shown
    for _ in range(4):
        lesson.act("fewer") if lesson.has(".naming[open]") else lesson.click(".naming summary")
    assert len(table(lesson)) == 3


def test_an_estimate_outside_what_can_be_is_shown_as_it_is_with_the_reason(browser, site):
    lesson = Lesson(browser)
    setting = "epsilon=0.05&respondents=200&seed=3&box=1+A&box=99+B"
    browser.get(f"{site.address}/learn/simulation?language=en#{setting}")
    lesson.find("[data-show=controls] input")
    unfold(lesson)
    found = table(lesson)
    beyond = [name for name, (_, _, _, estimated, *_) in found.items() if not 0 <= estimated <= 200]
    assert beyond == ["A"]
    for place in ("[data-value=outside]", ".crowd-said"):
        assert "Outside 0 to 200, and shown as it is: A." in lesson.text(place)
    assert all(0 <= low <= high <= 200 for _, _, _, _, low, high, _ in found.values())


def test_an_estimate_above_all_is_drawn_at_the_end_of_all(browser, site):
    lesson = Lesson(browser)
    setting = "epsilon=0.05&respondents=200&seed=7&box=100+A&box=100+B"
    browser.get(f"{site.address}/learn/simulation?language=en#{setting}")
    assert numbers(lesson.text(".crowd-said"))[0] > 200
    _, _, at, low, high = browser.execute_script(DOTS)
    assert 0 <= low <= high <= at == 20  # columns of ten


def test_runs_can_be_stopped_and_are_forgotten_with_another_setting(lesson, browser):
    lesson.act("large")
    browser.execute_script(
        "for (const action of ['many', 'stop']) document.querySelector(`[data-action=${action}]`).click()"
    )
    assert not browser.find_element(By.TAG_NAME, "progress").is_displayed()
    lesson.act("many")
    lesson.until(lambda: lesson.has(".strips .run"))
    lesson.act("small")
    assert not lesson.has(".strips .run")
    assert not browser.find_element(By.TAG_NAME, "progress").is_displayed()
    assert all(0 <= original <= 200 for _, original, *_ in table(lesson).values())


@pytest.mark.timed
def test_a_million_answers_are_randomized_and_shown_within_a_fifth_of_a_second(browser, site):
    lesson = Lesson(browser)
    boxes = "".join(f"&box={share}+Box" for share in range(0, 100, 10))
    browser.get(f"{site.address}/learn/simulation?language=en#epsilon=1&respondents=100000&seed=1{boxes}")
    unfold(lesson)
    assert "1,000,000 answers" in lesson.text("[data-show=all]")
    # Of all boxes, and of the first again.
    lesson.until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".trio-bar")) == 33)
    for _ in range(2):
        browser.execute_async_script(SHOWN)  # until the scripts are compiled
    taken = [browser.execute_async_script(SHOWN) for _ in range(9)]
    print("milliseconds:", *(f"{each:.0f}" for each in taken))
    assert statistics.median(taken) < 200


def steps(lesson):
    """What is said of the person who is followed, line by line."""
    said = "return [...document.querySelectorAll('[data-value=person] li')].map((line) => line.innerText)"
    return lesson.browser.execute_script(said)


def test_one_person_walks_through_both_steps(lesson):
    answers, sides, records = set(), set(), set()
    for _ in range(60):  # the rarer of the eight ways has a chance of one in fourteen
        lesson.act("follow")
        lesson.until(lambda: len(steps(lesson)) == 4)
        answer, first, second, sent = steps(lesson)
        ticked = answer.endswith(": ticked.")
        bright = "bright" in first
        report = sent.removeprefix("Recorded: ").partition(".")[0]
        assert report in (("ticked" if ticked else "not ticked",) if bright else ("ticked", "not ticked"))
        tossed = f"Step 2: the coin decides, and says {report}."
        assert second == ("Step 2: no coin is needed." if bright else tossed)
        answers.add(ticked)
        sides.add(bright)
        records.add(report)
        if len(answers) == len(sides) == len(records) == 2:
            break
    assert (answers, sides, records) == ({True, False}, {True, False}, {"ticked", "not ticked"})
    lesson.paste("epsilon", "2")
    assert steps(lesson) == []  # another wheel: the person before met another one
