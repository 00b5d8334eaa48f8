"""Two admins, who are both needed, with a survey and what the audit log says of it."""

import pytest
from proposing import PASSWORD

from server.store import surveys
from server.store.lifecycle import second_admin_rule
from server.store.staff import accounts, audit
from server.store.staff.audit import LineFilter


@pytest.fixture
def dan(storage):
    """A second admin."""
    return storage.write(accounts.create, "dan", PASSWORD, "admin")


@pytest.fixture
def ada(storage):
    return storage.read(accounts.by_name, "ada")


@pytest.fixture
def now(clock):
    return lambda: clock().timestamp()


@pytest.fixture
def required(storage, ada, dan, now):
    storage.write(second_admin_rule.require, ada.id, now())


@pytest.fixture
def draft(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


@pytest.fixture
def survey(storage, draft):
    return storage.write(surveys.open_survey, draft.id)


@pytest.fixture
def of(browse):
    """Open a browser of somebody by name."""

    def of(name):
        browser = browse()
        assert browser.sign_in(name).status_code == 302
        return browser

    return of


@pytest.fixture
def deeds(storage):
    """Give the lines of the audit log about this, the earliest first."""

    def deeds():
        lines = reversed(storage.read(audit.lines, LineFilter()))
        found = [(line.who, line.what, line.survey, line.about) for line in lines]
        return [each for each in found if not each[1].startswith(("signed_", "draft_", "account_"))]

    return deeds
