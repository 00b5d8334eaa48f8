"""A database from before there were kinds of question: it opens unchanged, and its surveys go on.

databases/yes_no_only.sql is what `Connection.iterdump` gave of such a database: `exams` is open with 13
respondents and a step of 5, `finished` is closed with 7, and `half` is a draft.
"""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server import create_app
from server.config import Config
from server.store import readings, showing, submissions, surveys
from server.store.sqlite.counts import read_counts
from server.store.sqlite.file import connect
from server.store.sqlite.migrations import migrations
from server.store.submissions import Submission
from survey.publication import load
from survey.record import layout_of

OLD = (Path(__file__).parent / "databases" / "yes_no_only.sql").read_text(encoding="utf-8")
FINGERPRINTS = {
    "exams": "79d989a86ebacb7b7c37ca5ef6ed191ce473e29a1e193eeb84c3b5d64eb63026",
    "finished": "e54a1af785adcf290f4805b5c6cca39bf8dea5bc77868601ebff8cb38ae4a477",
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "candor.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD)
    return path


@pytest.fixture
def older(path, clock):
    """An application of today on the database of then."""
    return create_app(Config(database=path), clock)


@pytest.fixture
def old_storage(older):
    return older.extensions["candor"].storage


@pytest.mark.parametrize("slug", FINGERPRINTS)
def test_its_publications_are_read_byte_for_byte(old_storage, slug):
    ((data, fingerprint),) = old_storage.read(
        lambda db: db.execute(
            "SELECT json, fingerprint FROM publications JOIN surveys ON id = survey_id WHERE slug = ?", [slug]
        ).fetchall()
    )
    publication = old_storage.read(surveys.by_slug, slug).publication
    assert (publication.json, publication.fingerprint) == (data, fingerprint)
    assert fingerprint == FINGERPRINTS[slug]
    published = [each["columns"][0] for each in json.loads(data)["questions"]]
    for column, entry in zip(publication.columns.values(), published, strict=True):
        assert column.channel.weights.tolist() == entry["weights"]
        assert (column.codes, column.by_hand, column.skip_code) == (2, None, None)


def test_its_results_are_those_that_were_shown(old_storage):
    shown = old_storage.read(showing.results, old_storage.read(surveys.by_slug, "exams"))
    assert shown.counts == {"copied": [3, 7], "bought": [1, 9], "data": [8, 2]}
    final = old_storage.read(showing.results, old_storage.read(surveys.by_slug, "finished"))
    assert final.counts == {"copied": [4, 3], "bought": [3, 4], "data": [2, 5]}


def test_its_open_survey_shows_the_same_definition_and_takes_reports(older, old_storage):
    client = older.test_client()
    page = client.get("/s/exams")
    island = re.search(rb'id="definition">(.*?)</script>', page.data, re.DOTALL)[1]
    assert load(island).fingerprint == FINGERPRINTS["exams"]
    survey = old_storage.read(surveys.by_slug, "exams")
    receipt, record = old_storage.read(lambda db: next(db.reports.records(1, survey.publication)))
    codes = layout_of(survey.publication).unpack(record)
    body = codes | {"fingerprint": FINGERPRINTS["exams"], "receipt": receipt.hex()}
    headers = {"Sec-Fetch-Site": "same-origin"}
    outcomes = [
        re.search(r'data-outcome="(\w+)"', client.post("/s/exams", data=sent, headers=headers).text)[1]
        for sent in (body, body | {"copied": 1 - codes["copied"]}, body | {"receipt": "ab" * 16})
    ]
    assert outcomes == ["stored", "different", "stored"]
    closed = old_storage.write(surveys.close_survey, 1)
    old_storage.finish()
    assert old_storage.read(showing.results, closed).respondents == 14
    assert len(readings.noisy_reports(old_storage, closed)) == 14


def test_its_draft_is_still_a_draft(old_storage):
    draft = old_storage.read(surveys.by_slug, "half")
    assert (draft.state, draft.draft["title"]) == ("draft", {"en": "Half"})


def test_its_open_survey_takes_nothing_back_of_what_it_showed(old_storage):
    fields = ("copied", "bought", "data")
    shown, memory = [10], {}
    for number in range(13):
        submission = Submission(1, FINGERPRINTS["exams"], f"{number:032x}", dict.fromkeys(fields, 1))
        assert old_storage.write(submissions.record, [submission], "2026-05-04", memory) == ["stored"]
        survey = old_storage.read(surveys.by_slug, "exams")
        shown.append(old_storage.read(showing.results, survey).respondents)
    # The 15th came with the second, and 10 are shown once more; then what is shown lags one step of 5.
    assert shown == [10] * 7 + [15] * 5 + [20] * 2


def test_its_closed_surveys_keep_nobody_apart_and_stay_final(path, clock):
    with closing(connect(path)) as db:
        migrations.apply(db, stop_before="nobody_apart_once_closed")
        # As closing left them then: one step behind.
        db.execute(
            "UPDATE tallies SET published = count, pending = count - 1 WHERE survey_id = 1 AND count > 0"
        )
        db.execute("UPDATE surveys SET state = 'closed' WHERE id = 1")
    create_app(Config(database=path), clock)
    with closing(connect(path)) as db:
        for survey_id in (1, 2):
            counts = read_counts(db, survey_id)
            assert counts.counted.tolist() == counts.published.tolist()
        with pytest.raises(sqlite3.IntegrityError, match="counts of a closed survey are final"):
            db.execute("UPDATE counts SET published = zeroblob(length(published))")
