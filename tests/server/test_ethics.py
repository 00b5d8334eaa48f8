"""The page for ethics boards: its figures are those of `candor explain`, and each claim has its proof."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from server.ethics.board import board
from server.ethics.claims import CLAIMS
from server.language.catalogue import LANGUAGES, section
from server.respond.exact_body import ExactBody
from server.store import surveys
from survey.explain_survey import explain_survey
from survey.privacy import USUAL_DELTA
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.record import layout_of

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "server/examples").glob("*.toml"))
ALL = [claim for claims in CLAIMS.values() for claim in claims]


def example(name):
    return parse((ROOT / f"server/examples/{name}.toml").read_text(encoding="utf-8"), name)


@pytest.fixture
def opened(storage):
    """Open a survey, and give its address."""

    def opened(definition):
        draft = storage.write(surveys.import_definition, definition)
        storage.write(surveys.open_survey, draft.id)
        return f"/results/{draft.slug}/ethics"

    return opened


def claimed(page):
    """The claims on a page: part and key of each."""
    return re.findall(r'<li id="(\w+-\w+)">', page)


def test_a_survey_that_protects_little_promises_nothing_here_either(browse, opened, storage, survey_file):
    sentence = "nobody who receives it can be sure which"
    assert sentence in browse("researcher").get(opened(example("exam-honesty"))).text
    question = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 4.0, "wording": {"en": "Did you?"}}
    little = storage.write(surveys.create_draft, survey_file("little", questions=[question]))
    storage.write(surveys.open_survey, little.id)
    assert sentence not in browse("researcher").get("/results/little/ethics").text


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.key)
def test_the_file_and_the_test_behind_each_claim_are_there(claim):
    assert (ROOT / claim.file).is_file()
    if claim.test is not None:
        file, name = claim.test.split("::")
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_only_what_is_not_promised_has_no_test():
    assert {claim.key for claim in ALL if claim.test is None} <= {each.key for each in CLAIMS["unprotected"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_claim_has_words_in_each_language_and_no_words_are_left_over(language):
    words = section(language, "ethics")
    others = {"title", "text", "fields", "codes", "sent", "kept"}
    others |= {"method", "epsilon", "after", "radius", "exceeds", "right", "beyond", "waves", "composed"}
    others |= {"published"}
    for part, claims in CLAIMS.items():
        keys = {key.removeprefix(f"{part}.") for key in words if key.startswith(f"{part}.")}
        assert keys - others == {claim.key for claim in claims}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_figures_are_those_of_explain(path):
    publication = publish(example(path.stem))
    found = board(publication, 400)
    assert found.figures == explain_survey(publication, None, 400, USUAL_DELTA)
    assert [each.figures for each in found.questions] == found.figures["questions"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_bytes_are_those_that_are_sent_and_kept(path):
    publication = publish(example(path.stem))
    found = board(publication, 0)
    # As the page writes a body: every report with as many digits as the largest code of its column has.
    reports = {name: str(column.codes - 1) for name, column in publication.columns.items()}
    body = urlencode({"fingerprint": publication.fingerprint, "receipt": 32 * "0"} | reports)
    assert found.sent == len(body)
    assert found.stored == layout_of(publication).size


def test_whoever_is_invited_sends_the_token_too(survey_file):
    publication = publish(from_dict({**survey_file(), "candor": 3, "invitations": True}, "here"))
    assert board(publication, 0).sent == ExactBody(publication).length


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_staff_read_every_question_with_its_range_in_both_languages(path, opened, browse):
    definition = example(path.stem)
    address = opened(definition)
    for language in ("en", "ko"):
        page = unescape(browse("researcher").get(f"{address}?language={language}").text)
        for question in definition.questions:
            assert question.wording[language] in page
        assert definition.information[language].split("\n")[0] in page
        assert {definition.organisation[language], f"<time>{definition.kept_until}</time>"} <= set(
            re.findall(r"<dd[^>]*>(.*?)</dd>", page)
        )
        assert page.count("<tr>") >= 2 * len(definition.questions)


def test_the_range_of_even_odds_is_written_never_too_narrow(opened, browse, survey_file):
    page = unescape(browse("researcher").get(opened(from_dict(survey_file(), "here"))).text)
    # e/(1 + e) = 0.73105... and 1/4 to 3/4 with two coins; both together e^(1 + ln 3)
    assert "26.8% to 73.2%" in page
    assert "25% to 75%" in page
    assert "10.9% to 89.1%" in page
    # On average the two coins tell more than the wheel, whatever the wheel says.
    assert "they are right at most 75 times in 100. After the most telling result, they are right 90" in page


def test_a_claim_stands_where_it_is_about_the_survey_and_nowhere_else(opened, browse, survey_file):
    plain = claimed(browse("admin").get(opened(from_dict(survey_file(), "here"))).text)
    always = [f"{part}-{each.key}" for part, claims in CLAIMS.items() for each in claims]
    always.remove("collected-pictures")  # none of these has pictures; see test_survey_pictures
    some = {
        "learned-limit",
        "learned-linked",
        *(f"unprotected-{key}" for key in ("skips", "coins", "leaving", "sections", "early")),
    }
    invited = {"collected-invited", "collected-apart", "learned-listed"}
    invited |= {f"unprotected-{key}" for key in ("forged_once", "links", "together")}
    assert plain == [each for each in always if each not in some | invited]
    guests = from_dict(survey_file("guests", candor=3, invitations="listed"), "here")
    listed = claimed(browse("admin").get(opened(guests)).text)
    assert listed == [each for each in always if each not in some | {"unprotected-forged"}]
    definition = example("student-life").as_dict()
    definition["results"]["reports_while_open"] = True
    page = browse("admin").get(opened(from_dict(definition, "here"))).text
    assert claimed(page) == [each for each in always if each not in {*invited, "learned-linked"}]
    assert "may be left out openly: cannabis, worry, spent." in page
    assert "The survey has a limit of 2.94." in page
    page = browse("admin").get(opened(example("exam-honesty"))).text
    assert "right about another up to 82 times in 100. Linked here: copied, notes, helped, bought." in page
    twice = board(publish(example("undeclared-work")), 0)
    assert {each.figures["linked"]["knows_one"] for each in twice.questions} == {twice.knows_one}


def test_a_board_can_read_about_a_draft_that_is_complete(admin, storage):
    storage.write(surveys.import_definition, example("workplace"))
    page = admin.get("/admin/surveys/workplace/ethics")
    assert "This survey is a draft." in page.text
    assert "unprotected-sections" in claimed(page.text)
    assert admin.get("/results/workplace/ethics").status_code == 404


def test_of_a_draft_that_is_not_complete_it_is_told_what_it_lacks(admin, storage):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "half", "languages": ["en"]})
    assert admin.get("/admin/surveys/half/ethics").location == "/admin/surveys/half/open"


def test_once_opened_the_page_of_the_draft_leads_to_that_of_the_survey(admin, opened):
    address = opened(example("workplace"))
    assert admin.get("/admin/surveys/workplace/ethics").location == address
    assert address in admin.get("/results/workplace").text
    assert address in admin.get("/admin/surveys/workplace").text
