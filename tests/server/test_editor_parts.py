"""A draft with sections in the editor: nothing of it is lost, and a whole survey is planned by one press."""

import copy
import re

import pytest
from page_fields import Fields, sent

from server.store import surveys
from survey.publication import publish
from survey.read_definition import from_dict

ADDRESS = "/admin/surveys/health"


def question(name, **more):
    return {
        "id": name,
        "kind": "yes_no",
        "mechanism": "spinner_coin",
        "epsilon": 1.0,
        "wording": {"en": f"{name}?"},
        **more,
    }


TEXTS = {name: {"en": name} for name in ("title", "information", "consent")}
SECTIONS = [
    {"id": "who", "always": True, "questions": [question("age")]},
    {"id": "own", "questions": [question("own")]},
    {
        "id": "home",
        "title": {"en": "At home"},
        "introduction": {"en": "First\nand second line"},
        "questions": [question("rent"), question("heat", skip="apart")],
    },
    {"id": "named", "questions": [question("other", note={"en": "A note"})]},
]
DRAFT = {
    "candor": 2,
    "slug": "health",
    "languages": ["en"],
    "asked": 2,
    "quick_exit": "https://weather.example",
    "outcome": "after",
    **TEXTS,
    "results": {"step": 50, "reports_while_open": False},
    "budget": {"limit": 10.0, "waves": 2},
    "sections": SECTIONS,
}


@pytest.fixture
def parts(editor, admin, storage):
    """The editor on a draft with sections, and how it sends what its page holds."""
    stored = storage.read(surveys.by_slug, "health")
    storage.write(surveys.save_draft, stored.id, copy.deepcopy(DRAFT))

    def send(action="save", query="", **changed):
        fields = sent(editor.get(ADDRESS + query).text)
        return editor.post(ADDRESS, **(fields | {"action": action} | changed))

    editor.send, editor.client = send, admin.client
    return editor


def ids(draft):
    """The names of the questions by section, those without sections by themselves."""
    return [[each.get("id") for each in section["questions"]] for section in draft["sections"]]


def test_a_draft_with_sections_is_saved_as_it_was(parts, draft):
    assert parts.send().status_code == 302
    assert draft() == DRAFT
    assert publish(from_dict(draft(), "it")).definition.asked == 2


def test_an_incomplete_draft_with_sections_is_saved_as_it_was(parts, storage, draft):
    incomplete = DRAFT | {
        "asked": 7,
        "sections": [
            {"questions": [{"kind": "yes_no", "mechanism": "spinner", "wording": {}}]},
            {"id": "home", "title": {"en": "At home"}, "questions": [question("rent")]},
            {"id": "empty", "always": True, "questions": []},
        ],
    }
    storage.write(surveys.save_draft, storage.read(surveys.by_slug, "health").id, incomplete)
    assert parts.send().status_code == 302
    assert draft() == incomplete
    page = parts.page()
    assert '?open=question-1#questions-0-id" data-field="questions-0-id">Question 1: Short name<' in page
    assert '?open=part-2#sections-1-id" data-field="sections-1-id">Part 2: at least one question<' in page
    assert '?open=plan#asked" data-field="asked">Parts that each person is asked: 7 does not fit' in page
    assert "sections[" not in page


def test_a_file_with_plain_sections_keeps_what_it_means(parts, storage, draft):
    plain = {key: value for key, value in DRAFT.items() if key != "sections"}
    plain["sections"] = [{"id": name, "questions": [question(name)]} for name in ("a", "b", "c")]
    before = publish(from_dict(plain, "it")).fingerprint
    storage.write(surveys.save_draft, storage.read(surveys.by_slug, "health").id, plain)
    parts.send()
    assert (draft()["candor"], draft()["asked"], len(draft()["questions"])) == (2, 2, 3)
    assert publish(from_dict(draft(), "it")).fingerprint == before


def test_without_sections_a_draft_is_what_it_always_was(editor, draft):
    editor.save("add")
    assert draft()["candor"] == 1
    assert "sections" not in draft()


def test_a_wrong_value_loses_no_part(parts, draft):
    answer = parts.send(**{"sections-1-title-en": "x" * 201, "asked": "many"})
    assert answer.status_code == 422
    assert "Enter how many parts each person is asked, from 1 to 100" in answer.text
    assert "This text can have at most 200 characters. It has 201." in answer.text
    assert "x" * 201 in answer.text
    assert draft() == DRAFT


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("sections-0-id", "Who?", "A short name has 1 to 40 lower-case letters"),
        ("questions-0-section", "7", "Choose one of the parts above. The value sent was “7”."),
        ("quick_exit_to", "http://a.example", "You entered “http://a.example”."),
        ("questions-0-section", "9" * 5000, "Choose one of the parts above."),
        ("asked", "0", "from 1 to 100, or leave the field empty. You entered “0”."),
    ],
)
def test_what_cannot_be_is_said_at_the_field(parts, draft, field, value, words):
    answer = parts.send(**{field: value})
    assert (answer.status_code, words in answer.text) == (422, True)
    assert f'id="{field}-error"' in answer.text
    assert draft() == DRAFT


def test_a_language_in_which_a_part_is_introduced_is_not_dropped(parts):
    texts = {f"{name}-en": "" for name in ("title", "information", "consent")}
    answer = parts.send(**texts, languages=["ko"])
    assert "There are still texts in “English”" in answer.text


def test_parts_are_added_and_removed_and_their_questions_stay(parts, draft):
    answer = parts.send("add-section")
    assert answer.location.endswith("#sections-3")
    assert draft()["sections"][-1] == {"id": "part_4", "questions": []}
    parts.send(**{"questions-1-section": "3"})  # the one by itself
    assert ids(draft()) == [["age"], ["own"], ["rent", "heat"], ["other"]]
    parts.send("remove-section-2")  # parts are numbered as they stand in the survey
    assert ids(draft()) == [["age"], ["own"], ["rent"], ["heat"], ["other"]]
    assert [section["id"] for section in draft()["sections"]] == ["who", "part_4", "rent", "heat", "named"]
    for _ in range(3):
        parts.send("remove-section-0")
    assert [each["id"] for each in draft()["questions"]] == ["age", "own", "rent", "heat", "other"]


@pytest.mark.parametrize(
    ("action", "order"),
    [
        ("up-4", [["age"], ["own"], ["other"], ["rent", "heat"]]),  # past the whole part above it
        ("up-3", [["age"], ["own"], ["heat", "rent"], ["other"]]),  # within its part
        ("up-2", [["age"], ["rent", "heat"], ["own"], ["other"]]),  # the part goes with its first question
        ("down-3", [["age"], ["own"], ["other"], ["rent", "heat"]]),
        ("down-0", [["own"], ["age"], ["rent", "heat"], ["other"]]),
        ("up-0", [["age"], ["own"], ["rent", "heat"], ["other"]]),
    ],
)
def test_questions_move_with_what_is_asked_with_them(parts, draft, action, order):
    parts.send(action)
    assert ids(draft()) == order


def test_a_part_that_no_survey_can_have_is_none_while_one_types(parts):
    fields = dict(Fields(parts.get(ADDRESS).text, "editor").found) | {"changed": "total"}
    strange = {"questions-0-section": "9" * 5000, "asked": "9" * 5000}
    answer = parts.post(f"{ADDRESS}/preview", ADDRESS, **(fields | strange))
    assert (answer.status_code, 'data-field="asked"' in answer.text) == (200, True)


def test_margins_count_those_who_are_asked(parts):
    def people(number):
        page = parts.page(f"?respondents=900&open=question-{number}")
        fields = Fields(parts.get(f"{ADDRESS}?respondents=900&open=question-{number}").text).found
        live = parts.post(f"{ADDRESS}/preview", ADDRESS, **(dict(fields) | {"changed": "all"})).text
        assert live.count("600 respondents") == page.count("600 respondents")
        assert live.count("data-card") == 5
        return page.count("With 900 respondents"), page.count("With 600 respondents")

    assert [people(number) for number in range(1, 6)] == [(1, 0)] + [(0, 1)] * 4


def test_the_total_is_of_the_parts_that_one_person_is_asked(parts):
    """One part that everybody is asked, and the two dearest of three: 1 + 2 + 1 in each of two waves."""
    page = parts.page()
    assert "Each person is asked 3 of 4 parts in each of 2 waves, in all at most: <strong>ε = 8.0000" in page
    fields = dict(Fields(parts.get(ADDRESS).text, "editor").found) | {"changed": "total"}
    assert "ε = 8.0000" in parts.post(f"{ADDRESS}/preview", ADDRESS, **fields).text
    assert "ε = 6.0000" in parts.post(f"{ADDRESS}/preview", ADDRESS, **(fields | {"asked": "1"})).text
    assert "ε = 10.0000" in parts.post(f"{ADDRESS}/preview", ADDRESS, **(fields | {"asked": ""})).text
    moved = fields | {"asked": "1", "questions-1-section": "0"}  # into the part that everybody is asked
    assert "ε = 8.0000" in parts.post(f"{ADDRESS}/preview", ADDRESS, **moved).text


def test_a_draft_with_sections_can_be_tried_and_opened(parts, storage):
    assert parts.send("try").location == f"{ADDRESS}/try"
    assert parts.get(f"{ADDRESS}/try").status_code == 200
    assert parts.get(f"{ADDRESS}/open").status_code == 200
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert parts.get(ADDRESS).status_code == 200


# Planning.


def plan_page(parts, query="?total=2&respondents=1000"):
    return parts.page(f"/plan{query}")


def test_one_press_saves_and_plans_and_nothing_is_changed_before_it_is_taken_over(parts, draft):
    answer = parts.send("plan", **{"questions-0-wording-en": "Typed just now"}, respondents="400")
    assert answer.location == f"{ADDRESS}/plan?respondents=400"
    page = plan_page(parts)
    assert "Typed just now" in page
    assert "Ask each person" in page
    assert page.partition('class="planned"')[2].count('<th scope="row">') == 5
    assert draft()["budget"] == DRAFT["budget"]
    assert draft()["asked"] == 2


def test_a_plan_that_is_taken_over_is_the_draft(parts, draft):
    fields = dict(Fields(plan_page(parts).replace('method="post"', 'method="post" id="take"'), "take").found)
    fields.pop("csrf_token")
    answer = parts.post(f"{ADDRESS}/plan", **fields)
    assert answer.status_code == 302
    planned = draft()
    assert planned["budget"] == {"limit": 2.0, "waves": 2}
    assert ids(planned) == ids(DRAFT)
    without = [
        {**section, "questions": [{**each, "epsilon": 1.0} for each in section["questions"]]}
        for section in planned["sections"]
    ]
    assert without == SECTIONS
    spent = [sum(each["epsilon"] for each in section["questions"]) for section in planned["sections"]]
    # Two waves of the part that everybody is asked, and of the dearest of the others.
    assert 2 * (spent[0] + sum(sorted(spent[1:])[-planned["asked"] :])) == pytest.approx(2, abs=0.01)
    # The plan of the plan is the same.
    again = plan_page(parts)
    assert again.partition('class="planned"')[2].count("<strong>") == 3 * 5
    fields |= {"basis": "of another draft"}
    answer = parts.post(f"{ADDRESS}/plan", **fields)
    assert (answer.status_code, "The draft has changed." in answer.text) in {(302, False), (409, True)}


def test_a_draft_that_changed_meanwhile_is_not_planned_over(parts, draft):
    taking = {"basis": "another", "total": "2", "respondents": "1000"}
    answer = parts.post(f"{ADDRESS}/plan", **taking)
    assert (answer.status_code, "The draft has changed." in answer.text) == (409, True)
    assert draft() == DRAFT


def test_a_question_without_an_epsilon_is_given_one(editor, draft):
    editor.save("add")
    editor.save("add", **{"questions-0-id": "a"})
    page = plan_page(editor, "?total=1.5&respondents=100")
    assert "Ask each person 1 of 2 parts." in page
    fields = dict(Fields(page.replace('method="post"', 'method="post" id="take"'), "take").found)
    fields.pop("csrf_token")
    editor.post(f"{ADDRESS}/plan", **fields)
    assert (draft()["candor"], draft()["asked"]) == (2, 1)
    limit = draft()["budget"]["limit"]
    assert limit == pytest.approx(1.386, abs=2e-3), "a guess is right at most 80 times in 100"
    assert [each["epsilon"] for each in draft()["questions"]] == pytest.approx([limit, limit], abs=1e-4)


def test_a_plan_whose_margins_say_nothing_is_warned_of(parts):
    warning = "Some margins are so large that hardly anything could be said."
    assert warning in plan_page(parts, "?total=0.5&respondents=40")
    assert warning not in plan_page(parts, "?total=8&respondents=4000")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?total=0", "The total must be above 0 and at most 1000000000. You entered “0”."),
        ("?total=much", "You entered “much”."),
        ("?respondents=0", "The expected respondents must be a whole number from 1"),
        ("?respondents=29", "Expect at least 30 respondents."),
        ("?total=0.01", "The total must be at least 0.06: the questions cost no less."),
    ],
)
def test_what_cannot_be_planned_is_said_in_words(parts, query, words):
    page = plan_page(parts, query)
    assert words in page
    assert "Use this plan" not in page


def test_a_draft_that_lacks_something_is_not_planned(editor):
    assert "There is no question to plan yet." in plan_page(editor)
    editor.save("add", add_kind="number")
    assert "Question 1 still lacks a setting." in plan_page(editor)


def test_a_total_that_shows_nothing_is_said(editor):
    scale = {"kind": "choice", "mechanism": "exponential", "ordered": "y", "epsilon": "5"}
    fields = {f"questions-0-{name}": value for name, value in scale.items()}
    fields |= {f"questions-0-options-{n}-en": f"{n}" for n in range(16)}
    editor.save(**fields)
    assert "One question would show nothing at all." in plan_page(editor, "?total=0.02")


def test_parts_that_everybody_is_asked_are_planned_too(parts, storage):
    always = [{**section, "always": True} for section in SECTIONS]
    stored = storage.read(surveys.by_slug, "health").id
    storage.write(surveys.save_draft, stored, DRAFT | {"sections": always})
    assert "Ask everybody every part." in plan_page(parts)


def test_a_plan_keeps_what_else_the_draft_says(editor, draft):
    editor.save("add", quick_exit="y")
    fields = {"basis": re.search(r'name="basis" value="(\w*)"', plan_page(editor))[1]}
    taken = editor.post(f"{ADDRESS}/plan", **fields, total="2", respondents="100")
    assert taken.status_code == 302
    assert (draft()["candor"], draft()["quick_exit"]) == (2, True)


def test_nothing_is_planned_without_the_token_of_the_page(parts, draft):
    answer = parts.client.post(f"{ADDRESS}/plan", data={"total": "2", "respondents": "1000"})
    assert answer.status_code == 400
    assert draft() == DRAFT


def test_a_published_survey_is_not_planned(parts, storage):
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert parts.get(f"{ADDRESS}/plan").status_code == 409


def test_only_admins_plan(parts, browse):
    assert browse("researcher").get(f"{ADDRESS}/plan").status_code == 403


def test_the_plan_is_in_the_language_of_the_editor(parts):
    korean = {"Accept-Language": "ko"}
    page = parts.client.get(f"{ADDRESS}/plan?total=2", headers=korean).text
    assert re.search("한 사람에게 3개 영역 가운데 [123]개를 묻습니다.|모두에게 모든 영역을 묻습니다.", page)
