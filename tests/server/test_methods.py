"""Only POST changes anything: every address, asked in every other way with a body, leaves all as it was."""

import copy
import sqlite3
from contextlib import closing

import pytest
import tomli_w
from rules import rules_of

from server.store import surveys

METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH")
FORM = {
    "name": "ada",
    "present": "a long enough password",
    "password": "a long enough password",
    "role": "admin",
    "slug": "exams",
    "text": "",
    "action": "save",
    "languages": "en",
    "step": "50",
    "receipt": "0" * 32,
    "copied": "1",
    "data": "0",
}
"""What a form of some page holds; together they are valid wherever they are sent."""


@pytest.fixture
def open_survey(storage, survey_file):
    """A draft `draft` and an open survey `exams`."""
    storage.write(surveys.create_draft, survey_file("draft"))
    exams = storage.write(surveys.create_draft, survey_file("exams"))
    return storage.write(surveys.open_survey, exams.id)


def addresses(app):
    """Every address of the application, for the draft, for the open survey, for the first account."""
    for rule in rules_of(app):
        for slug in ("exams", "draft"):
            values = dict.fromkeys(rule.arguments, 1 if "int:" in rule.rule else slug)
            yield rule.build(values, append_unknown=False)[1]


def state(app):
    """All that a request may change: the file, the rate limit, what waits to be counted."""
    services = app.extensions["candor"]
    with closing(sqlite3.connect(services.storage.path)) as connection:
        file = list(connection.iterdump())
    return copy.deepcopy((file, dict(services.committer.starts)))


def test_an_address_that_takes_a_form_takes_nothing_else(staff_app):
    writing = [rule for rule in rules_of(staff_app) if "POST" in rule.methods]
    assert len(writing) > 40
    assert {frozenset(rule.methods) for rule in writing} == {frozenset({"POST", "OPTIONS"})}


@pytest.mark.parametrize("role", [None, "admin", "researcher"])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_sent_in_any_other_way_than_by_post_changes_nothing(
    staff_app, browse, open_survey, survey_file, method, role
):
    client = browse(role).client
    fields = FORM | {
        "fingerprint": open_survey.publication.fingerprint,
        "text": tomli_w.dumps(survey_file("imported")),
    }
    before = state(staff_app)
    for address in sorted(set(addresses(staff_app))):
        with client.open(
            address, method=method, data=fields, headers={"Sec-Fetch-Site": "same-origin"}
        ) as answer:
            assert answer.status_code < 500, (method, address)
            assert answer.status_code == 405 or method in ("HEAD", "OPTIONS"), (method, address)
        if role is None:
            client.delete_cookie("__Host-candor")
    assert state(staff_app) == before
