"""Where one of its scripts does not arrive, a page says so, and can be loaded again."""

from __future__ import annotations

import pytest
from pages import Respondent

WORDING = {"en": "Which?", "ko": "어느 것입니까?"}
CHOICE = {"id": "which", "kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "wording": WORDING}
SEEN = """
for (const late of document.getAnimations()) late.finish();
return [...document.querySelectorAll("main .without-script")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true })).map(({ lang }) => lang);
"""
"""The languages in which the page says what is missing once it has waited for it."""


@pytest.fixture
def lacking(browser):
    """Let files of some names not arrive."""

    def lacking(*names):
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [f"*/{name}" for name in names]})

    browser.execute_cdp_cmd("Network.enable", {})
    yield lacking
    lacking()


@pytest.mark.parametrize(("name", "languages"), [("respond.js", ["en", "ko"]), ("more.js", ["en"])])
def test_a_page_without_one_of_its_scripts_says_so_and_can_be_loaded_again(
    site, browser, lacking, name, languages
):
    slug = site.fresh("lacking")
    options = [{"en": letter, "ko": letter} for letter in "ABC"]
    site.publish(slug, ("coin", None), questions=[CHOICE | {"options": options}])
    respondent = Respondent(browser)
    lacking(name)
    browser.get(f"{site.address}/s/{slug}")
    respondent.until(lambda: browser.execute_script(SEEN) == languages)
    assert respondent.text("main h1")
    assert respondent.overflow() == 0
    lacking()
    respondent.find(".without-script a").click()
    respondent.wait_for("welcome")
    assert not respondent.has(".without-script")
