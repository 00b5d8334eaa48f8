"""Formulas as they are drawn, measured: with the font that is served, whatever fonts the machine has."""

from __future__ import annotations

import pytest
from conftest import show_at
from fontTools.ttLib import TTFont
from formulas import SIZE, TOO_WIDE, accent_gap, black, drawn
from pages import PATIENCE
from selenium.webdriver.support.ui import WebDriverWait

from server.web.files.assets import folder

FRACTION = [
    "mfrac",
    ["mrow", ["mi", "π"], ["mo", "("], ["mn", "1"], ["mo", "−"], ["mi", "δ"], ["mo", ")"]],
    ["mi", "n"],
]


@pytest.fixture
def lesson(site, browser):
    """Open a lesson, over which formulas are drawn."""
    browser.get(f"{site.address}/learn/two-coins")
    return browser


@pytest.fixture(scope="module")
def advance():
    """How wide the served font draws a character, in pixels."""
    with TTFont(folder("static") / "fonts" / "math.woff2") as font:
        widths, names = font["hmtx"], font.getBestCmap()
        yield lambda sign: widths[names[ord(sign)]][0] * SIZE / font["head"].unitsPerEm


def inked(picture, left, right):
    """The first and the last row that has ink between two columns."""
    box = black(picture.crop((round(left), 0, round(right), picture.height)))
    assert box is not None, "nothing is drawn there"
    return box[1], box[3]


def test_no_letter_drops_out_and_each_comes_from_the_served_font(lesson, advance):
    letters = dict(zip("δεπσphΔ", "𝛿𝜀𝜋𝜎𝑝ℎ𝛥", strict=True))
    spaced = [part for letter in letters for part in (["mi", letter], ["mo", "+"])]
    boxes, picture = drawn(lesson, ["mrow", *spaced])
    for letter, slanted in letters.items():
        left, _, right, _ = boxes[f"mi {letter}"]
        assert right - left == pytest.approx(advance(slanted), abs=1), letter
        top, bottom = inked(picture, left, right)
        assert bottom - top > 0.35 * SIZE, letter


def test_a_root_covers_its_fraction(lesson):
    boxes, picture = drawn(lesson, ["msqrt", FRACTION])
    root, fraction = boxes["msqrt"], boxes["mfrac"]
    assert root[1] <= fraction[1]
    assert root[3] >= fraction[3]
    assert root[2] >= fraction[2] - 1
    top, bottom = inked(picture, root[0], fraction[0] - 1)  # the sign itself, left of what stands under it
    numerator, denominator = boxes["mi π"], boxes["mi n"]
    assert top <= numerator[1]
    assert bottom >= denominator[3] - 0.2 * SIZE
    bar = black(picture.crop((round(fraction[0]), 0, round(fraction[2]), round(fraction[1]))))
    assert bar[2] - bar[0] >= fraction[2] - fraction[0] - 2  # the line reaches to its end


def test_a_fraction_stands_over_a_line_and_over_what_divides_it(lesson):
    boxes, picture = drawn(lesson, ["mrow", FRACTION])
    (left, top, right, bottom), numerator, denominator = boxes["mfrac"], boxes["mrow"], boxes["mi n"]
    assert top <= numerator[1] < numerator[3] < denominator[1] < denominator[3] <= bottom + 1
    between = picture.crop((round(left), round(numerator[3]), round(right), round(denominator[1])))
    assert black(between) is not None


@pytest.mark.parametrize("slug", ["two-coins", "noise"])
def test_one_sees_between_a_letter_and_its_hat_or_bar(site, browser, slug):
    browser.get(f"{site.address}/learn/{slug}")
    assert 0.05 * SIZE < accent_gap(browser) < 0.16 * SIZE


def test_a_sum_and_its_parentheses_grow(lesson):
    total = ["munderover", ["mo", "∑"], ["mi", "j"], ["mi", "m"]]
    boxes, _ = drawn(lesson, ["mrow", total, ["mo", "("], FRACTION, ["mo", ")"]])
    total = boxes["mo ∑"]
    assert total[3] - total[1] > 1.2 * SIZE
    parenthesis, fraction = boxes["mo )"], boxes["mfrac"]
    assert parenthesis[3] - parenthesis[1] >= 0.95 * (fraction[3] - fraction[1])


def test_on_a_phone_a_formula_that_is_too_wide_says_that_it_goes_on(site, browser):
    show_at(browser, "light", 390)
    browser.get(f"{site.address}/learn/noise")
    everything, too_wide = browser.execute_async_script(TOO_WIDE)
    assert everything > len(too_wide) > 0
    shaded = "return document.querySelectorAll('.formula[tabindex=\"0\"]').length"
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(shaded) == len(too_wide))
