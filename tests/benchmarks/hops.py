"""How many of our files a request runs through: Python files of `survey` and `server`, and templates.

Usage: uv run python tests/benchmarks/hops.py [COMMIT] [--list]

Counts the distinct files in which anything is called from a request to its answer, in every thread, when the
server has answered such requests before: the median of ten. The demo's surveys are served as `candor serve`
serves them. With COMMIT, the figures of that commit and the ratio stand beside those of the work tree, except
for saving a draft where forms did it. --list prints the files too.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from servers import TOP, worktree

ROUNDS = 10
CANDOR = (sys.executable, "-P", "-m", "server.cli")
RESPONDENTS = "200"
SURVEY = "exam-honesty"
"""An example with questions for yes or no alone, of which the first two are answered here."""

RESULTS = "undeclared-work"
"""An example that is closed, whose results are read."""

HEADERS = {"Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}

Send = Callable[[], Any]
"""Sends a request of one kind and returns its answer."""


def count(tree: Path, folder: Path) -> dict[str, list[int]]:
    """Count the files for each request, with the code of a tree that this process imports."""
    os.environ["CANDOR_DATABASE"] = str(folder / "candor.db")
    password = make_demo()
    import_draft(tree, folder / "draft.toml")
    files: set[str] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    threading.setprofile(note)  # before the application starts its threads
    from server import create_app

    client = create_app().test_client()
    sign_in(client, password)
    counts: dict[str, list[int]] = {}
    for name, send in requests(client).items():
        send()
        counts[name] = []
        for _ in range(ROUNDS):
            files.clear()
            sys.setprofile(note)
            answer = send()
            sys.setprofile(None)
            assert answer.status_code == 200, answer.text
            counts[name].append(len(ours(files.copy(), tree)))
        if "--list" in sys.argv:
            print(name, *sorted(ours(files.copy(), tree)), sep="\n  ", file=sys.stderr)
    return counts


def import_draft(tree: Path, file: Path) -> None:
    """Make a draft of an example."""
    example = (tree / f"server/examples/{SURVEY}.toml").read_text()
    file.write_text(example.replace(f'slug = "{SURVEY}"', 'slug = "draft"'))
    subprocess.run([*CANDOR, "survey", "import", file], check=True, stdout=subprocess.DEVNULL)


def make_demo() -> str:
    """Make the demo's database, in which its respondents have answered, and return the admin's password."""
    command = [*CANDOR, "demo", "--respondents", RESPONDENTS, "--port", "0", "--database"]
    demo = subprocess.Popen([*command, os.environ["CANDOR_DATABASE"]], stdout=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    password = next(line.split()[-1] for line in demo.stdout if line.startswith("admin "))
    demo.send_signal(signal.SIGINT)
    demo.wait()
    return password


def sign_in(client: Any, password: str) -> None:
    """Sign in as the demo's admin."""
    token = part_of(client.get("/login").text, r'name="csrf_token" value="([^"]+)"')
    answer = client.post("/login", data={"csrf_token": token, "name": "admin", "password": password})
    assert answer.status_code == 302, answer.text


def requests(client: Any) -> dict[str, Send]:
    """Return the requests that are counted, by name."""
    saves = {"autosave": autosave(client)} if find_spec("survey.draft") else {}
    return saves | {
        "editor's page": lambda: client.get("/admin/surveys/draft", headers=HEADERS),
        "results page": lambda: client.get(f"/results/{RESULTS}", headers=HEADERS),
        "submission": submission(client),
    }


def autosave(client: Any) -> Send:
    """Save the draft with another title, as the editor's script does."""
    from survey.draft import unit_hash

    address = "/admin/surveys/draft/draft"
    page = client.get("/admin/surveys/draft").text
    headers = HEADERS | {"X-CSRFToken": part_of(page, r'name="csrf_token" value="([^"]+)"')}
    stored = client.get(address, headers=headers).json
    sent = {"page": secrets.token_hex(8), "number": 0, "seen": stored["hash"]}
    title = stored["document"]["title"]["en"]

    def send() -> Any:
        nonlocal title
        change = {"unit": "title.en", "was": unit_hash(title), "now": f"{title}."}
        title = change["now"]
        sent["number"] += 1
        answer = client.post(address, json=sent | {"changes": [change]}, headers=headers)
        sent["seen"] = answer.json["hash"]
        return answer

    return send


def submission(client: Any) -> Send:
    """Send reports with a new receipt number, as the respondents' page does."""
    page = client.get(f"/s/{SURVEY}").text
    definition = json.loads(part_of(page, r'<script type="application/json" id="definition">(.*?)</script>'))
    reports = "&".join(f"{name}={code}" for name, code in codes(definition))
    fingerprint = part_of(page, r'data-fingerprint="(\w+)"')

    def send() -> Any:
        body = f"fingerprint={fingerprint}&receipt={secrets.token_hex(16)}&{reports}"
        return client.post(
            f"/s/{SURVEY}", data=body, content_type="application/x-www-form-urlencoded", headers=HEADERS
        )

    return send


def codes(definition: Any) -> Iterator[tuple[str, int]]:
    """Yield each column with No, or with 2 where it is not asked; the first of what is drawn are asked."""
    sections = definition["sections"]
    for place, section in enumerate(sections):
        questions = section["questions"]
        for number, question in enumerate(questions):
            asked = place < definition.get("asked", len(sections))
            asked = asked and number < section.get("asked", len(questions))
            yield question["columns"][0]["name"], 0 if asked else 2


def part_of(page: str, pattern: str) -> str:
    """Return the group of a pattern on a page."""
    match = re.search(pattern, page)
    assert match is not None, pattern
    return match[1]


def ours(files: set[str], tree: Path) -> set[str]:
    """Return those of the files that belong to the product in a tree, from its top."""
    paths = {str(Path(file).relative_to(tree)) for file in files if file.startswith(f"{tree}/")}
    return {path for path in paths if path.startswith(("survey/", "server/", "templates/"))}


def count_apart(tree: Path) -> dict[str, float]:
    """Count in a process that imports the code of a tree, and return the medians."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-P", __file__, "--count", folder, *sys.argv[1:]]
        environment = os.environ | {"PYTHONPATH": f"{tree}:{Path(__file__).parent}"}
        printed = subprocess.check_output(command, cwd=tree, env=environment, text=True)
    return {name: statistics.median(counts) for name, counts in json.loads(printed).items()}


def main() -> None:
    """Print the table."""
    commits = [argument for argument in sys.argv[1:] if argument != "--list"]
    now = count_apart(TOP)
    before = {}
    for commit in commits:
        with worktree(commit) as tree:
            before = count_apart(tree)
    for name, files in now.items():
        older = f"{before[name]:6.0f} {files / before[name]:6.2f}" if name in before else ""
        print(f"{name:15}{files:6.0f}{older}")


if __name__ == "__main__":
    if "--count" in sys.argv:
        print(json.dumps(count(Path.cwd(), Path(sys.argv[2]))))
    else:
        main()
