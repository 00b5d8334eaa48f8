"""``candor explain``: what a survey file lets people learn about one person, as text and as JSON."""

import json
import math
from itertools import permutations

import pytest
from click.testing import CliRunner

from server.cli import main
from server.drafts.draft_reading import draft_previews
from survey.draft import document_of
from survey.mechanisms import BoxChannel, coin, gaussian, subset
from survey.privacy import ASSUMPTION, bounds, exceeding, radius, shuffled
from survey.publication import publish, question_columns
from survey.read_definition import from_dict

OPTIONS = [{"en": name} for name in ("Pressure", "Money", "Boredom", "Something else")]
GRID = {"low": 0, "high": 10, "step": 1}
QUESTIONS = {
    "copied": {"mechanism": "coin"},
    "hurt": {"mechanism": "spinner", "epsilon": 1.0, "by_hand": "coin"},
    "paid": {"mechanism": "spinner_coin", "epsilon": 1.0, "skip": "randomized"},
    "reason": {"kind": "choice", "mechanism": "wheel", "epsilon": 1.5, "options": OPTIONS},
    "set": {"kind": "choice", "mechanism": "subset", "epsilon": 0.5, "options": OPTIONS, "size": 2},
    "mood": {
        "kind": "choice",
        "mechanism": "exponential",
        "epsilon": 2.0,
        "options": OPTIONS,
        "ordered": True,
    },
    "taken": {"kind": "boxes", "mechanism": "per_box", "scope": "box", "epsilon": 0.5, "options": OPTIONS},
    "seen": {
        "kind": "boxes",
        "mechanism": "sampled_box",
        "epsilon": 2.0,
        "options": OPTIONS,
        "skip": "apart",
    },
    "days": {"kind": "number", "mechanism": "one_bit", "epsilon": 1.0, **GRID},
    "hours": {"kind": "number", "mechanism": "laplace", "epsilon": 1.0, **GRID},
    "drinks": {"kind": "number", "mechanism": "gaussian", "epsilon": 1.0, "delta": 1e-6, **GRID},
    "spent": {"kind": "number", "mechanism": "hybrid", "epsilon": 1.0, **GRID},
}


def definition(*names, **budget):
    table = {"candor": 1, "slug": "health", "languages": ["en"], "budget": budget}
    table |= {name: {"en": "Words."} for name in ("title", "information", "consent")}
    table["questions"] = [{"id": name, "wording": {"en": "Well?"}} | QUESTIONS[name] for name in names]
    return from_dict(table, "the test")


@pytest.fixture
def write(tmp_path):
    """Write a survey file with some of the questions, or with all."""

    def write(*names, **budget):
        path = tmp_path / "health.toml"
        path.write_text(definition(*(names or QUESTIONS), **budget).as_toml(), encoding="utf-8")
        return path

    return write


def candor(*arguments):
    return CliRunner().invoke(main, ["explain", *map(str, arguments)])


def printed(*arguments):
    result = candor(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_a_question_has_its_epsilon_its_odds_both_ways_and_its_suspicion(write):
    (found,) = printed(write("copied"), "--prior", 0.1)["questions"]
    assert (found["question"], found["kind"], found["mechanism"]) == ("copied", "yes_no", "coin")
    assert (found["epsilon"], found["delta"]) == (math.log(3), 0)
    odds = [(each["answer"], each["recorded_as"], each["recorded"], each["people"]) for each in found["odds"]]
    assert odds == [("yes", "yes", 75, 100), ("no", "yes", 25, 100)]
    for each, prior in zip(found["suspicion"], (0.5, 0.1), strict=True):
        assert (each["prior"], each["low"], each["high"]) == (prior, *bounds(prior, math.log(3)))
    assert found["worst"]["ratio"] == 3


def test_every_kind_is_explained_in_lines_of_at_most_100_columns(write):
    result = candor(write(), "--prior", 0.1, "--respondents", 2000)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 100
    for name, question in QUESTIONS.items():
        assert any(line.startswith(f"{name} (") and question["mechanism"] in line for line in lines)
    for words in ("are recorded as a set with Pressure", "are recorded as 5 or more", "1 of them drawn"):
        assert words in result.output


def test_of_boxes_it_says_what_one_box_costs_and_what_all_do(write):
    own, drawn = printed(write("taken", "seen"))["questions"]
    assert (own["box_epsilon"], own["epsilon"]) == (pytest.approx(0.5), pytest.approx(2.0))
    assert own["box_suspicion"][0]["high"] < own["suspicion"][0]["high"]
    assert (drawn["boxes"], drawn["sampled"]) == (4, 1)


def test_of_linked_answers_it_says_what_one_of_them_lets_others_guess():
    result = candor("server/examples/exam-honesty.toml")
    assert result.output.count("of them can be right about another up to 82 times in 100") == 4
    assert "one spin decides for all answers of linked_copied together" in result.output
    assert "waves" not in result.output


def test_what_one_linked_answer_lets_others_guess_counts_all_waves_as_the_total_does():
    explanation = printed("server/examples/undeclared-work.toml")
    for question in explanation["questions"]:
        both = math.exp(2 * question["epsilon"])
        assert question["linked"]["knows_one"] == math.ceil(100 * both / (both + 1))
    (said,) = {each["linked"]["knows_one"] for each in explanation["questions"]}
    lines = " ".join(candor("server/examples/undeclared-work.toml").output.split())
    assert f"right about another up to {said} times in 100 over 2 waves" in lines


def test_where_real_coins_may_be_used_the_larger_loss_counts(write):
    (found,) = printed(write("hurt"))["questions"]
    assert found["epsilon"] == found["by_hand_epsilon"] == math.log(3)
    assert [each["recorded"] for each in found["odds"]] == [75, 25]
    assert found["worst"]["ratio"] == 3


def test_of_the_odds_of_a_set_every_set_with_the_option_counts(write):
    (found,) = printed(write("set"))["questions"]
    channel = subset(4, 0.5, 2)
    within = [report for report, mask in enumerate(channel.form.masks) if mask & 1]
    for each, answer in zip(found["odds"], (0, 3), strict=True):
        assert each["recorded"] == round(100 * channel.probabilities[answer, within].sum())


def test_the_total_adds_up_over_questions_boxes_and_waves(write):
    found = printed(write(waves=2, limit=40), "--prior", 0.25)
    publication = publish(definition(*QUESTIONS, waves=2, limit=40))
    total = found["budget"]
    assert total["epsilon"] == publication.budget.epsilon
    assert (total["delta"], total["waves"], total["limit"]) == (2e-6, 2, 40)
    assert total["composed"]["delta"] == 1e-6
    assert total["composed"]["epsilon"] < total["epsilon"]
    assert found["suspicion"][1]["high"] == bounds(0.25, total["epsilon"])[1]
    text = candor(write(waves=2, limit=40)).output
    assert "the sum over 12 questions over 2 waves" in text
    assert "limit               40" in text


def test_delta_is_that_of_the_composed_total(write):
    small, large = (printed(write(), "--delta", delta)["budget"]["composed"] for delta in (1e-5, 1e-3))
    assert (small["delta"], large["delta"]) == (1e-5, 1e-3)
    assert small["epsilon"] > large["epsilon"]


def test_the_most_telling_result_of_a_question_is_that_questions_in_explain_and_in_the_editor(write):
    survey = definition(*QUESTIONS)
    shown = [each["guess"] for each in printed(write())["questions"]]
    previews = draft_previews(document_of(survey.as_dict()))
    for (question, columns), guess, preview in zip(
        question_columns(publish(survey)), shown, previews, strict=True
    ):
        assert preview.guess.as_dict() == guess
        if question.mechanism == "gaussian":  # counts at its stated epsilon
            assert guess["most_telling"] == pytest.approx(math.e / (math.e + 1))
        else:
            assert guess["most_telling"] == pytest.approx(most_telling(list(columns.values())), abs=1e-6)


def most_telling(columns):
    """Try every result under every two answers; boxes are reported apart, each with an answer of its own."""
    if isinstance(box := columns[0].channel, BoxChannel):
        tables = [box.box.weights] * box.sampled
    else:
        tables = [max((way.weights for way in (columns[0].channel, columns[0].by_hand) if way), key=largest)]
    return 1 - 1 / (1 + math.prod(map(largest, tables)))


def largest(weights):
    return max(
        int(weights[mine, result]) / int(weights[other, result])
        for mine, other in permutations(range(len(weights)), 2)
        for result in range(weights.shape[1])
    )


def test_for_a_number_of_respondents_it_gives_forgery_radius_and_published_counts(write):
    found = printed(write("copied", "days"), "--respondents", 2000)
    copied, days = found["questions"]
    assert copied["radius"] == radius(coin(), 2000)
    assert copied["shuffle_epsilon"] == shuffled(coin(), 50, 1e-6).epsilon  # what two results differ by
    assert printed(write("copied"), "--respondents", 30)["shuffle_respondents"] == 30
    assert days["radius"] == pytest.approx(10 * 2.164 / 2000, rel=1e-3)  # (E + 1)/(E - 1) of 10
    assert found["shuffle_epsilon"] == copied["shuffle_epsilon"] + days["shuffle_epsilon"]
    assert "radius" not in printed(write("copied"))["questions"][0]


def test_the_margins_of_error_are_those_that_the_plan_promised(tmp_path):
    file, planned = tmp_path / "health.toml", tmp_path / "planned.toml"
    file.write_text(
        drawn(["reason", "hours"], ["mood"], ["taken", "drinks"], asked=1).as_toml(), encoding="utf-8"
    )
    plan = ["plan", str(file), "--respondents", "3000", "--output", str(planned), "--json"]
    promised = {
        each["question"]: (each["planned"]["margin"], each["of"])
        for each in json.loads(CliRunner().invoke(main, plan).output)["questions"]
    }
    explained = printed(planned, "--respondents", 3000)["questions"]
    assert {each["question"]: (each["margin"], each["margin_of"]) for each in explained} == promised
    text = " ".join(candor(planned, "--respondents", 3000).output.split())
    for (margin, _), of in zip(promised.values(), ["least certain share", "mean", "mean"], strict=False):
        assert f"margin of error ± {margin:.3g} for the {of}, at 95 % confidence" in text


def test_what_the_figure_of_published_counts_assumes_goes_with_it(write):
    assert printed(write("copied"), "--respondents", 2000)["shuffle_assumption"] == ASSUMPTION
    text = " ".join(candor(write("copied"), "--respondents", 2000).output.split())
    assert f"by which two results differ {ASSUMPTION}" in text
    assert "shuffle_assumption" not in printed(write("copied"))


def test_a_published_survey_is_explained_as_its_file_is(write, tmp_path):
    path = tmp_path / "health.json"
    path.write_bytes(publish(definition(*QUESTIONS)).json)
    assert printed(path) == printed(write())


def test_nothing_is_written_as_certain_that_is_not(write):
    text = candor(write()).output.partition("All questions together")[2]
    assert "below 0.01 % to above 99.99 % after any report, except for at most 0.0000" in text
    assert "above 99.99 %" in candor(write(waves=500)).output.partition("All questions together")[2]
    certain = candor(write("copied"), "--prior", 1).output
    assert "100 % suspicion     100 % to 100 % after any report" in certain


def test_bounds_are_rounded_away_from_what_they_promise(write):
    text = candor(write("copied"), "--prior", 0.1, "--respondents", 70_001).output
    low, high = bounds(0.1, math.log(3))
    assert (low, high) == (pytest.approx(0.0357143, abs=1e-7), pytest.approx(0.25))
    assert "3.571 % to 25 % after any report" in text
    assert "moves a share by at most 0.00002858" in text  # 2/70001 = 0.000028571


def test_how_often_a_report_tells_more_than_a_promise_with_a_delta_is_counted_and_far_above_delta(write):
    (found,) = printed(write("drinks"))["questions"]
    channel = gaussian(0, 10, 1, 1.0, 1e-6)
    assert found["exceeds"] == exceeding(channel, 1.0) > 10 * found["delta"]
    assert printed(write("drinks", waves=3))["budget"]["exceeds"] == pytest.approx(3 * found["exceeds"])
    assert printed(write("copied"))["budget"]["exceeds"] == 0


def test_nested_json_that_is_no_survey_is_refused_in_words(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    result = candor(path)
    assert result.exit_code == 1
    assert "must be a published survey as JSON" in result.output


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        *(
            ("--prior", value, "a share from 0 to 1, such as 0.05 or 5%")
            for value in ("1.5", "-0.1", "nan", "half")
        ),
        *(("--respondents", value, "a whole number of 1 or more") for value in ("0", "-3", "2.5", "many")),
        *(("--delta", value, "a number above 0 and below 1") for value in ("0", "1", "nan", "small")),
    ],
)
def test_a_value_outside_its_range_is_refused_with_name_range_and_value(write, option, value, allowed):
    result = candor(write("copied"), f"{option}={value}")
    assert result.exit_code == 2
    assert f"Invalid value for '{option}': must be {allowed}, got '{value}'" in result.output
    assert "epsilon" not in result.output


def test_a_survey_above_its_limit_is_refused_and_nothing_computed(write):
    result = candor(write("copied", limit=1))
    assert result.exit_code == 1
    assert (
        "health.toml: budget.limit must be at least 1.0987, the epsilon of all questions, got 1.0"
        in result.output
    )
    assert "suspicion" not in result.output


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.toml", "candor = 4", "candor must be 1, 2 or 3"),
        ("bad.json", "{", "must be a published survey as JSON"),
        ("bad.json", "{}", "must be a published survey as JSON"),
        ("bad.json", "[]", "must be a published survey as JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_text(content)
    result = candor(path)
    assert result.exit_code == 1
    assert said in result.output


def test_a_changed_publication_is_refused(tmp_path):
    data = publish(definition("copied")).json
    path = tmp_path / "health.json"
    path.write_bytes(data.replace(b'"loss":[3221225472', b'"loss":[3221225471'))
    assert path.read_bytes() != data
    assert candor(path).exit_code == 1


def test_a_file_that_is_not_there_is_refused(tmp_path):
    assert candor(tmp_path / "nowhere.toml").exit_code == 2


def drawn(*sections, asked, **budget):
    """A survey whose sections, each a list of names of questions, are drawn."""
    table = definition(*(name for section in sections for name in section), **budget).as_dict()
    questions = {each["id"]: each for each in table.pop("questions")}
    table |= {"candor": 2, "asked": asked}
    table["sections"] = [
        {"id": f"part_{index}", "questions": [questions[name] for name in section]}
        for index, section in enumerate(sections)
    ]
    return from_dict(table, "the test")


def test_where_sections_are_drawn_the_total_is_that_of_the_dearest(tmp_path):
    file = tmp_path / "health.toml"
    file.write_text(drawn(["copied", "paid"], ["reason"], ["drinks"], asked=1).as_toml(), encoding="utf-8")
    total = printed(file)["budget"]
    assert (total["epsilon"], total["delta"]) == (pytest.approx(math.log(3) + 1, abs=1e-6), 1e-6)
    assert (total["sections"], total["asked"]) == (3, 1)
    text = " ".join(candor(file).output.split())
    assert "All that one person is asked" in text
    assert "not protected who knows which parts somebody was asked may find their row" in text
    assert "2.0986 with delta 1e-06, the sum over the 1 of 3 parts that one person is asked, at most" in text


def test_how_often_the_total_may_be_exceeded_counts_the_dearest_too(tmp_path):
    file = tmp_path / "health.toml"
    file.write_text(drawn(["drinks"], ["copied"], ["paid"], asked=2).as_toml(), encoding="utf-8")
    found = printed(file)
    (drinks,) = [each for each in found["questions"] if each["question"] == "drinks"]
    assert found["budget"]["exceeds"] == drinks["exceeds"] > 0


def test_of_expected_respondents_each_section_has_its_part_and_a_forger_chooses(tmp_path):
    file = tmp_path / "health.toml"
    file.write_text(drawn(["copied", "days"], ["taken"], ["paid"], asked=1).as_toml(), encoding="utf-8")
    found = printed(file, "--respondents", 3000)
    first = found["questions"][0]
    assert first["respondents"] == 1000
    assert first["radius"] == pytest.approx(radius(coin(), 1000))
    assert first["shuffle_epsilon"] == shuffled(coin(), 50, 1e-6).epsilon
    copied, days, taken, paid = (each["shuffle_epsilon"] for each in found["questions"])
    assert found["shuffle_epsilon"] == pytest.approx(max(copied + days, taken, paid))
    text = " ".join(candor(file, "--respondents", 3000).output.split())
    assert "one forged report among 1,000 moves a share by at most 0.002 published" in text


def test_too_few_expected_for_a_step_of_a_section_have_no_figure(tmp_path):
    file = tmp_path / "health.toml"
    file.write_text(drawn(["copied"], ["paid"], asked=1).as_toml(), encoding="utf-8")
    found = printed(file, "--respondents", 80)
    assert {each["shuffle_reason"] for each in [found, *found["questions"]]} == {"short"}
    assert "closing would add less than a step" in candor(file, "--respondents", 80).output
