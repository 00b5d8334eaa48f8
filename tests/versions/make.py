"""Keep a database and a backup of a released version, for tests of the versions after it.

Usage: uv run python tests/versions/make.py CANDOR

CANDOR is the command of an installed release, such as `~/.local/bin/candor`. Its demo makes the database,
with 120 respondents, and `candor backup` the backup. Both go into a folder named after the version, with the
estimates that could be downloaded. Until a version is released, whoever changes the tables makes its folder
anew.
"""

from __future__ import annotations

import json
import lzma
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import requests

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


def main(candor: str) -> None:
    """Run the demo of a release, and keep what it leaves."""
    version = subprocess.run(
        [candor, "--version"], check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    target = Path(__file__).parent / version
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        demo = subprocess.Popen(
            [candor, "demo", "--respondents", "120", "--port", "0"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        said = ""
        for line in demo.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        kept = json.dumps(estimates(said), indent=1)
        demo.send_signal(signal.SIGINT)
        demo.wait()
        backup = [candor, "backup", target / "backup.zip", "--database", "demo.db"]
        (target / "backup.zip").unlink(missing_ok=True)
        subprocess.run(backup, cwd=folder, check=True)
        (target / "demo.db.xz").write_bytes(lzma.compress((Path(folder) / "demo.db").read_bytes()))
        (target / "estimates.json").write_text(kept + "\n")


def estimates(said: str) -> dict[str, str]:
    """Fetch the estimates of every survey of a demo as its researcher: slug -> table."""
    address, name, password = re.search(r"(http\S+)/results +name (\S+) +password (\S+)", said).groups()
    page = requests.get(f"{address}/login")
    fields = {"csrf_token": TOKEN.search(page.text)[1], "name": name, "password": password}
    signed_in = requests.post(page.url, fields, cookies=dict(page.cookies), allow_redirects=False)
    cookies = dict(signed_in.cookies)  # they are for TLS alone, or for this machine
    slugs = re.findall(r"/(?:s|results)/(\S+)", said)
    return {
        slug: requests.get(f"{address}/results/{slug}/estimates.csv", cookies=cookies).text for slug in slugs
    }


if __name__ == "__main__":
    main(sys.argv[1])
