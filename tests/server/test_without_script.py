"""Every page of staff but the editor works without script: links are clicked, forms filled and sent."""

import pytest
from hands import Hands

from server.store import surveys

FILE = """
candor = 3
slug = "exams"
languages = ["en"]
kept_until = 2030-12-31
title = {en = "Exams"}
organisation = {en = "Hillside"}
contact = {en = "ada@hillside.example"}
information = {en = "Who asks, and why."}
consent = {en = "I take part."}

[[questions]]
id = "copied"
mechanism = "spinner_coin"
# epsilon = 1.0
wording = {en = "Did you copy this term?"}
"""


@pytest.fixture
def hands(browse):
    """The hands of ada, who signs in."""
    hands = Hands(browse(), "/login")
    hands.fill("name", "ada")
    hands.fill("password", "a long enough password")
    hands.click("Sign in")
    return hands


@pytest.fixture
def state(storage):
    return lambda: storage.read(surveys.by_slug, "exams").state


def test_a_survey_is_begun_written_planned_opened_shared_closed_and_read(hands, state):
    hands.click("New survey")
    hands.click("Start the draft")
    hands.fill("text", FILE)
    hands.click("Use this file")
    hands.click("Open the survey")
    hands.click("Set every epsilon")
    hands.click("Open for respondents")
    assert state() == "open"
    hands.visit("/admin/surveys/exams/share/poster")
    hands.visit("/admin/surveys/exams")
    hands.click("Dates, pause, archive")
    hands.fill("closes", "2026-06-01T12:00")
    hands.click("Save")
    hands.click("Pause the survey")
    hands.click("Go on")
    hands.click("Close the survey")
    hands.click("Close for good")
    assert state() == "closed"
    hands.click("Results")
    hands.click("Exams")
    hands.click("Page for an ethics board")
    assert hands.address == "/results/exams/ethics"


def test_a_survey_is_imported_tried_copied_invited_to_and_deleted(hands, state, storage):
    hands.click("Import a file")
    hands.fill("text", FILE.replace("candor = 3", "candor = 3\ninvitations = true").replace("#", ""))
    hands.click("Import")
    hands.click("Page for an ethics board")
    hands.visit("/admin/surveys/exams/try")
    hands.visit("/admin/surveys/exams")
    hands.click("Open the survey")
    hands.click("Open for respondents")
    hands.click("Invitations")
    hands.fill("number", "20")
    hands.click("Make and download the links")
    hands.visit("/admin/surveys/exams")
    hands.click("Copy as a new draft")
    hands.click("Make the copy")
    assert hands.address == "/admin/surveys/exams-2"
    hands.click("Delete")
    hands.fill("slug", "exams-2")
    hands.click("Delete for good")
    assert hands.address == "/admin"
    assert [survey.slug for survey in storage.read(surveys.all_surveys)] == ["exams"]
    assert state() == "open"
