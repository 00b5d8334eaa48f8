"""Who may do what: every route, asked by every role about a survey of its own, a given one and another's.

To add a route, add one line to `TABLE`: its action, as in `server.staff.rights`, or `PUBLIC`. Nothing else
here changes: what each role gets follows from the table in `server.staff.rights`. A view whose action is not
that of its blueprint is marked with `server.staff.guard.needs`.
"""

import re
from typing import get_args

import pytest
from draft_editor import replaced
from rules import rules_of

from server.staff.rights import NO_SURVEY, RIGHTS, Action, decide
from server.store import surveys
from server.store.staff import accounts, rights

PUBLIC = "everybody"

TABLE = {
    "GET /": PUBLIC,
    "GET /api/v1/": PUBLIC,
    "GET /healthz": PUBLIC,
    "GET /readyz": PUBLIC,
    "GET /learn": PUBLIC,
    "GET /learn/<slug>": PUBLIC,
    "GET /learn/glossary": PUBLIC,
    "GET /learn/scripts.sha256": PUBLIC,
    "GET /learn/sources": PUBLIC,
    "GET /login": PUBLIC,
    "GET /login/code": PUBLIC,
    "GET /login/with/<name>": PUBLIC,
    "GET /login/with/<name>/back": PUBLIC,
    "POST /login/code": PUBLIC,
    "GET /join": PUBLIC,
    "POST /join": PUBLIC,
    "POST /join/link": PUBLIC,
    "GET /reset": PUBLIC,
    "POST /reset": PUBLIC,
    "POST /reset/link": PUBLIC,
    "GET /s/<slug>": PUBLIC,
    "GET /s/<slug>/counted": PUBLIC,
    "GET /s/<slug>/counted/leaves-": PUBLIC,
    "GET /s/<slug>/counted/leaves-<bits>": PUBLIC,
    "GET /s/<slug>/pictures/<sha256>": PUBLIC,
    "GET /survey.schema.json": PUBLIC,
    "GET /try": PUBLIC,
    "POST /try": PUBLIC,
    "POST /login": PUBLIC,
    "POST /s/<slug>": PUBLIC,
    "GET /account": "enter",
    "GET /account/tokens": "enter",
    "GET /results": "enter",
    "GET /results/<slug>": "read",
    "GET /results/<slug>/all.zip": "rows",
    "GET /results/<slug>/channels.json": "read",
    "GET /results/<slug>/codebook.csv": "read",
    "GET /results/<slug>/codebook.html": "read",
    "GET /results/<slug>/counted.csv": "rows",
    "GET /results/<slug>/cross": "read",
    "GET /results/<slug>/cross.csv": "read",
    "GET /results/<slug>/cross.svg": "read",
    "GET /results/<slug>/charts/<name>.svg": "read",
    "GET /results/<slug>/charts/<name>-curve.svg": "read",
    "GET /results/<slug>/estimates.csv": "read",
    "GET /results/<slug>/ethics": "read",
    "GET /results/<slug>/estimates.json": "read",
    "GET /results/<slug>/estimates.xlsx": "read",
    "GET /results/<slug>/reports.csv": "rows",
    "GET /results/<slug>/reports.parquet": "rows",
    "GET /results/<slug>/reports.sqlite": "rows",
    "GET /results/<slug>/survey.toml": "read",
    "GET /results/<slug>/together": "read",
    "POST /account": "enter",
    "GET /account/factor": "enter",
    "POST /account/factor/begin": "enter",
    "GET /account/link": "enter",
    "POST /account/link": "enter",
    "POST /account/factor/codes": "enter",
    "POST /account/factor/confirm": "enter",
    "POST /account/factor/remove": "enter",
    "POST /account/sessions/end": "enter",
    "POST /account/sessions/<key>/end": "enter",
    "POST /account/tokens": "enter",
    "POST /account/tokens/<int:token_id>/revoke": "enter",
    "POST /logout": "enter",
    "GET /admin": "create",
    "GET /admin/audit": "audit",
    "GET /admin/audit.csv": "audit",
    "GET /admin/import": "create",
    "GET /admin/import/example.xlsx": "create",
    "GET /admin/new": "create",
    "GET /admin/people": "people",
    "GET /admin/people/<int:account_id>": "people",
    "POST /admin/people/<int:account_id>": "people",
    "GET /admin/people/<int:account_id>/remove": "people",
    "GET /admin/surveys/<slug>": "look",
    "GET /admin/surveys/<slug>/close": "run",
    "GET /admin/surveys/<slug>/copy": "look",
    "GET /admin/surveys/<slug>/delete": "delete",
    "GET /admin/surveys/<slug>/ethics": "look",
    "GET /admin/surveys/<slug>/life": "run",
    "GET /admin/surveys/<slug>/invitations": "invite",
    "GET /admin/surveys/<slug>/invitations/not-used.csv": "invite",
    "GET /admin/surveys/<slug>/open": "open",
    "GET /admin/surveys/<slug>/pictures/<sha256>": "look",
    "GET /admin/surveys/<slug>/plan": "edit",
    "GET /admin/surveys/<slug>/relatives": "look",
    "GET /admin/surveys/<slug>/share": "look",
    "GET /admin/surveys/<slug>/share/code.<kind>": "look",
    "GET /admin/surveys/<slug>/share/poster": "look",
    "GET /admin/surveys/<slug>/survey.toml": "look",
    "GET /admin/surveys/<slug>/survey.xlsx": "look",
    "GET /admin/surveys/<slug>/try": "look",
    "POST /admin/import": "create",
    "POST /admin/new": "create",
    "POST /admin/new/starter": "create",
    "POST /admin/people": "people",
    "POST /admin/people/invitations": "people",
    "POST /admin/people/invitations/<int:link_id>/withdraw": "people",
    "POST /admin/people/<int:account_id>/reset": "people",
    "POST /admin/people/<int:account_id>/factor/remove": "people",
    "POST /admin/people/requirement": "people",
    "POST /admin/people/second-admin": "people",
    "POST /admin/people/second-admin/confirm": "people",
    "POST /admin/people/second-admin/decline": "people",
    "POST /admin/people/<int:account_id>/password": "people",
    "POST /admin/people/<int:account_id>/remove": "people",
    "POST /admin/left": "create",
    "POST /admin/surveys/<slug>/close": "run",
    "POST /admin/surveys/<slug>/copy": "look",
    "POST /admin/surveys/<slug>/delete": "delete",
    "POST /admin/surveys/<slug>/hold": "oversee",
    "POST /admin/surveys/<slug>/hold/lift": "oversee",
    "POST /admin/surveys/<slug>/life": "run",
    "GET /admin/surveys/<slug>/proposals": "look",
    "POST /admin/surveys/<slug>/proposals/<what>/confirm": "oversee",
    "POST /admin/surveys/<slug>/proposals/<what>/decline": "look",
    "POST /admin/surveys/<slug>/invitations": "invite",
    "POST /admin/surveys/<slug>/invitations/withdraw": "invite",
    "POST /admin/surveys/<slug>/open": "open",
    "POST /admin/surveys/<slug>/pictures": "edit",
    "POST /admin/surveys/<slug>/plan": "edit",
    "POST /admin/surveys/<slug>/preview": "edit",
    "POST /admin/surveys/<slug>/relatives/<relation>": "look",
    "POST /admin/surveys/<slug>/try": "look",
    "GET /admin/surveys/<slug>/draft": "edit",
    "POST /admin/surveys/<slug>/draft": "edit",
    "POST /admin/surveys/<slug>/survey.toml": "edit",
}

ROLES = (None, *RIGHTS)
SURVEYS = {"own": "mine", "given": "theirs", "other": "another"}
"""What a survey is to an editor and a researcher -> its name."""


def cells(app):
    """Give every rule with every method but OPTIONS, which tells no more than the rule itself."""
    return {
        f"{method} {rule.rule}" for rule in rules_of(app) for method in rule.methods - {"OPTIONS", "HEAD"}
    }


def test_the_table_names_every_address_of_the_application(staff_app):
    assert cells(staff_app) == set(TABLE)


def test_the_table_names_every_action_but_those_that_no_page_has_yet():
    assert set(TABLE.values()) - {PUBLIC} <= set(get_args(Action))


@pytest.fixture
def people(storage):
    """An editor and a researcher, each with an own draft, a given one and one that is another's."""
    for slug in SURVEYS.values():
        storage.write(surveys.create_draft, {"candor": 1, "slug": slug, "languages": ["en"]})
    eve = storage.write(accounts.create, "eve", "a long enough password", "editor")
    ben = storage.read(accounts.by_name, "ben")
    storage.write(accounts.mark, ben.id)  # no longer every survey
    for person in (eve, ben):
        for slug in ("mine", "theirs"):
            survey = storage.read(surveys.by_slug, slug)
            storage.write(
                lambda db, row: db.execute("INSERT INTO grants VALUES (?, ?, ?)", row) and None,
                [person.id, survey.id, int(slug == "mine")],
            )


NAMES = {"admin": "ada", "editor": "eve", "researcher": "ben"}


@pytest.fixture
def signed_in(people, browse):
    """Open a browser, signed in as a role or as nobody."""

    def signed_in(role):
        browser = browse()
        if role is not None:
            assert browser.sign_in(NAMES[role]).status_code == 302
        return browser

    return signed_in


def address_of(cell, slug="none"):
    """Build an address. What does not exist is no way around the guard, and nothing changes beyond it."""

    def value(place):
        if place[1] == "slug":
            return slug
        return "999" if place[1].endswith("_id") else "none"

    address = re.sub(r"<(?:int:)?(\w+)>", value, cell.partition(" ")[2])
    assert "<" not in address
    return address


def ask(browser, role, cell, slug="none"):
    """Send one request with a valid token, so that only the role decides; nothing else in it is right."""
    address = address_of(cell, slug)
    if cell.startswith("GET "):
        return browser.get(address)
    return browser.post(address, page="/account" if role else "/login")


def outcome(answer):
    """Say what the guard did: what is behind it may find that there is nothing, too."""
    if answer.status_code == 302 and answer.location.startswith("/login"):
        return "sign in"
    return {401: "sign in", 403: "no", 404: "hidden"}.get(answer.status_code, "yes")


def expected(role, action, relation):
    """Return what the guard has to do."""
    if action == PUBLIC:
        return "yes"
    return "sign in" if role is None else decide(role, action, relation)


APART = (
    "POST /logout",
    "POST /account/sessions/end",
    "POST /login",
    "POST /s/<slug>",
    "POST /try",
    "GET /login/code",
    "POST /login/code",
)
"""They end the session, or lead on to the next page, or have checks of their own: below and elsewhere."""


@pytest.mark.parametrize("role", ROLES)
def test_every_role_gets_exactly_what_its_rights_give_it(staff_app, signed_in, role):
    browser = signed_in(role)
    for cell, action in TABLE.items():
        if cell in APART:
            continue
        of_survey = "<slug>" in cell and action not in (PUBLIC, *NO_SURVEY)
        for relation, slug in SURVEYS.items() if of_survey else [("none", "none")]:
            answer = ask(browser, role, cell, slug)
            wanted = expected(role, action, relation)
            assert (cell, relation, answer.status_code < 500) == (cell, relation, True)
            if wanted == "yes":  # what is asked for may be missing, or wrong, but not forbidden
                assert (cell, relation, outcome(answer) in ("yes", "hidden")) == (cell, relation, True)
            else:
                # Whoever was signed out while they wrote is shown what they wrote, not the login page.
                said = "sign in" if role is None and outcome(answer) == "no" else outcome(answer)
                assert (cell, relation, said) == (cell, relation, wanted)


SEEN = {"look": "/admin/surveys/{}", "edit": "/admin/surveys/{}/plan", "delete": "/admin/surveys/{}/delete"}


@pytest.mark.parametrize("role", RIGHTS)
@pytest.mark.parametrize("action", SEEN)
def test_what_a_role_may_do_is_there(signed_in, role, action):
    browser = signed_in(role)
    for relation, slug in SURVEYS.items():
        answer = browser.get(SEEN[action].format(slug))
        assert (relation, outcome(answer)) == (relation, decide(role, action, relation))


@pytest.mark.parametrize("role", RIGHTS)
def test_results_are_there_for_whom_they_are(signed_in, storage, survey_file, role):
    for slug in SURVEYS.values():
        storage.write(surveys.open_survey, replaced(storage, slug, survey_file(slug)).id)
    browser = signed_in(role)
    seen = [relation for relation in SURVEYS if decide(role, "read", relation) == "yes"]
    for relation, slug in SURVEYS.items():
        answer = browser.get(f"/results/{slug}")
        assert (relation, answer.status_code) == (relation, 200 if relation in seen else 404)
    listed = re.findall(r'href="/results/(\w+)"', browser.get("/results").text)
    assert sorted(listed) == sorted(SURVEYS[relation] for relation in seen)
    if decide(role, "create", "none") == "yes":
        written = set(re.findall(r'href="/admin/surveys/(\w+)"', browser.get("/admin").text))
        assert written == {SURVEYS[each] for each in SURVEYS if decide(role, "look", each) == "yes"}


def test_a_survey_that_somebody_may_not_see_looks_as_if_it_did_not_exist(signed_in):
    eve = signed_in("editor")
    hidden, missing = eve.get("/admin/surveys/another"), eve.get("/admin/surveys/nowhere")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.text.replace("another", "nowhere") == missing.text


@pytest.mark.parametrize("role", RIGHTS)
def test_a_token_never_exceeds_the_rights_of_its_account(signed_in, program, storage, survey_file, role):
    for slug in SURVEYS.values():
        replaced(storage, slug, survey_file(slug))
    robot = program(NAMES[role], writes=True)
    for relation, slug in SURVEYS.items():
        looks = decide(role, "look", relation) == "yes"
        assert robot.get(f"/surveys/{slug}").status_code == (200 if looks else 404)
    for relation, slug in SURVEYS.items():
        storage.write(surveys.open_survey, storage.read(surveys.by_slug, slug).id)
        reads, deletes = (decide(role, action, relation) for action in ("read", "delete"))
        assert robot.get(f"/surveys/{slug}/estimates").status_code == (200 if reads == "yes" else 404)
        wanted = {"yes": 428, "no": 403, "hidden": 404}  # 428: it would, if the program named the state
        assert robot.ask("DELETE", f"/surveys/{slug}").status_code == wanted[deletes]
        runs = decide(role, "run", relation)
        assert (
            robot.ask("POST", f"/surveys/{slug}/close").status_code
            == {"yes": 200, "no": 403, "hidden": 404}[runs]
        )
    listed = [each["slug"] for each in robot.get("/surveys").json["surveys"]]
    assert sorted(listed) == sorted(SURVEYS[each] for each in SURVEYS if decide(role, "read", each) == "yes")


def test_whoever_begins_a_survey_owns_it_and_hands_it_over_with_the_account(signed_in, storage):
    eve, ada = signed_in("editor"), signed_in("admin")
    assert eve.post("/admin/new", slug="fresh").location == "/admin/surveys/fresh"
    made = storage.read(surveys.by_slug, "fresh")
    account = storage.read(accounts.by_name, "eve")
    assert storage.read(rights.rights_of, account).relation(made.id) == "own"
    heirs = {f"heir-{survey_id}": "1" for survey_id in storage.read(rights.owned_by, account.id).values()}
    assert ada.post(f"/admin/people/{account.id}/remove", **heirs).status_code == 302
    assert eve.get("/admin/surveys/fresh").location.startswith("/login")
    assert ada.get("/admin/surveys/fresh").status_code == 200
    assert storage.read(
        lambda db: db.execute("SELECT count(*) FROM grants WHERE account_id = ?", [account.id]).fetchone()
    ) == (0,)


def test_somebody_unknown_is_sent_to_the_login_page_and_a_researcher_is_told(browse):
    assert browse().get("/admin").location == "/login?next=/admin"
    told = browse("researcher").get("/admin")
    assert told.status_code == 403
    assert "Your role does not include this page." in told.text


def test_logging_out_needs_somebody_who_is_in(staff_app, browse):
    assert ask(browse(), None, "POST /logout").location.startswith("/login")
    for role in ("researcher", "admin"):
        browser = browse(role)
        assert ask(browser, role, "POST /logout").location == "/login"
        assert browser.get("/results").status_code == 302


def test_a_tab_that_was_left_open_leads_on_when_another_has_signed_in_or_out(browse):
    browser = browse()
    left_open = {"csrf_token": browser.token("/login"), "name": "ada", "password": "a long enough password"}
    browser.sign_in()
    again = browser.client.post("/login?next=/account", data=left_open)
    assert browser.client.get(again.location).location == "/account"
    left_open = {"csrf_token": browser.token("/account")}
    assert browser.client.post("/logout", data=left_open).location == "/login"
    assert browser.client.post("/logout", data=left_open).location == "/login"


def test_every_staff_form_is_refused_without_its_token(staff_app, browse, storage):
    browser = browse("admin")
    draft = storage.write(surveys.create_draft, {"candor": 1, "slug": "health", "languages": ["en"]})
    posts = {cell for cell in TABLE if cell.startswith("POST ")}
    # The respondent's page holds no token; what a test run of it sends is not looked at.
    # Whoever is signed in and signs in once more is sent on.
    for cell in posts - {"POST /s/<slug>", "POST /try", "POST /admin/surveys/<slug>/try", "POST /login"}:
        address = address_of(cell, draft.slug).replace("999", "2")
        answer = browser.client.post(address, data={"slug": draft.slug}, headers={"Accept-Language": "en"})
        assert (cell, answer.status_code) == (cell, 400)
        assert re.search(r"nothing was (done|saved)", answer.text)
    assert storage.read(surveys.by_slug, draft.slug) == draft
    assert browser.get("/admin").status_code == 200


def test_a_token_of_another_session_is_refused(browse):
    browser = browse("admin")
    foreign = browse().token("/login")
    assert browser.client.post("/logout", data={"csrf_token": foreign}).status_code == 400
    assert browser.get("/admin").status_code == 200


def test_deleting_is_offered_only_to_whom_it_is_allowed(signed_in):
    eve = signed_in("editor")
    assert "/admin/surveys/mine/delete" in eve.get("/admin/surveys/mine").text
    assert "/admin/surveys/theirs/delete" not in eve.get("/admin/surveys/theirs").text
