"""Formulas as they are drawn, measured: with the font that is served, whatever fonts the machine has."""

from __future__ import annotations

import io

import pytest
from fontTools.ttLib import TTFont
from PIL import Image
from selenium.webdriver.common.by import By

from server.web.assets import folder

SIZE = 100
"""Pixels to the em: an advance of 500 units is as wide as 50 pixels."""

PUT = """
const [size, tree, done] = arguments;
const built = ([name, ...inside]) => {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
  element.append(...inside.map((each) => (typeof each === "string" ? each : built(each))));
  return element;
};
const formula = built(["math", tree]);
formula.id = "measured";
formula.setAttribute("displaystyle", "true");
Object.assign(formula.style, { position: "fixed", top: 0, left: 0, zIndex: 9, padding: "20px",
  fontSize: `${size}px`, background: "#fff", color: "#000", display: "block math", width: "max-content" });
document.getElementById("measured")?.remove();
document.body.append(formula);
formula.getBoundingClientRect();
const boxOf = (each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return [each.localName, each.children.length ? "" : each.textContent, left, top, right, bottom];
};
const measure = () => done([...formula.querySelectorAll("*")].map(boxOf));
document.fonts.ready.then(() => requestAnimationFrame(measure));
"""
"""Puts a formula over the page, and gives the box of each of its elements."""

FRACTION = [
    "mfrac",
    ["mrow", ["mi", "π"], ["mo", "("], ["mn", "1"], ["mo", "−"], ["mi", "δ"], ["mo", ")"]],
    ["mi", "n"],
]


@pytest.fixture
def drawn(site, browser):
    """Draw a formula on a lesson; give the boxes, by element and text, and the picture in grey."""
    browser.get(f"{site.address}/learn/two-coins")

    def draw(*tree):
        boxes = {}
        for name, text, *box in browser.execute_async_script(PUT, SIZE, list(tree)):
            boxes[name if text == "" else f"{name} {text}"] = box
        picture = browser.find_element(By.ID, "measured").screenshot_as_png
        return boxes, Image.open(io.BytesIO(picture)).convert("L")

    return draw


@pytest.fixture(scope="module")
def advance():
    """How wide the served font draws a character, in pixels."""
    with TTFont(folder("static") / "fonts" / "math.woff2") as font:
        widths, names = font["hmtx"], font.getBestCmap()
        yield lambda sign: widths[names[ord(sign)]][0] * SIZE / font["head"].unitsPerEm


def inked(picture, left, right):
    """The first and the last row that has ink between two columns."""
    box = (
        picture.crop((round(left), 0, round(right), picture.height))
        .point(lambda grey: 255 * (grey < 128))
        .getbbox()
    )
    assert box is not None, "nothing is drawn there"
    return box[1], box[3]


@pytest.mark.parametrize(
    ("letter", "slanted"),
    [("δ", "𝛿"), ("ε", "𝜀"), ("π", "𝜋"), ("σ", "𝜎"), ("p", "𝑝"), ("h", "ℎ"), ("Δ", "𝛥")],
)
def test_no_letter_drops_out_and_each_comes_from_the_served_font(drawn, advance, letter, slanted):
    boxes, picture = drawn("mrow", ["mi", letter])
    left, _, right, _ = boxes[f"mi {letter}"]
    assert right - left == pytest.approx(advance(slanted), abs=1)
    top, bottom = inked(picture, left, right)
    assert bottom - top > 0.35 * SIZE


def test_a_root_covers_its_fraction(drawn):
    boxes, picture = drawn("msqrt", FRACTION)
    root, fraction = boxes["msqrt"], boxes["mfrac"]
    assert root[1] <= fraction[1]
    assert root[3] >= fraction[3]
    assert root[2] >= fraction[2] - 1
    top, bottom = inked(picture, root[0], fraction[0] - 1)  # the sign itself, left of what stands under it
    numerator, denominator = boxes["mi π"], boxes["mi n"]
    assert top <= numerator[1]
    assert bottom >= denominator[3] - 0.2 * SIZE
    bar = picture.crop((round(fraction[0]), 0, round(fraction[2]), round(fraction[1]))).point(
        lambda g: 255 * (g < 128)
    )
    assert bar.getbbox()[2] - bar.getbbox()[0] >= fraction[2] - fraction[0] - 2  # the line reaches to its end


def test_a_fraction_stands_over_a_line_and_over_what_divides_it(drawn):
    boxes, picture = drawn("mrow", FRACTION)
    (left, top, right, bottom), numerator, denominator = boxes["mfrac"], boxes["mrow"], boxes["mi n"]
    assert top <= numerator[1] < numerator[3] < denominator[1] < denominator[3] <= bottom + 1
    between = picture.crop((round(left), round(numerator[3]), round(right), round(denominator[1])))
    assert between.point(lambda grey: 255 * (grey < 128)).getbbox() is not None


def test_an_estimate_has_its_hat_and_the_hat_is_above_the_letter(drawn, advance):
    boxes, picture = drawn("mover", ["mi", "π"], ["mo", "ˆ"])
    letter, hat = boxes["mi π"], boxes["mo ˆ"]
    assert letter[2] - letter[0] == pytest.approx(advance("𝜋"), abs=1)
    assert hat[1] < letter[1] + 0.2 * SIZE
    top, bottom = inked(picture, letter[0], letter[2])
    bare = drawn("mrow", ["mi", "π"])
    bare_top, bare_bottom = inked(bare[1], *bare[0]["mi π"][::2])
    assert bottom - top > bare_bottom - bare_top + 0.1 * SIZE


def test_a_sum_and_its_parentheses_grow(drawn):
    boxes, _ = drawn(
        "mrow", ["munderover", ["mo", "∑"], ["mi", "j"], ["mi", "m"]], ["mo", "("], FRACTION, ["mo", ")"]
    )
    total = boxes["mo ∑"]
    assert total[3] - total[1] > 1.2 * SIZE
    parenthesis, fraction = boxes["mo )"], boxes["mfrac"]
    assert parenthesis[3] - parenthesis[1] >= 0.95 * (fraction[3] - fraction[1])
