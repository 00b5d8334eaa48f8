"""Pictures in a survey file: each by its SHA-256, with words that stand for it in every language."""

import pytest

from survey.fields import DefinitionError
from survey.picture import named_in
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.read_publication import load

TEXT = {"en": "Text", "ko": "글"}
AROUND = {"slug": "a", "languages": ["en", "ko"], "title": TEXT, "information": TEXT, "consent": TEXT}
QUESTION = {"id": "q", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
PICTURE = {
    "sha256": "ab" * 32,
    "type": "png",
    "width": 800,
    "height": 600,
    "alt": {"en": "A glass of wine", "ko": "와인 한 잔"},
}


def read(*pictures, **more):
    asked = [
        QUESTION | {"id": f"q{n}"} | ({"picture": each} if each else {}) for n, each in enumerate(pictures)
    ]
    return from_dict({"candor": 3, **AROUND, "questions": asked, **more}, "here")


def test_a_picture_comes_back_from_every_form_of_a_survey():
    definition = read(PICTURE, None)
    assert definition.format == 3
    assert definition.questions[0].picture.as_dict() == PICTURE
    assert definition.questions[0].picture.file == f"{'ab' * 32}.png"
    assert parse(definition.as_toml(), "again") == definition
    assert load(publish(definition).json).definition == definition


def test_another_picture_or_another_description_gives_another_fingerprint():
    others = (
        {},
        {"sha256": "cd" * 32},
        {"width": 801},
        {"alt": PICTURE["alt"] | {"en": "Another glass"}},
    )
    assert len({publish(read(PICTURE | each)).fingerprint for each in others}) == 4


def test_pictures_are_listed_in_order_each_once():
    first, second = PICTURE | {"sha256": "cd" * 32}, PICTURE
    definition = read(None, first, second, first)
    assert [each.sha256 for each in definition.pictures] == ["cd" * 32, "ab" * 32]


LACKING = object()
WRONG = {
    "a table": ("picture", "a.png", "picture must be a table, got 'a.png'"),
    "no hash": ("sha256", LACKING, r"picture\.sha256 is missing"),
    "a hash in capitals": ("sha256", "AB" * 32, r"picture\.sha256 must be the SHA-256 of a picture"),
    "a way out of the folder": ("sha256", "../../etc/passwd", "64 hexadecimal digits"),
    "a number": ("sha256", 7, "64 hexadecimal digits, got 7"),
    "a drawing in SVG": ("type", "svg", r"picture\.type must be one of png, jpeg, webp, got 'svg'"),
    "no type": ("type", LACKING, r"picture\.type is missing"),
    "nothing wide": ("width", 0, r"picture\.width must be a whole number from 1 to 1600, got 0"),
    "a broad one": ("width", 1601, "from 1 to 1600, got 1601"),
    "true": ("height", True, "from 1 to 1600, got True"),
    "no height": ("height", LACKING, r"picture\.height is missing"),
    "no description": ("alt", LACKING, r"picture\.alt is missing|picture\.alt\.en"),
    "a language without": ("alt", {"en": "A glass"}, r"picture\.alt\.ko is missing"),
    "a description of spaces": (
        "alt",
        {"en": " ", "ko": "잔"},
        r"alt\.en must be a text of 1 to 500",
    ),
    "a long description": (
        "alt",
        {"en": "x" * 501, "ko": "잔"},
        r"alt\.en must be a text of 1 to 500",
    ),
    "another key": ("caption", "x", r"picture\.caption must be absent"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name):
    key, value, sentence = WRONG[name]
    picture = {each: held for each, held in PICTURE.items() if each != key}
    if key == "picture":
        picture = value
    elif value is not LACKING:
        picture[key] = value
    with pytest.raises(DefinitionError, match=sentence):
        read(picture)


def test_older_versions_have_no_pictures():
    with pytest.raises(DefinitionError, match=r"candor must be 3, .* questions\.picture.*, got 2"):
        read(PICTURE, candor=2)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"questions": 7},
        {"questions": [7, {"picture": 7}, {"picture": {}}, {"picture": {"sha256": "x"}}]},
        {"sections": [7, {}, {"questions": None}]},
        {"sections": {"questions": []}},
    ],
)
def test_a_draft_may_hold_anything_where_pictures_are_looked_for(table):
    assert list(named_in(table)) == []


def test_pictures_are_found_within_sections():
    (found,) = named_in({"sections": [{}, {"questions": [{}, {"picture": PICTURE}]}]})
    assert found == ("sections[1].questions[1].picture", PICTURE)
