"""The randomizer in the real browser gives, word for word, what the vectors say and Python gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[1] / "vectors"

CALL = """
const [file, name, cases, done] = arguments;
const script = document.querySelector("script[type=module][src]").src;
const attempt = (work) => {
  try { return work(); } catch (error) { return `${error.name}: ${error.message}`; }
};
import(new URL(file, script).href).then((module) => {
  done(cases.map((input) => attempt(() => module[name](...input))));
});
"""
"""Call a function of one of the modules with each case, and give what came of it."""


@pytest.fixture(scope="session")
def randomizer_page(site):
    site.publish("twins", ("coin", None))
    return f"{site.address}/s/twins"


def run(browser, page, file, name, cases):
    browser.get(page)
    return browser.execute_async_script(CALL, file, name, cases)


def differing(found, expected):
    """Give the number of each case of which something else came, with it and what was expected."""
    pairs = zip(found, expected, strict=True)
    return [(number, one, other) for number, (one, other) in enumerate(pairs) if one != other]


def test_every_cell_gives_the_same_report(browser, randomizer_page):
    channels = json.loads((VECTORS / "randomize.json").read_text())["channels"]
    cases = [[c["weights"], cell["answer"], cell["word"]] for c in channels for cell in c["cells"]]
    expected = [cell["report"] for c in channels for cell in c["cells"]]
    assert len(cases) > 50
    found = run(browser, randomizer_page, "js/chance/randomize.js", "randomize", cases)
    assert differing(found, expected) == []


def test_what_python_refuses_the_browser_refuses(browser, randomizer_page):
    refused = json.loads((VECTORS / "randomize.json").read_text())["refused"]
    cases = [[case["weights"], case["answer"], case["word"]] for case in refused]
    for case, said in zip(
        refused, run(browser, randomizer_page, "js/chance/randomize.js", "randomize", cases), strict=True
    ):
        assert isinstance(said, str), f"{case['name']}: not refused, gave {said}"
        assert said.partition(": ")[2].startswith(case["parameter"]), f"{case['name']}: {said}"


def test_the_loss_is_judged_alike(browser, randomizer_page):
    judged = json.loads((VECTORS / "loss.json").read_text())["cases"]
    cases = [[case["weights"], case["loss"]] for case in judged]
    found = run(browser, randomizer_page, "js/chance/loss.js", "isWithinLoss", cases)
    assert differing(found, [case["ok"] for case in judged]) == []
