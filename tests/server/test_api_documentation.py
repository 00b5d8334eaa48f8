"""The page that documents the interface for programs: whole, without script, and its examples run."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from server.api.documentation import EXAMPLES, GROUPS, operations
from server.language.catalogue import section
from server.store import surveys
from server.web.files.assets import folder

FOLDER = folder("templates") / "api"


@pytest.fixture
def page(browse):
    """Give the page as text."""
    return lambda query="": unescape(browse().get(f"/api/v1/{query}").text)


def test_the_page_shows_every_operation_of_the_description_in_its_order(staff_app, browse, page):
    described = browse().get("/api/v1/openapi.json").json
    known = {each.name: each for each in operations(described)}
    assert sorted(known) == sorted(name for names in GROUPS.values() for name in names)
    text = page()
    places = [text.index(f'<article id="{name}">') for names in GROUPS.values() for name in names]
    assert places == sorted(places)
    for each in known.values():
        article = text.partition(f'<article id="{each.name}">')[2].partition("</article>")[0]
        assert f"{each.method}</span> <code>{each.path}</code>" in article
        named = [parameter["name"] for parameter in each.parameters]
        assert all(f"<code>{name}</code>" in article for name in named)
        assert all(f"<code>{field.place}</code>" in article for field in (*each.body, *each.answer))
        assert all(f"<dt>{status}</dt>" in article for status in each.statuses)


def test_every_link_within_the_page_leads_to_one_place(page):
    places = re.findall(r'\bid="([^"]+)"', page())
    assert sorted(places) == sorted(set(places))
    assert set(re.findall(r'href="#([^"]+)"', page())) <= set(places)


def test_the_type_of_every_problem_leads_to_its_place_on_the_page(page):
    text = page()
    codes = [key.split(".")[1] for key in section("en", "api") if key.startswith("problem.")]
    assert len(set(codes)) > 20
    assert all(f'id="problem-{code}"' in text for code in codes)


def test_the_page_is_for_everybody_in_both_languages_and_runs_no_script(browse, page):
    assert "<script" not in page()
    assert "List surveys" in page("?language=en")
    assert "설문 목록" in page("?language=ko")
    assert browse().get("/api/v1").data == browse().get("/api/v1/").data
    assert "Set-Cookie" not in browse().get("/api/v1/").headers


def test_every_example_is_on_the_page(page):
    assert {file.name for file in FOLDER.iterdir()} == {*EXAMPLES, "page.html"}
    text = page()
    assert all((FOLDER / name).read_text(encoding="utf-8") in text for name in EXAMPLES)


@pytest.fixture
def run(staff_app, program, served):
    """Run an example against a server, with a token; give what it prints."""

    def run(example, **token):
        command = [sys.executable, FOLDER / example]
        with served(staff_app) as address:
            given = {"CANDOR_URL": address, "CANDOR_TOKEN": program(**token).secret}
            ended = subprocess.run(
                command, capture_output=True, text=True, env=os.environ | given, check=False
            )
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    return run


def test_the_examples_that_read_print_estimates_and_reports(run, publish_exams, browse):
    publish_exams()
    header, *rows = (line.split() for line in run("estimates.py", name="ben").splitlines())
    assert header == ["column", "quantity", "answer", "estimate", "low", "high"]
    shown = browse("researcher").get("/results/exams/estimates.json?confidence_level=0.9").json
    share = shown["questions"][0]["answers"][1]
    (row,) = (row[-3:] for row in rows if row[1:4] == ["copied", "proportion", "yes"])
    assert list(map(float, row)) == pytest.approx(
        [share[name] for name in ("estimate", "low", "high")], abs=6e-4
    )
    assert "60 people" in run("reports.py", name="ben")


def test_the_example_that_writes_changes_a_draft(run, storage, survey_file):
    storage.write(surveys.create_draft, survey_file())
    assert run("draft.py", writes=True).startswith("saved, at an epsilon of")
    assert storage.read(surveys.by_slug, "exams").draft["results"]["step"] == 100


def test_the_example_in_r_asks_for_what_the_one_in_python_asks_for():
    texts = [Path(FOLDER / f"estimates.{ending}").read_text(encoding="utf-8") for ending in ("py", "R")]
    for word in ("CANDOR_URL", "CANDOR_TOKEN", "/surveys/exams/quantities", "confidence_level", "estimate"):
        assert all(word in text for text in texts)
