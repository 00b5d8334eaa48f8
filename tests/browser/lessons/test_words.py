"""A lesson is grasped in two minutes: what can be read before anything is unfolded is short."""

from __future__ import annotations

from statistics import median

from pages import Lesson
from plots import laid_out

from server.lessons.pages import LESSONS

MOST, USUAL = 350, 300
"""English words before anything is unfolded: of any lesson, and of half of them."""

READ = """
const main = document.querySelector("main").cloneNode(true);
const left = "svg, details > :not(summary), .turn, script, noscript";
for (const node of main.querySelectorAll(left)) node.remove();
document.body.append(main);
const said = main.innerText;
main.remove();
return said;
"""
"""What is read with nothing unfolded; words of drawings and the way to the next lesson are left out."""


def test_every_lesson_is_short_until_it_is_unfolded(site, browser):
    lesson, counts = Lesson(browser), {}
    for slug in LESSONS:
        lesson.visit(site, slug)
        laid_out(lesson)
        said = browser.execute_script(READ).split()
        counts[slug] = sum(any(letter.isalnum() for letter in word) for word in said)
    print(counts)
    assert {slug: count for slug, count in counts.items() if count > MOST} == {}
    assert median(counts.values()) <= USUAL
    assert min(counts.values()) > 60  # what is measured is there
