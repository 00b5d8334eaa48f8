"""Who kept a receipt number finds what was sent in the list that was counted, or hears that it is missing."""

from __future__ import annotations

import re
from secrets import token_hex

import pytest

from server.store import counted_lists, submissions
from server.store.submissions import Submission


@pytest.fixture
def survey(site, request):
    """An open survey of its own for each test; gives its slug."""
    slug = site.fresh(request.node.name.removeprefix("test_"))
    site.publish(slug, ("spinner_coin", 1.0), ("coin", None), outcome="after")
    return slug


def others(site, slug, count):
    """Let other people answer."""
    survey = site.survey(slug)
    fingerprint = survey.publication.fingerprint
    batch = [Submission(survey.id, fingerprint, token_hex(16), {"q1": n % 2, "q2": 0}) for n in range(count)]
    site.storage.write(submissions.record, batch, "2026-05-04")


def check(respondent, code):
    """Type a number and press the button; give the outcome, and what is said."""
    field = respondent.find("input")
    field.clear()
    field.send_keys(code)
    respondent.browser.execute_script("document.querySelector('[data-outcome]').dataset.outcome = ''")
    respondent.find("button").click()
    outcome = respondent.until(lambda: respondent.find("[data-outcome]").get_attribute("data-outcome"))
    return outcome, respondent.text("[data-outcome]")


def test_a_number_that_was_kept_finds_its_row(site, wire, respondent, survey, look):
    others(site, survey, 300)
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0])
    respondent.send()
    code = respondent.text("[data-code]")
    assert f"/s/{survey}/counted" in respondent.text("section.receipt")
    assert re.fullmatch(rf"{respondent.receipt()}-[01]-[01]", code)
    site.close(survey)
    made = site.storage.read(counted_lists.of, site.survey(survey).id)
    before = len(wire.requests)
    respondent.browser.get(f"{wire.address}/s/{survey}/counted")
    assert check(respondent, code) == ("in", "Yes: it is in the list that was counted.")
    asked = [request.target for request in wire.requests[before:] if "leaves-" in request.target]
    assert len(asked) == 1
    assert re.fullmatch(rf"/s/{survey}/counted/leaves-[01]{{{made.bits}}}", asked[0])
    sent = "".join(str(request) for request in wire.requests[before:])
    assert code[:32] not in sent
    other = code[:-1] + str(1 - int(code[-1]))
    assert check(respondent, f" {other.upper()} ")[0] == "out"
    assert check(respondent, code[:-2])[0] == "unlike"
    assert respondent.complaints() == []
    look(respondent)


def test_a_list_that_does_not_fit_its_root_proves_nothing(site, wire, respondent, survey):
    others(site, survey, 100)
    site.close(survey)
    respondent.browser.get(f"{wire.address}/s/{survey}/counted")
    form = "document.querySelector('form.check').dataset.root = '0'.repeat(64)"
    respondent.browser.execute_script(form)
    assert check(respondent, f"{token_hex(16)}-0-0")[0] == "broken"
    respondent.browser.execute_script("window.fetch = async () => { throw new TypeError('away'); }")
    assert check(respondent, f"{token_hex(16)}-0-0")[0] == "away"
