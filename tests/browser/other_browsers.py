"""Browsers with another engine than Chromium: WebKit on a screen that nobody sees, and Firefox."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from marionette import Marionette
from pages import GLANCE, PATIENCE
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.firefox.options import Options as FirefoxOptions
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

FREE_PORT = 'user_pref("marionette.port", 0);'


def launched(
    options: Options, environment: dict[str, str], attempts: int = 4
) -> tuple[Service, webdriver.Remote]:
    """Launch a driver and its browser; again if that fails, for others may take the driver's port."""
    service = Service("/usr/bin/WebKitWebDriver", env=environment)
    connection = RemoteConnection(client_config=ClientConfig(service.service_url))
    try:
        service.start()
        return service, webdriver.Remote(connection, options=options)
    except WebDriverException:
        connection.close()
        service.stop()
        if attempts == 1:
            raise
        return launched(options, environment, attempts - 1)


@contextmanager
def webkit(profile: Path) -> Iterator[webdriver.Remote]:
    """Open the engine of Safari; it keeps its profile to itself."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1400x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as display:
            environment = os.environ | {"DISPLAY": f":{display.readline().strip()}"}
        options = Options()
        options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")))
        options.add_argument("--automation")
        service, browser = launched(options, environment)
        browser.set_window_size(1300, 1300)
        yield browser
        browser.quit()
        service.stop()
    finally:
        screen.terminate()
        screen.wait(timeout=60)


@contextmanager
def firefox(profile: Path) -> Iterator[webdriver.Remote]:
    """Open Firefox without a window."""
    (profile / "user.js").write_text(FREE_PORT)
    command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = port_written(profile / "MarionetteActivePort")
        with closing(Marionette(port, PATIENCE)) as connection:
            yield webdriver.Remote(connection, options=FirefoxOptions())
    finally:
        browser.terminate()
        browser.wait(timeout=PATIENCE)


def port_written(file: Path) -> int:
    """Wait until Firefox has written at which port it listens."""
    latest = monotonic() + PATIENCE
    while not (file.exists() and file.read_text()):
        assert monotonic() < latest, "Firefox does not listen"
        sleep(GLANCE)
    return int(file.read_text())
