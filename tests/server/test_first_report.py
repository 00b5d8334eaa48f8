"""Nothing shows that somebody has answered before a step of people has: no page, file, header or role."""

import re
import runpy
import secrets
import sys
from datetime import timedelta
from urllib.parse import urlencode

import cluster
import pytest

from server import create_app
from server.config import Config
from server.operations import metrics
from server.runtime import helper
from server.store import invitations, origins, surveys
from server.store.lifecycle import life
from server.store.staff import accounts, rights

PASSWORD = "a long enough password"
STAFF = {"ada": "admin", "eve": "editor", "ben": "researcher"}
METRICS_TOKEN = "t" * 32
STEP = 10
FORM = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}

ROOMS = ("/admin", "/results", "/account")
QUERIES = ("?archived=1&amounts=people", "?row=copied&column=data&confidence_level=0.9")
PLACES = {"name": "copied", "kind": "svg", "relation": "group", "asked": "0", "path": "base.css"}

MASKS = {
    r'name="csrf_token" value="[^"]+"': "the token of a form",
    r"__Host-candor=[^;\n]*": "a session",
    r"/account/sessions/[0-9a-f]{16}/end": "a session",
    r"\nDate: .*": "the moment",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d": "the moment of a line in the audit log",
    r",[0-9a-f]{32}(,[0-9a-f]{64}){2}": "the nonce of a line in the audit log, and its hashes",
    r"[0-9a-f]{64}(?=</code></p>\s*<p>Each entry)": "the head of the audit log",
}


def shown(answer):
    """An answer, all of it but what is drawn anew each time."""
    head = "".join(f"{name}: {text}\n" for name, text in answer.headers)
    told = f"{answer.status}\n{head}\n{answer.get_data().decode('latin-1')}"
    for pattern, instead in MASKS.items():
        told = re.sub(pattern, instead, told)
    return told


def addresses(app, slugs):
    """Every address that can be read, of each survey where it names one."""
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods:
            numbers = {
                name: PLACES.get(name, 1 if "int:" in rule.rule else "0" * 64) for name in rule.arguments
            }
            for slug in slugs if "slug" in numbers else [None]:
                yield rule.build(numbers | ({"slug": slug} if slug else {}), append_unknown=False)[1]


class Installation:
    """A server with open surveys of every sort, which nobody has answered yet."""

    def __init__(self, database, clock, survey_file):
        config = Config(database=database, metrics_token=METRICS_TOKEN, style=True, secret_key="k" * 32)
        self.app = create_app(config, clock)
        self.storage = self.app.extensions["candor"].storage
        for name, role in STAFF.items():
            made = self.storage.write(accounts.create, name, PASSWORD, role)
            self.storage.write(accounts.mark, made.id, editor=role == "editor", all_surveys=True)
        eve = self.storage.read(accounts.by_name, "eve")
        self.surveys = []
        self.open(rights.owned(surveys.create_draft, eve.id), survey_file("plain"), quota=500)
        self.open(self.group, survey_file("group"))
        early = {"step": STEP, "reports_while_open": True}
        self.open(surveys.create_draft, survey_file("early", results=early))
        self.open(surveys.create_draft, survey_file("listed", candor=3, invitations="listed"))
        drawn = invitations.draw(STEP)
        hashes = [invitations.hash_of(secret) for secret in drawn]
        self.tokens = self.storage.write(invitations.make, self.surveys[-1].id, hashes).tokens(drawn)

    def open(self, create, table, **schedule):
        draft = self.storage.write(create, table)
        self.storage.write(life.schedule, draft.id, life.Schedule(**schedule), 0.0)
        self.surveys.append(self.storage.write(surveys.open_survey, draft.id))

    def group(self, db, table):
        return origins.create_related(db, table, self.surveys[0].id, "group")

    def answer(self, people):
        """Let people load each survey's page and send their reports."""
        for survey in self.surveys:
            for token in self.tokens[:people]:
                visitor = self.app.test_client()
                assert visitor.get(f"/s/{survey.slug}").status_code == 200
                fields = {"fingerprint": survey.publication.fingerprint, "receipt": secrets.token_hex(16)}
                fields |= {"invitation-token": token} if survey.slug == "listed" else {}
                body = urlencode(fields | {"copied": 1, "data": 0})
                assert visitor.post(f"/s/{survey.slug}", data=body, headers=FORM).status_code == 200
        self.app.extensions["candor"].committer.settle()

    def everything(self, browser_of, program_of, staff):
        """What everybody is shown: who asks and the address -> the answer."""
        slugs = [survey.slug for survey in self.surveys]
        every = [*addresses(self.app, slugs)]
        of_staff = [page for page in every if page.startswith(ROOMS)]
        of_staff += [page + query for page in of_staff if page.startswith("/results") for query in QUERIES]
        api = [*addresses(self.app.extensions["candor.api"].built(), slugs)]
        told = {}
        for name in (None, *staff):
            browser = browser_of(self.app)
            if name:
                assert browser.sign_in(name).status_code == 302
                program = program_of(self.app, name)
                told |= {
                    (name, page): shown(program.client.get(page, headers=bearer(program.secret)))
                    for page in api
                }
            for page in of_staff if name else every:
                with browser.get(page) as answer:
                    told[name, page] = shown(answer)
        with self.app.test_client().get("/metrics", headers=bearer(METRICS_TOKEN)) as answer:
            told["metrics"] = shown(answer)
        return told


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def run_here(module, *arguments, **_limits):
    """Run a helper in this process: one of its own for each file of Parquet takes most of this test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [module, *arguments])
        runpy.run_module(module, run_name="__main__")


@pytest.mark.parametrize(
    ("engine", "days", "staff"),
    [("sqlite", 0, STAFF), ("postgresql", 1, ["ada"])],
    indirect=["engine"],
)
def test_before_a_step_of_people_has_answered_all_is_as_if_nobody_had(
    engine,
    database,
    survey_file,
    clock,
    browser_of,
    program_of,
    days,
    staff,
    monkeypatch,
):
    monkeypatch.setattr(metrics, "read", lambda storage, clock: (0.1, True))
    monkeypatch.setattr(metrics, "free", lambda path: 0.5)
    monkeypatch.setattr(helper, "run", run_here)
    began, told = clock.now, []
    for people in (0, STEP - 1):
        clock.now = began
        another = cluster.new_database() if engine == "postgresql" else database.with_name(f"{people}.db")
        place = Installation(another, clock, survey_file)
        place.answer(people)
        clock.now += timedelta(days=days)
        told.append(place.everything(browser_of, program_of, staff))
        place.storage.close()
    none, some = told
    assert none.keys() == some.keys()
    assert len(none) > 150 * (1 + len(staff))
    assert [place for place in none if none[place] != some[place]] == []
