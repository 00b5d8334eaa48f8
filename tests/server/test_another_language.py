"""A folder of texts is all that another language takes, also one that runs from right to left."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import tomli_w
from babel import Locale
from babel.localedata import locale_identifiers

import server
from server.building import language_data
from server.language import language_names
from server.language.locale_data import FILE, FOLDER, OWN_NAMES
from server.respond.rendering import messages
from survey.read_definition import from_dict

TOP = Path(server.__file__).parent.parent

VISITS = """
import json, sys
from pathlib import Path
from server import create_app
from server.config import Config
from server.store import surveys
from server.store.staff import accounts
from survey.read_definition import from_dict

app = create_app(Config(database=Path(sys.argv[1])))
storage = app.extensions["candor"].storage
draft = storage.write(surveys.import_definition, from_dict(json.loads(sys.argv[2]), ""))
storage.write(surveys.open_survey, draft.id)
storage.write(accounts.create, "ada", "a long enough password", "admin")
client = app.test_client()
pages = {each: client.get(each, headers={"Accept-Language": "ar"}).text for each in json.loads(sys.argv[3])}
pages["send"] = client.post("/s/exams", data={}, headers={"Sec-Fetch-Site": "same-origin"}).text
token = pages["/login"].split('name="csrf_token" value="')[1].split('"')[0]
client.post("/login", data={"name": "ada", "password": "a long enough password", "csrf_token": token})
pages["/admin"] = client.get("/admin", headers={"Accept-Language": "ar"}).text
print(json.dumps(pages))
"""
PUBLIC = ["/", "/learn", "/learn/simulation", "/login", "/s/exams", "/s/none"]
MARK = "\u0639 "
"""Arabic: what the texts of the other language begin with, which are English for the rest."""


def translated(table):
    """Make another language out of a catalogue; its plurals have a form that English lacks."""
    if not isinstance(table, dict):
        return MARK + table
    texts = {key: translated(value) for key, value in table.items()}
    return texts | {"few": texts["other"]} if "other" in table else texts


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Copy Candor, add a folder to the copy, and visit what it serves: address -> page."""
    copy = tmp_path_factory.mktemp("candor")
    for name in ("server", "survey", "static", "templates"):
        shutil.copytree(TOP / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    english = copy / "server" / "language" / "en"
    for file in english.rglob("*.toml"):
        target = copy / "server" / "language" / "ar" / file.relative_to(english)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(tomli_w.dumps(translated(tomllib.loads(file.read_text()))))
    (copy / "server" / "language" / "ar" / FILE).write_text(language_data.text("ar"))
    arguments = [copy / "candor.db", json.dumps(in_arabic()), json.dumps(PUBLIC)]
    done = subprocess.run(
        [sys.executable, "-c", VISITS, *arguments],
        env=os.environ | {"PYTHONPATH": str(copy), "CANDOR_SECRET_KEY": "of this run"},
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_arabic(*languages):
    """Write a survey in Arabic and in other languages."""

    def text(words):
        return dict.fromkeys(("ar", *languages), words)

    question = {"id": "copied", "mechanism": "coin", "wording": text("هل نسخت؟")}
    texts = {name: text("الصدق") for name in ("title", "information", "consent")}
    return {"candor": 1, "slug": "exams", "languages": ["ar", *languages], "questions": [question], **texts}


def test_every_page_speaks_the_language_of_a_folder_that_was_added(pages):
    for address in ("/", "/learn", "/learn/simulation", "/login", "/admin"):
        assert '<html lang="ar" dir="rtl">' in pages[address]
        assert re.search(rf"<h1[^>]*>{MARK}", pages[address]), address
    assert f">{MARK}English</a>" in pages["/"], "the choice of languages has it"
    assert '<html lang="en" dir="ltr">' in pages["/s/none"]
    assert f'<section lang="ar" dir="rtl">\n  <h2>{MARK}' in pages["/s/none"]
    assert f'<section lang="ar"><h1>{MARK}' in pages["send"], "so does the answer to a submission"


def test_the_respondents_page_carries_the_one_language_of_its_survey(pages):
    page = pages["/s/exams"]
    assert '<html lang="ar" dir="rtl">' in page
    codes, keys, texts = json.loads(re.search(r'id="messages">(.*?)</script>', page)[1])
    assert codes == ["ar"]
    assert [said[keys.index("welcome.begin")] for said in texts] == [MARK + "Begin"]


@pytest.mark.parametrize(
    ("languages", "travelling"),
    [((), ["en"]), (("ko",), ["en", "ko"]), (("ko", "en"), ["en", "ko"]), (("fr",), ["en"])],
)
def test_where_candor_lacks_a_language_of_the_survey_its_first_travels(languages, travelling):
    codes, keys, texts = json.loads(messages(from_dict(in_arabic(*languages), "exams")))
    assert codes == travelling
    assert [len(said) for said in texts] == [len(keys)] * len(travelling)


def test_a_survey_in_one_language_carries_no_other(survey_file):
    korean = {name: {"ko": "정직"} for name in ("title", "information", "consent")}
    question = {"id": "copied", "mechanism": "coin", "wording": {"ko": "베낀 적이 있습니까?"}}
    table = survey_file(languages=["ko"]) | korean | {"questions": [question]}
    assert json.loads(messages(from_dict(table, "exams")))[0] == ["ko"]


@pytest.mark.parametrize("code", ["en", "ko"])
def test_the_file_of_a_language_says_what_unicode_says(code):
    assert (FOLDER / code / FILE).read_text("utf-8") == language_data.text(code)


def test_the_file_of_all_languages_has_the_names_that_unicode_has():
    assert (FOLDER / OWN_NAMES).read_text("utf-8") == language_data.own_names()


def test_whether_a_language_runs_from_right_to_left_is_known_of_all():
    for code in locale_identifiers():
        leftward = Locale.parse(code).text_direction == "rtl"
        assert (language_names.direction(code.replace("_", "-")) == "rtl") == leftward, code
