"""Pictures of chance, all of them on one page, and what can be read in them."""

from __future__ import annotations

import tomllib
from itertools import combinations, product
from pathlib import Path
from typing import Any

from conftest import definition
from plots import shared
from selenium.webdriver.remote.webdriver import WebDriver

EXAMPLES = Path(__file__).parents[2] / "server" / "examples"
SURVEYS = ["pictures", *sorted(path.stem for path in EXAMPLES.glob("*.toml"))]
"""The one of all that is hard to draw, and the demos."""

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
    for epsilon, grid in product([0.5, 5.0], GRIDS)
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
const load = (name) => import(new URL(`js/${name}.js`, script).href);
const modules = ["respond/definition", "page/page", "lessons/random"].map(load);
Promise.all(modules).then(async ([{ loadKinds }, { choose, speak }, { seeded }]) => {
  const word = seeded(1); // so that every run draws the same pictures
  const published = JSON.parse(document.getElementById("definition").textContent);
  const [codes, keys, messages] = JSON.parse(document.getElementById("messages").textContent);
  const said = (index) => Object.fromEntries(keys.map((key, place) => [key, messages[index][place]]));
  speak(Object.fromEntries(codes.map((code, index) => [code, said(index)])), published.languages, codes);
  const questions = published.questions ?? published.sections.flatMap((section) => section.questions);
  const kinds = await loadKinds({ ...published, questions });
  const devices = questions.map((question) => {
    const kind = kinds.get(question);
    const device = kind.device(question);
    device.node.dataset.question = question.id;
    const answer = question.kind === "boxes" ? question.columns.map(() => 1) : 1;
    return { ...device, turn: () => device.show(kind.draw(question, answer, word).picture) };
  });
  document.querySelector("main").replaceChildren(...devices.map(({ node }) => node));
  window.pictures = { choose, devices };
  done();
});
"""
"""Draw the pictures of all questions on one page, with the modules that draw them one by one."""

TURN = """
for (const device of pictures.devices) void device.turn();
for (const animation of document.getAnimations()) {
  animation.pause();
  animation.currentTime = arguments[0];
}
"""
"""Stop all of them in the middle of their motion."""

SEEN = """
const box = (node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x, y, width, height];
};
/** On which side of its wheel a figure stands, the wheel being turned back: which turn from the pointer. */
const side = (figure) => {
  const wheel = figure.closest(".wheel");
  const [[x, y, width, height], [left, top, all]] = [box(figure), box(wheel)];
  const { a, b } = new DOMMatrix(getComputedStyle(wheel.querySelector(".turning")).transform);
  const place = Math.atan2(x + width / 2 - left - all / 2, top + all / 2 - y - height / 2) - Math.atan2(b, a);
  const [, east, south] = wheel.querySelector(".night").getAttribute("d").match(/([-.\\de]+),([-.\\de]+)Z$/);
  const turns = (angle) => (angle / (2 * Math.PI) + 2) % 1;
  return turns(place) < turns(Math.atan2(Number(east), -Number(south))) ? "on-night" : "on-bright";
};
return pictures.devices.map(({ node }) => [node.dataset.question, box(node),
  [...node.querySelectorAll("text, .unit, .figure")].filter((each) => each.textContent).map((each) => [
    each.textContent, ...box(each), each.matches(".figure") ? each.matches(`.${side(each)}`) : true])]);
"""
"""The picture of every question, and the words in it: each with its box, and whether it is on its slice."""


def faults(browser: WebDriver) -> list[str]:
    """List the words that leave their picture, meet others or stand on a slice that is not theirs."""
    found = []
    seen = browser.execute_script(SEEN)
    assert any(words for _, _, words in seen)
    for name, picture, words in seen:
        for word, *box, placed in words:
            inside = [shared(box[axis::2], picture[axis::2]) - box[axis + 2] for axis in (0, 1)]
            if min(inside) < -1:
                found.append(f"{name}: {word} leaves the picture")
            if not placed:
                found.append(f"{name}: {word} is not on its slice")
        for one, other in combinations(words, 2):
            if min(shared(one[axis:5:2], other[axis:5:2]) for axis in (1, 2)) > 0:
                found.append(f"{name}: {one[0]} and {other[0]} meet")
    return found


def survey(slug: str) -> dict[str, Any]:
    """Give a survey, under a slug of its own."""
    if slug != "pictures":
        return tomllib.loads((EXAMPLES / f"{slug}.toml").read_text()) | {"slug": f"seen-{slug}"}
    asked = [
        {"id": f"q{n}", "wording": {"en": "What?", "ko": "무엇?"}} | question
        for n, question in enumerate(NUMBERS + OPTIONS)
    ]
    return definition(f"seen-{slug}", ()) | {"questions": asked}
