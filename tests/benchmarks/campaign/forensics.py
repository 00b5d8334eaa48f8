"""What respondents bring along and what they answer is in no file: not even for somebody who has the disk.

Marked requests go to a server that is killed among them. Database, journal, logs, backups and exports are
searched, and so is the profile of a browser in which a marked answer was given.
"""

from __future__ import annotations

import random
import re
import shutil
import socket
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from engines import installed
from ledger import SLUG, SURVEY, draw, sizes_of, summary
from respondents import read
from servers import PASSWORD, Server, serving
from spellings import address, files_in, numbers, places, planted, spellings

from server import create_app
from server.config import Config
from server.database import location
from server.store import surveys

ADDRESS = "127.77.93.41"
BROUGHT = {
    "agent": "AgentQx7Wm2Kd9",
    "referer": "RefererZp4Vn8Ht3",
    "cookie": "CookieLr6Yb1Gs5",
    "language": "LanguageFd2Jc7Mw8",
    "forwarded": "ForwardedTk9Xa3Pv4",
    "field": "FieldUh5Eo8Nq1",
    "query": "QueryBi3Sz6Rl7",
}
"""What requests are marked with: what a browser sends, and what somebody may add."""

LOW, STEP, POINTS, CHOSEN = 271_828_183, 1_000_003, 1000, 347
ANSWER = LOW + CHOSEN * STEP
"""A number that nobody writes but the one who is asked: its digits stand on no page."""

NUMBER = {
    "id": "earned",
    "kind": "number",
    "mechanism": "laplace",
    "epsilon": 1.0,
    "low": LOW,
    "high": LOW + POINTS * STEP,
    "step": STEP,
    "wording": {"en": "How much?"},
}
EXPORTS = (
    *("estimates.csv", "estimates.json", "estimates.xlsx", "reports.csv", "reports.sqlite"),
    *("codebook.html", "all.zip"),
)
BROWSER = Path(__file__).parents[2] / "browser"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


def marks() -> dict[str, dict[str, bytes]]:
    """Return everything that is looked for on the server: mark -> spellings."""
    return {"address": address(ADDRESS)} | {name: spellings(mark) for name, mark in BROUGHT.items()}


def ask(port: int, request: str) -> bytes:
    """Send a request from the marked address; return the answer's head, nothing if none came."""
    try:
        source = (ADDRESS, 0)
        with socket.create_connection(("127.0.0.1", port), timeout=10, source_address=source) as line:
            line.sendall(request.encode())
            return read(line)[0]
    except (OSError, ValueError):
        return b""


def request(method: str, path: str, body: str = "") -> str:
    """Write a request with every mark in its head."""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
        f"User-Agent: {BROUGHT['agent']}\r\nReferer: http://localhost/{BROUGHT['referer']}\r\n"
        f"Cookie: a={BROUGHT['cookie']}\r\nAccept-Language: {BROUGHT['language']}\r\n"
        f"X-Forwarded-For: {BROUGHT['forwarded']}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )


def marked(port: int, survey, chance: random.Random) -> int:
    """Send whatever somebody may send, good and bad; return how many good ones were stored."""
    receipt, codes = draw(sizes_of(survey), chance)
    columns = survey.publication.columns.items()
    reports = {
        name: f"{code:0{len(str(column.codes - 1))}}"
        for (name, column), code in zip(columns, codes, strict=True)
    }
    body = urlencode({"fingerprint": survey.publication.fingerprint, "receipt": receipt, **reports})
    good = ask(port, request("POST", f"/s/{SLUG}", body))
    ask(port, request("GET", f"/s/{SLUG}"))
    ask(port, request("GET", f"/s/{SLUG}?language={BROUGHT['query']}"))
    ask(port, request("GET", f"/{BROUGHT['query']}"))
    ask(port, request("POST", f"/s/{SLUG}", f"{body}&{BROUGHT['field']}=1"))
    ask(port, request("POST", f"/s/{SLUG}", body.replace(receipt, BROUGHT["field"])))
    ask(port, request("POST", "/login", urlencode({"name": BROUGHT["field"]})))
    ask(port, request("GET", f"/\0{BROUGHT['query']}"))  # which a server may want to complain about
    return b" 200 " in good


def on_the_server(engine: str, folder: Path) -> tuple[int, list[Path]]:
    """Send marked requests to a server that is killed meanwhile; return how many, and every file."""
    chance, stored = random.Random(1), 0
    with installed(engine) as (installation, survey):
        with serving(installation) as (server,):
            for number in range(4):
                stored += sum(marked(server.port, survey, chance) for _ in range(15))
                with killed_amid(server, request("POST", f"/s/{SLUG}", "a=" + "1" * 400)):
                    snapshot(installation.folder, folder / f"killed-{number}")
            for name, (take, _) in installation.backups().items():
                (backup := installation.folder / name.replace(" ", "-")).mkdir()
                take(backup)
            snapshot(installation.folder, folder / "open")
        storage = installation.storage()
        storage.write(surveys.close_survey, survey.id)
        storage.finish()
        exported(installation, folder)
        snapshot(installation.folder, folder / "closed")
    return stored, files_in(folder)


@contextmanager
def killed_amid(server: Server, request: str) -> Iterator[None]:
    """Kill a server that has just been sent something, and start it again in the end."""
    with socket.create_connection(("127.0.0.1", server.port), source_address=(ADDRESS, 0)) as line:
        line.sendall(request.encode())
        server.kill()
    yield
    server.start()


def snapshot(folder: Path, to: Path) -> None:
    """Copy the files of an installation, which may come and go meanwhile."""
    for number, file in enumerate(files_in(folder)):
        (kept := to / str(number)).mkdir(parents=True)
        with suppress(FileNotFoundError):
            shutil.copy(file, kept / file.name)


def exported(installation, folder: Path) -> None:
    """Download everything that staff can download."""
    client = create_app(Config(database=location(installation.address)), create=False).test_client()
    page = client.get("/login").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
    client.post("/login", data={"csrf_token": token, "name": "ada", "password": PASSWORD})
    for name in EXPORTS:
        answer = client.get(f"/results/{SLUG}/{name}")
        assert answer.status_code == 200, (name, answer.status_code)
        (folder / name).write_bytes(answer.data)
        if zipfile.is_zipfile(folder / name):  # nothing can be found in what is packed
            shutil.unpack_archive(folder / name, folder / f"{name} unpacked", "zip")


def in_the_browser(engine: str, folder: Path) -> list[Path]:
    """Give a marked answer in two browsers, which send it or leave; return the files that they left."""
    sys.path.append(str(BROWSER))
    from pages import Respondent
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with installed(engine) as (installation, _), serving(installation) as (server,):
        table = SURVEY | {"slug": "earned", "questions": [NUMBER], "outcome": "before"}
        installation.storage().write(lambda db: surveys.open_survey(db, surveys.create_draft(db, table).id))
        for name in ("sends", "leaves"):
            options = webdriver.ChromeOptions()
            for flag in (*FLAGS, f"--user-data-dir={folder / name}"):
                options.add_argument(flag)
            browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
            try:
                respondent = Respondent(browser)
                respondent.visit(f"http://127.0.0.1:{server.port}/s/earned")
                respondent.consent()
                respondent.enter(ANSWER)
                if name == "sends":
                    assert respondent.use() != [CHOSEN]
                    respondent.wait_for("review")
                    respondent.send()
                    browser.get(f"http://127.0.0.1:{server.port}/learn")
                    browser.back()
                else:
                    browser.get(f"http://127.0.0.1:{server.port}/learn")
            finally:
                browser.quit()
        snapshot(installation.folder, folder / "installation")
    return files_in(folder)


def table(engine: str) -> bool:
    """Print what was searched and found; return whether nothing was."""
    print("searched                          marks  spellings  files      bytes  found")
    well = True
    answer = {"answer": numbers(ANSWER)}
    for name, sought in {
        "database, logs, copies, exports": marks(),
        "browser's profile, server": answer,
    }.items():
        with tempfile.TemporaryDirectory() as folder:
            missed = planted(Path(folder), sought)
            if "answer" in sought:
                files = in_the_browser(engine, Path(folder))
            else:
                stored, files = on_the_server(engine, Path(folder))
                missed += [] if stored >= 50 else [f"only {stored} marked submissions were stored"]
            size = sum(file.stat().st_size for file in files)
            found = places(files, sought) + missed
        written = sum(map(len, sought.values()))
        print(f"{name:32} {len(sought):6} {written:10} {len(files):6} {size:10,}  {summary(found)}")
        well &= not found
    return well
