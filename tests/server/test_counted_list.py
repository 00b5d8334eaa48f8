"""The list of what was counted: who kept a receipt finds a row in it, and misses one that was changed."""

import io
import json
import random
import sqlite3
import zipfile
from contextlib import closing, contextmanager
from hashlib import sha256

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from server.cli import main
from server.language.catalogue import LANGUAGES, say
from server.store import counted_lists, submissions, surveys
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.results import counted_leaves
from server.store.staff import audit, audit_chain
from server.store.staff.audit import LineFilter
from server.store.storage import storage_at
from server.store.submissions import Submission
from server.store.upkeep import backup, verification
from survey.counted_list import (
    HASH,
    LEAST,
    SHEET,
    bits_of,
    count_starts,
    half_of,
    leaf_of,
    path_of,
    prefix_bits,
    root_of,
    salt_of,
    sheets_of,
)

DAY = "2026-05-04"


def as_rfc_6962_says(leaves):
    """The root, from its definition there."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256().digest()
    half = half_of(len(leaves))
    left, right = as_rfc_6962_says(leaves[:half]), as_rfc_6962_says(leaves[half:])
    return sha256(b"\1" + left + right).digest()


def root_by_path(total, start, leaves, path):
    """The root that neighbouring leaves and their path lead to, as the page computes it."""
    left, end = iter(path), start + len(leaves)

    def node(low, high):
        if high <= start or low >= end:
            return next(left)
        if low >= start and high <= end:
            return root_of(leaves[low - start : high - start])
        half = low + half_of(high - low)
        return sha256(b"\1" + node(low, half) + node(half, high)).digest()

    root = node(0, total)
    assert next(left, None) is None
    return root


def some(count, seed=5):
    draw = random.Random(seed)
    return sorted(draw.randbytes(HASH) for _ in range(count))


@pytest.mark.parametrize("count", [*range(20), 63, 64, 65, 1023, 1024, 1025, 2500])
def test_root_and_paths_are_those_of_the_rfc(count):
    leaves, draw = some(count), random.Random(count)
    root = root_of(leaves)
    assert root == as_rfc_6962_says(leaves)
    assert not leaves or root_of([root_of(sheet) for sheet in sheets_of(leaves)]) == root
    for _ in range(min(count, 8)):
        start = draw.randrange(count)
        few = leaves[start : start + draw.randint(1, count - start)]
        path = path_of(count, start, len(few), lambda low, high: root_of(leaves[low:high]))
        assert root_by_path(count, start, few, path) == root
        assert len(path) <= 2 * count.bit_length()


def prefix_of(leaves, least):
    """The bits of a prefix of leaves that are known one by one."""
    bits = bits_of(len(leaves), least)
    return prefix_bits(count_starts(b"".join(leaves), bits), least)


@pytest.mark.parametrize("count", [1, 63, 64, 127, 128, 200, 1000, 20_000])
@pytest.mark.parametrize("least", [LEAST, 200])
def test_the_prefix_is_the_longest_with_which_nobody_is_among_fewer(count, least):
    leaves = some(count)
    bits = prefix_of(leaves, least)

    def fewest(bits):
        groups = [0] * 2**bits
        for leaf in leaves:
            groups[int.from_bytes(leaf) >> 8 * HASH - bits] += 1
        return min(groups)

    assert bits == 0 or fewest(bits) >= least
    assert fewest(bits + 1) < least


def test_a_long_answer_is_not_offered():
    assert prefix_of(some(40_000), 40_000) is None
    assert prefix_of([], LEAST) is None
    assert prefix_of(some(20_000), 40_000) == 0


# As it is stored.


@pytest.fixture
def filled(app, survey_file):
    """Open a survey, and let so many respondents come; the reports that they sent, by receipt."""
    storage = app.extensions["candor"].storage

    def filled(count, slug="exams", close=True, step=10, **plan):
        draft = storage.write(surveys.create_draft, survey_file(slug, results={"step": step}))
        if plan:
            storage.write(life.schedule, draft.id, Schedule(**plan), 0)
        survey = storage.write(surveys.open_survey, draft.id)
        draw = random.Random(count)
        sent = {
            draw.randbytes(16).hex(): {"copied": draw.randrange(2), "data": draw.randrange(2)}
            for _ in range(count)
        }
        fingerprint = survey.publication.fingerprint
        batch = [Submission(survey.id, fingerprint, receipt, codes) for receipt, codes in sent.items()]
        assert set(storage.write(submissions.record, batch, DAY)) <= {"stored"}
        if close:
            storage.write(surveys.close_survey, survey.id)
            storage.finish()
        return survey, sent

    return filled


@pytest.fixture
def kept(app):
    return app.extensions["candor"].storage


def own_leaf(receipt, codes):
    return leaf_of(salt_of(bytes.fromhex(receipt)), bytes(codes.values()))


@pytest.mark.engines
@pytest.mark.parametrize("count", [0, 1, 700, 2300])
def test_after_closing_every_row_is_found_by_its_first_bits(filled, kept, count, monkeypatch):
    survey, sent = filled(count)
    made = kept.read(counted_lists.of, survey.id)
    leaves = sorted(own_leaf(*each) for each in sent.items())
    assert [leaf for sheet in counted_lists.sheets(kept, survey.id) for leaf in sheet] == leaves
    assert (made.leaves, made.root) == (count, root_of(leaves).hex())
    assert made.bits == prefix_of(leaves, LEAST)
    read, sheet_at = [], counted_leaves.sheet_at
    monkeypatch.setattr(counted_leaves, "sheet_at", lambda *asked: read.append(asked[-1]) or sheet_at(*asked))
    for prefix in range(2**made.bits if count else 0):
        read.clear()
        start, few, path = kept.read(counted_leaves.leaves_with, made, prefix, made.bits)
        assert few == [leaf for leaf in leaves if int.from_bytes(leaf) >> 8 * HASH - made.bits == prefix]
        assert len(few) >= min(LEAST, count)
        assert leaves[start] == few[0]
        assert root_by_path(count, start, few, path).hex() == made.root
        if start % SHEET:  # before the first leaf of a sheet, another may end with the same bits
            assert read == [*range(start // SHEET, (start + len(few) - 1) // SHEET + 1)]


@pytest.mark.engines
def test_whoever_asks_is_among_as_many_as_a_step_of_the_results(filled, kept):
    survey, sent = filled(900, step=200)
    leaves = [own_leaf(*each) for each in sent.items()]
    assert kept.read(counted_lists.of, survey.id).bits == prefix_of(leaves, 200) < prefix_of(leaves, LEAST)


@pytest.fixture
def dying(monkeypatch):
    """Let a server write the sheets of a list, and end before it writes the list."""

    @contextmanager
    def dying():
        with monkeypatch.context() as patch:
            patch.setattr(counted_lists, "put", lambda *_: None)
            yield

    return dying


@pytest.mark.engines
def test_a_list_that_was_half_made_is_made_and_one_that_is_there_stays(filled, kept, dying):
    with dying():
        survey, sent = filled(1500)
    assert kept.read(counted_lists.of, survey.id) is None
    for _ in range(2):
        counted_lists.make(kept, survey.id)
    leaves = sorted(own_leaf(*each) for each in sent.items())
    assert kept.read(counted_lists.of, survey.id).root == root_of(leaves).hex()
    assert [leaf for sheet in counted_lists.sheets(kept, survey.id) for leaf in sheet] == leaves


@pytest.mark.engines
def test_no_list_is_made_of_reports_that_are_not_to_be_had(filled, kept, survey_file, dying):
    with dying():
        removed, _ = filled(20, "removed")
    kept.write(life.schedule, removed.id, Schedule(remove_at=1), 0)
    kept.write(lambda db: db.execute("UPDATE life SET removed = 1 WHERE remove_at = 1"))
    draft = kept.write(surveys.create_draft, survey_file("draft"))
    unfinished, _ = filled(20, "unfinished", close=False)
    kept.write(surveys.close_survey, unfinished.id)
    for number in (99, draft.id, unfinished.id, removed.id):
        with pytest.raises(counted_lists.NotToBeHad):
            kept.read(counted_lists.part_of, number, None)
        counted_lists.make(kept, number)
        assert kept.read(counted_lists.of, number) is None


# What people get.


@pytest.fixture
def client(app):
    return app.test_client()


def asked(client, leaf, bits):
    """The leaves with the same first bits, and the root above, as the page gets them."""
    prefix = f"{int.from_bytes(leaf):0256b}"[:bits]
    answer = client.get(f"/s/exams/counted/leaves-{prefix}")
    assert answer.status_code == 200
    total, start, count = (int.from_bytes(answer.data[at : at + 4]) for at in (0, 4, 8))
    hashes = [answer.data[at : at + HASH] for at in range(12, len(answer.data), HASH)]
    return hashes[:count], root_by_path(total, start, hashes[:count], hashes[count:]).hex()


@pytest.mark.engines
def test_everybody_gets_the_same_page_and_few_get_the_same_leaves(filled, kept, client):
    survey, sent = filled(700)
    made = kept.read(counted_lists.of, survey.id)
    before = kept.read(submissions.days, survey.id)
    page = client.get("/s/exams/counted")
    assert (page.status_code, page.headers.getlist("Set-Cookie")) == (200, [])
    for headers in ({"Accept-Language": "ko"}, {"User-Agent": "other", "Cookie": "a=b"}):
        assert client.get("/s/exams/counted", headers=headers).data == page.data
    assert f'data-root="{made.root}" data-bits="{made.bits}"' in page.text
    assert "in the list that was counted" in page.text
    assert "counted right" in page.text
    assert client.get("/s/exams/counted", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304
    for receipt, codes in [*sent.items()][:20]:
        leaves, root = asked(client, own_leaf(receipt, codes), made.bits)
        assert (own_leaf(receipt, codes) in leaves, root) == (True, made.root)
        assert LEAST <= len(leaves) <= 4 * LEAST
    assert kept.read(submissions.days, survey.id) == before  # nobody is counted


def test_a_browser_asks_whether_the_list_is_still_the_same_and_keeps_what_it_has(filled, client):
    filled(20)
    for address in ("/s/exams/counted", "/s/exams/counted/leaves-"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
        again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert answer.mimetype == "application/octet-stream"


def test_the_page_says_how_many_share_what_is_asked_for(filled, client):
    filled(900, step=200)
    filled(700, "others", step=10)
    for slug, least in (("exams", 200), ("others", LEAST)):
        assert f"At least {least} rows share" in client.get(f"/s/{slug}/counted").text


def test_the_page_says_how_many_bytes_the_code_of_each_column_takes(kept, client, survey_file):
    grid = {"kind": "number", "mechanism": "laplace", "epsilon": 1.0, "low": 0, "step": 1}
    questions = [
        {"id": f"to_{high}", "wording": {"en": "How many?"}, "high": high, **grid} for high in (255, 256)
    ]
    draft = kept.write(surveys.create_draft, survey_file(questions=questions))
    survey = kept.write(surveys.open_survey, draft.id)
    codes = dict.fromkeys(survey.publication.columns, 0)
    one = Submission(survey.id, survey.publication.fingerprint, "ab" * 16, codes)
    kept.write(submissions.record, [one], DAY)
    kept.write(surveys.close_survey, survey.id)
    kept.finish()
    assert 'data-columns="1 2"' in client.get("/s/exams/counted").text


def test_while_the_database_is_away_the_list_is_told_as_busy(filled, kept, client):
    filled(20)
    kept.path.rename(kept.path.with_name("away.db"))
    answers = [client.get(f"/s/exams/counted{more}") for more in ("", "/leaves-")]
    assert [(each.status_code, each.headers["Retry-After"]) for each in answers] == [(503, "5")] * 2
    assert all(say(code, "unavailable.busy.title") in each.text for each in answers for code in LANGUAGES)


@pytest.mark.engines
def test_a_thousand_rows_that_were_dropped_or_changed_are_all_missed(filled, kept, client, monkeypatch):
    """The reports are replaced before the list is made, as a dishonest server would."""
    draw = random.Random(6)

    def dishonest(*arguments, part_of=counted_lists.part_of):
        block, place = part_of(*arguments)
        return [
            (receipt, row if receipt.hex() not in touched else bytes([row[0] ^ 1, *row[1:]]))
            for receipt, row in block
            if touched.get(receipt.hex()) != "dropped"
        ], place

    survey, sent = filled(2000, close=False)
    touched = {receipt: draw.choice(["dropped", "changed"]) for receipt in draw.sample(sorted(sent), 1000)}
    monkeypatch.setattr(counted_lists, "part_of", dishonest)
    kept.write(surveys.close_survey, survey.id)
    kept.finish()
    made = kept.read(counted_lists.of, survey.id)
    missed, cache = set(), {}
    for receipt, codes in sent.items():
        leaf = own_leaf(receipt, codes)
        bits = f"{int.from_bytes(leaf):0256b}"[: made.bits]
        leaves, root = cache[bits] = cache.get(bits) or asked(client, leaf, made.bits)
        assert root == made.root
        if leaf not in leaves:
            missed.add(receipt)
    assert missed == set(touched)


def test_nobody_asks_for_more_or_fewer_bits_or_for_what_is_not_there(filled, kept, client, survey_file):
    survey, _ = filled(700)
    bits = kept.read(counted_lists.of, survey.id).bits
    for wrong in ("0" * (bits + 1), "0" * (bits - 1), "2" * bits, "", "%00" * bits):
        assert client.get(f"/s/exams/counted/leaves-{wrong}").status_code == 404
    kept.write(surveys.open_survey, kept.write(surveys.create_draft, survey_file("open")).id)
    kept.write(surveys.create_draft, survey_file("draft"))
    pages = [client.get(f"/s/{slug}/counted") for slug in ("open", "draft", "none")]
    assert {page.status_code for page in pages} == {404}
    assert len({page.data for page in pages}) == 1
    assert client.get("/s/open/counted/leaves-").status_code == 404


@pytest.mark.engines
def test_the_list_stays_when_reports_are_removed_and_goes_with_the_survey(filled, kept, client):
    survey, sent = filled(700)
    before = client.get("/s/exams/counted").data
    made = kept.read(counted_lists.of, survey.id)
    kept.write(life.schedule, survey.id, Schedule(remove_at=1), 0)
    kept.write(lambda db: db.reports.remove(survey.id))
    kept.finish()
    assert client.get("/s/exams/counted").data == before
    receipt, codes = next(iter(sent.items()))
    assert own_leaf(receipt, codes) in asked(client, own_leaf(receipt, codes), made.bits)[0]
    assert list(verification.verify_surveys(kept)) == [("exams", None, [])]
    kept.write(surveys.delete_survey, survey.id)
    kept.finish()
    assert client.get("/s/exams/counted").status_code == 404
    count = "SELECT (SELECT count(*) FROM leaf_sheets) + (SELECT count(*) FROM counted_lists)"
    assert kept.read(lambda db: db.execute(count).fetchone()) == (0,)


@pytest.mark.engines
def test_reports_are_not_removed_before_the_list_is_made(filled, kept, app, clock):
    moment = int(clock().timestamp())
    survey, _ = filled(20, close=False, closes_at=moment - 2, remove_at=moment - 1)
    scheduler = app.extensions["candor"].scheduler
    for _ in range(2):
        scheduler.turn()
    noted = kept.read(life.of, survey.id)
    assert (noted.closed_by, noted.removed) == ("date", False)
    kept.finish()
    scheduler.turn()
    assert kept.read(life.of, survey.id).removed
    assert kept.read(counted_lists.of, survey.id).leaves == 20


def lines(storage):
    return [(line.who, line.what, line.about) for line in storage.read(audit.lines, LineFilter())]


@pytest.mark.engines
def test_the_audit_log_has_the_root_and_after_a_quota_only_on_the_next_day(
    filled, kept, app, clock, survey_file
):
    scheduler = app.extensions["candor"].scheduler
    survey, _ = filled(20)
    scheduler.turn()
    root = kept.read(counted_lists.of, survey.id).root
    assert lines(kept) == [("after closing", "list_made", root)]
    full, _ = filled(30, "full", close=False, quota=30)
    scheduler.turn()
    kept.finish()
    other = kept.read(counted_lists.of, full.id).root
    assert kept.read(life.of, full.id).closed_by == "quota"
    for _ in range(14):  # until the hour before midnight
        scheduler.turn()
        assert lines(kept) == [("after closing", "list_made", root)]
        clock.forward(3600)
    clock.forward(3600)
    scheduler.turn()
    scheduler.turn()
    draft = kept.write(surveys.create_draft, survey_file("draft"))
    for number in (survey.id, full.id, draft.id):  # as another server does at the same time, or too late
        kept.write(counted_lists.note, number)
    assert lines(kept) == [("after closing", "list_made", each) for each in (other, root)]
    assert audit_chain.first_fault(kept.read(audit_chain.chain)) is None


@pytest.mark.engines
def test_a_backup_holds_the_list(filled, kept, database, tmp_path):
    survey, _ = filled(1500)
    made = kept.read(counted_lists.of, survey.id)
    backup.back_up(database, tmp_path / "backup.zip")
    for anew in (False, True):
        backup.restore(tmp_path / "backup.zip", tmp_path / f"{anew}.db", anew=anew)
        with closing(storage_at(tmp_path / f"{anew}.db")) as restored:
            assert restored.read(counted_lists.of, survey.id) == made
            assert list(verification.verify_surveys(restored)) == [("exams", 1500, [])]
            assert restored.deviations() == []


CHANGES = {
    "a leaf": "UPDATE leaf_sheets SET hashes = first",
    "a sheet": "DELETE FROM leaf_sheets",
    "a root": "UPDATE counted_lists SET root = '{0}'",
    "a list": "DELETE FROM counted_lists",
    "another sheet": "INSERT INTO leaf_sheets SELECT survey_id, 9, first, root, hashes FROM leaf_sheets",
    "another list": "INSERT INTO counted_lists (survey_id, root, leaves) VALUES (1, '{0}', 1)",
    "noted no more": "UPDATE counted_lists SET noted = 1; UPDATE counted_lists SET noted = 0",
}


@pytest.mark.engines
def test_nobody_changes_a_list(filled, kept):
    filled(70)

    def refused(statement):
        def change(db):
            for part in statement.format("0" * 64).split(";"):
                db.execute(part)

        try:
            kept.write(change)
        except Exception as refusal:  # noqa: BLE001  # each engine has its own
            return "list of what was counted" in str(refusal)
        return False

    assert [name for name, statement in CHANGES.items() if not refused(statement)] == []


def test_verify_names_a_list_that_is_not_that_of_the_reports(filled, kept):
    filled(70)
    with closing(sqlite3.connect(kept.path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER leaf_sheets_never_change")
        db.execute("UPDATE leaf_sheets SET hashes = CAST(substr(hashes, 33) || first AS BLOB)")
    ((slug, _, faults),) = verification.verify_surveys(kept)
    assert (slug, faults[0].startswith("the list that was counted has another root than ")) == ("exams", True)


# What those get who may download reports.


def test_the_downloaded_rows_give_the_root_and_the_estimates(browse, storage, publish_exams, tmp_path):
    publish_exams(respondents=300)
    survey = storage.read(surveys.by_slug, "exams")
    made = storage.read(counted_lists.of, survey.id)
    storage.write(counted_lists.note, survey.id)
    ada = browse("admin")
    heading, *rows = ada.get("/results/exams/counted.csv").text.splitlines()
    assert heading == "leaf-salt,copied,data"
    leaves = [
        leaf_of(bytes.fromhex(salt), bytes(map(int, codes)))
        for salt, *codes in (row.split(",") for row in rows)
    ]
    assert leaves == sorted(leaves)
    assert root_of(leaves).hex() == made.root
    for name in ("survey.toml", "counted.csv", "reports.csv"):
        (tmp_path / name).write_bytes(ada.get(f"/results/exams/{name}").data)
    estimates = [
        CliRunner().invoke(
            main, ["estimate", "--survey", f"{tmp_path}/survey.toml", "--reports", f"{tmp_path}/{name}"]
        )
        for name in ("counted.csv", "reports.csv")
    ]
    assert {each.exit_code for each in estimates} == {0}
    assert estimates[0].stdout == estimates[1].stdout
    with zipfile.ZipFile(io.BytesIO(ada.get("/results/exams/all.zip").data)) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith("datapackage.json")]
        told = json.loads(packed.read(name))["candor"]
        assert told["counted_root"] == made.root
        (line,) = [line for line in storage.read(audit_chain.chain) if line.about == made.root]
        assert told["audit_head"] == line.hash
        order = [",".join(row.split(",")[1:]) for row in rows]
        for name in packed.namelist():
            assert "\r\n".join(order) not in packed.read(name).decode(errors="replace")
    (tmp_path / "reports.sqlite").write_bytes(ada.get("/results/exams/reports.sqlite").data)
    with closing(sqlite3.connect(tmp_path / "reports.sqlite")) as db:
        stored = db.execute("SELECT copied, data FROM reports ORDER BY rowid").fetchall()
    table = pq.read_table(
        io.BytesIO(ada.get("/results/exams/reports.parquet").data), columns=["copied", "data"]
    )
    for rows in (stored, [(row["copied"], row["data"]) for row in table.to_pylist()]):
        assert len(rows) == len(order)
        assert [",".join(map(str, row)) for row in rows] != order
