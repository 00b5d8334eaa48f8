"""One panel of the editor has fields; the rest of the draft travels folded, and nothing of it is lost."""

import json
import re
from html import unescape
from html.parser import HTMLParser

import pytest
from page_fields import sent, whole

from server.store import surveys

ADDRESS = "/admin/surveys/health"
HOSTILE = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\u202eright to left", "a\x00b", "x" * 1500]

DEEP = '{"questions": {"a": {"b": {"c": {"d": {"e": {"f": "g"}}}}}}}'


def question(name, **more):
    wording = {"en": f"{name}?", "ko": f"{name}?"}
    return {
        "id": name,
        "kind": "yes_no",
        "mechanism": "spinner_coin",
        "epsilon": 1.0,
        "wording": wording,
    } | more


def draft_of(questions, **more):
    texts = {name: {"en": name, "ko": name} for name in ("title", "information", "consent")}
    results = {"step": 50, "reports_while_open": False}
    return {
        "candor": 1,
        "slug": "health",
        "languages": ["en", "ko"],
        **texts,
        "outcome": "after",
        "results": results,
        "questions": questions,
        **more,
    }


THIRTY = draft_of([question(f"q{n}") for n in range(1, 31)])


@pytest.fixture
def page(editor, storage):
    """Send the page of a draft by a button: ``page(draft).press("up-1", panel="question-2")``."""

    class Page:
        def __init__(self, table):
            storage.write(surveys.save_draft, storage.read(surveys.by_slug, "health").id, table)

        @staticmethod
        def show(panel):
            return editor.get(f"{ADDRESS}?open={panel}").text

        def press(self, action="save", panel="question-1", **typed):
            return self.send(self.show(panel), action, **typed)

        @staticmethod
        def send(text, action, **typed):
            return editor.post(ADDRESS, **(sent(text) | {"action": action} | typed))

    return Page


class Elements(HTMLParser):
    """Count what is in the document: the content of a template is not."""

    def __init__(self, text):
        super().__init__()
        self.count, self.templates = 0, 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.count += self.templates == 0
        self.templates += tag == "template"

    def handle_endtag(self, tag):
        self.templates -= tag == "template"


def ids(draft):
    return [each["id"] for each in draft()["questions"]]


def test_thirty_questions_are_few_elements_of_which_one_question_has_fields(page):
    shown = page(THIRTY).show("question-7")
    assert Elements(shown).count < 1500
    assert set(re.findall(r'name="questions-(\d+)-', re.sub(r"(?s)<template.*?</template>", "", shown))) == {
        "6"
    }
    assert Elements(page(THIRTY).show("none")).count < 700


def test_every_panel_is_saved_as_it_stands_and_keeps_all_others(page, draft):
    folded = page(THIRTY | {"budget": {"limit": 40.0, "waves": 2}, "help": {"en": "Call", "ko": "전화"}})
    before = draft()
    for panel in ("start", "plan", "end", "results", "none", "question-1", "question-30"):
        assert folded.press(panel=panel).status_code == 302
        assert draft() == before, panel


def test_what_is_typed_in_the_open_panel_is_what_is_saved(page, draft):
    folded = page(THIRTY | {"quick_exit": True})
    folded.press(panel="question-3", **{"questions-2-wording-en": "Another?"})
    assert draft()["questions"][2]["wording"]["en"] == "Another?"
    assert folded.press(panel="end", quick_exit=[]).status_code == 302  # a box without its tick is not sent
    assert "quick_exit" not in draft()


def test_a_card_opens_its_question_and_saves_what_was_typed_before(page, draft):
    answer = page(THIRTY).press("show-question-9", **{"questions-0-epsilon": "2"})
    assert answer.location.endswith("open=question-9#question-9")
    assert draft()["questions"][0]["epsilon"] == 2.0


def test_a_fault_is_listed_with_a_link_that_opens_the_question_at_its_field(page, draft, editor):
    folded, before = page(THIRTY), draft()
    answer = folded.press("show-question-9", **{"questions-0-epsilon": "eleven"})
    assert answer.status_code == 422
    assert "questions-8-epsilon" in answer.text, "the panel that was asked for is open"
    ((link, text),) = re.findall(r'<ul class="faults"><li><a href="([^"]+)"[^>]*>([^<]*)</a>', flat(answer))
    assert link == f"{ADDRESS}?shown=en&open=question-1#questions-0-epsilon"
    assert text.startswith("Question 1, Epsilon: Epsilon must be a number")
    assert 'name="questions-0-epsilon" value="eleven"' in editor.get(link).text
    assert draft() == before


def test_on_a_page_that_is_not_stored_a_fault_leads_to_its_field_with_all_that_was_typed(page, draft):
    folded, before = page(THIRTY), draft()
    typed = {"questions-0-epsilon": "eleven", "csrf_token": "of an earlier session"}
    answer = folded.press("show-question-9", **typed)
    assert answer.status_code == 400
    ((entry, _),) = re.findall(r'<ul class="faults"><li><button ([^>]*)>([^<]*)</button>', flat(answer))
    assert 'value="show-questions-0-epsilon" formaction="/admin/surveys/health#questions-0-epsilon"' in entry
    again = folded.send(answer.text, "show-questions-0-epsilon")
    assert 'name="questions-0-epsilon" value="eleven"' in again.text
    assert draft() == before


def flat(answer):
    """The page without its line breaks."""
    return re.sub(r"\n *", "", unescape(answer.text))


def test_a_save_with_a_fault_opens_the_question_that_has_it(page):
    folded = page(THIRTY)
    wrong = folded.press("show-question-9", **{"questions-0-epsilon": "eleven"}).text
    assert 'name="questions-0-epsilon" value="eleven"' in folded.send(wrong, "save").text


def test_questions_are_added_by_kind_and_copied_with_a_name_of_their_own(page, draft):
    folded = page(draft_of([question("a"), question("b", epsilon=2.0)]))
    assert folded.press("add-number").location.endswith("open=question-3#question-3")
    assert draft()["questions"][2]["kind"] == "number"
    folded = page(draft_of([question("a"), question("a_2"), question("b")]))
    assert folded.press("copy-0", **{"questions-0-epsilon": "3"}).location.endswith("#question-2")
    assert ids(draft) == ["a", "a_3", "a_2", "b"]
    assert [each["epsilon"] for each in draft()["questions"]] == [3.0, 3.0, 1.0, 1.0]


@pytest.mark.parametrize(("to", "order"), [("1", "dabc"), ("3", "abdc"), ("99", "abcd"), ("0", "abcd")])
def test_a_question_is_moved_to_a_place(page, draft, to, order):
    page(draft_of([question(name) for name in "abcd"])).press("place-3", panel="question-4", to_place=to)
    assert "".join(ids(draft)) == order


@pytest.mark.parametrize("what", ["question", "option"])
def test_what_was_removed_comes_back_by_one_press_and_what_was_typed_meanwhile_stays(page, draft, what):
    options = [{"en": text, "ko": text} for text in ("One", "Two", "Three")]
    choice = question("c", kind="choice", mechanism="wheel", options=options)
    folded = page(draft_of([question("a"), choice, question("b")]))
    before = draft()
    answer = folded.press({"question": "remove-1", "option": "remove-1-1"}[what], panel="question-2")
    assert answer.status_code == 200
    assert draft() != before
    assert f"{what.title()} 2 was removed." in answer.text
    folded.send(answer.text, "undo", **{"title-en": "title"})
    assert draft() == before


def test_a_part_that_was_removed_comes_back_with_its_questions(page, draft):
    sections = [
        {"id": "one", "title": {"en": "One", "ko": "하나"}, "questions": [question("a"), question("b")]},
        {"id": "two", "title": {"en": "Two", "ko": "둘"}, "questions": [question("c"), question("d")]},
    ]
    table = draft_of([], candor=2, sections=sections)
    del table["questions"]
    folded = page(table)
    before = draft()
    answer = folded.press("remove-section-0", panel="part-1")
    assert [each["id"] for each in draft()["sections"]] == ["a", "b", "two"]
    folded.send(answer.text, "undo")
    assert draft() == before


@pytest.mark.parametrize(
    "removed",
    [
        "",
        "{}",
        "[]",
        '{"what":"question","at":-1,"row":{},"within":[]}',
        '{"what":"question","at":1e999,"row":{},"within":[]}',
        f'{{"what":"question","at":{10**30},"row":{{}},"within":[]}}',
        '{"what":"x"}',
        "[" * 9000,
    ],
)
def test_an_undo_of_nothing_changes_nothing(page, draft, removed):
    folded = page(THIRTY)
    before = draft()
    assert folded.press("undo", removed=removed).status_code == 302
    assert draft() == before


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 9000,
        '{"a":' * 9000,
        '{"slug": 7}',
        '{"title": {"en": 1e999}}',
        "9" * 5000,
        '{"questions": {"a": {"b": {"c": {"d": {"e": {"f": "g"}}}}}}}',
    ],
)
def test_a_folded_draft_that_our_page_did_not_write_is_refused_and_nothing_is_lost(page, draft, typed):
    folded = page(THIRTY)
    before = draft()
    assert folded.press(typed=typed).status_code == 400
    assert draft() == before


@pytest.mark.parametrize("text", HOSTILE)
def test_strange_texts_travel_folded_as_they_are(page, draft, text):
    folded = page(draft_of([question("a", wording={"en": text, "ko": text}), question("b")]))
    before = draft()
    shown = folded.show("question-2")
    assert "<script>alert" not in shown
    assert whole(shown)["questions-0-wording-en"] == text
    folded.press(panel="question-2")
    assert draft() == before


def test_half_a_character_is_no_character(page, draft):
    folded = page(draft_of([question("a"), question("b")]))
    table = json.loads(whole_json(folded.show("question-2"))) | {"help": {"en": "\ud800!", "ko": "!"}}
    assert folded.press(panel="question-2", typed=json.dumps(table)).status_code == 302
    assert draft()["help"]["en"] == "?!"


def whole_json(text):
    return sent(text)["typed"][0]


def test_questions_keep_the_names_that_the_page_gave_them(page):
    folded = page(draft_of([question("a"), question("b"), question("c")]))
    before = named(folded.show("question-1"))
    folded.press("up-2")
    assert named(folded.show("question-1")) == before
    assert len(set(before.values())) == 3


def named(text):
    """The name of each question on the page."""
    return {each["id"]: each["uid"] for each in json.loads(whole_json(text))["questions"]}


def test_languages_that_are_empty_and_not_ticked_have_no_field_to_see(page):
    table = draft_of([question("a", wording={"en": "a?"})], languages=["en"])
    for name in ("title", "information", "consent"):
        table[name] = {"en": name}
    shown = page(table).show("question-1")
    assert re.search(r'<div class="field" hidden>\s*<label for="questions-0-wording-ko"', shown)
    assert '<fieldset class="speaking" hidden>' in shown


def test_what_is_not_translated_is_counted_and_shown_side_by_side(page, editor):
    folded = page(draft_of([question("a", wording={"en": "a?"}), question("b")]))
    shown = folded.show("question-1")
    assert '<span class="quiet" data-untranslated="ko">(one text missing)</span>' in shown
    hidden = r'<div class="field" hidden>\s*<label for="questions-0-wording-ko"'
    assert re.search(hidden, shown)
    both = editor.get(f"{ADDRESS}?open=question-1&shown=en,ko").text
    assert not re.search(hidden, both)
    assert "영어와 한국어 나란히" in editor.get(f"{ADDRESS}?language=ko").text
    assert "shown=en%2Cko" in folded.send(both, "save").location.replace("en,ko", "en%2Cko")


def test_a_published_survey_takes_no_folded_draft(page, storage, editor):
    folded = page(THIRTY)
    shown = folded.show("question-1")
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    fields = sent(shown) | {"action": "save"}
    assert editor.post(ADDRESS, "/admin/new", **fields).status_code == 409
