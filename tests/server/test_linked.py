"""A survey with linked questions, from what is sent to every page and download."""

import csv
import io
import re
import zipfile

import pytest

from server.store import surveys

TEXTS = {"en": "Is it so?"}
SECTIONS = [
    {
        "id": "together",
        "linked": True,
        "epsilon": 2.0,
        "questions": [
            {"id": "smoked", "wording": TEXTS},
            {"id": "drank", "kind": "choice", "wording": TEXTS, "options": [TEXTS] * 3},
            {"id": "tired", "wording": TEXTS},
        ],
    },
    {
        "id": "apart",
        "questions": [{"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXTS}],
    },
]
WAYS = {
    "all": ({}, [(0, 2, 1), (1, 1, 0), (0, 0, 0)]),
    "skipped": ({"skip": "randomized"}, [(0, 2, 1), (2, 3, 2), (1, 1, 0)]),
    "sets": ({"asked": 2}, [(0, 2, 2), (2, 3 - 1, 1), (1, 3, 0)]),
}
"""What the section says besides -> codes of its columns that may come together."""


@pytest.fixture(params=WAYS)
def linked(request, staff_app, door_of, survey_file):
    """The door of an open survey, and rows of codes that its page may send."""
    more, rows = WAYS[request.param]
    door = door_of(staff_app)
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    sections = [SECTIONS[0] | more, SECTIONS[1]]
    draft = door.storage.write(
        surveys.create_draft, table | {"candor": 3, "sections": sections, "results": {"step": 1}}
    )
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    return door, [dict(zip(door.survey.publication.columns, (*row, 1), strict=True)) for row in rows]


def send(door, number, row):
    sent = {"fingerprint": door.survey.publication.fingerprint, "receipt": f"{number:032x}"} | row
    headers = {"Sec-Fetch-Site": "same-origin"}
    answer = door.client.post(
        "/s/work", data={key: str(value) for key, value in sent.items()}, headers=headers
    )
    return re.search(r'data-outcome="(\w+)"', answer.text)[1]


def test_what_is_sent_is_counted_and_every_page_and_download_shows_it(linked, browse):
    door, rows = linked
    assert door.client.get("/s/work").status_code == 200
    for number, row in enumerate(rows * 20):
        assert send(door, number, row) == "stored"
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    assert door.storage.deviations() == []
    researcher = browse("researcher")
    for address in (
        "/results/work",
        "/results/work/codebook.html",
        "/results/work/channels.json",
        "/results/work/estimates.xlsx",
        "/results/work/reports.sqlite",
        "/results/work/estimates.csv",
        "/results/work/estimates.json",
        "/results/work/cross?row=smoked&column=tired",
        "/results/work/cross?row=smoked&column=drank",
        "/results/work/cross?row=smoked&column=copied",
        "/results/work/ethics",
    ):
        assert researcher.get(address).status_code == 200, address
    packed = zipfile.ZipFile(io.BytesIO(researcher.get("/results/work/all.zip").data))
    (name,) = (each for each in packed.namelist() if each.endswith("reports.csv"))
    reports = list(csv.DictReader(io.StringIO(packed.read(name).decode("utf-8-sig"))))
    assert sorted(tuple(each.values()) for each in reports) == sorted(
        tuple(map(str, row.values())) for row in rows * 20
    )
    assert researcher.get("/results/work/estimates.json").json["budget"]["epsilon"] == pytest.approx(3)


def test_codes_that_no_wheel_gives_together_are_refused(linked):
    door, rows = linked
    more = door.survey.publication.definition.sections[0].linked
    impossible = {"smoked": 2, "drank": 1, "tired": 1} if more.skip else {"smoked": 1, "drank": 1, "tired": 1}
    if more.skip or more.sampled:
        assert send(door, 1, rows[0] | impossible) == "refused"
    assert send(door, 1, rows[0] | {"smoked": 9}) == "refused"


def test_a_draft_of_linked_questions_can_be_read_in_the_editor(storage, browse, survey_file):
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    draft = storage.write(surveys.create_draft, table | {"candor": 3, "sections": SECTIONS})
    admin = browse("admin")
    for page in ("draft", "plan"):
        assert admin.get(f"/admin/surveys/{draft.slug}/{page}").status_code == 200, page
