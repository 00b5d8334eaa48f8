"""Staff who leave: what they own goes to somebody in the same transaction, and nothing opens for them."""

from html import unescape

import pytest
from click.testing import CliRunner

from server.cli.user import user
from server.store import surveys
from server.store.staff import accounts, audit, leaving, links, rights, sessions, tokens
from server.store.staff.accounts import AccountError, AccountGone
from server.store.staff.audit import LineFilter

PASSWORD = "a long enough password"


@pytest.fixture
def eve(storage):
    """An editor who owns two surveys, and was given one that is nobody else's and one that ben has too."""
    made = storage.write(accounts.create, "eve", PASSWORD, "editor")
    ben = storage.read(accounts.by_name, "ben")
    for slug in ("first", "second"):
        storage.write(rights.owned(surveys.create_draft, made.id), {"slug": slug})
    shared, alone = (storage.write(surveys.create_draft, {"slug": slug}) for slug in ("shared", "alone"))
    own = storage.read(rights.owned_by, made.id).values()
    storage.write(rights.set_rights, made.id, "editor", False, [*own, shared.id, alone.id])
    storage.write(rights.set_rights, ben.id, "researcher", False, [shared.id])
    return made


@pytest.fixture
def owners(storage):
    """Give the name of the owner of each survey that has one, by the name of the survey."""

    def owners():
        asked = (
            "SELECT slug, name FROM grants JOIN surveys ON surveys.id = survey_id "
            "JOIN accounts ON accounts.id = account_id WHERE made = 1 ORDER BY slug"
        )
        return dict(storage.read(lambda db: db.execute(asked).fetchall()))

    return owners


@pytest.fixture
def deeds(storage):
    def deeds():
        lines = reversed(storage.read(audit.lines, LineFilter()))
        wanted = ("survey_handed_over", "account_removed")
        return [(line.who, line.what, line.survey, line.about) for line in lines if line.what in wanted]

    return deeds


def number(storage, name):
    return storage.read(accounts.by_name, name).id


@pytest.mark.engines
def test_nobody_goes_while_a_survey_would_be_left_without_an_owner(storage, eve, owners, deeds):
    before, own = owners(), storage.read(rights.owned_by, eve.id)
    ada, ben = (number(storage, name) for name in ("ada", "ben"))
    for chosen in (
        {},
        {own["first"]: ada},
        {own["first"]: ada, own["second"]: ben},  # a researcher owns none
        {own["first"]: ada, own["second"]: eve.id},
        {own["first"]: ada, own["second"]: 999},
    ):
        with pytest.raises(AccountError, match="needs an admin or an editor who takes it over"):
            storage.write(leaving.remove, eve.id, chosen, "ada")
    with pytest.raises(AccountError, match="need another owner first"):
        storage.write(accounts.delete, eve.id)
    assert owners() == before == {"first": "eve", "second": "eve"}
    assert deeds() == []


@pytest.mark.engines
def test_surveys_go_to_those_who_were_chosen_and_everything_of_the_leaver_ends(
    storage, eve, owners, deeds, clock
):
    now, own = clock().timestamp(), storage.read(rights.owned_by, eve.id)
    ada, cleo = number(storage, "ada"), storage.write(accounts.create, "cleo", PASSWORD, "editor").id
    storage.write(rights.set_rights, cleo, "editor", False, [own["second"]])  # given, and her own from now on
    token = storage.write(tokens.create, eve.id, "nightly", True, None, None)
    session = storage.write(sessions.start, eve.id, now)
    storage.write(leaving.remove, eve.id, {own["first"]: ada, own["second"]: cleo}, "ada")
    assert owners() == {"first": "ada", "second": "cleo"}
    assert storage.read(accounts.by_name, "eve") is None
    assert storage.read(tokens.holder, token, "2026-05-04") is None
    assert storage.read(sessions.account_of, session, now) is None
    assert deeds() == [
        ("ada", "survey_handed_over", "first", "ada"),
        ("ada", "survey_handed_over", "second", "cleo"),
        ("ada", "account_removed", None, "eve"),
    ]


@pytest.mark.engines
def test_the_last_admin_is_told_so_whatever_they_own_and_nobody_goes_twice(storage, owners):
    ada = number(storage, "ada")
    storage.write(rights.owned(surveys.create_draft, ada), {"slug": "first"})
    with pytest.raises(AccountError, match="the last admin cannot be removed"):
        storage.write(leaving.remove, ada, {}, "ada")
    assert owners() == {"first": "ada"}
    ben = number(storage, "ben")
    storage.write(leaving.remove, ben, {}, "ada")
    with pytest.raises(AccountGone):
        storage.write(leaving.remove, ben, {}, "ada")


@pytest.mark.engines
def test_links_that_an_admin_made_end_with_the_account(storage, clock):
    now, admin = clock().timestamp(), storage.write(accounts.create, "dan", PASSWORD, "admin")
    link = storage.write(links.invite, admin.id, "editor", False, [], now)
    storage.write(leaving.remove, admin.id, {}, "ada")
    with pytest.raises(links.LinkGone):
        storage.read(links.link_of, link, now)


def test_the_page_shows_what_somebody_owns_and_what_is_nobody_elses(admin, eve):
    page = " ".join(unescape(admin.get(f"/admin/people/{eve.id}/remove").text).split())
    assert "Who takes over these 2 surveys?" in page
    assert '<option value="1">ada · Admin</option>' in page
    assert ">ben" not in page.split("<select")[1]
    assert "This survey was given to nobody else. Admins still see it: <code>alone</code></p>" in page


def test_one_choice_is_for_all_that_nobody_was_chosen_for_alone(admin, storage, eve, owners):
    page, own = f"/admin/people/{eve.id}/remove", storage.read(rights.owned_by, eve.id)
    cleo = storage.write(accounts.create, "cleo", PASSWORD, "editor").id
    typed = {"heir": "1", f"heir-{own['first']}": "", f"heir-{own['second']}": str(cleo)}
    assert admin.post(page, **typed).location == "/admin/people"
    assert owners() == {"first": "ada", "second": "cleo"}


@pytest.mark.parametrize("value", ["", "2", "999", "me", "9" * 40, "<b>"])
def test_a_choice_that_will_not_do_is_said_and_removes_nothing(admin, storage, eve, owners, value):
    own = storage.read(rights.owned_by, eve.id)
    typed = {"heir": value} | {f"heir-{survey_id}": "" for survey_id in own.values()}
    answer = admin.post(f"/admin/people/{eve.id}/remove", **typed)
    assert answer.status_code == 422
    assert "Choose somebody from the list for every survey. Nothing has been removed yet." in answer.text
    assert owners() == {"first": "eve", "second": "eve"}


@pytest.fixture
def run(storage, monkeypatch):
    monkeypatch.setenv("CANDOR_DATABASE", str(storage.path))
    return lambda *arguments: CliRunner().invoke(user, ["remove", *arguments])


def test_the_command_hands_over_and_removes(run, eve, owners, deeds):
    refused = run("eve")
    assert (refused.exit_code, refused.output) == (
        1,
        "Error: eve owns first, second: name who takes them over, with --hand-over-to\n",
    )
    for heir in ("ben", "eve", "nobody", "two words"):
        answer = run("eve", "--hand-over-to", heir)
        assert answer.exit_code == 2
        assert f"must be the name of another admin or editor, got '{heir}'" in answer.output
    done = run("eve", "--hand-over-to", "ADA")
    assert (done.exit_code, done.output) == (0, "eve has been removed\nada now owns first, second\n")
    assert owners() == {"first": "ada", "second": "ada"}
    assert deeds()[-1] == ("command line", "account_removed", None, "eve")


def test_whoever_owns_nothing_is_removed_without_an_heir(run, storage):
    assert run("ben").output == "ben has been removed\n"
    assert storage.read(accounts.by_name, "ben") is None
