"""The page of a survey for those who were invited, and what it sends."""

import html
import json
import re
import secrets

import pytest

from server.cli.client_hash import rendered
from server.store import invitation_list, invitations, surveys

pytestmark = pytest.mark.engines("sqlite")

OWN = {"Sec-Fetch-Site": "same-origin"}
TOKEN = "invitation-token"


class Invited:
    """An open survey, `guests`, its tokens, and its door."""

    def __init__(self, app, survey_file, **more):
        self.app, self.storage = app, app.extensions["candor"].storage
        table = survey_file("guests", candor=3, **({"invitations": True} | more))
        draft = self.storage.write(surveys.create_draft, table)
        self.survey = self.storage.write(surveys.open_survey, draft.id)
        drawn = invitations.draw(100)
        hashes = [*map(invitations.hash_of, drawn)]
        self.tokens = self.storage.write(invitations.make, self.survey.id, hashes).tokens(drawn)
        self.client = app.test_client()

    def body(self, token, **more):
        fingerprint = self.survey.publication.fingerprint
        names = {"fingerprint": fingerprint, "receipt": secrets.token_hex(16), TOKEN: token}
        return names | {"copied": "1", "data": "0"} | more

    def send(self, body):
        """Send as the page does; give status, what the script reads, and the English title."""
        answer = self.client.post("/s/guests", data=body, headers=OWN)
        outcome = re.search(r'data-outcome="(\w+)"', answer.text)[1]
        return answer.status_code, outcome, html.unescape(re.search(r"<h1>(.+?)</h1>", answer.text)[1])

    def used(self):
        return int(self.storage.read(invitation_list.used, self.survey.id).sum())


@pytest.fixture
def guests(app, survey_file):
    return Invited(app, survey_file)


USED = (409, "used", "This invitation has been used")
NONE = (403, "uninvited", "This invitation link does not work")


def test_an_invitation_stores_one_report_by_the_long_way_and_by_the_short_one(guests):
    first, second = (guests.body(token) for token in guests.tokens[:2])
    for body in (first, second):  # the second goes through the door
        assert guests.send(body)[:2] == (200, "stored")
        assert guests.send(body)[:2] == (200, "stored")
        assert guests.send(body | {"receipt": secrets.token_hex(16)}) == USED
    assert guests.app.extensions["candor.respond"].open_surveys.results.keys() == {"guests"}
    assert guests.used() == 2


def test_an_invented_token_and_a_withdrawn_one_are_no_invitation(guests):
    guests.send(guests.body(guests.tokens[0]))
    invented = guests.tokens[1][:-1] + ("A" if guests.tokens[1][-1] != "A" else "B")
    assert guests.send(guests.body(invented)) == NONE
    guests.storage.write(invitations.withdraw, guests.survey.id)
    assert guests.send(guests.body(guests.tokens[1])) == NONE
    assert guests.used() == 1


@pytest.mark.parametrize(
    "token",
    [
        "",
        "A" * 27,
        "A" * 29,
        "é" * 28,
        "A" * 27 + "=",
        "\x00" * 28,
        "\u202e" * 28,
        "=cmd|'/C calc'!A0" + "A" * 11,
        "<script>alert(1)</script>AAA",
        "' OR 1=1 --" + "A" * 17,
        "9" * 60000,
    ],
)
def test_what_is_no_token_is_refused_with_what_one_is(guests, token):
    body = guests.body(token)
    answer = guests.client.post("/s/guests", data=body, headers=OWN)
    assert (answer.status_code, 'data-outcome="refused"' in answer.text) == (400, True)
    assert "<script>alert" not in answer.text
    if len(token) < 100:
        assert "must be the 28 characters that stand after #i= in the link" in answer.text
    assert guests.used() == 0


def test_a_token_that_is_missing_or_sent_twice_or_not_asked_for_is_named(guests, door):
    body = guests.body(guests.tokens[0])
    without = {name: value for name, value in body.items() if name != TOKEN}
    for sent, said in (
        (without, f"{TOKEN} is missing; it must be the 28 characters"),
        (body | {TOKEN: guests.tokens[:2]}, f"{TOKEN} must be sent once"),
    ):
        assert said in html.unescape(guests.client.post("/s/guests", data=sent, headers=OWN).text)
    answer = door.client.post("/s/exams", data=door.body() | {TOKEN: guests.tokens[0]}, headers=OWN)
    assert "A submission must contain no fields but these" in html.unescape(answer.text)
    assert guests.used() == 0


def messages_of(page):
    """The keys of the messages that travel with a page."""
    found = re.search(r'<script type="application/json" id="messages">(.+?)</script>', page)
    return {key for key in json.loads(found[1])[1] if key.startswith("invited.")}


def test_what_respondents_read_depends_on_the_survey(guests, door):
    page = guests.client.get("/s/guests").text
    assert "more.js" in page
    told = {
        "invited.who",
        "invited.apart",
        "invited.together",
        "invited.missing.title",
        "invited.missing.text",
    }
    assert messages_of(page) == told | {"invited.unlisted"}
    assert '"invitations":true' in page
    other = door.get().text
    assert "invited" not in other
    assert "token.js" not in other


def test_where_a_list_is_kept_they_read_that(app, survey_file):
    page = Invited(app, survey_file, invitations="listed").client.get("/s/guests").text
    assert "invited.listed" in messages_of(page)
    assert "invited.unlisted" not in messages_of(page)


@pytest.mark.engines
def test_where_the_database_shows_what_was_written_together_they_read_that_too(app, engine, survey_file):
    guests = Invited(app, survey_file)
    page = guests.client.get("/s/guests")
    assert ('data-together="yes"' in page.text) == (engine == "postgresql")
    # What a release compares a server's page with.
    assert page.data == rendered(guests.survey.publication, together=engine == "postgresql")


def test_the_fingerprint_holds_whether_there_are_invitations_and_a_list(app, survey_file):
    found = set()
    for number, more in enumerate(
        ({}, {"candor": 3, "invitations": True}, {"candor": 3, "invitations": "listed"})
    ):
        storage = app.extensions["candor"].storage
        table = survey_file(f"one-{number}", **more) | {"slug": "one"}
        draft = storage.write(surveys.create_draft, table)
        found.add(storage.write(surveys.open_survey, draft.id).publication.fingerprint)
        storage.write(surveys.delete_survey, draft.id)
    assert len(found) == 3
