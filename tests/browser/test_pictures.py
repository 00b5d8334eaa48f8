"""Every picture of chance can be read: its words stand in the picture, and none on another."""

from __future__ import annotations

import tomllib
from itertools import combinations, product
from pathlib import Path

import pytest
from conftest import definition
from pages import Respondent
from plots import shared

EXAMPLES = Path(__file__).parents[2] / "server" / "examples"
WIDTHS = [320, 390, 1280]
GRIDS = [
    {"low": 0, "high": 1000, "step": 1, "unit": {"en": "minutes", "ko": "분"}},
    {"low": -50, "high": 50, "step": 1, "unit": {"en": "degrees", "ko": "도"}},
    {
        "low": 0,
        "high": 50_000,
        "step": 500,
        "unit": {"en": "thousand won in an ordinary month", "ko": "천 원(한 달에)"},
    },
    {"low": -1, "high": 1, "step": 0.1},
]
NUMBERS = [
    {"kind": "number", "mechanism": mechanism, "epsilon": epsilon} | grid | delta
    for mechanism, delta in [
        ("one_bit", {}),
        ("laplace", {}),
        ("hybrid", {}),
        ("gaussian", {"delta": 1e-6}),
    ]
    for epsilon, grid in product([0.5, 2.0, 5.0], GRIDS)
]


def options(count: int) -> list[dict[str, str]]:
    """Give options as long as they may be."""
    return [
        {"en": f"{n} {'a long answer ' * 30}"[:299], "ko": f"{n} {'긴 대답 ' * 70}"[:299]}
        for n in range(count)
    ]


OPTIONS = [
    {"kind": "choice", "mechanism": "wheel", "options": options(50), "epsilon": 4.0},
    {"kind": "choice", "mechanism": "wheel", "options": options(7), "epsilon": 2.0},
    {"kind": "choice", "mechanism": "wheel", "options": options(3), "epsilon": 5.0},
    {"kind": "choice", "mechanism": "subset", "options": options(12), "epsilon": 1.0},
    *(
        {"kind": "choice", "mechanism": "exponential", "ordered": True, "options": options(n), "epsilon": 2.0}
        for n in (5, 12, 50)
    ),
    {"kind": "boxes", "mechanism": "per_box", "options": options(20), "epsilon": 10.0},
    {"kind": "boxes", "mechanism": "sampled_box", "options": options(20), "epsilon": 1.0},
    {"kind": "yes_no", "mechanism": "spinner_coin", "skip": "randomized", "epsilon": 1.0},
    *({"kind": "yes_no", "mechanism": "spinner", "epsilon": epsilon} for epsilon in (0.1, 1.0, 6.0)),
    {"kind": "yes_no", "mechanism": "coin"},
]

MOUNT = """
const [done] = arguments;
const script = document.querySelector("script[type=module][src]").src;
const load = (name) => import(new URL(`../${name}.js`, script).href);
Promise.all([load("respond/definition"), load("page/language")]).then(async ([{ loadKinds }, language]) => {
  const published = JSON.parse(document.getElementById("definition").textContent);
  const questions = published.questions ?? published.sections.flatMap((section) => section.questions);
  const kinds = await loadKinds({ ...published, questions });
  document.querySelector("main").replaceChildren(...questions.map((question) => {
    const { node } = kinds.get(question).device(question);
    node.dataset.question = question.id;
    return node;
  }));
  window.choose = language.choose;
  done();
});
"""
"""Draw the pictures of all questions on one page, with the modules that draw them one by one."""

LABELS = """
choose(arguments[0]);
const box = (node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x, y, width, height];
};
return [...document.querySelectorAll("[data-question]")].map((figure) => [
  figure.dataset.question, box(figure),
  [...figure.querySelectorAll("text, .unit")].filter((node) => node.textContent)
    .map((node) => [node.textContent, ...box(node)]),
]);
"""
"""The picture of every question, and the words in it: each with its box on the screen."""


def survey(slug: str) -> dict:
    """Give a demo survey, or the one of all that is hard to draw."""
    if slug != "pictures":
        return tomllib.loads((EXAMPLES / f"{slug}.toml").read_text())
    asked = [
        {"id": f"q{n}", "wording": {"en": "What?", "ko": "무엇?"}} | question
        for n, question in enumerate(NUMBERS + OPTIONS)
    ]
    return definition(slug, ()) | {"questions": asked}


@pytest.mark.parametrize("slug", ["pictures", *sorted(path.stem for path in EXAMPLES.glob("*.toml"))])
def test_words_in_a_picture_are_inside_it_and_apart(site, browser, slug):
    table = survey(slug)
    table["slug"] = f"seen-{slug}"
    site.open(table)
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{table['slug']}")
    browser.execute_async_script(MOUNT)
    seen = 0
    for width, language in product(WIDTHS, ("en", "ko")):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        assert respondent.overflow() == 0
        for name, picture, words in browser.execute_script(LABELS, language):
            seen += len(words)
            for word, *box in words:
                inside = [shared(box[axis::2], picture[axis::2]) - box[axis + 2] for axis in (0, 1)]
                assert min(inside) > -1, f"{word} leaves the picture of {name} at {width} px"
            for one, other in combinations(words, 2):
                both = [shared(one[axis::2], other[axis::2]) for axis in (1, 2)]
                assert min(both) <= 0, f"{one[0]} and {other[0]} meet in {name} at {width} px"
    assert seen > 50
