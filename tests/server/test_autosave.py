"""A draft is saved while it is written, right or wrong, by what the editor's script sends."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from wtforms import FormField

from server.editor import keeping
from server.forms.editor import draft_form
from server.forms.state import state_of
from server.store import edits, surveys
from server.store.staff import accounts
from survey.section import MOST_QUESTIONS

ADDRESS = "/admin/surveys/health"
AUTOSAVE = f"{ADDRESS}/autosave"
QUESTION = {
    "uid": "first",
    "kind": "yes_no",
    "id": "tired",
    "wording": {"en": "Have you come to work tired?", "ko": ""},
    "mechanism": "spinner_coin",
    "epsilon": "1.5",
}
TYPED = {
    "slug": "health",
    "languages_": ["en"],
    "title": {"en": "Health"},
    "organisation": {"en": "Hillside"},
    "contact": {"en": "ada@hillside.example"},
    "kept_until": "2030-12-31",
    "information": {"en": "Who asks."},
    "consent": {"en": "I take part."},
    "questions": [QUESTION],
}


class Script:
    """The editor's script in one browser: it sends what stands in the fields, with the newest basis."""

    def __init__(self, browser):
        self.browser = browser
        page = browser.get(ADDRESS).text
        self.token = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
        self.basis = re.search(r'name="basis" value="([^"]*)"', page)[1]

    def post(self, body, address=AUTOSAVE, **headers):
        sent = {"X-CSRFToken": self.token, "Accept-Language": "en"} | headers
        return self.browser.client.post(address, data=body, headers=sent, content_type="application/json")

    def send(self, typed, **headers):
        return self.post(json.dumps({"basis": self.basis, "typed": typed}), **headers)

    def save(self, typed):
        answer = self.send(typed)
        assert answer.status_code == 200, answer.text
        self.basis = answer.json["basis"]
        return answer.json


@pytest.fixture
def script(admin, editor):
    return Script(admin)


@pytest.fixture
def colleague(script, storage, browse):
    """Another admin, eve, on the same page."""
    storage.write(accounts.create, "eve", "a long enough password", "admin")
    browser = browse()
    assert browser.sign_in("eve").status_code == 302
    return Script(browser)


def test_what_is_right_is_the_draft_at_once(script, draft):
    said = script.save(TYPED)
    assert (said["state"], said["faults"], said["missing"], said["ready"]) == ("saved", [], [], True)
    assert draft()["questions"][0]["epsilon"] == 1.5
    assert said["uids"]["questions"] == ["first"]


def test_fields_are_built_of_the_question_that_has_changed_alone(script, monkeypatch):
    built = []
    process = FormField.process

    def counted(field, *args, **kwargs):
        built.append(field.id)
        process(field, *args, **kwargs)

    questions = [QUESTION | {"uid": name, "id": name} for name in ("one", "two", "three")]
    typed = state_of(draft_form(("en", "ko"))(data=TYPED | {"questions": questions}).data)
    script.save(typed)
    monkeypatch.setattr(FormField, "process", counted)
    typed["questions"][1]["epsilon"] = "1.25"
    script.save(typed)
    assert {each for each in built if re.fullmatch(r"questions-\d", each)} == {"questions-1"}


def test_what_is_missing_is_listed_with_its_field(script):
    said = script.save(TYPED | {"title": {}, "questions": [QUESTION | {"id": "", "epsilon": ""}]})
    assert [each["field"] for each in said["missing"]] == ["title-en", "questions-0-id", "plan_total"]
    assert (said["faults"], said["ready"]) == ([], False)


@pytest.mark.engines
def test_what_is_wrong_is_kept_as_typed_and_listed_while_the_draft_stays(script, draft, editor):
    script.save(TYPED)
    before = draft()
    wrong = TYPED | {"title": {"en": ""}, "questions": [QUESTION | {"epsilon": "abc"}]}
    said = script.save(wrong)
    assert [each["field"] for each in said["faults"]] == ["questions-0-epsilon"]
    assert said["faults"][0]["text"].startswith("Question 1, Epsilon: Epsilon must be a number")
    assert "“abc”" in said["faults"][0]["text"]
    assert said["faults"][0]["said"].startswith(
        "Epsilon must be a number"
    )  # at the field, which has a number
    assert [each["field"] for each in said["missing"]] == ["title-en"]
    assert draft() == before
    page = editor.page()
    assert 'value="abc"' in page
    script.save(TYPED)
    assert 'value="abc"' not in editor.page()


def test_what_is_wrong_with_a_scale_of_several_lines_is_listed_once(script, editor):
    line = QUESTION | {"matrix": "scale_1", "epsilon": "abc"}
    said = script.save(TYPED | {"questions": [line, line | {"uid": "second", "id": "slept"}]})
    assert [each["field"] for each in said["faults"]] == ["questions-0-epsilon"]
    assert 'value="abc"' in editor.page()


def test_something_wrong_keeps_a_survey_from_being_opened_tried_and_planned(script, storage, editor, draft):
    script.save(TYPED)
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', editor.page("/open"))[1]
    script.save(TYPED | {"questions": [QUESTION | {"epsilon": "abc"}]})
    page = editor.page("/open")
    assert "One field is not right yet" in page
    assert f'href="{ADDRESS}?open=question-1#questions-0-epsilon"' in page
    for other in ("try", "plan", "ethics"):
        assert editor.get(f"{ADDRESS}/{other}").location == f"{ADDRESS}/open"
    refused = editor.post(f"{ADDRESS}/open", page=ADDRESS, fingerprint=fingerprint)
    assert refused.status_code == 409
    assert "One field is not right yet" in refused.text
    assert storage.read(surveys.by_slug, "health").state == "draft"


@pytest.mark.engines
def test_the_database_itself_opens_no_draft_with_something_wrong_in_it(script, storage, engine):
    script.save(TYPED)
    script.save(TYPED | {"questions": [QUESTION | {"epsilon": "abc"}]})
    found = storage.read(surveys.by_slug, "health")
    with pytest.raises(Exception, match="something wrong in it is not published"):
        storage.write(surveys.open_survey, found.id)


def test_an_address_that_is_taken_is_a_fault_and_everything_else_is_kept(script, storage, draft):
    storage.write(surveys.create_draft, {"slug": "other"})
    said = script.save(TYPED | {"slug": "other"})
    assert [each["field"] for each in said["faults"]] == ["slug"]
    assert storage.read(edits.find, storage.read(surveys.by_slug, "health").id).typed["slug"] == "other"
    assert "title" not in draft() or draft()["title"] == {}


def test_a_new_address_is_answered(script):
    said = script.save(TYPED | {"slug": "health-2"})
    assert (said["slug"], said["address"]) == ("health-2", "/admin/surveys/health-2/autosave")


def test_a_sign_that_cannot_be_stored_is_refused_at_its_field(script):
    wording = {"en": "Tired\0?", "ko": ""}
    answer = script.send(TYPED | {"questions": [QUESTION | {"wording": wording}]})
    assert (answer.status_code, answer.json["field"]) == (422, "questions-0-wording-en")
    assert "U+0000" in answer.json["text"]
    assert "field" not in script.send(TYPED | {"titel": ""}).json


@pytest.mark.engines
def test_what_is_sent_twice_is_stored_once(script):
    first, second = (script.send(TYPED) for _ in range(2))  # the first answer was lost
    assert first.json == second.json


def test_a_save_that_meets_a_newer_one_says_whose_and_what_differs(script, colleague):
    script.save(TYPED)
    colleague.basis = script.basis
    theirs = TYPED | {"title": {"en": "Rest"}, "step": "60"}
    colleague.save(theirs)
    second = QUESTION | {"uid": "second", "id": "slept"}
    answer = script.send(TYPED | {"title": {"en": "Work"}, "questions": [QUESTION, second]})
    assert answer.status_code == 409
    assert answer.json["state"] == "changed"
    assert answer.json["by"] == "eve"
    assert answer.json["typed"]["title"]["en"] == "Rest"
    assert answer.json["changed"] == {"title": "both", "step": "theirs", "second": "mine"}
    assert answer.json["differing"] == list(answer.json["changed"])
    script.basis = answer.json["basis"]
    script.save(theirs | {"title": {"en": "Work"}, "questions": [QUESTION, second]})


def test_what_a_browser_has_kept_is_compared_with_what_is_stored_and_nothing_is_saved(script, colleague):
    before, mine = script.basis, TYPED | {"title": {"en": "Work"}}
    script.save(TYPED)
    colleague.basis = first = script.basis
    stored = script.save(mine)["basis"]

    def said(basis, typed):
        body = json.dumps({"basis": basis, "typed": typed})
        answer = script.post(body, address=f"{ADDRESS}/kept").json
        assert answer["newest"] is (basis == script.basis)
        return answer["state"]

    assert said(first, mine) == "stored"
    assert said(first, mine | {"step": "60"}) == "apart"
    assert said(before, TYPED) == "apart", "the title was another"
    script.basis = stored
    assert "joined" not in script.save(mine)
    colleague.basis = stored
    colleague.save(mine | {"step": "60"})
    assert said(first, mine) == "stored", "what somebody else has added is nothing that it lacks"


def test_what_each_has_changed_by_themselves_is_put_together_and_told(script, colleague, draft):
    second = QUESTION | {"uid": "second", "id": "slept"}
    script.save(TYPED | {"questions": [QUESTION, second]})
    colleague.basis = script.basis
    colleague.save(TYPED | {"questions": [QUESTION, second | {"epsilon": "2"}], "step": "60"})
    said = script.save(TYPED | {"questions": [QUESTION | {"epsilon": "3"}, second]})
    assert re.fullmatch("0{32}_[0-9a-f]+", said["joined"].pop("basis"))
    assert said["joined"] == {
        "by": "eve",
        "theirs": {"step": "Respondents per step", "second": "Question 2: Have you come to work tired?"},
        "mine": {"first": "Question 1: Have you come to work tired?"},
        "own": False,
        "over": {},
    }
    assert [each["epsilon"] for each in said["typed"]["questions"]] == ["3", "2"]
    assert [each["epsilon"] for each in draft()["questions"]] == [3.0, 2.0]
    said = script.save(said["typed"] | {"title": {"en": "Work"}})
    assert "joined" not in said


def test_whoever_saves_again_while_two_versions_are_put_together_is_in_it_too(
    script, colleague, draft, monkeypatch
):
    by_itself, typed = keeping.by_itself, iter(("Health at work", "Health at work and at home"))

    def and_meanwhile(*versions):
        both = by_itself(*versions)
        if title := next(typed, None):
            with ThreadPoolExecutor(1) as another:  # for there is one request in each
                another.submit(colleague.save, TYPED | {"title": {"en": title}}).result()
        return both

    script.save(TYPED)
    colleague.basis = script.basis
    colleague.save(TYPED | {"title": {"en": "Health at"}})
    monkeypatch.setattr(keeping, "by_itself", and_meanwhile)
    said = script.save(TYPED | {"help": {"en": "Call 000."}})
    assert said["joined"]["by"] == "eve"
    assert said["typed"]["title"]["en"] == "Health at work and at home"
    assert (draft()["title"]["en"], draft()["help"]["en"]) == ("Health at work and at home", "Call 000.")


def test_what_was_put_together_and_is_sent_again_still_names_the_other(script, colleague):
    script.save(TYPED)
    colleague.basis = before = script.basis
    colleague.save(TYPED | {"step": "60"})
    mine = TYPED | {"title": {"en": "Work"}}
    assert script.save(mine)["joined"]["by"] == "eve"
    script.basis = before  # the answer was lost
    said = script.save(mine)["joined"]
    assert (said["by"], list(said["theirs"]), list(said["mine"])) == ("eve", ["step"], [])


def test_two_windows_of_one_person_never_ask_which_to_keep(script, draft):
    second = QUESTION | {"uid": "second", "id": "slept"}
    script.save(TYPED | {"questions": [QUESTION, second]})
    before = script.basis
    script.save(TYPED | {"questions": [QUESTION | {"epsilon": "2"}, second], "step": "60"})
    script.basis = before  # the other window
    said = script.save(TYPED | {"questions": [QUESTION | {"epsilon": "3"}, second]})
    assert (said["joined"]["own"], said["joined"]["by"]) == (True, None)
    assert said["joined"]["over"]["first"]["epsilon"] == "2"
    assert said["joined"]["over"].keys() == {"first"}
    assert [each["epsilon"] for each in draft()["questions"]] == [3.0, 1.5]
    assert said["typed"]["step"] == "60"


def test_what_was_put_together_with_somebody_else_is_none_of_two_windows_of_one_person(script, colleague):
    second = QUESTION | {"uid": "second", "id": "slept"}
    script.save(TYPED | {"questions": [QUESTION, second]})
    colleague.basis = before = script.basis
    colleague.save(TYPED | {"questions": [QUESTION, second | {"epsilon": "2"}]})
    script.save(TYPED | {"questions": [QUESTION | {"epsilon": "3"}, second]})
    # Of this I have saved the last, but eve wrote it, and nobody has seen the answer yet.
    script.basis = before
    answer = script.send(TYPED | {"questions": [QUESTION, second | {"epsilon": "4"}]})
    assert (answer.status_code, answer.json["by"]) == (409, "eve")


def test_what_is_taken_back_while_it_is_put_together_does_not_come_back(script, colleague):
    script.save(TYPED)
    colleague.basis = script.basis
    second = QUESTION | {"uid": "second", "id": "slept"}
    colleague.save(TYPED | {"questions": [QUESTION, second]})
    third = QUESTION | {"uid": "third", "id": "rested"}
    said = script.save(TYPED | {"title": {"en": "Work"}, "questions": [third, QUESTION]})
    assert said["joined"]["theirs"] == {"second": "Question 2: Have you come to work tired? (new)"}
    assert said["joined"]["mine"]["third"] == "Question 1: Have you come to work tired? (new)"
    # Title and question were taken back before the answer came: what stands there goes on from what was sent.
    script.basis = said["joined"]["basis"]
    said = script.save(TYPED)
    assert said["joined"]["mine"].keys() == {"title", "third"}
    assert said["joined"]["mine"]["third"].endswith("(removed)")
    assert [each["uid"] for each in said["typed"]["questions"]] == ["first", "second"]
    assert said["typed"]["title"]["en"] == "Health"


def test_two_scales_that_got_one_name_stay_two(script, colleague):
    def scale(who, *options):
        line = QUESTION | {"kind": "choice", "matrix": "scale_1"}
        texts = [{"en": text} for text in options]
        return [line | {"uid": f"{who}{n}", "id": f"{who}_{n}", "options": texts} for n in (1, 2)]

    script.save(TYPED)
    colleague.basis = script.basis
    colleague.save(TYPED | {"questions": [QUESTION, *scale("eve", "Never", "Often", "Always")]})
    said = script.save(TYPED | {"questions": [QUESTION, *scale("ada", "Bad", "Fair", "Good")]})
    found = {
        each["uid"]: (each["matrix"], [text["en"] for text in each["options"]])
        for each in said["typed"]["questions"][1:]
    }
    theirs, mine = ("scale_1", ["Never", "Often", "Always"]), ("scale_2", ["Bad", "Fair", "Good"])
    assert found == {"eve1": theirs, "eve2": theirs, "ada1": mine, "ada2": mine}


def test_a_scale_that_would_take_its_options_from_a_new_line_is_asked_about(script, colleague):
    def line(n, *options):
        texts = [{"en": text} for text in options]
        row = QUESTION | {"kind": "choice", "matrix": "scale_1", "options": texts}
        return row | {"uid": f"line{n}", "id": f"line_{n}"}

    script.save(TYPED | {"questions": [line(1, "No", "Yes"), line(2, "No", "Yes")]})
    colleague.basis = script.basis
    colleague.save(TYPED | {"questions": [line(n, "No", "Yes") for n in (3, 1, 2)]})
    answer = script.send(TYPED | {"questions": [line(n, "Never", "Ever") for n in (1, 2)]})
    assert answer.status_code == 409
    assert answer.json["changed"] == {"line3": "theirs", "line1": "mine", "line2": "mine"}


def test_more_questions_than_a_draft_has_room_for_are_a_choice(script, colleague):
    def added(who, number):
        rows = [QUESTION | {"uid": f"{who}{n}", "id": f"{who}_{n}"} for n in range(number)]
        return TYPED | {"questions": [QUESTION, *rows]}

    script.save(TYPED)
    colleague.basis = script.basis
    colleague.save(added("eve", MOST_QUESTIONS // 2))
    answer = script.send(added("ada", MOST_QUESTIONS // 2))
    assert answer.status_code == 409
    assert set(answer.json["changed"].values()) == {"mine", "theirs"}
    mine, seen, met = json.dumps(added("ada", MOST_QUESTIONS // 2)), script.basis, answer.json["basis"]
    sent = {"csrf_token": script.token, "mine": mine, "seen": seen, "met": met}
    chosen = script.browser.client.post(f"{ADDRESS}/versions", data=sent, headers={"Accept-Language": "en"})
    assert chosen.status_code == 422
    assert f"can have at most {MOST_QUESTIONS} entries" in chosen.text


def test_whoever_has_lost_the_session_reads_so_however_long_the_draft_is(script, browse):
    for length, status in ((1000, 401), (100_000, 413), (3 * 2**20, 413)):
        body = json.dumps({"basis": "", "typed": TYPED | {"title": {"en": "x" * length}}})
        answer = browse().client.post(AUTOSAVE, data=body, content_type="application/json")
        assert (answer.status_code, answer.json) == (status, {"state": "signed_out"})


BODIES = {
    "{": "is not a draft",
    "[" * 200_000: "is not a draft",
    "[]": "is not a draft",
    '{"typed": {}}': "“basis” must be a text",
    '{"basis": "", "typed": []}': "must hold fields",
    '{"basis": "", "typed": {"titel": ""}}': "no field “titel”",
    '{"basis": "", "typed": {"title": {"<script>": "x"}}}': "no field “title-<script>”",
    '{"basis": "", "typed": {"title": "x"}}': "“title” must hold fields. It holds x.",
    '{"basis": "", "typed": {"step": 5}}': "“step” must be a text. It is 5.",
    '{"basis": "", "typed": {"quick_exit": "y"}}': "“quick_exit” must be true or false. It is y.",
    '{"basis": "", "typed": {"questions": {}}}': "“questions” must be a list. It is {…}.",
    '{"basis": "", "typed": {"questions": [1]}}': "“questions-0” must hold fields",
    '{"basis": "", "typed": {"title": {"en": "a\\u0000"}}}': "character 2 of “Title (English)”",
    '{"basis": "", "typed": {"title": {"en": "\\ud800"}}}': "cannot be stored (U+D800)",
    json.dumps({"basis": "", "typed": {"questions": [{}] * 501}}): "at most",
}
"""What is sent -> what is answered."""


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:60])
def test_another_shape_is_refused_with_a_sentence_and_nothing_is_stored(script, storage, body):
    answer = script.post(body)
    assert (answer.status_code, answer.json["state"]) == (422, "refused")
    assert BODIES[body] in answer.json["text"]
    assert answer.json["text"].startswith("Nothing was saved: ")
    assert len(answer.json["text"]) < 400
    assert storage.read(edits.find, storage.read(surveys.by_slug, "health").id) is None


def test_more_than_a_draft_can_hold_is_refused_with_its_length(script, storage):
    answer = script.send(TYPED | {"title": {"en": "x" * 4_000_000}})
    assert (answer.status_code, answer.json["state"]) == (413, "refused")
    assert "at most 2,097,152 bytes" in answer.json["text"]


def test_a_session_that_ended_is_said(script, browse, draft):
    before = draft()
    script.browser.post("/logout", page="/account")
    answer = script.send(TYPED)
    assert (answer.status_code, answer.json) == (401, {"state": "signed_out"})
    assert draft() == before


def test_whoever_has_signed_in_again_gets_a_token_with_which_nothing_is_lost(script, draft):
    answer = script.send(TYPED, **{"X-CSRFToken": "of another session"})
    assert (answer.status_code, answer.json["state"]) == (400, "expired")
    script.token = answer.json["token"]
    script.save(TYPED)
    assert draft()["title"] == {"en": "Health"}


def test_a_colleague_who_is_removed_while_writing_is_signed_out_and_what_was_saved_stays(
    script, colleague, storage, draft
):
    colleague.save(TYPED)
    storage.write(accounts.delete, storage.read(accounts.by_name, "eve").id)
    assert colleague.send(TYPED | {"title": {"en": "Later"}}).status_code == 401
    assert draft()["title"] == {"en": "Health"}
    answer = script.send(TYPED | {"title": {"en": "Mine"}})
    assert (answer.status_code, answer.json["by"]) == (409, "eve")


@pytest.mark.engines
def test_a_draft_that_is_deleted_under_an_open_editor_is_gone(script, storage):
    storage.write(surveys.delete_survey, storage.read(surveys.by_slug, "health").id)
    answer = script.send(TYPED)
    assert (answer.status_code, answer.json) == (404, {"state": "gone"})


@pytest.mark.engines
def test_a_survey_that_another_has_opened_is_frozen(script, storage):
    script.save(TYPED)
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    answer = script.send(TYPED | {"title": {"en": "Later"}})
    assert (answer.status_code, answer.json) == (409, {"state": "frozen"})


def test_a_researcher_saves_nothing(script, browse):
    researcher = browse("researcher")
    token = researcher.token("/account")
    answer = researcher.client.post(AUTOSAVE, json={}, headers={"X-CSRFToken": token})
    assert answer.status_code == 403
