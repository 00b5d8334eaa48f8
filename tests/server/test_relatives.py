"""Waves and groups: surveys that ask the same, linked with each other, compared and pooled."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from draft_editor import replaced

from server.store import origins, surveys
from server.store.staff import accounts, rights
from server.surveys.waves import total_of
from survey.read_definition import from_dict

PASSWORD = "a long enough password"

pytestmark = pytest.mark.engines


@pytest.fixture
def first(storage, survey_file):
    """An open survey."""
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, survey_file()).id)


def slugs(relatives):
    return [(each.survey.slug, each.again and each.again.slug) for each in relatives]


def begin(admin, relation, slug, of="exams"):
    """Press the button under waves or under groups."""
    return admin.post(
        f"/admin/surveys/{of}/relatives/{relation}", page=f"/admin/surveys/{of}/relatives", slug=slug
    )


def test_a_wave_and_a_group_are_drafts_with_the_same_content_that_are_linked(admin, storage, first):
    assert begin(admin, "wave", "exams-2027").location == "/admin/surveys/exams-2027"
    begin(admin, "group", "exams-seoul")
    wave = storage.read(surveys.by_slug, "exams-2027")
    whole = first.publication.definition.as_dict() | {"slug": "exams-2027"}
    assert from_dict(wave.draft, "wave") == from_dict(whole, "whole")
    expected = [("exams", None), ("exams-2027", "exams"), ("exams-seoul", None)]
    for each in ("exams", "exams-2027", "exams-seoul"):
        found = storage.read(surveys.by_slug, each)
        assert slugs(storage.read(origins.family, found.id)) == expected


def test_a_copy_of_a_copy_belongs_to_the_first(admin, storage, first):
    begin(admin, "wave", "exams-2027")
    begin(admin, "wave", "exams-2028", of="exams-2027")
    assert [slug for slug, _ in slugs(storage.read(origins.family, first.id))] == [
        "exams",
        "exams-2027",
        "exams-2028",
    ]


def test_waves_and_groups_stay_so_when_the_first_survey_is_deleted(admin, storage, first):
    for relation, name in (("wave", "exams-2027"), ("wave", "exams-2028"), ("group", "exams-seoul")):
        begin(admin, relation, name)
    second, last, group = (
        storage.read(surveys.by_slug, name) for name in ("exams-2027", "exams-2028", "exams-seoul")
    )
    storage.write(surveys.delete_survey, first.id)
    expected = [("exams-2027", None), ("exams-2028", "exams-2027"), ("exams-seoul", None)]
    assert slugs(storage.read(origins.family, last.id)) == expected
    assert storage.read(origins.one_of_groups, last.id)
    for survey in (second, last):
        storage.write(surveys.delete_survey, survey.id)
    assert storage.read(origins.family, group.id) == []
    assert storage.read(origins.one_of_groups, group.id)


def test_losses_add_up_over_waves_and_not_over_groups(admin, storage, first):
    begin(admin, "wave", "exams-2027")
    begin(admin, "group", "exams-seoul")
    own = first.publication.budget.epsilon
    page = admin.get("/admin/surveys/exams/relatives").text
    shown = re.search(r'<p id="total">(.*?)</p>', page, re.DOTALL)[1]
    assert "all 2 surveys for the people of this one" in shown
    assert float(re.search(r"ε = ([0-9.]+)", shown)[1]) == pytest.approx(2 * own, abs=1e-4)
    assert 'id="total"' not in admin.get("/admin/surveys/exams-seoul/relatives").text


def test_a_wave_of_a_group_is_for_the_people_of_that_group(admin, storage, first):
    begin(admin, "group", "exams-seoul")
    begin(admin, "wave", "exams-seoul-2027", of="exams-seoul")
    begin(admin, "wave", "exams-seoul-2028", of="exams-seoul-2027")
    assert slugs(storage.read(origins.family, first.id)) == [
        ("exams", None),
        ("exams-seoul", None),
        ("exams-seoul-2027", "exams-seoul"),
        ("exams-seoul-2028", "exams-seoul"),
    ]
    assert 'id="total"' not in admin.get("/admin/surveys/exams/relatives").text
    page = admin.get("/admin/surveys/exams-seoul-2027/relatives").text
    assert "a wave: the people of exams-seoul" in page
    shown = re.search(r'<p id="total">(.*?)</p>', page, re.DOTALL)[1]
    assert float(re.search(r"ε = ([0-9.]+)", shown)[1]) == pytest.approx(
        3 * first.publication.budget.epsilon, abs=1e-4
    )


def test_waves_of_a_group_stay_waves_and_groups_when_its_own_survey_is_deleted(admin, storage, first):
    begin(admin, "group", "exams-seoul")
    begin(admin, "wave", "exams-seoul-2027", of="exams-seoul")
    begin(admin, "wave", "exams-seoul-2028", of="exams-seoul")
    storage.write(surveys.delete_survey, storage.read(surveys.by_slug, "exams-seoul").id)
    assert slugs(storage.read(origins.family, first.id)) == [
        ("exams", None),
        ("exams-seoul-2027", None),
        ("exams-seoul-2028", "exams-seoul-2027"),
    ]
    assert storage.read(origins.one_of_groups, first.id)


def test_whoever_opens_a_wave_reads_what_all_waves_cost(admin, storage, first):
    begin(admin, "wave", "exams-2027")
    page = admin.get("/admin/surveys/exams-2027/open").text
    shown = re.search(r'<dd id="over-waves">(.*?)</dd>', page, re.DOTALL)[1]
    assert "2 surveys" in shown
    assert float(re.search(r"ε = ([0-9.]+)", shown)[1]) == pytest.approx(
        2 * first.publication.budget.epsilon, abs=1e-4
    )
    assert 'id="over-waves"' in admin.get("/admin/surveys/exams").text
    begin(admin, "group", "exams-seoul")
    assert 'id="over-waves"' not in admin.get("/admin/surveys/exams-seoul/open").text


def test_the_sum_is_left_out_while_a_wave_is_incomplete(admin, storage, first):
    begin(admin, "wave", "exams-2027")
    draft = storage.read(surveys.by_slug, "exams-2027")
    replaced(storage, "exams-2027", draft.draft | {"questions": []})
    page = admin.get("/admin/surveys/exams/relatives").text
    assert "not complete" in page
    assert 'id="total"' not in page
    assert total_of(draft, [], {}) is None


def test_no_sum_is_shown_to_who_may_not_see_every_wave(admin, browse, storage, first):
    begin(admin, "wave", "exams-2027")
    wave = storage.read(surveys.by_slug, "exams-2027")
    storage.write(rights.add, "eve", accounts.ARGON2.hash(PASSWORD), "editor", False, [wave.id])
    eve = browse()
    eve.sign_in("eve", PASSWORD)
    page = eve.get("/admin/surveys/exams-2027/relatives").text
    assert "/admin/surveys/exams-2027" in page
    assert 'href="/admin/surveys/exams"' not in page
    assert 'id="total"' not in page


def test_an_address_that_is_taken_or_none_is_refused_at_its_field(admin, storage, first):
    for typed in ("exams", "Exams 2!", "<script>", "=1+1", "x" * 5000, "a\0b", ""):
        answer = begin(admin, "group", typed)
        assert answer.status_code in (409, 422), typed
        assert 'aria-describedby=" group-slug-error"' in answer.text, typed
        assert '<p class="error" id="group-slug-error">' in answer.text, typed
        assert "wave-slug-error" not in answer.text, typed
        assert "<script>" not in answer.text.partition("<main")[2], typed
        assert storage.read(origins.family, first.id) == [], typed


def test_another_relation_is_not_found(admin, first):
    assert begin(admin, "cousin", "exams-2").status_code == 404


@pytest.fixture
def answered(storage, survey_file, clock):
    """Open and close surveys with these counts of `copied`: slug -> (no, yes)."""

    def answered(slug, no, yes, **more):
        from server.store import submissions
        from server.store.submissions import Submission

        draft = storage.write(surveys.create_draft, survey_file(slug, **more))
        survey = storage.write(surveys.open_survey, draft.id)
        columns = survey.publication.columns
        batch = [
            Submission(
                survey.id,
                survey.publication.fingerprint,
                f"{number:032x}",
                {name: int(name == "copied" and number < yes) for name in columns},
            )
            for number in range(no + yes)
        ]
        storage.write(submissions.record, batch, "2026-06-01")
        return storage.write(surveys.close_survey, survey.id)

    return answered


def test_surveys_with_the_same_questions_are_shown_side_by_side_with_differences_and_pooled(admin, answered):
    answered("spring", 60, 40)
    answered("autumn", 40, 60)
    page = admin.get("/results/spring/together").text
    assert 'name="other" value="autumn"' in page
    assert "<article" not in page
    page = admin.get("/results/spring/together?other=autumn&other=nothing").text
    article = re.search(r'<article class="estimate" id="copied">(.*?)</article>', page, re.DOTALL)[1]
    assert [unescape(each) for each in re.findall(r'<th scope="row"[^>]*>(.*?)</th>', article)] == [
        "spring",
        "autumn",
        "All pooled",
    ]
    values = [float(each) for each in re.findall(r'data-value="([^"]+)"', article)]
    assert values[2] == pytest.approx((values[0] + values[1]) / 2)
    difference = re.search(
        r'<ul class="differences">\s*<li><span[^>]*>autumn</span>: <strong>([^<]+)</strong>', article
    )[1]
    assert float(difference) == pytest.approx(100 * (values[1] - values[0]), abs=0.6)
    assert "different people" in page
    assert "from unbiased shares" not in page


def test_a_difference_that_is_not_that_of_the_shares_shown_says_that_it_is_of_unbiased_ones(admin, answered):
    answered("spring", 100, 0)
    answered("autumn", 40, 60)
    answered("winter", 101, 0)
    page = admin.get("/results/spring/together?other=autumn&other=winter").text
    winter, autumn = re.findall(r"<li>(.*?)</li>", page.split('class="differences"')[1].split("</ul>")[0])
    assert "; from unbiased shares" in autumn
    assert re.search(r"<strong>0(\.0+)?</strong>", winter), "a rounded 0 has no sign"
    assert "unbiased" not in winter


def test_surveys_whose_results_are_seen_first_have_a_thin_line_and_a_wider_difference(admin, answered):
    answered("spring", 60, 40, outcome="before")
    for other, outcome, lines in (("autumn", "after", 1), ("winter", "before", 2)):
        answered(other, 40, 60, outcome=outcome)
        page = admin.get(f"/results/spring/together?other={other}").text
        article = re.search(r'<article class="estimate" id="copied">(.*?)</article>', page, re.DOTALL)[1]
        assert article.count('class="chart-band"') == 3 * lines, "each with its two ends"
        assert "; thin line: if people left" in article
        (ends,) = re.findall(r"\((.+?) to (.+?); if people left, (.+?) to (.+?)\)", unescape(article))
        low, high, lowest, highest = (float(end.replace("−", "-")) for end in ends)
        assert lowest < low < high < highest
        assert "lie furthest apart" in page
    answered("summer", 60, 40)
    assert 'class="chart-band"' not in admin.get("/results/autumn/together?other=summer").text


def link(storage, survey, origin, people):
    """Link a survey with another, as one for the people of some survey."""

    def insert(db):
        db.execute(
            "INSERT INTO origins (survey_id, origin_id, people_id) VALUES (?, ?, ?)",
            [survey.id, origin.id, people.id],
        )

    storage.write(insert)


def pooled_width(page):
    """Return how wide the pooled interval of a share is drawn, as a multiple of that of the first survey."""
    article = re.search(r'<article class="estimate" id="copied">(.*?)</article>', page, re.DOTALL)[1]
    bars = re.findall(r'class="chart-interval" x1="([0-9.]+)%" x2="([0-9.]+)%" y1="0"', article)
    first, _, pooled = (float(end) - float(start) for start, end in bars)
    return pooled / first


def test_waves_of_the_same_people_are_pooled_with_a_wider_interval_than_groups(admin, storage, answered):
    first, wave, group = (answered(slug, 60, 40) for slug in ("spring", "autumn", "seoul"))
    link(storage, wave, first, first)
    link(storage, group, first, group)
    waves, groups = (admin.get(f"/results/spring/together?other={slug}").text for slug in ("autumn", "seoul"))
    assert 1.02 < pooled_width(waves) / pooled_width(groups) < 1.2
    assert "The same people may have answered" in waves
    assert "The same people may have answered" not in groups


def test_a_mean_of_waves_of_the_same_people_is_not_pooled_and_the_page_says_why(admin, storage, answered):
    number = {"id": "hours", "kind": "number", "mechanism": "laplace", "epsilon": 1.0, "low": 0, "high": 20}
    asked = [number | {"step": 1, "wording": {"en": "How long?"}}]
    first, wave = (answered(slug, 60, 40, questions=asked) for slug in ("spring", "autumn"))
    link(storage, wave, first, first)
    page = admin.get("/results/spring/together?other=autumn").text
    assert "All pooled: not shown." in page
    assert 'class="differences"' in page


def test_the_link_to_compare_ticks_waves_and_groups_and_the_form_what_was_ticked(admin, storage, answered):
    first, later = answered("spring", 60, 40), answered("autumn", 40, 60)
    link(storage, later, first, first)
    page = admin.get("/results/autumn/together").text
    assert 'value="spring" checked' in page
    assert "wave or group" in page
    assert 'value="spring" checked' not in admin.get("/results/autumn/together?confidence_level=0.9").text


def test_what_is_compared_is_only_what_is_asked_alike(admin, storage, answered, survey_file):
    answered("spring", 60, 40)
    other = survey_file("other")
    other["questions"] = [{**each, "id": f"other_{n}"} for n, each in enumerate(other["questions"])]
    draft = storage.write(surveys.import_definition, from_dict(other, "other"))
    storage.write(surveys.open_survey, draft.id)
    page = admin.get("/results/spring/together?other=other").text
    assert "No other published survey asks" in page
    assert admin.get("/results/nothing/together").status_code == 404
    assert admin.get("/results/spring/together?confidence_level=2").status_code == 400


def closed_group(admin, storage, answered, people):
    """Close a survey that so many answered, and begin another group beside it. A step is ten people."""
    found = answered("seoul", people - 1, 1, results={"step": 10})
    storage.finish()
    begin(admin, "group", "busan", of="seoul")
    return found


def test_of_a_group_under_a_step_nothing_is_shown_even_when_it_is_closed(admin, storage, answered):
    closed_group(admin, storage, answered, 9)
    page = admin.get("/results/seoul").text
    assert "closed before 10 people had answered" in page
    assert 'id="respondents">fewer than 10<' in page
    assert page.count("fewer than 10") == 2, "the first page on paper says so too"
    assert 'class="quote"' not in page
    assert "fewer than 10" in admin.get("/results").text
    assert "fewer than 10" in admin.get("/admin").text
    assert "fewer than 10" in admin.get("/admin/surveys/seoul").text
    figures = admin.get("/results/seoul/estimates.json").json
    assert {each["respondents"] for each in figures["questions"]} == {0}
    for each in ("reports.csv", "reports.sqlite"):
        answer = admin.get(f"/results/seoul/{each}")
        assert (answer.status_code, "Too few people" in answer.text) == (409, True), each
    assert [admin.get(f"/s/seoul/counted{more}").status_code for more in ("", "/leaves-")] == [404, 404]


def test_an_open_group_shows_no_more_and_no_less_than_any_open_survey(admin, first):
    alone = admin.get("/results/exams").text
    begin(admin, "group", "busan")
    assert 'id="respondents">0<' in alone
    assert 'id="respondents">0<' in admin.get("/results/exams").text


def test_of_a_group_of_a_step_everything_is_shown(admin, storage, answered):
    closed_group(admin, storage, answered, 10)
    assert 'id="respondents">10<' in admin.get("/results/seoul").text
    assert admin.get("/results/seoul/reports.csv").status_code == 200
    assert [admin.get(f"/s/seoul/counted{more}").status_code for more in ("", "/leaves-")] == [200, 200]


def test_a_survey_without_groups_shows_few_people_once_it_is_closed(admin, storage, answered):
    answered("alone", 8, 1, results={"step": 10})
    begin(admin, "wave", "again", of="alone")
    assert 'id="respondents">9<' in admin.get("/results/alone").text


def test_a_group_under_a_step_is_compared_with_nothing(admin, storage, answered):
    closed_group(admin, storage, answered, 9)
    answered("spring", 60, 40)
    assert 'value="seoul"' not in admin.get("/results/spring/together").text
    assert 'class="plotted"' not in admin.get("/results/seoul/together?other=spring").text


def test_a_zip_of_a_group_under_a_step_says_why_it_holds_no_reports(admin, storage, answered):
    closed_group(admin, storage, answered, 9)
    with ZipFile(BytesIO(admin.get("/results/seoul/all.zip").data)) as files:
        assert "reports.csv" not in {Path(name).name for name in files.namelist()}
        methods = next(name for name in files.namelist() if name.endswith("methods.md"))
        text = files.read(methods).decode()
    assert "fewer than a step of people answered it" in text
    assert "9 people took part" not in text


def test_whoever_closes_a_group_reads_what_happens_to_a_small_one(admin, storage, first):
    assert "one of several groups" not in admin.get("/admin/surveys/exams/close").text
    begin(admin, "group", "exams-seoul")
    assert "one of several groups" in admin.get("/admin/surveys/exams/close").text
