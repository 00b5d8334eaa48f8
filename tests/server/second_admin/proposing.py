"""Steps of staff who ask for something that needs a second admin, or answer it."""

import re
from html import unescape

from server.store import surveys

PASSWORD = "a long enough password"
OPEN, DELETE = "/admin/surveys/exams/open", "/admin/surveys/exams/delete"
PROPOSALS = "/admin/surveys/exams/proposals"
LIFE = "/admin/surveys/exams/life"
PEOPLE = "/admin/people"
DAY = 24 * 3600


def state(storage, slug="exams"):
    survey = storage.read(surveys.by_slug, slug)
    return survey and survey.state


def fingerprint_on(browser, page=OPEN):
    return re.search(r'name="fingerprint" value="(\w+)"', browser.get(page).text)[1]


def ask_to_open(browser):
    return browser.post(OPEN, fingerprint=fingerprint_on(browser))


def answer(browser, what, how, subject, page="/account"):
    return browser.post(f"{PROPOSALS}/{what}/{how}", page=page, subject=subject)


def words(response):
    return " ".join(unescape(response.text).split())


def plan(browser, **typed):
    page = browser.get(LIFE).text
    shown = re.search(r'name="fingerprint" value="(\w*)"', page)[1]
    fields = {"zone": "UTC", "opens": "", "closes": "", "quota": "", "remove": "", "action": "save"}
    return browser.post(LIFE, **(fields | {"fingerprint": shown} | typed))
