"""A real server, a real browser, and the wire between them."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from looks import MARK
from pages import Page, Respondent
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from wire import Wire

from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts
from survey.read_definition import from_dict
from survey.record import layout_of

PASSWORD = "correct horse battery staple"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",  # a container's may be small
    "--disable-features=RenderDocument",  # a frame made anew for every page is a quarter of the work of one
    "--host-resolver-rules=MAP *.invalid ~NOTFOUND",  # at once, whatever the network of the machine does
]
FOLDER = Path(__file__).parent
AXE = FOLDER.parent / "js" / "node_modules" / "axe-core" / "axe.min.js"
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
    "preload": False,  # of styles and films, for rules that are not among these
    "rules": {"empty-table-header": {"enabled": True}},  # no rule of WCAG, but good practice
}
APPEARANCE = ["color-contrast", "target-size", "avoid-inline-spacing", "scrollable-region-focusable"]
"""The rules that a page may keep in one scheme and width and break in another."""

GOOD_PRACTICE = RULES | {"rules": {also: {"enabled": True} for also in ("region", "empty-table-header")}}
"""All text of the page stands in a landmark, too."""

VIOLATIONS = (
    MARK
    + """
const [rules, done] = arguments;
if (!window.axe) window.loadAxe?.();
if (!window.axe) return done(null);
let waits = false;
const watch = new MutationObserver(() => { waits = true; });
watch.observe(document, { subtree: true, attributeFilter: ["aria-busy"] });
const look = async () => {
  waits = Boolean(document.querySelector("[aria-busy=true]"));
  mark();
  const { violations } = await axe.run(rules);
  unmark();
  if (waits) return setTimeout(look, 50);
  watch.disconnect();
  done(violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" | ")}`));
};
void look();
"""
)
"""What breaks the rules on the page; null where axe is not loaded yet. What waits for an answer is pale
meanwhile, and says so: it is looked at once the answer is there."""

EMPTY = """
const found = document.querySelectorAll("[lang=''], [aria-hidden='']");
return [...found].map((node) => node.outerHTML.slice(0, 200));
"""
"""What axe lets pass: an empty lang says that nobody knows the language, an empty aria-hidden is none."""

UNDONE = {
    "Browser.setDownloadBehavior",
    "Emulation.clearDeviceMetricsOverride",
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setEmulatedMedia",
    "Network.clearBrowserCookies",
    "Network.setCookie",
    "Page.removeScriptToEvaluateOnNewDocument",
    "Page.resetNavigationHistory",
    "Storage.clearDataForOrigin",
}
"""What leaves nothing in a window that the next test would find: the fixture `browser` takes it back."""

PATIENCE = 180
"""Seconds that the server may take to come up, and to go: several may start at once."""


@cache
def accessibility_checker() -> str:
    """Return the script of axe, which `tests/run` installs: tests are collected without it."""
    return AXE.read_text()


class Browser(webdriver.Chrome):
    """Chromium, which remembers what a test changes in its window."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.scripts: list[str] = []
        self.emulates = False
        self.marked = False

    def execute_cdp_cmd(self, cmd: str, cmd_args: dict[str, Any]) -> Any:
        """Give a command of the DevTools protocol."""
        answer = super().execute_cdp_cmd(cmd, cmd_args)
        if cmd == "Page.addScriptToEvaluateOnNewDocument":
            self.scripts.append(answer["identifier"])
        elif cmd == "Page.removeScriptToEvaluateOnNewDocument":
            self.scripts.remove(cmd_args["identifier"])
        elif cmd not in UNDONE:
            self.marked = True
        self.emulates |= cmd.startswith("Emulation.")
        return answer


@dataclass(frozen=True)
class Site:
    """A running server and its database."""

    port: int
    storage: SQLiteStorage
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def fresh(self, words: str) -> str:
        """Give a slug that no survey has yet, in whatever order and however often tests ask for one."""
        name = "-".join(re.findall(r"[a-z0-9]+", words.lower()))[:50].rstrip("-")
        return f"{name}-{next(self.numbers)}"

    def publish(self, slug: str, *mechanisms: tuple[str, float | None], **changes: Any) -> str:
        """Open a survey with one yes/no question for each mechanism, and give its fingerprint."""
        return self.open(definition(slug, mechanisms) | changes)

    def open(self, table: dict[str, Any]) -> str:
        """Open the survey of a table, as a survey file holds it, and give its fingerprint."""

        def work(db: Any) -> str:
            draft = surveys.import_definition(db, from_dict(table, table["slug"]))
            publication = surveys.open_survey(db, draft.id).publication
            assert publication is not None
            return publication.fingerprint

        return self.storage.write(work)

    def close(self, slug: str) -> None:
        """Close a survey, and prepare its reports."""
        self.storage.write(lambda db: surveys.close_survey(db, self.survey(slug).id))
        self.storage.finish()

    def survey(self, slug: str) -> surveys.Survey:
        """Give a survey as it is stored."""
        found = self.storage.read(surveys.by_slug, slug)
        assert found is not None
        return found

    def rows(self, slug: str) -> list[dict[str, Any]]:
        """Give the stored rows of a survey, receipts included: what a thief of the database would have."""
        survey = self.survey(slug)
        assert survey.publication is not None
        unpack = layout_of(survey.publication).unpack
        return self.storage.read(
            lambda db: [
                {"receipt": receipt, **unpack(record)}
                for receipt, record in db.reports.records(survey.id, survey.publication)
            ]
        )


def definition(slug: str, mechanisms: tuple[tuple[str, float | None], ...]) -> dict[str, Any]:
    """Write a survey in two languages."""
    questions = []
    for index, (mechanism, epsilon) in enumerate(mechanisms, start=1):
        question: dict[str, Any] = {
            "id": f"q{index}",
            "mechanism": mechanism,
            "wording": {"en": f"Did you do thing {index}?", "ko": f"{index}번 일을 한 적이 있습니까?"},
        }
        if epsilon is not None:
            question["epsilon"] = epsilon
        questions.append(question)
    return {
        "candor": 1,
        "slug": slug,
        "languages": ["en", "ko"],
        "title": {"en": "Things done", "ko": "해 본 일"},
        "organisation": {"en": "Hillside", "ko": "한빛대학교"},
        "contact": {"en": "ada@hillside.example", "ko": "ada@hillside.example"},
        "kept_until": "2030-12-31",
        "outcome": "before",
        "information": {"en": "A university asks.", "ko": "대학에서 묻습니다."},
        "consent": {"en": "I take part.", "ko": "참여합니다."},
        "help": {"en": "Call 000 for help.", "ko": "도움이 필요하면 000번."},
        "closing": {"en": "Goodbye.", "ko": "안녕히 가세요."},
        "questions": questions,
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder: it needs a browser."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server that most tests share: what earlier tests began may still be changing its database."""
    with serving(tmp_path_factory.mktemp("site")) as site:
        yield site


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """Run `candor serve` with an admin and a researcher, on a socket that no other program can take."""
    # A test has the patience of a test, where the server would ask somebody to try again in five seconds.
    storage = with_staff(SQLiteStorage(folder / "candor.db", busy_seconds=PATIENCE))
    environment = os.environ | {
        "CANDOR_DATABASE": str(folder / "candor.db"),
        "CANDOR_RATE_LIMIT": "0",
        "CANDOR_STYLE": "1",
    }
    with socket.create_server(("127.0.0.1", 0)) as listener, (folder / "log").open("w") as log:
        port, handed_over = listener.getsockname()[1], listener.fileno()
        command = [Path(sys.executable).with_name("candor"), "serve", "--fd", str(handed_over)]
        server = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, cwd=folder, pass_fds=[handed_over]
        )
    try:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE).close()
        except OSError:
            pytest.fail(f"the server did not come up:\n{(folder / 'log').read_text()}")
        yield Site(port, storage)
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def with_staff(storage: SQLiteStorage) -> SQLiteStorage:
    """Make a database with an admin and a researcher who reads all surveys; weak hashes are checked fast."""
    storage.create()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "ARGON2", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        for name, role in (("ada", "admin"), ("rosa", "researcher")):
            made = storage.write(accounts.create, name, PASSWORD, role)
            storage.write(accounts.mark, made.id, all_surveys=True)
    return storage


@pytest.fixture(scope="session")
def wire_to() -> Iterator[Callable[[int], Wire]]:
    """The wire to each port, for all tests: a browser keeps the files that came from its address."""
    with ExitStack() as wires:
        yield cache(lambda port: wires.enter_context(Wire(("127.0.0.1", port))))


@pytest.fixture
def wire(site: Site, wire_to: Callable[[int], Wire]) -> Wire:
    """The wire to the server, whole and without a memory."""
    wire = wire_to(site.port)
    wire.requests, wire.breaks, wire.rewrites = [], "", None
    return wire


def start(profile: Path, *flags: str) -> Browser:
    """Start a browser with a new profile: Chromium without windows, which takes half of the work."""
    browser = launched(profile, "--accept-lang=en", *flags)
    browser.set_script_timeout(60)
    saving = {"behavior": "allow", "downloadPath": str(profile.parent / "downloads")}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", saving)  # else into the working directory
    return browser


def launched(profile: Path, *flags: str, attempts: int = 4) -> Browser:
    """Launch a driver and its browser; again if that fails, for others may take the driver's port."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium-headless-shell"
    options.set_capability("browserName", "chrome-headless-shell")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={profile}", *flags):
        options.add_argument(flag)
    try:
        return Browser(options=options, service=Service("/usr/bin/chromedriver"))
    except WebDriverException:
        if attempts == 1:
            raise
        return launched(profile.with_name(f"{profile.name}-again"), *flags, attempts=attempts - 1)


@pytest.fixture
def open_browser(tmp_path: Path) -> Iterator[Callable[..., webdriver.Chrome]]:
    """Open browsers, each with a new profile, and close them in the end."""
    opened: list[webdriver.Chrome] = []

    def open_one(*flags: str) -> webdriver.Chrome:
        opened.append(start(tmp_path / f"profile{len(opened)}", *flags))
        return opened[-1]

    yield open_one
    for browser in opened:
        browser.quit()


@pytest.fixture(scope="session")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser whose windows most tests use, for starting one takes longer than most of them."""
    profile = tmp_path_factory.mktemp("browser") / "profile"
    browser = start(profile, "--force-prefers-reduced-motion", "--window-size=1000,1200")
    yield browser
    browser.quit()


@pytest.fixture
def browser(one_browser: Browser) -> Browser:
    """A window of somebody who reads English and asked for less motion: as new, and nothing is remembered.

    The window of the test before does, unless something lasts in it: opening one takes three times the work
    of showing a page. What belongs to the browser is wiped, but for the files that never change: to fetch and
    compile them anew takes longer than most tests.
    """
    if one_browser.marked or len(one_browser.window_handles) > 1 or not put_back(one_browser):
        another_window(one_browser)
    one_browser.marked = False
    one_browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    one_browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    one_browser.get_log("browser")  # reading it empties it
    return one_browser


def put_back(browser: Browser) -> bool:
    """Undo what a test did in its window; False where a page was to be left and its server has gone."""
    for script in [*browser.scripts]:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
    origin, path = browser.execute_script("return [origin, location.pathname]")
    if origin != "null":
        # A lesson sends and stores nothing, and does nothing when it is left: the next test leaves it.
        if browser.emulates or not path.startswith("/learn/"):
            try:
                browser.get(f"{origin}/healthz")  # one word, and no script
            except WebDriverException:
                return False
        # Under another address: from one fragment of an address to another a browser loads nothing.
        browser.execute_script("sessionStorage.clear(); history.replaceState(null, '', '/left')")
    if browser.emulates:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        browser.emulates = False
    browser.execute_cdp_cmd("Page.resetNavigationHistory", {})
    return True


@pytest.fixture
def respondent(browser: webdriver.Chrome) -> Respondent:
    """Somebody who answers a survey."""
    return Respondent(browser)


def another_window(browser: Browser) -> Browser:
    """Go on in a new tab, which knows nothing of those before: they are closed."""
    before = browser.window_handles
    browser.switch_to.new_window("tab")
    fresh = browser.current_window_handle
    for handle in before:
        browser.switch_to.window(handle)
        browser.close()
    browser.switch_to.window(fresh)
    browser.scripts, browser.emulates = [], False
    return browser


def forget_files(browser: webdriver.Chrome) -> None:
    """Let this window fetch every file anew."""
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})


def open_tab(browser: webdriver.Chrome, script: str = "window.open(location.href)") -> str:
    """Open another tab, which copies what this one keeps; go there, and return the one before."""
    here, before = browser.current_window_handle, set(browser.window_handles)
    browser.execute_script(script)
    (tab,) = Page(browser).until(lambda: set(browser.window_handles) - before)
    browser.switch_to.window(tab)
    return here


def show_at(browser: webdriver.Chrome, scheme: str, width: int, height: int = 900) -> None:
    """Set the size of the window and the colours."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )


def let_move(browser: webdriver.Chrome) -> None:
    """Show pages to somebody who has not asked for less motion."""
    features = [{"name": "prefers-reduced-motion", "value": "no-preference"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def read_in(browser: webdriver.Chrome, languages: str) -> None:
    """Let the reader of the next pages prefer other languages."""
    name = browser.execute_script("return navigator.userAgent")
    browser.execute_cdp_cmd(
        "Emulation.setUserAgentOverride", {"userAgent": name, "acceptLanguage": languages}
    )


def check_for_everybody(page: Page, rules: dict[str, object] = RULES) -> None:
    """Find no violation on what the page shows now, no empty promise, and nothing wider than the window."""
    violations = page.browser.execute_async_script(VIOLATIONS, rules)
    if violations is None:
        page.browser.execute_script(accessibility_checker())
        violations = page.browser.execute_async_script(VIOLATIONS, rules)
    assert violations == []
    assert page.browser.execute_script(EMPTY) == []
    assert page.overflow() == 0


@pytest.fixture
def look(browser: webdriver.Chrome) -> Callable[[Page], None]:
    """Give a check of what is on the page, in each scheme and each width once.

    No colour depends on the width, and no place on the scheme. A page is drawn for the appearance that the
    page before was left in, and follows to the other. Every page holds axe ready: half a megabyte is then
    neither sent nor compiled for each of them.
    """
    ready = {"source": f"window.loadAxe = () => {{ {accessibility_checker()} }}"}
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", ready)
    appearances = deque([("light", 1280), ("dark", 320)])
    show_at(browser, *appearances[0])

    def check(page: Page) -> None:
        check_for_everybody(page)
        appearances.rotate()
        show_at(browser, *appearances[0])
        check_for_everybody(page, RULES | {"runOnly": APPEARANCE})

    return check
