"""The checks before a commit and the workflow are those of `.ci/run`: there is one list of what must hold."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOP = {"LICENSE", "README.md", "pyproject.toml", "server", "static", "survey", "templates", "tests"}


def test_what_is_checked_before_a_commit_is_checked_by_the_whole_run_too():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    commands = re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE)
    whole = (ROOT / ".ci" / "run").read_text()
    assert len(commands) >= 4
    ends = r"( \.)?( & \w+=\$!)?$"
    assert all(re.search(f"^{re.escape(command)}{ends}", whole, re.MULTILINE) for command in commands)
    assert "://" not in hooks  # nothing is fetched to check a commit


@pytest.mark.parametrize(("workflow", "command"), [("checks", ".ci/run"), ("release", ".ci/release dist")])
def test_a_workflow_runs_what_can_be_run_without_it(workflow, command):
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text()
    assert re.search(rf"^ +- run: {re.escape(command)}$", text, re.MULTILINE)


def test_what_is_installed_has_bounds_and_what_builds_the_wheel_is_exact():
    """Another hatchling writes its version into the wheel; without bounds, a release may not start later."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    exact = re.compile(r"[\w-]+==\d[\d.]*")
    assert all(exact.fullmatch(each) for each in project["build-system"]["requires"])
    bound = re.compile(r"[\w-]+(\[\w+\])?>=\d[\d.]*,<\d[\d.]*")
    optional = project["project"]["optional-dependencies"]
    installed = [*project["project"]["dependencies"], *optional["parquet"], *optional["postgresql"]]
    dated = "tzdata>="  # numbered by the year: no later one breaks an earlier program
    assert [each for each in installed if not bound.fullmatch(each) and not each.startswith(dated)] == []


def test_what_people_read_leads_to_places_that_exist():
    pages = [ROOT / "README.md", *(ROOT / ".github").glob("*.md")]
    link = re.compile(r"\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)")
    links = [(page, *names) for page in pages for names in link.findall(page.read_text())]
    assert {"README.md", "CONTRIBUTING.md", "PROMISES.md"} <= {page.name for page, *_ in links}
    for page, file, anchor in links:
        assert (page.parent / file).exists()
        assert not anchor or anchor in anchors((page.parent / file).read_text())


def anchors(text):
    """Return the anchors that GitHub makes of the headings in a text."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_nothing_else_lies_at_the_top():
    """A browser that a test drives once left its downloads there, and they were committed."""
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    names = {each.name for each in ROOT.iterdir() if not each.name.startswith(".")}
    assert {name for name in names if not any(fnmatch(name, each) for each in ignored)} == TOP
