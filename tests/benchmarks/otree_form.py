"""The same ten questions in oTree, the platform that laboratories use: installed apart, for one run.

Its server holds the tables in memory and writes them to a file when it ends, so nothing that it is compared
with writes less.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from load import wait_for

RELEASE = "otree==6.0.15"

SETTINGS = """\
SESSION_CONFIGS = [dict(name="ten", app_sequence=["ten"], num_demo_participants=1)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1, participation_fee=0)
LANGUAGE_CODE, REAL_WORLD_CURRENCY_CODE, USE_POINTS = "en", "USD", True
SECRET_KEY = ADMIN_USERNAME = ADMIN_PASSWORD = "only for this run"
DEMO_PAGE_INTRO_HTML = ""
"""

QUESTIONS = """\
from otree.api import *
class C(BaseConstants):
    NAME_IN_URL, PLAYERS_PER_GROUP, NUM_ROUNDS = "ten", None, 1
class Subsession(BaseSubsession): pass
class Group(BaseGroup): pass
class Player(BasePlayer): pass
class Ask(Page):
    form_model, form_fields = "player", [f"question_{number}" for number in range(10)]
for name in Ask.form_fields:
    setattr(Player, name, models.BooleanField(label=name, widget=widgets.RadioSelect))
page_sequence = [Ask]
"""

PAGE = "{{ block content }}{{ formfields }}{{ next_button }}{{ endblock }}"


@contextmanager
def otree(folder: Path, participants: int) -> Iterator[tuple[int, int, str]]:
    """Run a server with a session for so many: its port, its process group, and the link for everybody."""
    files = {"settings.py": SETTINGS, "ten/__init__.py": QUESTIONS, "ten/Ask.html": PAGE, "_static/.keep": ""}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run(["uv", "venv", "--quiet", folder / ".venv"], check=True)
    python = folder / ".venv/bin/python"
    subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, RELEASE], check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    programs, quiet = folder / ".venv/bin", subprocess.DEVNULL
    environment = os.environ | {
        "OTREE_PRODUCTION": "1",
        "OTREE_REST_KEY": "only-for-this-run",
        "PATH": f"{programs}:{os.environ['PATH']}",  # it starts a second process of its own by name
    }
    how = {"cwd": folder, "env": environment, "stdout": quiet, "stderr": quiet}
    subprocess.run([programs / "otree", "resetdb", "--noinput"], check=True, **how)
    server = subprocess.Popen(
        [programs / "otree", "prodserver1of2", str(port)], start_new_session=True, **how
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/sessions",
            json.dumps({"session_config_name": "ten", "num_participants": participants}).encode(),
            {"otree-rest-key": environment["OTREE_REST_KEY"], "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=600) as answer:
            link = json.load(answer)["session_wide_url"]
        yield port, server.pid, "/join/" + link.rpartition("/")[2]
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=60)
