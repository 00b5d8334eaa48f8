"""What chats and search engines show beside a link to a page for everybody."""

import io
import json
import re
from html import unescape
from itertools import product

import pytest
from PIL import Image

from server import create_app
from server.building import canvas
from server.building.titles import FOLDER, WIDEST
from server.config import Config
from server.language.catalogue import LANGUAGES
from server.lessons.pages import LESSONS, name
from server.store import surveys
from server.web.files.assets import collected

BASE = "https://survey.example/research"
PAGES = {
    "/": "home",
    "/try": "try",
    "/learn": "learn",
    "/learn/glossary": "glossary",
    "/learn/sources": "sources",
    "/api/v1/": "api",
} | {f"/learn/{slug}": name(slug) for slug in LESSONS}
"""Address -> the name of its picture."""

CARDS = {path: file for path, file in collected().items() if path.startswith("cards/")}


def card(page):
    """What the head of a page says of it."""
    head = page[: page.index("</head>")]
    named = re.findall(r'<meta (?:name|property)="(description|og:\w+)" content="(.*?)">', head)
    return {key: unescape(says) for key, says in named}


def words(title):
    """What a picture says of the title of a page: neither the site nor the part of it."""
    return title.removeprefix("Candor: ").partition(" · ")[0]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A visitor of a server that knows its address."""
    database = tmp_path_factory.mktemp("cards") / "candor.db"
    return create_app(Config(database=database, base_address=BASE)).test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_for_everybody_has_a_title_a_description_and_a_picture(client, language):
    said = {}
    for address, picture in PAGES.items():
        shown = card(client.get(f"{address}?language={language}", headers={"Host": "evil.example"}).text)
        said[shown["og:title"]] = shown["description"]
        assert shown["og:description"] == shown["description"]
        assert 20 <= len(shown["description"]) <= 300
        assert shown["og:url"] == f"{BASE}{address}?language={language}"
        assert shown["og:image"].startswith(f"{BASE}/static/")
        path = shown["og:image"].removeprefix(BASE)
        assert path.endswith(f"/cards/{language}/{picture}.png")
        assert client.get(path).mimetype == "image/png"
    assert len(said) == len(set(said.values())) == len(PAGES)


def test_without_its_address_a_server_names_none(app):
    for address in PAGES:
        shown = card(app.test_client().get(address).text)
        assert shown["og:title"]
        assert not {"og:url", "og:image"} & set(shown)


def test_pictures_have_the_shape_and_the_bytes_that_chats_show():
    pictures = {f"{language}/{each}" for language, each in product(LANGUAGES, PAGES.values())}
    assert {*CARDS} == {f"cards/{each}.png" for each in {"candor", *pictures}}
    assert len({*CARDS.values()}) == len(CARDS)
    for file in CARDS.values():
        assert Image.open(io.BytesIO(file)).size == (1200, 630)
        assert len(file) <= 80_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_on_a_picture_are_the_title_of_its_page(client, language):
    """``uv run python tests/benchmarks/title_pictures.py`` draws them again."""
    drawn = {file.stem: Image.open(file) for file in (FOLDER / language).glob("*.png")}
    said = {
        picture: words(card(client.get(f"{address}?language={language}").text)["og:title"])
        for address, picture in PAGES.items()
    }
    assert {name: each.text["Title"] for name, each in drawn.items()} == said
    for each in drawn.values():
        assert each.width <= WIDEST < canvas.WIDTH - canvas.SIDE - canvas.MARGIN
        assert canvas.MIDDLE + each.height / 2 < canvas.TOP
        assert each.convert("L").getextrema() == (0, 255)


def test_pictures_have_the_colours_of_the_pages():
    light = collected()["candor.css"].decode().partition("@media")[0]
    for colour in ("paper", "ink", "edge", "rule", "bright", "bright-deep", "dark", "dark-line", "accent"):
        value = re.search(rf"--{colour}: (#\w+);", light)[1]
        assert getattr(canvas, colour.upper().replace("-", "_")) == value


@pytest.mark.parametrize(("language", "title"), [("en", "A survey"), ("ko", "설문"), ("fr", "A survey")])
def test_a_survey_says_of_itself_only_that_it_is_one(door, survey_file, language, title):
    translated = json.loads(json.dumps(survey_file("mine")).replace('"en"', f'"{language}"'))
    survey = door.storage.write(surveys.create_draft, translated)
    door.storage.write(surveys.open_survey, survey.id)
    assert card(door.get("mine").text) == {"og:title": title}
    door.storage.write(surveys.close_survey, survey.id)
    assert card(door.get("mine").text) == {"og:title": title}


def test_a_survey_says_its_title_if_its_author_wants_that(door, survey_file):
    survey = door.storage.write(surveys.create_draft, survey_file("mine", candor=3, preview="title"))
    door.storage.write(surveys.open_survey, survey.id)
    assert card(door.get("mine").text) == {"og:title": "title"}
