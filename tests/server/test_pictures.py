"""Pictures of surveys: stored once, never changed, gone with the last survey; sent in, and shown."""

import hashlib
import io
import sqlite3

import psycopg
import pytest
from PIL import Image

from server.store import pictures, surveys
from server.store.pictures import StoredPicture, TooManyPictures
from survey.draft import document_of

ONE = StoredPicture("png", 3, 2, b"the bytes of one picture")
OTHER = StoredPicture("jpeg", 5, 4, b"the bytes of another")
REFUSALS = (sqlite3.IntegrityError, psycopg.IntegrityError)


def names(storage):
    return storage.read(lambda db: {name for (name,) in db.execute("SELECT sha256 FROM pictures").fetchall()})


@pytest.fixture
def two(storage):
    """The numbers of two drafts that use one picture, the first of them another too."""
    first, second = (storage.write(surveys.create_draft, {"slug": slug}).id for slug in ("first", "second"))
    for number, picture in ((first, ONE), (first, OTHER), (second, ONE)):
        storage.write(pictures.add, number, picture)
    return first, second


@pytest.mark.engines
def test_a_picture_is_stored_once_under_the_hash_of_its_bytes(storage, two):
    assert names(storage) == {ONE.sha256, OTHER.sha256}
    assert ONE.sha256 == hashlib.sha256(ONE.data).hexdigest()
    assert storage.read(pictures.stored, ONE.sha256) == ONE
    assert storage.read(pictures.of_survey, two[1]) == {ONE.sha256}
    assert storage.read(pictures.used_by, two[0], OTHER.sha256) == OTHER
    assert storage.read(pictures.used_by, two[1], OTHER.sha256) is None
    assert storage.read(pictures.used_by, two[0], "f" * 64) is None


@pytest.mark.engines
def test_a_picture_goes_with_the_last_survey_that_uses_it(storage, two):
    storage.write(surveys.delete_survey, two[0])
    assert names(storage) == {ONE.sha256}
    storage.write(pictures.keep_only, two[1], set())
    assert names(storage) == set()


@pytest.fixture
def open_one(storage, two, survey_file):
    """An open survey, `exams`, that shows one picture."""
    question, *others = survey_file()["questions"]
    shown = {"sha256": ONE.sha256, "type": "png", "width": 3, "height": 2, "alt": {"en": "A glass"}}
    table = survey_file(candor=3, questions=[question | {"picture": shown}, *others])
    draft = storage.write(surveys.create_draft, table)
    storage.write(pictures.add, draft.id, ONE)
    return storage.write(surveys.open_survey, draft.id)


ATTEMPTS = {
    "other bytes": "UPDATE pictures SET bytes = (SELECT bytes FROM pictures ORDER BY sha256 LIMIT 1)",
    "another size": "UPDATE pictures SET width = 9",
    "another name": f"UPDATE pictures SET sha256 = '{'0' * 64}'",
    "removed while it is used": "DELETE FROM pictures",
    "taken from a published survey": "DELETE FROM survey_pictures WHERE survey_id = {open}",
    "given to a published survey": "INSERT INTO survey_pictures VALUES ({open}, '{other}')",
    "moved to another survey": "UPDATE survey_pictures SET survey_id = {draft}",
    "used without being there": f"INSERT INTO survey_pictures VALUES ({{draft}}, '{'0' * 64}')",
    "of another format": f"INSERT INTO pictures SELECT '{'0' * 64}', 'gif', 1, 1, bytes FROM pictures",
}


@pytest.mark.engines
def test_the_database_refuses(storage, two, open_one):
    before = storage.read(content)

    def refused(sql):
        sql = sql.format(open=open_one.id, draft=two[1], other=OTHER.sha256)
        try:
            storage.write(lambda db: db.execute(sql))
        except REFUSALS:
            return storage.read(content) == before
        return False

    assert [name for name, sql in ATTEMPTS.items() if not refused(sql)] == []


def content(db):
    """All rows of both tables."""
    return [
        sorted(tuple(map(bytes_of, row)) for row in db.execute(f"SELECT * FROM {table}").fetchall())
        for table in ("pictures", "survey_pictures")
    ]


def bytes_of(value):
    return bytes(value) if isinstance(value, memoryview) else value


def test_what_replaces_a_picture_changes_nothing(storage, two):
    before = storage.read(content)
    sql = "INSERT OR REPLACE INTO pictures VALUES (?, 'png', 1, 1, ?)"
    storage.write(lambda db: db.execute(sql, [ONE.sha256, b"other"]))
    assert storage.read(content) == before


@pytest.mark.engines("postgresql")
@pytest.mark.parametrize("table", ["pictures", "survey_pictures"])
def test_a_table_of_pictures_is_not_emptied(storage, two, table):
    with pytest.raises(psycopg.Error):
        storage.write(lambda db: db.execute(f"TRUNCATE {table} CASCADE"))
    assert names(storage) == {ONE.sha256, OTHER.sha256}


@pytest.mark.engines
def test_a_published_survey_takes_its_pictures_along_when_it_goes(storage, two, open_one):
    for number in (*two, open_one.id):
        storage.write(surveys.delete_survey, number)
    assert storage.read(content) == [[], []]


def test_a_draft_keeps_a_limited_number_of_pictures(storage, two, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PICTURES", 2)
    storage.write(pictures.add, two[0], ONE)  # it is there already
    with pytest.raises(TooManyPictures):
        storage.write(pictures.add, two[0], StoredPicture("png", 1, 1, b"third"))
    assert names(storage) == {ONE.sha256, OTHER.sha256}


# What a respondent's page loads


def test_respondents_get_the_bytes_which_never_change(staff_app, storage, open_one):
    answer = staff_app.test_client().get(f"/s/exams/pictures/{ONE.sha256}")
    assert (answer.status_code, answer.data, answer.mimetype) == (200, ONE.data, "image/png")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    kept = set(answer.headers["Cache-Control"].split(", "))
    assert kept == {"public", "immutable", "max-age=31536000"}
    assert "Set-Cookie" not in answer.headers
    again = staff_app.test_client().get(
        f"/s/exams/pictures/{ONE.sha256}", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


def test_nobody_is_counted_for_a_picture(staff_app, storage, open_one):
    for _ in range(3):
        staff_app.test_client().get(f"/s/exams/pictures/{ONE.sha256}")
    staff_app.extensions["candor"].committer.settle()
    assert storage.read(lambda db: db.execute("SELECT * FROM days").fetchall()) == []


@pytest.mark.parametrize(
    "address",
    [
        f"/s/exams/pictures/{OTHER.sha256}",
        f"/s/first/pictures/{ONE.sha256}",
        f"/s/none/pictures/{ONE.sha256}",
        "/s/exams/pictures/x",
        "/s/exams/pictures/%00",
        f"/s/exams/pictures/{ONE.sha256.upper()}",
        "/s/exams/pictures/../pictures",
        "/s/%F0%9F%92%A9/pictures/" + "0" * 5000,
    ],
)
def test_nothing_else_is_found(staff_app, open_one, address):
    assert staff_app.test_client().get(address).status_code == 404


# What an admin sends


def written(kind="PNG", color="red"):
    file = io.BytesIO()
    Image.new("RGB", (60, 40), color).save(file, kind)
    return file.getvalue()


@pytest.fixture
def send(editor):
    """Send a file as the editor's script does."""

    def send(data, name="a.png", to=editor.address, **options):
        sent = {} if "environ_overrides" in options else {"data": {"file": (io.BytesIO(data), name)}}
        headers = {"Accept-Language": "en", "X-CSRFToken": editor.token}
        return editor.client.post(f"{to}/pictures", headers=headers, **sent, **options)

    return send


def test_a_picture_is_made_anew_stored_and_shown_to_its_editor_alone(send, editor, browse):
    answer = send(written("JPEG"))
    told = answer.json
    assert (answer.status_code, told["type"], told["width"], told["height"]) == (200, "png", 60, 40)
    shown = editor.browser.get(told["address"])
    assert hashlib.sha256(shown.data).hexdigest() == told["sha256"]
    assert len(shown.data) == told["bytes"]
    assert shown.headers["Cache-Control"] == "no-cache, private"
    assert browse("researcher").get(told["address"]).status_code == 403
    assert browse().get(told["address"]).status_code == 302
    assert browse().get(f"/s/health/pictures/{told['sha256']}").status_code == 404
    assert send(written("JPEG")).json == told  # the same file, the same name


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"hello", "a.png", "This one is not."),
        (b"<svg onload='alert(1)'/>", "a.svg", "This one is not."),
        (written()[:-30], "a.png", "The file is damaged."),
        (b"", "", "Choose a file first."),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_stored(send, storage, data, name, sentence):
    answer = send(data, name)
    assert (answer.status_code, sentence in answer.json["fault"]) == (422, True)
    assert names(storage) == set()


def test_a_file_that_is_too_large_is_refused_before_it_is_read(send):
    answer = send(
        b"",
        content_type="multipart/form-data; boundary=x",
        environ_overrides={"CONTENT_LENGTH": str(17 * 1024 * 1024)},
    )
    said = "The file must have at most 16 MB. This one is larger."
    assert (answer.status_code, answer.json["fault"]) == (413, said)


class Unread(io.RawIOBase):
    """A body that nobody may read."""

    def readable(self):
        return True

    def readinto(self, _place):
        pytest.fail("the body was read")


UNASKED = {"/pictures": 302, "/draft": 401, "/preview": 401, "/survey.toml": 302}
"""An address of the editor -> what somebody who is not signed in is answered there."""


@pytest.mark.parametrize("what", UNASKED)
def test_of_whoever_is_not_signed_in_no_large_body_is_read(editor, browse, what):
    stranger = browse().client
    large = {"CONTENT_LENGTH": str(100_000), "wsgi.input": Unread()}
    for _ in range(2):
        answer = stranger.post(
            editor.address + what, environ_overrides=large, content_type="application/json"
        )
        assert answer.status_code in {UNASKED[what], 413}
        stranger.get("/login")  # a visitor has a session, and may have been signed in before


def test_a_name_of_any_kind_harms_nothing(send, storage):
    for name in ("../../x.png", "<script>.png", "\u202egnp.png", "=1+1.png", "x" * 5000):
        assert send(written(), name).status_code == 200
    assert len(names(storage)) == 1


def test_a_published_survey_takes_no_picture(send, storage, survey_file):
    draft = storage.write(surveys.create_draft, survey_file())
    storage.write(surveys.open_survey, draft.id)
    answer = send(written(), to="/admin/surveys/exams")
    assert (answer.status_code, answer.json["fault"]) == (
        409,
        "The survey is open or closed, so nothing in it can change.",
    )


def test_a_draft_that_is_full_says_so(send, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PICTURES", 1)
    assert send(written()).status_code == 200
    answer = send(written(color="blue"))
    assert (answer.status_code, "can keep 1 pictures" in answer.json["fault"]) == (409, True)


def test_a_picture_that_is_described_makes_a_draft_complete_and_its_survey_shows_it(
    send, editor, storage, survey_file
):
    told = send(written()).json
    picture = {key: told[key] for key in ("sha256", "type", "width", "height")}
    question = {"id": "q", "mechanism": "coin", "wording": {"en": "Is it?"}, "picture": picture}
    answer = editor.write(document_of(survey_file("health", candor=3, questions=[question])))
    assert [entry["text"] for entry in answer["missing"]] == [
        "Question 1, description of the picture (English)"
    ]
    uid = editor.document["questions"][0]["uid"]
    editor.send(editor.change(f"{uid}.picture.alt.en", "A glass of wine"))
    assert editor.problems()["ready"]
    opened = storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert opened.publication.definition.pictures[0].alt == {"en": "A glass of wine"}
