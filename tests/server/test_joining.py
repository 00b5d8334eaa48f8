"""Links for staff: an invitation makes an account, a reset sets a password; each once, and for seven days."""

import re
from html import unescape

import pytest

from server.store import surveys
from server.store.staff import accounts, audit, leaving, links, rights, tokens
from server.store.staff.accounts import AccountError, AccountGone
from server.store.staff.audit import LineFilter
from server.store.staff.links import LinkGone

PASSWORD = "a long enough password"
CHOSEN = "four unrelated words"
BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
HASH = "$argon2id$x"
SEVEN_DAYS = 7 * 86400


@pytest.fixture
def ada(browse):
    return browse("admin")


@pytest.fixture
def exams(storage):
    return storage.write(surveys.create_draft, {"candor": 1, "slug": "exams", "languages": ["en"]})


def link_in(answer):
    return unescape(re.search(r'id="issued-link"[^>]* value="([^"]+)"', answer.text)[1])


def invite(ada, **fields):
    sent = {"role": "editor", **fields}
    return link_in(ada.post("/admin/people/invitations", page="/admin/people", **sent))


@BOTH
def test_somebody_who_is_invited_chooses_a_name_and_a_password(ada, browse, storage, exams):
    link = invite(ada, surveys=["exams"])
    address, _, token = link.partition("#")
    assert address.endswith("/join")
    eve = browse()
    joined = eve.post("/join", link=link, name="eve", password=CHOSEN)
    assert joined.location == "/admin"  # and is signed in
    assert "exams" in eve.get("/admin").text
    account = storage.read(accounts.by_name, "eve")
    assert storage.read(rights.rights_of, account).relation(exams.id) == "given"
    assert browse().sign_in("eve", CHOSEN).status_code == 302
    used = browse().post("/join", link=token, name="mallory", password=CHOSEN)
    assert used.status_code == 410
    assert "This link cannot be used." in used.text
    assert 'name="password"' not in used.text  # there is nothing to fill in
    assert storage.read(accounts.by_name, "mallory") is None
    noted = {(line.who, line.what, line.about) for line in storage.read(audit.lines, LineFilter())}
    assert {("ada", "invitation_made", "editor"), ("eve", "invitation_used", "ada")} <= noted


def test_only_the_hash_of_a_link_is_stored_and_it_is_shown_once(ada, storage):
    token = invite(ada).partition("#")[2]
    assert token not in ada.get("/admin/people").text
    held = storage.read(lambda db: db.execute("SELECT * FROM staff_links").fetchall())
    assert len(held) == 1
    assert token not in str(held)


def test_a_name_that_is_taken_leaves_the_link_as_it_was(ada, browse, storage):
    link = invite(ada)
    taken = browse().post("/join", link=link, name="BEN", password=CHOSEN)
    assert taken.status_code == 409
    assert "already an account of that name" in taken.text
    assert CHOSEN not in taken.text
    short = browse().post("/join", link=link, name="eve", password="short")
    assert short.status_code == 422
    assert browse().post("/join", link=link, name="eve", password=CHOSEN).status_code == 302


@BOTH
def test_of_two_who_use_a_link_at_once_one_gets_an_account(storage):
    ada = storage.read(accounts.by_name, "ada")
    token = storage.write(links.invite, ada.id, "researcher", True, [], 0)

    def both(db):
        links.join(db, token, "eve", HASH, 1)
        with pytest.raises(LinkGone):
            links.join(db, token, "zoe", HASH, 1)

    storage.write(both)
    assert storage.read(accounts.by_name, "zoe") is None


def test_a_link_ends_after_seven_days_with_its_maker_and_when_it_is_withdrawn(ada, browse, storage, clock):
    maker = storage.write(accounts.create, "zoe", PASSWORD, "admin")
    now = clock().timestamp()
    tokens = [storage.write(links.invite, maker.id, "admin", False, [], now) for _ in range(2)]
    storage.read(links.link_of, tokens[0], now + SEVEN_DAYS - 1)
    with pytest.raises(LinkGone):
        storage.read(links.link_of, tokens[0], now + SEVEN_DAYS)
    page = ada.get("/admin/people").text
    withdraw = re.search(r'action="(/admin/people/invitations/\d+/withdraw)"', page)[1]
    assert ada.post(withdraw, page="/admin/people").location == "/admin/people"
    assert ada.post(withdraw, page="/admin/people").status_code == 404
    (left,) = storage.read(links.invitations, now)
    assert left.made_by == "zoe"
    storage.write(rights.set_rights, maker.id, "editor", False, [])
    assert storage.read(links.invitations, now) == []
    other = storage.write(accounts.create, "cleo", PASSWORD, "admin")
    made = [storage.write(links.invite, other.id, "admin", False, [], now)]
    made.append(storage.write(links.allow_reset, other.id, maker.id, now))
    storage.write(leaving.remove, other.id, {}, "ada")
    for token in made:
        with pytest.raises(LinkGone):
            storage.read(links.link_of, token, now)


@BOTH
def test_links_that_have_ended_are_removed_when_the_next_one_is_made(storage):
    ada = storage.read(accounts.by_name, "ada")
    for time, make, *wanted in (
        (0, links.invite, "editor", False, []),
        (1, links.invite, "editor", False, []),
        (2, links.allow_reset, 2),
    ):
        storage.write(make, ada.id, *wanted, time * SEVEN_DAYS)
        assert storage.read(lambda db: db.execute("SELECT count(*) FROM staff_links").fetchone()) == (1,)


@BOTH
def test_the_store_takes_no_link_for_what_it_was_not_made_for(storage):
    ada = storage.read(accounts.by_name, "ada")
    invitation = storage.write(links.invite, ada.id, "editor", False, [], 0)
    reset = storage.write(links.allow_reset, ada.id, 2, 0)
    for use, token, *given in ((links.join, reset, "eve", HASH), (links.reset, invitation, HASH)):
        with pytest.raises(LinkGone):
            storage.write(use, token, *given, 1)


@BOTH
def test_no_link_is_for_an_account_that_is_not_there_and_no_invitation_has_a_number_beyond_all(storage):
    with pytest.raises(AccountGone):
        storage.write(links.allow_reset, storage.read(accounts.by_name, "ada").id, 99, 0)
    with pytest.raises(LinkGone):
        storage.write(links.revoke, 2**63)


@BOTH
@pytest.mark.parametrize("gone", ["removed", "demoted"])
@pytest.mark.parametrize("what", ["an invitation", "a new password"])
def test_whoever_stops_being_an_admin_while_they_make_a_link_makes_none(
    ada, storage, monkeypatch, gone, what
):
    storage.write(accounts.create, "zoe", PASSWORD, "admin")
    make = "invite" if what == "an invitation" else "allow_reset"

    def too_late(real):
        def made(db, made_by, *rest):
            if gone == "removed":
                accounts.delete(db, made_by)
            else:
                rights.set_rights(db, made_by, "editor", False, [])
            return real(db, made_by, *rest)

        return made

    monkeypatch.setattr(links, make, too_late(getattr(links, make)))
    address = "/admin/people/invitations" if make == "invite" else "/admin/people/2/reset"
    assert ada.post(address, page="/admin/people", role="admin").status_code == 404
    assert storage.read(lambda db: db.execute("SELECT count(*) FROM staff_links").fetchone()) == (0,)


@BOTH
def test_somebody_sets_a_new_password_by_a_link(ada, browse, storage):
    ben = browse("researcher")
    link = link_in(ada.post("/admin/people/2/reset", page="/admin/people"))
    assert link.partition("#")[0].endswith("/reset")
    assert ben.get("/results").status_code == 200  # until it is used
    newer = link_in(ada.post("/admin/people/2/reset", page="/admin/people"))
    assert browse().post("/reset", link=link, password=CHOSEN).status_code == 410
    assert browse().post("/reset", link=newer, password="short").status_code == 422
    assert browse().post("/reset", link=newer, password=CHOSEN).location == "/results"
    assert ben.get("/results").location.startswith("/login")
    assert browse().sign_in("ben").status_code == 403
    assert browse().sign_in("ben", CHOSEN).status_code == 302
    assert browse().post("/reset", link=newer, password=PASSWORD).status_code == 410


@BOTH
def test_a_link_for_a_new_password_ends_when_the_password_is_changed_otherwise(ada, browse):
    ben = browse("researcher")
    link = link_in(ada.post("/admin/people/2/reset", page="/admin/people"))
    ben.post("/account", page="/account", present=PASSWORD, password=CHOSEN)
    assert browse().post("/reset", link=link, password="of somebody else").status_code == 410
    assert browse().sign_in("ben", CHOSEN).status_code == 302


@BOTH
def test_whoever_is_kept_out_by_a_new_password_comes_back_by_no_link_or_token_of_theirs(storage):
    zoe = storage.write(accounts.create, "zoe", PASSWORD, "admin")
    invitation = storage.write(links.invite, zoe.id, "admin", False, [], 0)
    reset = storage.write(links.allow_reset, zoe.id, 2, 0)
    program = storage.write(tokens.create, zoe.id, "nightly", True, None, None)
    storage.write(accounts.set_password, zoe.id, CHOSEN)  # which zoe did, and nobody has to be kept out
    for token in (invitation, reset):
        assert storage.read(links.link_of, token, 1).made_by == "zoe"
    assert storage.read(tokens.holder, program, "2026-05-04") is not None
    storage.write(accounts.issue_password_hash, zoe.id, HASH)
    assert storage.read(tokens.holder, program, "2026-05-04") is None
    for token in (invitation, reset):
        with pytest.raises(LinkGone):
            storage.read(links.link_of, token, 1)


def test_a_page_can_ask_whether_its_link_can_still_be_used_and_nothing_comes_of_it(ada, browse, storage):
    invitation = invite(ada).partition("#")[2]
    reset = link_in(ada.post("/admin/people/2/reset", page="/admin/people")).partition("#")[2]
    for page, good, bad in (("/join", invitation, reset), ("/reset", reset, invitation)):
        for token, usable in ((good, True), (bad, False), ("a" * 43, False), ("", False)):
            sent = {"link": token, "name": "eve", "password": CHOSEN}
            assert browse().post(f"{page}/link", page=page, **sent).json == {"usable": usable}
    assert (
        browse().client.post("/join/link", data={"link": invitation}).status_code == 400
    )  # without its token
    assert storage.read(accounts.by_name, "eve") is None
    joined = browse().post("/join", link=invitation, name="eve", password=CHOSEN)
    assert joined.status_code == 302
    assert browse().post("/join/link", page="/join", link=invitation).json == {"usable": False}


def test_a_link_is_good_for_what_it_was_made_for(ada, browse, storage):
    invitation = invite(ada)
    reset = link_in(ada.post("/admin/people/2/reset", page="/admin/people"))
    assert browse().post("/reset", link=invitation, password=CHOSEN).status_code == 410
    assert browse().post("/join", link=reset, name="eve", password=CHOSEN).status_code == 410
    ada.post("/admin/people/2/remove")
    assert browse().post("/reset", link=reset, password=CHOSEN).status_code == 410
    assert browse().sign_in("ben", CHOSEN).status_code == 403


HOSTILE = ["", "=1+1", "<script>alert(1)</script>", "\0", "‮ben", "x" * 5000, "a" * 43]


@BOTH
def test_what_is_no_link_and_no_name_makes_nothing(ada, browse, storage):
    link, eve = invite(ada), browse()
    for text in HOSTILE:
        for address in ("/join", "/reset"):
            answer = eve.post(address, link=text, name="eve", password=CHOSEN)
            assert answer.status_code == 410, text
            assert "<script>alert" not in answer.text, text
        if text != "a" * 43:
            assert eve.post("/join", link=link, name=text, password=CHOSEN).status_code == 422, text
        names = [account.name for account in storage.read(accounts.all_accounts)]
        assert names == ["ada", "ben"], text


def test_a_role_that_there_is_not_is_refused_before_a_link_is_made(ada, storage):
    answer = ada.post("/admin/people/invitations", page="/admin/people", role="owner")
    assert answer.status_code == 422
    assert "The value sent was “owner”." in answer.text
    assert storage.read(links.invitations, 0) == []


def test_an_invitation_gives_no_name_that_is_not_allowed(storage):
    ada = storage.read(accounts.by_name, "ada")
    token = storage.write(links.invite, ada.id, "researcher", True, [], 0)
    with pytest.raises(AccountError):
        storage.write(links.join, token, "two words", HASH, 1)
    storage.read(links.link_of, token, 1)  # it is there still
