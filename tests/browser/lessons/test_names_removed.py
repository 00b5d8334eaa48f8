"""Names removed, as a visitor tries it: what the page finds is what its own two tables say."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from pages import Lesson
from scipy.stats import laplace
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

LEVELS = ("exact", "coarse", "diverse")
STOMACH = {"Ulcer", "Gastritis", "Stomach cancer"}
TABLES = """
return [...document.querySelectorAll(".meeting table")].map((table) =>
  [...table.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)));
"""
FITS = """
return [...document.querySelectorAll("[data-line].fits")].map((row) => Number(row.dataset.line));
"""
LINES = "return document.querySelectorAll('.meeting-line').length"


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "names-removed")
    return lesson


def fits(published, known):
    """Whether an age and a postcode as they are published can be those of somebody."""
    (ages, code), (age, postcode) = published.split(", "), known.split(", ")
    low, high = (int(end) for end in (ages.split("–") * 2)[:2])
    return low <= int(age) <= high and re.fullmatch(code.replace("*", r"\d"), postcode) is not None


def publish(lesson, level):
    """Choose what the hospital publishes, and give its table and the list."""
    lesson.click(f"label:has([name=published][value={level}])")
    return lesson.browser.execute_script(TABLES)


def choose(lesson, person):
    """Choose somebody on the list, and give what the page says."""
    lesson.click(f"tr[data-person='{person}'] label")
    return lesson.text("[data-value=attack]")


def test_every_person_is_found_by_age_and_postcode(lesson):
    patients, people = publish(lesson, "exact")
    for person, (name, known) in enumerate(people):
        words = choose(lesson, person)
        (line,) = [line for line, (shown, _) in enumerate(patients) if fits(shown, known)]
        assert words == f"Found. Only one line fits {name}: {patients[line][1]}."
        assert lesson.browser.execute_script(FITS) == [line]
        assert lesson.browser.execute_script(LINES) == 1


def test_coarser_tables_hide_lines_and_are_broken_by_what_the_lines_say(lesson):
    patients, people = publish(lesson, "exact")
    true = {name: illness for name, known in people for shown, illness in patients if fits(shown, known)}
    whole = Counter(illness for _, illness in patients)
    attacks = set()
    for level in LEVELS[1:]:
        table, _ = publish(lesson, level)
        for person, (name, known) in enumerate(people):
            words = choose(lesson, person)
            lines = [line for line, (shown, _) in enumerate(table) if fits(shown, known)]
            found = Counter(table[line][1] for line in lines)
            assert lesson.browser.execute_script(FITS) == lines
            assert lesson.browser.execute_script(LINES) == len(lines) >= 3
            assert f"{len(lines)} lines fit {name}" in words
            attack, _, rest = words.partition(". ")
            attacks.add((level, attack))
            if attack == "Homogeneity":
                assert set(found) == {true[name]}
                assert rest.endswith(f": {true[name]}.")
            elif attack == "Background knowledge":
                others = re.search(r"\((.*)\)", rest)[1].split(", ")
                assert set(others) == set(found) - {true[name]}
                assert rest.endswith(f": {true[name]}.")
            elif attack == "Similarity":
                assert len(found) == 3
                assert set(found) <= STOMACH
            else:
                here, fit, often, known, of = re.search(
                    r"But (\d+) of these (\d+) say (.+), and only (\d+) of all (\d+)\.", rest
                ).groups()
                assert (int(here), int(fit)) == (found[often], len(lines))
                assert (int(known), int(of)) == (whole[often], len(table))
                assert int(here) / int(fit) > int(known) / int(of)
    assert attacks == {
        ("coarse", "Homogeneity"),
        ("coarse", "Background knowledge"),
        ("diverse", "Similarity"),
        ("diverse", "Skewness"),
    }
    assert lesson.complaints() == []


def test_what_each_table_promises_is_counted_from_it(lesson):
    lesson.unfold("details.why:has([data-show=promises])")
    rows = lesson.rows("[data-show=promises]")
    for level, (least, kinds, far) in zip(LEVELS, rows, strict=True):
        table, _ = publish(lesson, level)
        whole = Counter(illness for _, illness in table)
        groups = {}
        for shown, illness in table:
            groups.setdefault(shown, Counter())[illness] += 1
        assert least == min(group.total() for group in groups.values())
        assert kinds == min(map(len, groups.values()))
        distances = [
            sum(abs(group[illness] / group.total() - whole[illness] / len(table)) for illness in whole) / 2
            for group in groups.values()
        ]
        assert far == pytest.approx(max(distances), abs=0.0051)


def test_noise_makes_a_count_nearly_as_likely_without_a_person(lesson, browser):
    lesson.unfold("details.why:has([data-show=rate-controls])")
    for epsilon, z in ((0.1, 33), (1, 29.5), (0.5, 20)):
        lesson.paste("rate_epsilon", str(epsilon))
        lesson.paste("published_count", str(z))
        mine, other = (laplace.pdf(z, loc=count, scale=1 / epsilon) for count in (30, 29))
        words = lesson.text("[data-value=rate]")
        shown = re.search(
            r"that is ([\d.]+) times as likely (with|without) Ada .* than ([\d.]+) times", words
        )
        assert 0 <= float(shown[1]) - max(mine / other, other / mine) + 1e-7 < 0.0001
        assert shown[2] == ("with" if mine > other else "without")
        bound = math.ceil(10000 * math.exp(epsilon)) / 10000  # no bound is rounded down
        assert float(shown[3]) == bound
        assert (
            f"the bound is {bound:.4f}, and 1 + ε is {1 + epsilon:.4f}"
            in lesson.text("[data-value=about]")
        )  # fmt: skip
    dragged = lesson.find("[data-value=rate] .scrub")
    browser.execute_script("arguments[0].focus()", dragged)
    lesson.press(Keys.ARROW_RIGHT)
    assert dragged.text == "20.5"
    assert lesson.find("#control-published_count").get_attribute("value") == "20.5"
    assert lesson.complaints() == []


def test_an_address_carries_the_person_and_the_table(lesson, site, browser):
    publish(lesson, "coarse")
    words = choose(lesson, 1)
    lesson.until(lambda: "person=two" in browser.current_url)
    address = browser.current_url
    browser.get(f"{site.address}/robots.txt")
    browser.get(address)
    lesson.until(lambda: lesson.text("[data-value=attack]") == words)
    assert browser.find_element(By.CSS_SELECTOR, "[name=person]:checked").get_attribute("value") == "two"
