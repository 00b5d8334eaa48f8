"""Staff at work: an admin makes a survey, a researcher reads its results."""

from __future__ import annotations

import csv
import json
import random
import struct
import time
import tomllib
import zlib
from importlib.resources import files
from itertools import product

import pytest
from conftest import PASSWORD, show_at
from editing import click, field, unfold, until
from pages import Respondent, Staff
from selenium.webdriver.support.ui import Select

from server.language.catalogue import LANGUAGES
from server.results.charts.drawing import WIDTHS
from server.store.staff import accounts, links
from server.store.submissions import Submission, record


@pytest.fixture
def staff(browser):
    return Staff(browser)


def fill_with_reports(site, slug, respondents, seed):
    """Store reports straight away, 60 % yes for every question."""
    chance = random.Random(seed)
    survey = site.survey(slug)
    columns = list(survey.publication.channels)
    batch = [
        Submission(
            survey.id,
            survey.publication.fingerprint,
            f"{chance.getrandbits(128):032x}",
            {column: int(chance.random() < 0.6) for column in columns},
        )
        for _ in range(respondents)
    ]
    memory = {}
    for first in range(0, respondents, 10):
        outcomes = site.storage.write(record, batch[first : first + 10], "2026-01-01", memory)
        assert set(outcomes) == {"stored"}


def test_an_admin_makes_a_survey_that_can_be_answered(site, staff):
    staff.sign_in(site.address, "ada", PASSWORD)
    staff.browser.get(f"{site.address}/admin/new")
    staff.fill("slug", "made-by-ada")
    staff.find("main form button").click()
    staff.find("label:has([name=shown][value='en,ko'])").click()
    asked = ("title", "organisation", "contact", "information", "consent")
    for panel, names in (("start", asked), ("end", ("help", "closing"))):
        unfold(staff, panel)
        for name in names:
            for language in ("en", "ko"):
                staff.find(f"[id='{name}.{language}']").send_keys(f"{name} in {language}")
        if panel == "start":
            staff.find("#kept_until").send_keys("12312030")
    staff.find("#adding [data-kind=yes_no]").click()
    staff.replace(field(staff, 1, "id"), "copied")
    staff.replace(field(staff, 1, "wording.en"), "Have you ever copied?")
    staff.replace(field(staff, 1, "wording.ko"), "베낀 적이 있습니까?")
    click(staff, ".mechanisms label:has([value=spinner_coin])")
    staff.replace(field(staff, 1, "epsilon"), "12")
    staff.find("#save").click()
    until(staff, "main .faults", "not “12”")
    until(staff, field(staff, 1, "epsilon-error"), "12")
    assert staff.find(field(staff, 1, "wording.en")).get_attribute("value") == "Have you ever copied?"
    staff.replace(field(staff, 1, "epsilon"), "1.5")
    staff.find("#save").click()
    staff.find(".save-bar [href$='/open']").click()
    staff.until(lambda: staff.has("[name=fingerprint]"))
    fingerprint = staff.browser.find_element("css selector", "[name=fingerprint]").get_attribute("value")
    staff.find("main form button").click()
    address = staff.find("#address").get_attribute("value")
    assert address == f"{site.address}/s/made-by-ada"
    assert site.survey("made-by-ada").publication.fingerprint == fingerprint
    respondent = Respondent(staff.browser)
    respondent.visit(address)
    respondent.mark([1])
    respondent.send()
    ((report,),) = respondent.sent().values()
    assert [row["copied"] for row in site.rows("made-by-ada")] == [report]
    assert [c for c in staff.complaints() if "422" not in c] == []


TWICE = """
const form = document.querySelector(arguments[0]), stopped = [];
addEventListener("submit", (event) => { stopped.push(event.defaultPrevented); event.preventDefault(); });
form.requestSubmit();
form.requestSubmit();
return stopped;
"""


def test_a_second_press_does_not_send_a_form_again(site, staff):
    staff.sign_in(site.address, "ada", PASSWORD)
    for address in ("/account/tokens", "/account/factor", "/admin/people"):
        staff.browser.get(f"{site.address}{address}")
        assert staff.browser.execute_script(TWICE, "main form[method=post]") == [False, True]


MANY = """
const choices = document.querySelector(".choices");
for (let more = 0; more < 200; more++) choices.append(choices.firstElementChild.cloneNode(true));
return [choices.offsetHeight, choices.scrollHeight];
"""


@pytest.mark.parametrize("address", ["/admin/people", "/account/tokens"])
def test_hundreds_of_surveys_to_choose_from_keep_the_button_in_reach(site, staff, address):
    site.publish(site.fresh("one-of-many"), ("coin", None))
    staff.sign_in(site.address, "ada", PASSWORD)
    staff.browser.get(site.address + address)
    shown, whole = staff.browser.execute_script(MANY)
    assert shown < 300 < whole


def test_a_researcher_reads_results_and_nothing_else(site, staff):
    site.publish("read-by-rosa", ("spinner_coin", 1.0), ("coin", None))
    fill_with_reports(site, "read-by-rosa", 130, seed=1)
    staff.sign_in(site.address, "rosa", PASSWORD)
    staff.browser.get(f"{site.address}/results/read-by-rosa")
    assert "50" in staff.text("#respondents"), "an open survey leaves out a step of 50 at least"
    assert len(staff.browser.find_elements("css selector", "article svg.chart")) == 2
    Select(staff.find("#confidence_level")).select_by_value("0.99")
    Select(staff.find("#method")).select_by_value("wilson")
    staff.find("main form button").click()
    staff.until(lambda: "method=wilson" in staff.browser.current_url)
    assert "99%" in staff.text()
    staff.browser.get(f"{site.address}/admin")
    assert not staff.has("#surveys")
    assert [c for c in staff.complaints() if "403" not in c] == []


def test_downloads_agree_with_the_page(site, staff):
    site.publish("loaded", ("spinner", 2.0))
    fill_with_reports(site, "loaded", 80, seed=2)
    site.close("loaded")
    staff.sign_in(site.address, "rosa", PASSWORD)
    staff.browser.get(f"{site.address}/results/loaded")

    def fetch(selector):
        address = staff.find(selector).get_attribute("href")
        script = "const [address, done] = arguments; fetch(address).then((r) => r.text()).then(done)"
        return staff.browser.execute_async_script(script, address)

    table = list(csv.DictReader(fetch("#estimates-csv").lstrip("\ufeff").splitlines()))
    document = json.loads(fetch("#estimates-json"))
    reports = fetch("#reports-csv").splitlines()
    fingerprint = site.survey("loaded").publication.fingerprint
    assert {row["fingerprint"] for row in table} == {fingerprint}
    assert fingerprint in json.dumps(document)
    assert len(reports) == 81
    in_order = reports[1:] == sorted(reports[1:])
    assert in_order, "the order says nothing about arrival"


def read_png(data):
    """Return the width, the height and the filtered lines of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    across, high = struct.unpack(">II", data[16:24])
    parts, place = [], 8
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            parts.append(data[place + 8 : place + 8 + length])
        place += length + 12
    return across, high, zlib.decompress(b"".join(parts))


def test_a_chart_is_saved_as_a_png_of_twice_the_size_of_its_svg(site, staff, tmp_path):
    site.publish("drawn", ("spinner", 2.0))
    fill_with_reports(site, "drawn", 80, seed=3)
    site.close("drawn")
    staff.sign_in(site.address, "rosa", PASSWORD)
    saving = {"behavior": "allow", "downloadPath": str(tmp_path)}
    staff.browser.execute_cdp_cmd("Browser.setDownloadBehavior", saving)
    staff.browser.get(f"{site.address}/results/drawn")
    (question,) = site.survey("drawn").publication.channels
    staff.until(lambda: staff.find("[data-chart]").is_displayed())
    staff.find("[data-chart]").click()
    file = tmp_path / f"drawn-{question}.png"
    staff.until(file.exists)
    across, high, pixels = read_png(file.read_bytes())
    assert across == 2 * WIDTHS["column"]
    assert 100 < high < across
    assert len(set(pixels)) > 50, "an empty picture has one colour, and letters many shades"
    assert staff.complaints() == [], "the policy lets the page draw its own pictures"


def test_signing_out_ends_the_session(site, staff):
    staff.sign_in_on_the_page(site.address, "ada", PASSWORD)
    cookie = staff.browser.get_cookies()
    staff.find("form.sign-out button").click()
    staff.until(lambda: staff.browser.current_url.endswith("/login"))
    for part in cookie:
        staff.browser.add_cookie(part)
    staff.browser.get(f"{site.address}/admin")
    assert "/login" in staff.browser.current_url


def test_whoever_opens_the_link_of_an_invitation_chooses_a_name_and_is_in(site, staff):
    staff.sign_in(site.address, "ada", PASSWORD)
    staff.browser.get(f"{site.address}/admin/people")
    staff.find("form[action$=invitations] .button").click()
    link = staff.find("#issued-link").get_attribute("value")
    staff.find("form.sign-out button").click()
    staff.until(lambda: staff.browser.current_url.endswith("/login"))
    staff.browser.get(link)
    filled = "return document.getElementById('link').closest('.field').hidden"
    staff.until(lambda: staff.browser.execute_script(filled))
    staff.fill("name", "invited")
    staff.fill("password", PASSWORD)
    staff.find("main form .button").click()
    staff.until(lambda: staff.browser.current_url == f"{site.address}/results")
    assert staff.complaints() == []


def test_a_link_that_cannot_be_used_is_refused_before_anything_is_typed(site, staff):
    """Another link in the same tab is looked at in its turn, though only what stands behind the # is new."""
    ada, now = site.storage.read(accounts.by_name, "ada"), time.time()
    gone, good = (site.storage.write(links.invite, ada.id, "editor", False, [], now) for _ in range(2))
    site.storage.write(links.revoke, site.storage.read(links.link_of, gone, now).id)
    staff.browser.get(f"{site.address}/join#{gone}")
    assert "This link cannot be used." in staff.text("main .notice[role=alert]")
    assert not staff.find("main").find_element("css selector", "form").is_displayed()
    staff.browser.execute_script("location.hash = arguments[0]", good)
    staff.fill("name", "somebody")
    asked = "return performance.getEntriesByName(arguments[0]).map((each) => each.responseStatus)"
    address = f"{site.address}/join/link"
    staff.until(lambda: staff.browser.execute_script(asked, address) == [200])
    assert not staff.has("main .notice")
    assert staff.find("main form").is_displayed()
    assert staff.complaints() == []
    site.storage.write(links.revoke, site.storage.read(links.link_of, good, now).id)


def test_the_text_to_send_shows_its_link_on_a_phone(site, staff):
    slug = site.fresh("pasted")
    site.publish(slug, ("coin", None))
    staff.sign_in(site.address, "ada", PASSWORD)
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    staff.browser.get(f"{site.address}/admin/surveys/{slug}/share")
    below = "return [...document.querySelectorAll('textarea')]"
    below += ".map((each) => each.scrollHeight - each.clientHeight)"
    hidden = staff.browser.execute_script(below)
    staff.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert hidden
    assert max(hidden) <= 0


def test_what_came_of_a_form_is_read_first(site, staff):
    """A screen reader says nothing of a notice that is there when its page arrives."""
    slug = site.fresh("read first")
    site.publish(slug, ("spinner", 1.0))
    staff.sign_in(site.address, "ada", PASSWORD)

    def has_the_focus(selector):
        focus = "return document.activeElement?.matches(arguments[0])"  # none while a page is loaded
        return staff.browser.execute_script(focus, selector)

    staff.browser.get(f"{site.address}/admin/new")
    assert has_the_focus("body")
    staff.fill("slug", "no address!")
    staff.find("main form button").click()
    staff.until(lambda: has_the_focus("#slug[aria-invalid=true][aria-describedby~=slug-error]"))
    staff.browser.get(f"{site.address}/admin/surveys/{slug}/life")
    staff.fill("zone", "Nowhere/Atoll")
    staff.find("main form button").click()
    staff.until(lambda: has_the_focus(".notice[role=alert]"))
    staff.fill("zone", "Asia/Seoul")
    staff.find("main form button").click()
    staff.until(lambda: has_the_focus(".notice[role=status]"))


def test_the_page_of_an_opened_survey_of_eleven_questions_is_under_three_screens(site, staff):
    table = tomllib.loads(files("server").joinpath("examples/student-life.toml").read_text("utf-8"))
    slug = site.fresh("folded")
    site.open(table | {"slug": slug})
    staff.sign_in(site.address, "ada", PASSWORD)
    for size, language in product([(1280, 900), (390, 844)], LANGUAGES):
        show_at(staff.browser, "light", *size)
        staff.browser.get(f"{site.address}/admin/surveys/{slug}?language={language}")
        assert len(staff.browser.find_elements("css selector", ".frozen-questions details:not([open])")) == 11
        height, width = staff.browser.execute_script(
            "const { scrollHeight: high, scrollWidth: wide } = document.documentElement; return [high, wide]"
        )
        print(f"{size} {language}: {height / size[1]:.2f} screens")
        assert height < 3 * size[1]
        assert width <= size[0]
