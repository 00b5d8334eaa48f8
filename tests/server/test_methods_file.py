"""The methods and the citation that come with the files: true of this survey, and safe to paste."""

import re
from dataclasses import replace

import pytest

from server.language.catalogue import say, written
from server.results.archive import papers
from server.results.archive.citation import citation_text, in_tex
from server.results.archive.contents import file_names
from server.results.archive.methods import methods_text
from server.results.downloads.gather_material import count_reports
from survey import mechanisms
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.interval import METHODS
from survey.linked import Linked

HOSTILE = 'Wages} \\input{/etc/passwd} 100% & "more" ~^_# |`*<b>\r\n# 두 줄'


@pytest.fixture(scope="module")
def material(examples):
    return examples["student-life"]


@pytest.fixture(scope="module")
def text(material):
    return methods_text(material, file_names(material))


def test_the_paragraph_names_version_people_fingerprint_and_loss(material, text):
    assert "Candor 0.9 and is closed. 200 people took part." in text
    assert material.publication.fingerprint in text
    assert "one person lost at most ε = 2.93862." in text  # 2.938611..., rounded up
    assert "drawn by their browser" in text


def test_it_is_written_in_each_language_of_the_survey_and_cites_once(material, text):
    headings = [line for line in text.splitlines() if re.match("##? ", line)]
    titles = material.publication.definition.title
    assert [f"# {titles['en']}", f"# {titles['ko']}"] == [
        line for line in headings if line[2:] in titles.values()
    ]
    assert written("ko", "methods.protected") in text
    assert headings.count("# Sources") == 1


def test_every_question_has_a_line_with_what_was_asked_for_and_what_is_kept(material, text):
    english = text.split("## Files")[0]
    lines = [line.split(" | ") for line in english.splitlines() if line.startswith("| `")]
    assert [line[0] for line in lines] == [f"| `{each.question.id}`" for each in material.figures.questions]
    for line, each in zip(lines, material.figures.questions, strict=True):
        assert line[2] == (f"{each.question.epsilon:.6g}" if each.question.epsilon else "")
        assert float(line[3]) == pytest.approx(each.exact_epsilon, abs=1e-5)
        assert int(line[5]) == each.respondents - each.skipped


@pytest.mark.parametrize("method", METHODS)
def test_the_method_of_the_intervals_that_was_chosen_is_the_one_described(material, method):
    figures = material.figures
    results = count_reports(material.publication, material.reports)
    other = replace(
        material,
        figures=figures_of(
            figures.slug, "closed", figures.publication, results, Precision(0.9, method, True)
        ),
    )
    text = methods_text(other, file_names(other))
    assert "The confidence level of 90% holds for all intervals of a question together" in text
    said = {
        each: say("en", f"methods.method.{each}", papers=papers.cited(papers.OF_METHOD[each]))
        for each in METHODS
    }
    assert said[method] in text
    assert (said["wald"] in text) == (method == "wald")


def test_while_the_reports_are_kept_back_it_says_so_and_does_not_list_them(material):
    figures = replace(material.figures, state="open")
    text = methods_text(kept := replace(material, figures=figures, reports=None), file_names(kept))
    assert "was still open. 200 people are counted here." in text
    assert say("en", "methods.withheld") in text
    assert say("ko", "methods.withheld") in text
    assert "`reports.csv`" not in text
    assert "`codebook.csv`" in text


def test_every_mechanism_cites_what_its_source_names():
    for name, keys in papers.OF_MECHANISM.items():
        source = (Linked if name == "linked" else getattr(mechanisms, name)).__doc__
        for key in keys:
            surname = papers.papers()[key].field("author").partition(",")[0]
            surname = surname.replace("Nguyên", "Nguyen")
            assert (surname in source, papers.papers()[key].field("year") in source) == (True, True)


def test_every_paper_has_a_use_and_every_use_a_paper():
    uses = {*papers.OF_SHARES, *papers.OF_QUANTILES, *papers.OF_LEAVING}
    for keys in (*papers.OF_MECHANISM.values(), *papers.OF_METHOD.values()):
        uses |= {*keys}
    assert set(papers.papers()) == uses
    shorts = [paper.short for paper in papers.papers().values()]
    assert all(re.fullmatch(r"[^{},]+ \d{4}", short) for short in shorts)


def entries(text):
    """Split BibTeX by counting braces, as BibTeX does: a backslash does not hide one."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character == "@" and depth == 0:
            start = place
        depth += (character == "{") - (character == "}")
        assert depth >= 0
        if character == "}" and depth == 0:
            found.append(text[start : place + 1])
    assert depth == 0
    return found


def test_the_citation_holds_the_survey_candor_and_the_papers_of_this_survey_only(material, examples):
    found = entries(citation_text(material))
    keys = [re.match(r"@\w+{([\w-]+),", entry)[1] for entry in found]
    assert keys[:2] == [material.folder, "candor"]
    assert {"pukelsheim2006", "ye2018", "warner1965", "cochran1954"} <= set(keys)
    assert material.publication.fingerprint in found[0]
    assert "year" not in found[0]  # nobody wrote down when people answered
    fewer = citation_text(examples["undeclared-work"])
    assert "pukelsheim2006" not in fewer
    assert "domingo2020" in fewer


def test_a_hostile_title_is_words_and_nothing_else(material):
    definition = material.publication.definition
    titled = replace(definition, title={"en": HOSTILE, "ko": HOSTILE})
    publication = replace(material.publication, definition=titled)
    hostile = replace(material, figures=replace(material.figures, publication=publication))
    found = entries(citation_text(hostile))
    assert len(found) == len(entries(citation_text(material)))
    assert r"Wages\textbraceright{} \textbackslash{}input\textbraceleft{}/etc" in found[0]
    assert r"100\% \& " in found[0]
    headings = [
        line for line in methods_text(hostile, file_names(hostile)).splitlines() if line.startswith("# ")
    ]
    assert len(headings) == 3
    assert r"\|\`\*\<b\> \# 두 줄" in headings[0]
    assert in_tex("a\n b") == "a b"
