"""Formulas drawn large over a lesson and measured, with the font that is served."""

from __future__ import annotations

import io

from PIL import Image
from selenium.webdriver.common.by import By

SIZE = 100
"""Pixels to the em: an advance of 500 units is as wide as 50 pixels."""

PUT = """
const [size, tree, done] = arguments;
const built = ([name, ...inside]) => {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
  element.append(...inside.map((each) => (typeof each === "string" ? each : built(each))));
  return element;
};
const formula = built(["math"]);
formula.append(typeof tree === "string" ? document.querySelector(tree).cloneNode(true) : built(tree));
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


TOO_WIDE = """
const done = arguments[0];
for (const each of document.querySelectorAll("details")) each.open = true;
const formulas = [...document.querySelectorAll("main .formula")];
const bad = (each) => each.scrollWidth > each.clientWidth || each.textContent.includes("<m");
formulas.filter(bad); // measured once, they ask for their font
const measure = () => done([formulas.length, formulas.filter(bad).map((each) => each.textContent)]);
document.fonts.ready.then(() => requestAnimationFrame(measure));
"""
"""How many formulas a lesson has, and which are wider than their column or show their markup."""


def drawn(browser, tree):
    """Draw a formula, or what a selector finds; give the boxes, by element and text, and a grey picture."""
    boxes = {}
    for name, text, *box in browser.execute_async_script(PUT, SIZE, tree):
        boxes[name if text == "" else f"{name} {text}"] = box
    window = Image.open(io.BytesIO(browser.get_screenshot_as_png()))  # WebKit draws no element alone
    size = browser.find_element(By.ID, "measured").size
    return boxes, window.crop((0, 0, size["width"], size["height"])).convert("L")


def black(picture):
    """Give the box around all ink, or None."""
    return picture.point(lambda grey: 255 * (grey < 128)).getbbox()


def accent_gap(browser):
    """Give how many empty rows there are between the first accent of the open lesson and its letter."""
    _, picture = drawn(browser, ".formula mover")
    rows = [
        black(picture.crop((0, row, picture.width, row + 1))) is not None for row in range(picture.height)
    ]
    first, last = rows.index(True), len(rows) - rows[::-1].index(True)
    return rows[first:last].count(False)
