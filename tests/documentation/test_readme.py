"""The README says what is so: its numbers come out, its files exist; `test_site_blocks` has its commands."""

import hashlib
import json
import math
import re
import secrets
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import blocks

from server import create_app
from server.config import Config
from server.store import surveys
from server.store.results import survey_results
from survey.channel import TOTAL
from survey.estimate import estimate_proportions
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.interval import proportion_intervals
from survey.mechanisms import spinner_coin
from survey.publication import publish
from survey.randomize import randomize
from survey.read_definition import parse
from survey.record import layout_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILE = ROOT / ".docs/reference/survey_file.md"
(TOML,) = (block.text for block in blocks(FILE.read_text(encoding="utf-8")) if block.name)
PUBLICATION = publish(parse(TOML, FILE.name))
CHANNEL = PUBLICATION.columns["copied"].channel
PROMISED = (ROOT / ".github/PROMISES.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8")
PATHS = sorted(
    set(
        re.findall(
            r"(?<![\w./])((?:survey|server|static|tests|templates|\.ci|\.docs|\.github)/[\w./]*)\b/?",
            README + PROMISED + CONTRIBUTING,
        )
    )
)


def test_it_opens_with_the_two_commands():
    commands = re.findall(r"^\$ pip install uv && (.+)$", README, re.MULTILINE)
    assert commands == ["uv run candor demo", "uv run tests/run"]


def test_its_pictures_are_light():
    pictures = re.findall(r"!\[[^]]+\]\((.+?)\)", README)
    assert len(pictures) == 3
    assert all((ROOT / picture).stat().st_size <= 40_000 for picture in pictures)


def test_the_survey_file_has_the_questions_that_the_walk_follows():
    assert [question.kind for question in PUBLICATION.definition.questions] == ["yes_no", "number"]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path):
    assert (ROOT / path).exists()


PROMISES = re.findall(r"^\| (\d\. .+?) \| (`.+`) \| .+ \|$", PROMISED, re.MULTILINE)
SHOWN_BY = sorted({command for _, tests in PROMISES for command in re.findall("`(.+?)`", tests)})


def test_each_promise_takes_a_line_and_names_elsewhere_what_holds_it():
    promises = re.findall(r"^(\d\. )\*\*(.+)\.\*\*$", README, re.MULTILINE)
    assert len(promises) == len(PROMISES) == 6
    for (number, title), (in_full, _) in zip(promises, PROMISES, strict=True):
        assert in_full.startswith(number + title)


@pytest.mark.parametrize("command", SHOWN_BY)
def test_what_holds_a_promise_exists_and_runs_as_it_is_written(command):
    path, *words = shlex.split(command)
    assert (ROOT / path).exists()
    if words:
        listed = [sys.executable, path, "--list", *words]
        found = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60)
        assert {f"{word} on {engine}" for word in words for engine in ("sqlite", "postgresql")} == set(
            found.stdout.splitlines()
        )


def test_it_fits_a_stranger_s_patience():
    assert len(README.split()) <= 900


# The walk of one answer, row by row: every sample is what really comes out.


def row(number):
    """The row of the walk: what happens, where, and the sample."""
    (found,) = re.findall(rf"^\| {number} \| (.+) \| (.+) \| (.+) \|$", README, re.MULTILINE)
    return found


@pytest.fixture
def opened(tmp_path):
    """The survey of the walk on a server, open."""
    app = create_app(Config(database=tmp_path / "candor.db"))
    storage = app.extensions["candor"].storage
    survey = storage.write(surveys.import_definition, PUBLICATION.definition)
    return app, storage, storage.write(surveys.open_survey, survey.id)


def send(app, publication, **codes):
    """Send a submission as the page does."""
    reports = {"drinks": "0" * len(str(publication.columns["drinks"].codes - 1)), **codes}
    body = {"fingerprint": publication.fingerprint, "receipt": secrets.token_hex(16), **reports}
    return app.test_client().post("/s/student-health", data=body, headers={"Sec-Fetch-Site": "same-origin"})


def test_rows_1_and_2_the_settings_become_integers():
    _, where, sample = row(1)
    assert "definition" in where
    assert all(setting in TOML for setting in re.findall(r"`([^`]+)`", sample))
    assert str(CHANNEL.weights.tolist()) == row(2)[2].strip("`")
    assert CHANNEL.weights.tolist() == spinner_coin(1.0).weights.tolist()


def test_row_3_the_fingerprint_is_that_of_the_survey_file(opened):
    app, _, survey = opened
    shown = row(3)[2].strip("`…")
    assert survey.publication.fingerprint.startswith(shown)
    assert hashlib.sha256(survey.publication.json).hexdigest().startswith(shown)
    assert shown in app.test_client().get("/s/student-health").text


def test_row_4_the_bright_side_follows_from_the_integers():
    weights = CHANNEL.weights
    bright = (weights[1, 1] - weights[0, 1]) / TOTAL
    assert row(4)[2] == f"{bright:.1%} bright".replace("%", " %")
    e = math.exp(1)
    assert bright == pytest.approx((e - 1) / (e + 1), abs=1e-8)


def test_row_5_nothing_in_the_page_that_holds_an_answer_is_in_the_form(opened):
    app, _, _ = opened
    page = app.test_client().get("/s/student-health").text
    (form,) = re.findall(r"<form.*?</form>", page, re.DOTALL)
    assert "<input" not in form
    assert not re.search(r"""\bname\b\s*[:=]""", (ROOT / "static/js/kinds/yes_no.js").read_text())


def test_row_6_the_word_gives_the_report():
    word, report = re.search(r"word (\d+) → (no|yes)", row(6)[2]).groups()
    yes = ("no", "yes").index(row(5)[2])
    assert ("no", "yes")[randomize(CHANNEL, yes, int(word))] == report


def test_rows_7_and_8_the_bytes_sent_become_the_row_and_the_counts(opened):
    app, storage, survey = opened
    name, code = row(7)[2].strip("`").split("=")
    assert send(app, survey.publication, **{name: code}).status_code == 200
    column, stored = re.fullmatch(r"`(\w+)` (\d)", row(8)[2]).groups()
    layout = layout_of(survey.publication)
    ((_, record),) = storage.read(lambda db: list(db.reports.records(survey.id, survey.publication)))
    assert layout.unpack(record)[column] == int(stored) == int(code)
    counts = storage.read(lambda db: db.reports.counts(survey.id, survey.publication))
    assert layout.by_column(counts)[column] == [1, 0]


def test_row_9_the_formula_gives_the_share_and_the_interval():
    found = re.fullmatch(r"(\d+) yes of (\d+): ([\d.]+), from ([\d.]+) to ([\d.]+)", row(9)[2]).groups()
    yes, people = map(int, found[:2])
    p = (math.e - 1) / (math.e + 1)
    assert f"{(yes / people - 0.5 * (1 - p)) / p:.2f}" == found[2]
    counts = [people - yes, yes]
    assert f"{estimate_proportions(CHANNEL, counts).proportions[1]:.2f}" == found[2]
    interval = proportion_intervals(CHANNEL, counts)[1]
    assert (f"{interval.low:.2f}", f"{interval.high:.2f}") == found[3:]


def test_row_10_the_download_names_what_the_estimate_came_from(opened):
    app, storage, survey = opened
    send(app, survey.publication, copied="0")
    storage.write(surveys.close_survey, survey.id)
    closed, results = storage.read(survey_results.survey_with_results, "student-health")
    precision = Precision(0.95, "exact", False)
    figures = figures_of(closed.slug, closed.state, closed.publication, results, precision)
    first = dict(zip(header(figures), next(iter(rows(figures))), strict=True))
    assert first["epsilon"] == CHANNEL.epsilon
    assert first["fingerprint"] == survey.publication.fingerprint
    assert (first["method"], first["confidence_level"]) == ("exact", 0.95)
    assert json.loads(first["channel"]) == CHANNEL.probabilities[0].tolist()
    assert any(str(rule).endswith(f"/{row(10)[2].strip('`')}") for rule in app.url_map.iter_rules())
