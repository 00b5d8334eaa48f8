"""The results page in a browser: nothing is cut off at any width, and everybody can use it."""

import random

import pytest
from conftest import PASSWORD, definition, serving, show_at
from pages import Staff

from server.store.submissions import Submission, record

WIDTHS = (320, 390, 640, 960, 1280, 1600)

CUT_OFF = """
const spills = (cell) => cell.matches("tbody :not(.plot)") && cell.scrollWidth > cell.clientWidth + 1;
const end = (element) => element.getBoundingClientRect().right;
return [...document.querySelectorAll("main table")].flatMap((table) =>
  [...table.querySelectorAll("th, td")]
    .filter((cell) => cell.checkVisibility() && (end(cell) > end(table.parentElement) + 1 || spills(cell)))
    .map((cell) => `${cell.closest("article, section")?.id}: ${cell.textContent.trim()}`));
"""
"""Name the cells that reach beyond the place of their table, to which a reader would have to scroll."""


def texts(english):
    return {"en": english, "ko": english}


LONG = [texts(f"A rather long answer that somebody might give, number {n}") for n in range(6)]
OTHERS = [
    {
        "id": "sector",
        "kind": "choice",
        "mechanism": "wheel",
        "epsilon": 2.0,
        "skip": "apart",
        "options": LONG,
    },
    {"id": "harm", "kind": "boxes", "mechanism": "per_box", "epsilon": 2.0, "options": LONG[:3]},
    {"id": "paid", "mechanism": "spinner", "epsilon": 2.0, "skip": "randomized"},
    {"id": "hurt", "mechanism": "spinner_coin", "epsilon": 1.0, "by_hand": "coin"},
    {
        "id": "hours",
        "kind": "number",
        "mechanism": "laplace",
        "epsilon": 8.0,
        "low": 0,
        "high": 4,
        "step": 1,
        "unit": texts("hours a week"),
    },
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of its own: its list of surveys has no others."""
    with serving(tmp_path_factory.mktemp("results")) as site:
        yield site


@pytest.fixture
def staff(browser):
    return Staff(browser)


def closed_survey(site, slug):
    """Close a survey of eleven questions of every kind, with reports from a hundred people."""
    table = definition(slug, (("coin", None),) * 6)
    table["questions"] += [each | {"wording": texts(f"What about {each['id']}?")} for each in OTHERS]
    site.open(table)
    survey, chance = site.survey(slug), random.Random(1)
    fingerprint, columns = survey.publication.fingerprint, survey.publication.columns
    batch = [
        Submission(
            survey.id,
            fingerprint,
            f"{chance.getrandbits(128):032x}",
            {name: chance.randrange(column.channel.reports) for name, column in columns.items()},
        )
        for _ in range(100)
    ]
    assert set(site.storage.write(record, batch, "2026-01-01")) == {"stored"}
    site.close(slug)


def test_nothing_is_cut_off_at_any_width_and_everybody_can_use_it(site, staff, look):
    closed_survey(site, "full")
    staff.sign_in(site.address, "rosa", PASSWORD)
    for path in ("/results/full", "/results/full/cross?row=sector&column=q1", "/results"):
        staff.browser.get(site.address + path)
        staff.browser.execute_script(
            "document.querySelectorAll('details').forEach((each) => each.open = true)"
        )
        for number in staff.browser.find_elements("css selector", "#overview td.number:last-child"):
            staff.browser.execute_script("arguments[0].textContent = '1,000,000'", number)
        for width in WIDTHS:
            show_at(staff.browser, "light", width)
            assert (path, width, staff.overflow()) == (path, width, 0)
            assert (path, width, staff.browser.execute_script(CUT_OFF)) == (path, width, [])
        look(staff)
    assert staff.complaints() == []


def test_eleven_questions_fit_a_screen_and_each_leads_to_its_own(site, staff):
    closed_survey(site, "eleven")
    staff.sign_in(site.address, "rosa", PASSWORD)
    show_at(staff.browser, "light", 1280)
    staff.browser.get(f"{site.address}/results/eleven")
    links = staff.browser.find_elements("css selector", "#overview tbody a")
    assert len(links) == 11
    table = staff.find("#overview table").rect
    assert table["y"] + table["height"] <= 800
    links[-1].click()
    staff.until(lambda: staff.browser.current_url.endswith("#hours"))
    top = "return document.getElementById('hours').getBoundingClientRect().top"
    staff.until(lambda: 0 <= staff.browser.execute_script(top) < 400, "another place than the question's")
