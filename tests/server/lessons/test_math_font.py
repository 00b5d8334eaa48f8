"""What is made of what git has, with the same bytes each time; the mathematics font has every sign."""

import re
import shutil
import subprocess
import unicodedata
import zipfile
from html import unescape
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from server.lessons.pages import LESSONS
from server.web.files.assets import collected, folder

ROOT = Path(__file__).parents[3]
MADE = ("cards/", "fonts/")
SLANTED_H = "ℎ"


def built(place):
    """Build a wheel of nothing but what git has or would take, and read what is made for it, by its path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, place / name)
    assert not any((place / "static" / made).exists() for made in MADE)
    build = ["uv", "build", "-q", "--wheel", "--out-dir", place / "dist", place]
    # What `uv sync` has built with is here already: the network is asked only for what is not.
    if subprocess.run([*build, "--offline"], capture_output=True).returncode:
        subprocess.run(build, check=True)
    (wheel,) = (place / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        paths = [path.removeprefix("candor/server/static/") for path in archive.namelist()]
        return {path: archive.read(f"candor/server/static/{path}") for path in paths if path.startswith(MADE)}


def test_a_build_gives_the_bytes_that_are_served(tmp_path):
    """`tests/wheel` compares two builds of the whole wheel."""
    made = built(tmp_path)
    assert made == {path: content for path, content in collected().items() if path.startswith(MADE)}
    licence = made["fonts/OFL.txt"]
    assert b"Copyright 2001-2020 The STIX Fonts Project Authors" in licence
    assert b"SIL OPEN FONT LICENSE Version 1.1" in licence


@pytest.fixture(scope="module")
def font():
    """The font that is served."""
    with TTFont(folder("static") / "fonts" / "math.woff2") as opened:
        yield opened


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
