"""The admin's page of a survey's invitations: links come out once, and counts and lists in steps."""

import csv
import io
import json
import re
from base64 import urlsafe_b64decode
from html import unescape

import pytest

from server.store import invitation_list, invitations, submissions, surveys
from server.store.engine import Unavailable
from server.store.staff import audit
from server.store.submissions import Submission
from survey.draft import document_of

DAY = "2026-05-04"


class Inviting:
    """An admin on the page of an open survey, `guests`."""

    address = "/admin/surveys/guests/invitations"

    def __init__(self, admin, storage, table):
        self.admin, self.storage = admin, storage
        draft = storage.write(surveys.create_draft, table)
        self.survey = storage.write(surveys.open_survey, draft.id)

    def page(self):
        return unescape(self.admin.get(self.address).text)

    def make(self, number):
        """Make invitations; give the rows of the file, as number and link."""
        answer = self.admin.post(self.address, number=str(number))
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        heading, *rows = csv.reader(io.StringIO(answer.text))
        assert heading == ["number", "link"]
        return [(int(one), link) for one, link in rows]

    def use(self, links, memory=None):
        """Send a report with each of these links, one after the other."""
        memory = {} if memory is None else memory
        fingerprint = self.survey.publication.fingerprint
        for number, link in links:
            token = urlsafe_b64decode(link.partition("#i=")[2])
            one = Submission(self.survey.id, fingerprint, f"{number:032x}", {"copied": 1, "data": 0}, token)
            assert self.storage.write(submissions.record, [one], DAY, memory) == ["stored"]
        return memory

    def used(self):
        return int(re.search(r"Used so far</dt><dd>([0-9,]+)", self.page())[1])


@pytest.fixture
def inviting(admin, storage, survey_file):
    return Inviting(admin, storage, survey_file("guests", candor=3, invitations=True))


@pytest.fixture
def listing(admin, storage, survey_file):
    return Inviting(admin, storage, survey_file("guests", candor=3, invitations="listed"))


def test_links_come_out_once_and_each_works(inviting):
    rows = inviting.make(130)
    assert [number for number, _ in rows] == list(range(1, 131))
    assert all(re.fullmatch(r"http://localhost/s/guests#i=[A-Za-z0-9_-]{28}", link) for _, link in rows)
    assert len({link for _, link in rows}) == 130
    inviting.use(rows)
    page = inviting.page()
    assert "Invitations made</dt><dd>130" in page
    assert not any(link[-28:] in page for _, link in rows)


def test_more_are_numbered_on(inviting):
    inviting.make(3)
    answer = inviting.admin.post(inviting.address, number="2")
    assert "guests-invitations-from-4.csv" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert [row[0] for row in csv.reader(io.StringIO(answer.text))] == ["number", "4", "5"]


def test_many_are_stored_in_parts_and_each_works(listing, monkeypatch):
    monkeypatch.setattr("server.surveys.invitations.PART", 62)
    rows = listing.make(150)
    assert [number for number, _ in rows] == list(range(1, 151))
    listing.use([rows[0], rows[61], rows[62], rows[123], rows[124], rows[149]])
    used = listing.storage.read(invitation_list.used, listing.survey.id)
    assert [int(place) + 1 for place in used.nonzero()[0]] == [1, 62, 63, 124, 125, 150]


@pytest.mark.parametrize("reason", [invitations.TooMany, Unavailable])
def test_what_was_stored_before_something_failed_is_given_and_the_log_says_how_many(
    listing, monkeypatch, reason
):
    monkeypatch.setattr("server.surveys.invitations.PART", 62)
    make = invitations.make

    def failing(db, survey_id, hashes, room=0):
        if room == 150 - 2 * 62:
            raise reason
        return make(db, survey_id, hashes, room)

    monkeypatch.setattr(invitations, "make", failing)
    rows = listing.make(150)
    assert [number for number, _ in rows] == list(range(1, 125))
    assert listing.storage.read(invitations.invitation_totals, listing.survey.id).made == 124
    lines = listing.storage.read(audit.lines, audit.LineFilter(what="invitations_made"))
    assert [line.about for line in lines] == ["124"]
    listing.use([rows[0], rows[123]])


def test_no_links_are_given_of_which_the_log_does_not_tell(listing, monkeypatch):
    def away(*_):
        raise Unavailable

    monkeypatch.setattr("server.surveys.invitations.PART", 62)
    monkeypatch.setattr(audit, "note", away)
    answer = listing.admin.post(listing.address, number="150")
    assert answer.status_code == 503
    assert "#i=" not in answer.text


def test_the_numbers_of_a_survey_without_a_list_do_not_say_where_a_link_is_stored(inviting):
    places = [urlsafe_b64decode(link[-28:])[:4] for _, link in inviting.make(100)]
    assert places != sorted(places)


def test_what_was_used_is_counted_in_steps(inviting):
    rows = inviting.make(40)
    memory = inviting.use(rows[:19])
    assert inviting.used() == 0
    inviting.use(rows[19:21], memory)
    assert inviting.used() == 10
    assert inviting.admin.get(f"{inviting.address}/not-used.csv").status_code == 409


def test_the_list_holds_numbers_and_advances_with_the_results(listing):
    rows = listing.make(40)
    address = f"{listing.address}/not-used.csv"

    def numbers():
        heading, *found = listing.admin.get(address).text.split()
        assert heading == "number"
        return [*map(int, found)]

    memory = listing.use(rows[:19])
    assert numbers() == list(range(1, 41))
    listing.use(rows[19:21], memory)
    assert numbers() == list(range(11, 41))
    listing.storage.write(surveys.close_survey, listing.survey.id)
    listing.storage.finish()
    assert numbers() == list(range(22, 41))
    assert "so this list is final" in listing.page()
    assert "Downloaded the invitations not yet used" in listing.admin.get("/admin/audit").text


NO_NUMBERS = ("", "0", "-1", "100001", "1.5", "1e3", "many", "٣", "9" * 4000)
HOSTILE = ("<script>", "=1+1", "\u202e7", "7\0")


def test_a_number_that_cannot_be_made_is_named_with_what_can(inviting):
    for number in (*NO_NUMBERS, *HOSTILE):
        answer = inviting.admin.post(inviting.address, number=number)
        assert answer.status_code == 422, number
        assert "Enter a whole number from 1 to 100,000. You entered" in unescape(answer.text), number
        assert "<script>\u201d" not in answer.text, number
        assert inviting.storage.read(invitations.invitation_totals, inviting.survey.id).made == 0, number


def test_a_survey_that_has_enough_says_so(inviting, monkeypatch):
    monkeypatch.setattr(invitations, "MOST", 10)
    monkeypatch.setattr("server.surveys.invitations.MOST", 10)
    inviting.make(8)
    answer = inviting.admin.post(inviting.address, number="3")
    assert answer.status_code == 422
    assert "A survey can have at most 10 invitations. 8 are made already." in answer.text


def test_those_that_were_not_used_can_be_withdrawn(inviting):
    rows = inviting.make(3)
    inviting.use(rows[:1])
    answer = inviting.admin.post(f"{inviting.address}/withdraw", page=inviting.address)
    assert "no longer work" in unescape(inviting.admin.get(answer.location).text)
    token = urlsafe_b64decode(rows[1][1][-28:])
    sent = Submission(inviting.survey.id, inviting.survey.publication.fingerprint, "ab" * 16, {}, token)
    one = Submission(sent.survey_id, sent.fingerprint, sent.receipt, {"copied": 1, "data": 0}, token)
    assert inviting.storage.write(submissions.record, [one], DAY) == ["uninvited"]


def test_programs_read_such_a_survey_as_any_other(listing, program):
    rows = listing.make(30)
    listing.use(rows[:21])
    asked = program("ada").get("/surveys/guests/estimates")
    assert (asked.status_code, asked.json["respondents"]) == (200, 10)
    assert program("ada").get("/surveys/guests/reports").status_code == 409


def test_small_groups_are_warned_of(inviting):
    assert "groups of fewer than 100 people" in inviting.page()
    inviting.make(100)
    assert "groups of fewer than 100 people" not in inviting.page()


def test_what_staff_do_is_written_down(inviting):
    inviting.make(5)
    inviting.admin.post(f"{inviting.address}/withdraw", page=inviting.address)
    lines = inviting.storage.read(lambda db: db.execute("SELECT what, survey, about FROM audit").fetchall())
    found = [tuple(line) for line in lines if line[0].startswith("invitations")]
    assert found == [("invitations_made", "guests", "5"), ("invitations_withdrawn", "guests", None)]
    assert {what for what, *_ in found} <= set(audit.DEEDS)


def test_many_are_made_in_short_transactions_and_written_down_once(inviting, monkeypatch):
    monkeypatch.setattr("server.surveys.invitations.PART", 62)
    stored = []
    make = invitations.make

    def counted(db, survey_id, hashes, room=0):
        stored.append(len(hashes))
        return make(db, survey_id, hashes, room)

    monkeypatch.setattr(invitations, "make", counted)
    rows = inviting.make(150)
    assert stored == [62, 62, 26]
    assert len({link for _, link in rows}) == 150
    (line,) = inviting.storage.read(
        lambda db: db.execute("SELECT about FROM audit WHERE what = 'invitations_made'").fetchall()
    )
    assert tuple(line) == ("150",)


def test_once_closed_none_are_made(inviting):
    inviting.make(5)
    inviting.storage.write(surveys.close_survey, inviting.survey.id)
    assert "The survey is closed." in inviting.page()
    for address in (inviting.address, f"{inviting.address}/withdraw"):
        answer = inviting.admin.post(address, page="/account", number="5")
        assert (answer.status_code, "This survey is not open." in answer.text) == (409, True)


def test_a_survey_for_everybody_has_no_such_page(admin, publish_exams):
    publish_exams(close=False)
    address = "/admin/surveys/exams/invitations"
    answers = [admin.get(address), admin.post(address, page="/account"), admin.get(f"{address}/not-used.csv")]
    assert {answer.status_code for answer in answers} == {409}
    assert "This survey has no invitations." in unescape(answers[0].text)
    assert admin.get("/admin/surveys/none/invitations").status_code == 404
    assert address not in admin.get("/admin/surveys/exams").text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/admin/surveys/exams/invitations", 409),
        ("/results/exams?method=none", 400),
        ("/results/exams/cross", 409),
        ("/results/exams/reports.csv", 409),
    ],
)
def test_what_cannot_be_had_is_said_on_a_page_like_every_other_of_staff(
    admin, publish_exams, address, status
):
    publish_exams(close=False)
    usual, answer = admin.get("/admin"), admin.get(address)
    heads = [re.sub(r' aria-current="page"|value="[^"]*"', "", page.text) for page in (usual, answer)]
    usual_head, head = (page.partition("</form>")[0].partition("<header")[2] for page in heads)
    assert (answer.status_code, head) == (status, usual_head)


@pytest.mark.parametrize("invited", [True, "listed"])
def test_a_draft_says_who_can_take_part(editor, draft, invited):
    assert editor.fill(invitations=invited)["faults"] == []
    assert (draft()["candor"], draft()["invitations"]) == (3, invited)


def test_a_list_and_an_early_download_are_refused_together(editor, survey_file):
    results = {"step": 10, "reports_while_open": True}
    table = survey_file("health", candor=3, invitations="listed", results=results)
    [fault] = editor.write(document_of(table))["faults"]
    assert fault["unit"] == "invitations"
    assert "no report can be downloaded before the survey is closed" in fault["said"]


def test_a_trial_of_a_draft_needs_no_invitation(admin, storage, survey_file):
    storage.write(surveys.create_draft, survey_file("guests", candor=3, invitations=True))
    page = admin.get("/admin/surveys/guests/try").text
    assert f'data-invitation="{"A" * 28}"' in page
    assert "more.js" in page


def test_whoever_has_opened_it_is_told_to_make_invitations(inviting):
    page = inviting.admin.get("/admin/surveys/guests?opened=1").text
    assert "Make an invitation for each respondent." in page
    assert "Send the address below" not in page
    assert 'class="button" href="/admin/surveys/guests/invitations"' in page


def test_the_survey_s_own_page_and_that_for_sharing_lead_there(inviting):
    for address in ("/admin/surveys/guests", "/admin/surveys/guests/share"):
        page = inviting.admin.get(address).text
        assert inviting.address in page
        assert "This address alone lets nobody take part." in page
    assert json.loads(inviting.survey.publication.json)["invitations"] is True
