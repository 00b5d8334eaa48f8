"""How many clicks and filled fields it takes from the list of surveys to an open one."""

import pytest
from hands import Hands

from server.store import surveys


@pytest.fixture
def hands(admin, storage, survey_file):
    """The hands of an admin who has signed in, where there is a survey already."""
    storage.write(surveys.create_draft, survey_file("before"))
    return Hands(admin, "/admin")


def test_ten_questions_from_a_template_take_eight(hands, storage):
    hands.click("New survey")
    hands.fill("organisation", "Hillside University")
    hands.fill("contact", "ada@hillside.example")
    hands.fill("kept_until", "2030-12-31")
    hands.fill("help", "The counselling service, room 4")
    hands.click("Use this template: Staff pulse")
    hands.click("Open the survey")
    hands.click("Open for respondents")
    print(f"\n{hands.count} clicks and filled fields from a template")
    assert hands.count <= 8
    survey = storage.read(surveys.by_slug, "staff-pulse")
    assert (survey.state, len(survey.publication.definition.questions)) == ("open", 10)
