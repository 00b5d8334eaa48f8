"""How many clicks and filled fields it takes from the list of surveys to an open one, written by hand."""

from __future__ import annotations

import pytest
from conftest import PASSWORD
from editing import click, field
from pages import Staff

MOST = 38


class Hands:
    """The hands of an admin at the list of surveys; what they do is counted.

    Attributes
    ----------
    count : int
        Clicks, and fields filled, so far.
    """

    def __init__(self, staff: Staff, address: str) -> None:
        self.staff, self.count = staff, 0
        staff.sign_in(address, "ada", PASSWORD)
        staff.browser.get(f"{address}/admin")

    def click(self, selector: str) -> None:
        self.count += 1
        click(self.staff, selector)

    def fill(self, selector: str, value: str) -> None:
        self.count += 1
        self.staff.replace(selector, value)

    def fill_date(self, selector: str, keys: str) -> None:
        self.count += 1
        self.staff.find(selector).send_keys(keys)


@pytest.fixture
def hands(site, browser):
    return Hands(Staff(browser), site.address)


def test_ten_questions_take_at_most_thirty_eight(site, hands):
    hands.click("a[href$='/new']")
    hands.click("form[action$='/new'] .button")
    for name in ("title", "organisation", "contact", "information", "consent"):
        hands.fill(f"[name='{name}.en']", f"The {name}.")
    hands.fill_date("[name=kept_until]", "12312030")
    hands.click("[name=languages][value=ko]")
    for number in range(1, 11):
        hands.click("#adding [data-kind=yes_no]")
        hands.fill(field(hands.staff, number, "wording.en"), f"In the past week, did you do thing {number}?")
    hands.click(".save-bar a[href$='/open']")
    hands.click(".plan-box .button")
    hands.click("[name=fingerprint] ~ .button")
    hands.staff.until(lambda: hands.staff.has(".tag.open"), "the survey does not open")
    slug = hands.staff.browser.current_url.partition("?")[0].rpartition("/")[2]
    survey = site.survey(slug)
    assert [question.id for question in survey.publication.definition.questions] == [
        f"q{number}" for number in range(1, 11)
    ]
    assert hands.count <= MOST
