"""A provider, and an application at which staff sign in with it."""

from datetime import UTC, datetime

import pytest
from identity_provider import BEGIN, HOURS, OF_THE_MOCK, ROLES, IdentityProvider

from server import create_app
from server.config import Config
from server.providers import Provider, SignInRules


def pytest_collection_modifyitems(items):
    """Let the mock use its library as it does."""
    for item in items:
        if item.path.parent.name == "provider":
            item.add_marker(pytest.mark.filterwarnings(*OF_THE_MOCK))


@pytest.fixture(scope="session")
def running():
    with IdentityProvider().running() as provider:
        yield provider


@pytest.fixture
def provider(running):
    running.answers, running.asked, running.forms = {}, [], []
    running.change = running.key = running.published = None
    running.person("ada-7", preferred_username="ada", groups=["staff", "methods"], email="ada@uni.example")
    return running


@pytest.fixture
def rules(provider):
    uni = Provider(
        "uni", "Hillside University", provider.issuer, "candor", "secret", ROLES, session_hours=HOURS
    )
    return SignInRules((uni,))


@pytest.fixture
def clock(clock):
    clock.now = datetime.now(UTC)  # tokens of the provider are dated
    return clock


@pytest.fixture
def timer():
    """The seconds by which what is remembered grows old."""
    return [0.0]


@pytest.fixture
def app_with(staff_app, clock, timer):
    """Make an application with rules, on a database with the local accounts ada and ben."""

    def make(rules, **more):
        config = staff_app.extensions["candor"].config
        app = create_app(Config(database=config.database, oidc=rules, **more), clock)
        for client in app.extensions["candor.providers"].values():
            client.timer = lambda: timer[0]
        made.append(app)
        return app

    made = []
    yield make
    for app in made:
        app.extensions["candor"].committer.settle()
        app.extensions["candor"].storage.close()


@pytest.fixture
def browser(app_with, rules, browser_of):
    return browser_of(app_with(rules))


@pytest.fixture
def enter(provider):
    """Sign in as somebody in a browser; return the last answer."""

    def enter(browser, subject="ada-7", begin=BEGIN):
        return browser.get(provider.sign_in(browser.get(begin).location, subject))

    return enter
