"""A database and a backup of each released version are read by this one, and give the same estimates."""

import json
import lzma
import re
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


def to_twelve_digits(table):
    """Round the numbers of a table and leave all else as it is: their last digits are the processor's."""
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.12g}", table)


@pytest.mark.parametrize("kept", ["given", "restored"])
def test_what_a_version_has_written_is_served_with_the_same_estimates(request, released, kept, browser_of):
    database = request.getfixturevalue(kept)
    app = create_app(Config(database=database))
    app.extensions["candor"].storage.write(accounts.create, "ada", "a long enough password", "admin")
    browser = browser_of(app)
    browser.sign_in("ada", "a long enough password")
    expected = json.loads((released / "estimates.json").read_text())
    assert len(expected) == 4
    for slug, table in expected.items():
        assert table.startswith("\ufeffsurvey,"), slug
        served = browser.get(f"/results/{slug}/estimates.csv").text
        assert to_twelve_digits(served) == to_twelve_digits(table), slug
    app.extensions["candor"].storage.close()
    checked = CliRunner().invoke(main, ["verify", "--database", str(database)])
    assert checked.exit_code == 0, checked.output
