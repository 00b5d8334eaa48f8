"""The codebook to read: one file, in each language, nothing fetched and nothing run."""

import html
import re

import pytest

from server.results.files.codebook import codes
from server.results.files.codebook_page import codebook_html, shorten_reports
from server.store import surveys
from survey.publication import publish
from survey.read_definition import from_dict


@pytest.mark.parametrize("slug", ["exam-honesty", "student-life", "undeclared-work", "workplace"])
def test_every_question_and_every_column_stands_there_in_each_language(examples, slug):
    publication = examples[slug].publication
    page = codebook_html(publication, "0.9")
    for code in publication.definition.languages:
        article = page.split(f'<article id="{code}"')[1].split("</article>")[0]
        for question in publication.definition.questions:
            assert html.escape(question.wording[code], quote=False) in html.unescape(article).replace(
                "&", "&amp;"
            )
        assert all(f"<code>{name}</code>" in article for name in publication.columns)


def test_it_needs_no_other_file_and_runs_nothing(examples):
    page = codebook_html(examples["student-life"].publication, "0.9")
    assert not re.search(r"<script|<link|<img|src=|url\(|@import|https?:", page)
    assert re.findall(r'href="([^"]*)"', page) == ["#en", "#ko"]


def test_wordings_are_words(survey_file):
    wording = "<script>alert(1)</script> \"quoted\" & 'so'\n둘째 줄"
    question = {"id": "q", "mechanism": "coin", "wording": {"en": wording}}
    page = codebook_html(publish(from_dict(survey_file(questions=[question]), "the test")), "0.9")
    assert "<script" not in page
    assert html.escape(wording).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in page


def test_of_many_reports_the_first_and_the_last_are_shown_and_every_other_code(survey_file):
    number = {"id": "q", "kind": "number", "mechanism": "laplace", "epsilon": 5.0, "wording": {"en": "?"}}
    number |= {"low": 0, "high": 100, "step": 1, "skip": "apart"}
    publication = publish(from_dict(survey_file(questions=[number]), "the test"))
    found = list(codes(publication.definition.questions[0], publication.columns["q"], ("en",)))
    shown = [code and code.number for code in shorten_reports(found)]
    assert shown == [0, 1, 2, 3, None, 97, 98, 99, 100, 101]
    page = codebook_html(publication, "0.9")
    assert "93 more codes. All are in codebook.csv." in page
    assert "Skipped" in page


def test_a_right_to_left_survey_reads_from_the_right(examples):
    definition = examples["exam-honesty"].publication.definition
    table = definition.as_dict()

    def said(value):
        if isinstance(value, dict) and "en" in value:
            return {"ar": value["en"]}
        if isinstance(value, dict):
            return {key: said(each) for key, each in value.items()}
        return [said(each) for each in value] if isinstance(value, list) else value

    page = codebook_html(publish(from_dict(said(table) | {"languages": ["ar"]}, "the test")), "0.9")
    assert '<html lang="ar" dir="rtl">' in page
    assert '<table lang="en"' in page  # Candor's own words, in the language that it speaks


def test_staff_download_it(storage, browse, survey_file):
    survey = storage.write(surveys.open_survey, storage.write(surveys.create_draft, survey_file()).id)
    answer = browse("researcher").get("/results/exams/codebook.html")
    assert answer.headers["Content-Disposition"].endswith('-codebook.html"')
    assert survey.publication.fingerprint in answer.text
