"""A survey with linked questions, from what is sent to every page and download."""

import csv
import io
import re
import tomllib
import zipfile

import pytest
from draft_editor import Editor, words

from server.store import surveys
from server.store.staff import accounts, tokens
from server.xlsform.reader import read_xlsform
from server.xlsform.writer import write_xlsform
from survey.draft import document_of

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


USED = {"id": "used", "kind": "boxes", "wording": TEXTS, "options": [{"en": name} for name in "ABC"]}
WAYS_OF_BOXES = {
    "all": ({}, [(0, 1, 1), (1, 1, 0), (0, 0, 0)]),
    "skipped": ({"skip": "randomized"}, [(0, 1, 1), (2, 2, 2), (1, 1, 0)]),
    "sets": ({"asked": 2}, [(0, 1, 2), (2, 1, 1), (1, 2, 0)]),
}


@pytest.fixture(params=WAYS)
def linked(request, staff_app, door_of, survey_file):
    """The door of an open survey, and rows of codes that its page may send."""
    more, rows = WAYS[request.param]
    return opened(staff_app, door_of, survey_file, SECTIONS[0] | more, rows)


@pytest.fixture(params=WAYS_OF_BOXES)
def boxes(request, staff_app, door_of, survey_file):
    """The same of a question with boxes."""
    more, rows = WAYS_OF_BOXES[request.param]
    return opened(staff_app, door_of, survey_file, SECTIONS[0] | more | {"questions": [USED]}, rows)


def opened(staff_app, door_of, survey_file, section, rows):
    door = door_of(staff_app)
    table = {key: value for key, value in survey_file("work").items() if key != "questions"}
    sections = [section, SECTIONS[1]]
    draft = door.storage.write(
        surveys.create_draft, table | {"candor": 3, "sections": sections, "results": {"step": 1}}
    )
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    return door, [dict(zip(door.survey.publication.columns, (*row, 1), strict=True)) for row in rows]


def read_csv(researcher, name, asked=""):
    text = researcher.get(f"/results/work/{name}.csv{asked}").data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def send(door, number, row):
    sent = {"fingerprint": door.survey.publication.fingerprint, "receipt": f"{number:032x}"} | row
    headers = {"Sec-Fetch-Site": "same-origin"}
    answer = door.client.post(
        "/s/work", data={key: str(value) for key, value in sent.items()}, headers=headers
    )
    return re.search(r'data-outcome="(\w+)"', answer.text)[1]


def whole(researcher, address):
    """Get something to its end: a download that is left keeps its connection to the database."""
    answer = researcher.get(address)
    assert answer.data
    assert answer.status_code == 200, address


@pytest.mark.engines
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
        whole(researcher, address)
    packed = zipfile.ZipFile(io.BytesIO(researcher.get("/results/work/all.zip").data))
    (name,) = (each for each in packed.namelist() if each.endswith("reports.csv"))
    (methods,) = (each for each in packed.namelist() if each.endswith("methods.md"))
    assert "one wheel decided for all their answers together" in packed.read(methods).decode()
    reports = list(csv.DictReader(io.StringIO(packed.read(name).decode("utf-8-sig"))))
    assert sorted(tuple(each.values()) for each in reports) == sorted(
        tuple(map(str, row.values())) for row in rows * 20
    )
    wheels = researcher.get("/results/work/channels.json").json["linked"]["together"]
    assert wheels["columns"] == ["smoked", "drank", "tired"]
    linked = door.survey.publication.definition.sections[0].linked
    assert [wheel["answers"] for wheel in wheels["wheels"]] == [wheel.answers for wheel in linked.wheels]
    codebook = researcher.get("/results/work/codebook.html").text
    assert "One wheel decided for the next 3 answers together" in codebook
    assert ("Each person was asked 2 of them" in codebook) == linked.sampled
    assert ("could be left out together" in codebook) == linked.skip
    pair = researcher.get("/results/work/cross?row=smoked&column=tired").text
    assert "likelihood-ratio test" in pair
    assert "Pearson" not in pair
    together = read_csv(researcher, "cross", "?row=smoked&column=tired")
    pairs = [(row["row_answer"], row["column_answer"]) for row in together if row["quantity"] == "joint"]
    assert (("skip", "skip") in pairs, len(pairs)) == (linked.skip, 4 + linked.skip)
    assert ("Left out together:" in pair) == linked.skip
    assert ">Skipped<" not in pair
    answered = [row for row in read_csv(researcher, "estimates") if row["quantity"] == "answered"]
    assert len(answered) == (2 + 3 + 2 if linked.skip else 0)
    assert ("Among those who did not leave it out" in researcher.get("/results/work").text) == linked.skip
    assert researcher.get("/results/work/estimates.json").json["budget"]["epsilon"] == pytest.approx(3)


@pytest.mark.engines
def test_boxes_on_one_wheel_are_counted_shown_and_read_together(boxes, browse):
    door, rows = boxes
    sent = rows * 20
    assert [send(door, number, row) for number, row in enumerate(sent)] == ["stored"] * len(sent)
    assert send(door, len(sent), rows[0] | {"used_1": 1, "used_2": 2, "used_3": 2}) == "refused"
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    assert door.storage.deviations() == []
    researcher = browse("researcher")
    for name in ("codebook.html", "channels.json", "reports.sqlite", "all.zip", "ethics"):
        whole(researcher, f"/results/work/{name}")
    for page in ("cross?row=used_1&column=used_3", "cross?row=used_1&column=copied"):
        assert researcher.get(f"/results/work/{page}").status_code == 200, page
    asked = {row["question"]: row["respondents"] for row in read_csv(researcher, "estimates")}
    linked = door.survey.publication.definition.sections[0].linked
    assert asked["used"] == ("40" if linked.sampled else "60")
    assert "likelihood-ratio test" in researcher.get("/results/work/cross?row=used_1&column=used_3").text
    definition = door.survey.publication.definition
    assert read_xlsform(write_xlsform(definition), "work.xlsx").definition.as_toml() == definition.as_toml()


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


@pytest.fixture
def editor(storage, browse, survey_file):
    """A page of the editor on a draft whose three questions are alone; gives a function that links some."""
    table = survey_file("work")
    storage.write(surveys.create_draft, table)
    page = Editor(browse("admin"), "work")

    def link(number, **more):
        section = {"uid": "n0000000000aa", "id": "together", "linked": True, "epsilon": 2.0} | more
        questions = [
            {
                "uid": f"n00000000000{n}",
                "id": f"q{n}",
                "section": section["uid"],
                "kind": "yes_no",
                "mechanism": "spinner_coin",
                "epsilon": 1.0,
                "wording": {"en": WORDINGS[n]},
            }
            for n in range(number)
        ]
        return page, page.document | {"sections": [section], "questions": questions}

    return link


WORDINGS = ["Are you tired?", "Do you smoke?", "What is your job title?", "Do you drink?", "Do you dance?"]


def shown(page, document, opened="n0000000000aa"):
    answer = page.post("preview", {"document": document, "open": opened, "changed": "all", "in_full": True})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_part_of_a_draft_is_linked_and_its_file_comes_back_as_it_went(editor, storage, admin):
    page, document = editor(2)
    assert page.write(document)["faults"] == []
    checked = storage.read(surveys.by_slug, "work").checked
    (section,) = checked.publication.definition.sections
    assert section.linked.wheels[0].answers == 4
    written = checked.publication.definition.as_toml()
    assert document_of(tomllib.loads(written))["sections"][0]["linked"] is True
    assert admin.get("/admin/surveys/work/plan").status_code == 200


def test_the_editor_says_what_linking_means_and_advises_against_what_others_know(editor):
    page, document = editor(3)
    answer = shown(page, document)
    said = words(answer["shown"]["n0000000000aa"]["meaning"])
    assert "right at most 73 times in 100" in said  # 1/2 + p/2, p = (E - 1)/(E + 7) = .444
    assert "right at most 67 times" in said  # at 2/3: p = .322
    assert "1,949" in said
    assert "1,989" in said
    assert "Others may know the answer to question 3 of this part." in said
    assert answer["cards"]["n0000000000aa"]["epsilon"] == "ε = 2"
    assert "Total" in words(answer["sum"])
    assert "2" in words(answer["sum"])
    assert "right about another up to 89 times in 100" in said  # E/(E + 1)
    twice = shown(page, document | {"budget": {"waves": 2}})["shown"]["n0000000000aa"]
    assert "right about another up to 99 times in 100" in words(twice["meaning"])  # E^2/(E^2 + 1)
    assert twice["entry"]["waves"] == 2
    unknown = shown(page, document | {"budget": {"waves": 0}})["shown"]["n0000000000aa"]
    assert "right about another" not in words(unknown["meaning"])
    assert unknown["entry"] is None


@pytest.mark.parametrize(
    ("number", "more", "place", "said"),
    [
        (1, {}, "linked", "nothing to link"),
        (3, {"asked": 1}, "asked", "from 2 to 3"),
        (3, {"skip": "apart"}, "skip", "randomized"),
        (3, {"epsilon": 50}, "epsilon", "10"),
        (3, {"by_hand": "dice"}, "by_hand", "coin"),
    ],
)
def test_what_cannot_be_linked_is_said_at_its_field(editor, number, more, place, said):
    page, document = editor(number, **more)
    (problem,) = shown(page, document)["problems"]
    assert problem["unit"] == f"n0000000000aa.{place}"
    assert said in problem["text"]


def test_boxes_of_one_question_are_linked_in_the_editor_and_planned(editor, admin, storage):
    page, document = editor(1)
    (question,) = document["questions"]
    options = [{"uid": f"n00000000010{n}", "text": {"en": name}} for n, name in enumerate("ABC")]
    question |= {"kind": "boxes", "options": options, "mechanism": "per_box"}
    answer = shown(page, document)
    assert answer["problems"] == []
    assert "One wheel for 8 combinations" in words(answer["shown"]["n0000000000aa"]["meaning"])
    assert "for all answers of this part together" in words(
        shown(page, document, question["uid"])["shown"][question["uid"]]["meaning"]
    )
    assert page.write(document)["faults"] == []
    told = {"total": "1.9", "respondents": "5000", "right": "80", "telling": "95", "way": "sets"}
    seen = storage.read(surveys.by_slug, "work").tag
    assert admin.post("/admin/surveys/work/plan", seen=seen, **told).status_code == 302
    (section,) = storage.read(surveys.by_slug, "work").checked.publication.definition.sections
    assert (section.linked.asked, section.questions[0].kind) == (2, "boxes")


def test_real_coins_fix_epsilon_and_the_draft_remembers_what_was_typed(editor, admin, storage):
    page, document = editor(2, by_hand="coin", epsilon=1.25, skip="randomized")
    assert page.write(document)["faults"] == []
    draft = storage.read(surveys.by_slug, "work")
    definition = draft.checked.publication.definition
    assert definition.sections[0].linked.coins
    assert definition.sections[0].epsilon == pytest.approx(1.6094, abs=1e-4)
    assert draft.document["sections"][0]["epsilon"] == 1.25
    assert shown(page, draft.document)["cards"]["n0000000000aa"]["epsilon"] == "ε = 1.61"
    assert read_xlsform(write_xlsform(definition), "work.xlsx").definition.as_toml() == definition.as_toml()
    assert admin.get("/admin/surveys/work/plan?total=2").status_code == 200


def test_where_linking_takes_more_people_opening_is_confirmed(editor, admin, storage):
    """Four linked yes/no questions need more people than asking one of them, at the same total."""
    page, document = editor(4)
    page.write(document)
    address = "/admin/surveys/work/open"
    asked = admin.get(address)
    assert "it needs 4,718" in asked.text
    assert "needs 2,653" in asked.text
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', asked.text)[1]
    assert admin.post(address, fingerprint=fingerprint).status_code == 422
    assert admin.post(address, fingerprint=fingerprint, linking="confirmed").status_code == 302
    assert storage.read(surveys.by_slug, "work").state == "open"
    assert admin.get("/admin/surveys/work").status_code == 200


def test_so_is_a_date_to_open_and_opening_by_a_program(editor, admin, storage):
    page, document = editor(4)
    page.write(document)
    address = "/admin/surveys/work/life"
    shown = admin.get(address).text
    assert "it needs 4,718" in shown
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', shown)[1]
    date = {"zone": "UTC", "opens": "2027-01-01T10:00", "fingerprint": fingerprint}
    refused = admin.post(address, **date)
    assert (refused.status_code, "Tick this box to open the survey." in refused.text) == (422, True)
    assert admin.post(address, **date, linking="confirmed").status_code == 302
    assert admin.post(address, **date).status_code == 302, "it is confirmed already"
    owner = storage.read(accounts.by_name, "ada")
    secret = storage.write(tokens.create, owner.id, "tests", True, None, None)
    headers = {"Authorization": f"Bearer {secret}"}
    opening = "/api/v1/surveys/work/open"
    answer = admin.client.post(opening, json={"fingerprint": fingerprint}, headers=headers)
    assert answer.status_code == 409
    assert (
        "needs 4,718 people with its questions linked, and 2,653 if none were linked" in answer.json["detail"]
    )
    body = {"fingerprint": fingerprint, "linking": True}
    assert admin.client.post(opening, json=body, headers=headers).status_code == 200


def test_an_xlsform_carries_the_wheel_in_the_row_of_its_group(linked):
    door, _ = linked
    definition = door.survey.publication.definition
    assert read_xlsform(write_xlsform(definition), "work.xlsx").definition.as_toml() == definition.as_toml()


def test_one_press_writes_the_best_plan_into_the_draft_and_another_takes_it_apart(editor, admin, storage):
    page, document = editor(2, linked=False)
    page.write(document)
    address = "/admin/surveys/work/plan"

    def take(**more):
        told = {"total": "2", "respondents": "5000", "right": "85", "telling": "95"} | more
        seen = storage.read(surveys.by_slug, "work").tag
        assert admin.post(address, seen=seen, **told).status_code == 302
        draft = storage.read(surveys.by_slug, "work")
        return draft.checked.publication.definition, draft.document

    definition, _ = take(way="linked", pairs="yes")
    (section,) = definition.sections
    assert section.linked
    assert section.epsilon == pytest.approx(2, abs=1e-3)
    assert definition.limit == pytest.approx(2, abs=1e-3)
    definition, _ = take()  # the plan below keeps the wheel, and sets its epsilon
    assert definition.sections[0].linked
    definition, document = take(way="split")
    assert [question.mechanism for question in definition.questions] == ["spinner_coin"] * 2
    assert not any(question.linked for question in definition.questions)
    assert len(definition.sections) == 2
