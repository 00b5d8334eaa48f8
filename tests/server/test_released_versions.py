"""A database and a backup of each released version are read by this one, and give the same estimates."""

import csv
import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner

from server import create_app
from server.cli import main
from server.config import Config
from server.store.staff import accounts

RELEASED = sorted(file.parent for file in Path(__file__).parents[1].glob("versions/*/estimates.json"))


@pytest.fixture(params=RELEASED, ids=lambda folder: folder.name)
def released(request):
    return request.param


@pytest.fixture
def given(released, tmp_path):
    """The database as the version left it."""
    database = tmp_path / "demo.db"
    database.write_bytes(lzma.decompress((released / "demo.db.xz").read_bytes()))
    return database


@pytest.fixture
def restored(released, tmp_path):
    """A database that this version makes of the backup."""
    database = tmp_path / "restored.db"
    done = CliRunner().invoke(main, ["restore", str(released / "backup.zip"), "--database", str(database)])
    assert done.exit_code == 0, done.output
    return database


def cells(table):
    """Return the cells of a table, numbers to twelve digits: the last ones are the processor's."""
    return [
        [
            f"{float(cell):.12g}" if cell.count(".") == 1 and cell.strip("-0123456789.e") == "" else cell
            for cell in row
        ]
        for row in csv.reader(table.splitlines())
    ]


@pytest.mark.parametrize("kept", ["given", "restored"])
def test_what_a_version_has_written_is_served_with_the_same_estimates(
    request, released, kept, quick_passwords, browser_of
):
    database = request.getfixturevalue(kept)
    app = create_app(Config(database=database))
    app.extensions["candor"].storage.write(accounts.create, "ada", "a long enough password", "admin")
    browser = browser_of(app)
    browser.sign_in("ada", "a long enough password")
    expected = json.loads((released / "estimates.json").read_text())
    assert len(expected) == 4
    for slug, table in expected.items():
        assert table.startswith("\ufeffsurvey,"), slug
        assert cells(browser.get(f"/results/{slug}/estimates.csv").text) == cells(table), slug
    app.extensions["candor"].storage.close()
    checked = CliRunner().invoke(main, ["verify", "--database", str(database)])
    assert checked.exit_code == 0, checked.output
