"""The mathematics font has every sign, and says whose it is; `tests/wheel` looks at how it is made."""

import re
import unicodedata
from html import unescape

import pytest
from fontTools.ttLib import TTFont

from server.lessons.pages import LESSONS
from server.web.files.assets import folder

SLANTED_H = "ℎ"


@pytest.fixture(scope="module")
def font():
    """The font that is served."""
    with TTFont(folder("static") / "fonts" / "math.woff2") as opened:
        yield opened


def test_the_licence_of_the_font_lies_beside_it():
    licence = (folder("static") / "fonts" / "OFL.txt").read_bytes()
    assert b"Copyright 2001-2020 The STIX Fonts Project Authors" in licence
    assert b"SIL OPEN FONT LICENSE Version 1.1" in licence


def test_the_font_says_whose_it_is_and_under_which_licence(font):
    names = {record.nameID: record.toUnicode() for record in font["name"].names}
    assert names[1] == "Candor Math"  # a part of a font may not bear a reserved name
    assert "STIX Fonts Project Authors" in names[0]
    assert "SIL Open Font License" in names[13]


def test_the_font_is_small_and_has_what_roots_and_fractions_need(font):
    assert (folder("static") / "fonts" / "math.woff2").stat().st_size < 25_000
    mathematics = font["MATH"].table
    assert mathematics.MathConstants.RadicalRuleThickness.Value > 0
    growing = set(mathematics.MathVariants.VertGlyphCoverage.glyphs)
    names = font.getBestCmap()
    assert {names[ord(sign)] for sign in "√()|∑{}[]"} <= growing


def test_it_is_served_as_a_font_for_a_year(staff_app):
    client = staff_app.test_client()
    sheet = re.search(r'href="(/static/[^"]+/)lessons\.css"', client.get("/learn/two-coins").text)[1]
    assert 'src: url("fonts/math.woff2")' in client.get(f"{sheet}lessons.css").text
    answer = client.get(f"{sheet}fonts/math.woff2")
    assert answer.mimetype == "font/woff2"
    assert answer.cache_control.immutable
    assert answer.cache_control.max_age > 31_000_000
    assert client.get(f"{sheet}fonts/OFL.txt").status_code == 200


def drawn(element, text):
    """The characters that a browser draws for the text of an element: one letter alone in <mi> is slanted."""
    if element != "mi" or len(text) != 1:
        return set(text)
    if text == "h":
        return {SLANTED_H}
    codes = (*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C))
    slanted = {unicodedata.normalize("NFKD", chr(code)): chr(code) for code in reversed(codes)}
    return {slanted.get(text, text)}


def test_every_sign_of_every_formula_is_in_the_font(staff_app, font):
    pages = [staff_app.test_client().get(f"/learn/{slug}").text for slug in LESSONS]
    formulas = "".join(re.findall(r"<math.*?</math>", "".join(pages)))
    pieces = re.findall(r"<(mi|mn|mo)\b[^>]*>([^<]*)</", formulas)
    assert len(pieces) > 1000
    known = {chr(code) for code in font.getBestCmap()}
    missing = {sign for element, text in pieces for sign in drawn(element, unescape(text).strip()) - known}
    assert not missing, f"add to server/building/math_font.py: {missing}"
