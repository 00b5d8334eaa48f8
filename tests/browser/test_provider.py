"""Sign-in with an institution's account, on another site than the server, in a browser."""

from __future__ import annotations

import pytest
from conftest import PASSWORD, serving
from identity_provider import OF_THE_MOCK, IdentityProvider
from pages import Staff

pytestmark = pytest.mark.filterwarnings(*OF_THE_MOCK)


@pytest.fixture(scope="module")
def provider():
    """A provider on `localhost`, which is another site than `127.0.0.1`."""
    with IdentityProvider().running() as provider:
        for person in ("ada-7", "ada-8"):
            provider.person(person, preferred_username="ada", groups=["admins"])
        provider.person("eve-9", preferred_username="eve")
        yield provider


@pytest.fixture(scope="module")
def door(provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("provider")
    (folder / "providers.toml").write_text(f"""
[[provider]]
name = "uni"
title = "Hillside University"
issuer = "{provider.issuer}"
client_id = "candor"
client_secret = "secret"
roles = {{ admins = "admin" }}
""")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANDOR_OIDC", str(folder / "providers.toml"))
        with serving(folder) as site:
            yield site.address


def sign_in_there(staff, subject):
    staff.fill("sub", subject)
    staff.find("form:has([name=sub]) button").click()


def test_the_way_to_another_site_and_back_keeps_what_was_begun(door, browser, look):
    staff = Staff(browser)
    browser.get(f"{door}/login?next=/account")
    look(staff)
    staff.find(".providers .button").click()
    sign_in_there(staff, "ada-7")
    staff.until(lambda: browser.current_url == f"{door}/account")
    look(staff)


def test_who_is_refused_and_who_links_an_account_see_pages_that_everybody_can_use(door, browser, look):
    staff = Staff(browser)
    browser.get(f"{door}/login/with/uni")
    sign_in_there(staff, "eve-9")
    staff.until(lambda: "no access" in staff.find("h1").text)
    look(staff)
    staff.sign_in(door, "ada", PASSWORD)
    browser.get(f"{door}/account/link")
    look(staff)
    staff.fill("present", PASSWORD)
    staff.find(".providers .button").click()
    staff.find("main .toolbar .button").click()
    sign_in_there(staff, "ada-8")
    staff.until(lambda: browser.current_url == f"{door}/admin")
