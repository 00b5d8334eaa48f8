"""How many clicks and filled fields it takes from the list of surveys to an open one."""

import pytest
from hands import Hands

from server.store import surveys
from survey.privacy.limits import LARGEST_TOTAL


@pytest.fixture
def hands(admin, storage, survey_file):
    """The hands of an admin who has signed in, where there is a survey already."""
    storage.write(surveys.create_draft, survey_file("before"))
    return Hands(admin, "/admin")


def opened(storage, slug):
    found = storage.read(surveys.by_slug, slug)
    assert found.state == "open"
    return found.publication.definition


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
    definition = opened(storage, "staff-pulse")
    assert len(definition.questions) == 10


def test_ten_questions_by_hand_take_at_most_thirty_eight(hands, storage):
    hands.click("New survey")
    hands.click("Start the draft")
    for name in ("title", "organisation", "contact", "information", "consent"):
        hands.fill(f"{name}-en", f"The {name}.")
    hands.fill("kept_until", "2030-12-31")
    hands.tick("languages", "ko")
    for number in range(10):
        hands.click("Yes or no")
        hands.fill(f"questions-{number}-wording-en", f"In the past week, did you do thing {number}?")
    hands.click("Open the survey")
    hands.click("Set every epsilon")
    hands.click("Open for respondents")
    print(f"\n{hands.count} clicks and filled fields by hand")
    assert hands.count <= 38
    definition = opened(storage, "survey")
    assert (len(definition.questions), definition.asked) == (10, 2)
    assert definition.limit <= LARGEST_TOTAL
    assert [question.id for question in definition.questions] == [f"q{number}" for number in range(1, 11)]
    assert all(question.epsilon for question in definition.questions)
