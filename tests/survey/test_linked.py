"""Linked questions: one wheel for several answers, its marginals, and what a survey file may say of it."""

import math
from itertools import combinations, product

import numpy as np
import pytest

from survey.channel import TOTAL, exact_ratio
from survey.counts import binomial_counts
from survey.fields import DefinitionError
from survey.limits import MOST_COMBINATIONS
from survey.linked import Linked
from survey.privacy import guess, reports_of
from survey.publication import publish
from survey.read_definition import parse
from survey.read_publication import load
from survey.record import layout_of

HEAD = """
candor = 3
slug = "health"
languages = ["en"]
title = { en = "Health" }
information = { en = "Why we ask." }
consent = { en = "I take part." }
"""


def survey_file(section="linked = true\nepsilon = 2.0", questions=("smoked", "drank"), more=""):
    texts = [each if "\n" in each else f'id = "{each}"' for each in questions]
    asked = "".join(f'[[sections.questions]]\nwording = {{ en = "Is it so?" }}\n{text}\n' for text in texts)
    return f'{HEAD}[[sections]]\nid = "together"\n{section}\n{asked}{more}'


def choice(name, options):
    texts = ", ".join(['{ en = "x" }'] * options)
    return f'id = "{name}"\nkind = "choice"\noptions = [{texts}]'


def boxes(name, options):
    return choice(name, options).replace('"choice"', '"boxes"')


def random_settings(times, random):
    for _ in range(times):
        sizes = tuple(int(size) for size in random.integers(2, 7, random.integers(2, 6)))
        asked = int(random.integers(2, len(sizes) + 1))
        skip = bool(random.integers(2))
        if math.prod(sorted(sizes)[-asked:]) + skip <= MOST_COMBINATIONS:
            yield sizes, float(random.uniform(0.01, 10)), asked, skip


def test_no_wheel_loses_more_than_epsilon_and_every_marginal_is_exact():
    """In whole numbers: the weights of the combinations that report an answer add up to its own."""
    for sizes, epsilon, asked, skip in random_settings(400, np.random.default_rng(24)):
        linked = Linked.spun(sizes, epsilon, asked, skip)
        ratio = exact_ratio(epsilon)
        for wheel in linked.wheels:
            kept, other = int(wheel.weights[0, 0]), int(wheel.weights[0, -1])
            assert kept <= ratio * other
            assert (kept + (wheel.answers - 1) * other) == TOTAL
        if asked < len(sizes):
            continue
        (wheel,) = linked.wheels
        rows = np.array(linked.rows(drawn=False))
        for place, size in enumerate(sizes):
            reports = np.eye(size + skip, dtype=np.int64)[rows[:, place]]
            of_rows = wheel.weights @ reports
            assert (of_rows == linked.marginal(place).weights[rows[:, place]]).all()


def test_the_figures_of_the_method():
    """Two yes/no questions at total 2: .615 bright, a guess right 81 times in 100, for one answer or both."""
    linked = Linked.spun((2, 2), 2.0)
    bright = math.expm1(2) / (math.exp(2) + 3)
    (wheel,) = linked.wheels
    assert (wheel.probabilities[0, 0] - wheel.probabilities[0, 1]) == pytest.approx(bright, abs=1e-9)
    assert bright == pytest.approx(0.615, abs=5e-4)
    assert guess([wheel]).right == pytest.approx(0.8075, abs=5e-5)
    marginal = linked.marginal(0).probabilities
    assert (1 + marginal[1, 1] - marginal[0, 1]) / 2 == pytest.approx(0.8075, abs=5e-5)


def test_a_pair_is_the_wheel_with_the_others_left_out():
    linked = Linked.spun((2, 3, 4), 2.0)
    (wheel,) = linked.wheels
    pair = np.zeros((24, 6), np.int64)
    for number, (first, _, last) in enumerate(product(range(2), range(3), range(4))):
        if last < 3:
            pair[number, first * 3 + last] = 1
    assert linked.marginal(0, 1).answers == 6
    assert linked.marginal(0, 2).weights.sum() == 8 * TOTAL
    reports = np.array([first * 3 + middle for first, middle, _ in product(range(2), range(3), range(4))])
    merged = wheel.weights @ np.eye(6, dtype=np.int64)[reports]
    assert (merged == linked.marginal(0, 1).weights[reports]).all()


def test_counts_of_a_linked_question_are_binomial_whether_it_can_be_left_out_or_not():
    for skip in (False, True):
        channel = Linked.spun((2, 3), 2.0, skip=skip).marginal(1)
        counted = binomial_counts(channel, np.arange(channel.reports))
        assert counted is not None
        assert len(counted) == channel.reports


def test_where_sets_are_drawn_a_question_reports_what_they_come_to_on_average():
    linked = Linked.spun((2, 3, 2), 1.0, asked=2)
    mine = [chosen for chosen in combinations(range(3), 2) if 0 in chosen]
    other = [linked.wheel(chosen).probabilities[0, 1] * linked.wheel(chosen).answers / 2 for chosen in mine]
    assert linked.marginal(0).probabilities[0, 1] == pytest.approx(np.mean(other), abs=1e-9)


def test_a_linked_section_costs_its_epsilon_once():
    alone = '[[sections]]\nid = "alone"\n[[sections.questions]]\nid = "copied"\nepsilon = 1.0\n'
    alone += 'mechanism = "spinner_coin"\nwording = { en = "Is it so?" }\n'
    publication = publish(parse(survey_file(more=alone), "health.toml"))
    assert publication.budget.epsilon == pytest.approx(3.0, abs=1e-8)
    first = publication.columns["smoked"]
    assert reports_of([first])[0].epsilon == pytest.approx(2.0, abs=1e-8)
    assert len(reports_of([first, publication.columns["drank"]])) == 1


@pytest.mark.parametrize(
    "section",
    [
        "linked = true\nepsilon = 2.0",
        'linked = true\nepsilon = 2.0\nskip = "randomized"',
        "linked = true\nepsilon = 2.0\nasked = 2",
        'linked = true\nby_hand = "coin"\nasked = 2',
    ],
)
def test_a_publication_is_read_back_as_it_was(section):
    coins = "coin" in section
    read_back(survey_file(section, ["smoked", "drank" if coins else choice("drank", 3), "tired"]))
    if not coins:
        read_back(survey_file(section, [boxes("used", 3)]))


def read_back(text):
    publication = publish(parse(text, "health.toml"))
    again = load(publication.json)
    assert again == publication
    assert again.columns == publication.columns
    assert parse(again.definition.as_toml(), "again.toml") == publication.definition


def test_other_wheels_than_the_published_loss_are_refused():
    data = publish(parse(survey_file(), "health.toml")).json
    kept, other = Linked.spun((2, 2), 2.0).wheels[0].loss
    tampered = data.replace(f"[[4,1,{kept},{other}]]".encode(), f"[[4,1,{kept + 3},{other - 1}]]".encode())
    assert tampered != data
    with pytest.raises(DefinitionError, match=r"together\.wheels"):
        load(tampered)


def test_real_coins_have_the_chances_of_the_wheel_beside_them():
    """The first coin keeps all answers or none; then each has a coin of its own: in whole numbers."""
    for number in range(2, 9):
        publication = publish(parse(survey_file(COINS, [f"q{n}" for n in range(number)]), "health.toml"))
        (section,) = publication.definition.sections
        (wheel,) = section.linked.wheels
        kept, others = TOTAL // 2, TOTAL // 2 // 2**number
        assert (wheel.weights == others + kept * np.eye(2**number, dtype=np.int64)).all()
        combinations = 1 + 2**number
        assert wheel.loss[0] == combinations * wheel.loss[1]
        assert publication.budget.epsilon == pytest.approx(math.log(combinations))
        assert publication.definition.is_seen_first(section.questions[0])
        assert publication.columns["q0"].channel.probabilities[0].tolist() == [0.75, 0.25]


def test_another_wheel_beside_real_coins_is_refused():
    data = publish(parse(survey_file(COINS), "health.toml")).json
    kept, other = Linked.tossed(2).wheels[0].loss
    tampered = data.replace(f"[[4,1,{kept},{other}]]".encode(), f"[[4,1,{kept - 3},{other + 1}]]".encode())
    assert tampered != data
    with pytest.raises(DefinitionError, match="must have the chances of coins"):
        load(tampered)


def test_linked_boxes_see_one_wheel_from_places_of_their_own():
    publication = publish(parse(survey_file(EVEN, [boxes("used", 3)]), "health.toml"))
    assert [column.channel.places for column in publication.columns.values()] == [(0,), (1,), (2,)]
    assert publication.budget.epsilon == pytest.approx(2.0, abs=1e-8)
    many = publish(parse(survey_file(f"{EVEN}\nasked = 3", [boxes("used", 7)]), "health.toml"))
    (wheel,) = many.definition.sections[0].linked.wheels
    assert wheel.answers == 8
    row = np.array([[2, 1, 2, 0, 1, 2, 2]])
    assert layout_of(many).count(row).sum() == 1
    with pytest.raises(ValueError, match="together"):
        layout_of(many).count(np.where(row == 2, 0, row))


def test_codes_that_cannot_come_together_are_not_counted():
    """Two of three are asked: a row with one report, or with three, is none."""
    publication = publish(
        parse(
            survey_file("linked = true\nepsilon = 2.0\nasked = 2", ["smoked", "drank", "tired"]),
            "health.toml",
        )
    )
    layout = layout_of(publication)
    assert layout.ends.tolist() == [12]
    counts = layout.count(np.array([[1, 0, 2], [2, 1, 1], [2, 1, 1]]))
    assert layout.by_column(counts) == {"smoked": [0, 1, 2], "drank": [1, 2, 0], "tired": [0, 2, 1]}
    for row in ([2, 2, 1], [1, 1, 1]):
        with pytest.raises(ValueError, match="together"):
            layout.count(np.array([[1, 0, 2], row]))


EVEN = "linked = true\nepsilon = 2.0"
COINS = 'linked = true\nby_hand = "coin"'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            survey_file("linked = true\nepsilon = 50"),
            "].epsilon must be a number above 0 and at most 10, got 50",
        ),
        (
            survey_file("linked = true\nepsilon = 0"),
            "].epsilon must be a number above 0 and at most 10, got 0",
        ),
        (survey_file(EVEN, ["smoked"]), "sections[0].linked must be absent: a section with one question"),
        (survey_file(f"{EVEN}\nasked = 1"), "sections[0].asked must be a whole number from 2 to 2, got 1"),
        (survey_file(f"{EVEN}\nasked = 3"), "sections[0].asked must be a whole number from 2 to 2, got 3"),
        (survey_file(f'{EVEN}\nskip = "apart"'), 'sections[0].skip must be absent or "randomized"'),
        (
            survey_file(EVEN, ["smoked", 'id = "drank"\nskip = "apart"']),
            'sections[0].questions[1].skip must be absent or "randomized"',
        ),
        (
            survey_file(f'{EVEN}\nskip = "randomized"', ["smoked", 'id = "drank"\nskip = "randomized"']),
            "sections[0].questions[1].skip must be absent: the section can be left out as a whole",
        ),
        (
            survey_file(EVEN, ["smoked", 'id = "hours"\nkind = "number"\nlow = 0\nhigh = 9\nstep = 1']),
            "sections[0].questions[1].kind must be yes_no, choice or boxes",
        ),
        (
            survey_file(EVEN, ["smoked", 'id = "drank"\nkind = []']),
            "sections[0].questions[1].kind must be yes_no, choice or boxes",
        ),
        (
            survey_file(EVEN, ["smoked", boxes("used", 3)]),
            "sections[0].questions[1].kind must be yes_no or choice beside other questions",
        ),
        (
            survey_file(EVEN, [boxes("used", 7)]),
            "sections[0].asked is missing; it must be a whole number from 2 to 6: of 7 boxes, one wheel",
        ),
        (
            survey_file(EVEN, [boxes("used", 3) + '\nskip = "apart"']),
            "sections[0].questions[0].skip must be absent: linked boxes are left out by the skip of their",
        ),
        (
            survey_file(COINS, [boxes("used", 3)]),
            "sections[0].questions[0].kind must be yes_no where real coins may decide",
        ),
        (
            survey_file(EVEN, ["smoked", 'id = "drank"\nepsilon = 1.0']),
            "sections[0].questions[1].epsilon must be absent: linked questions have one wheel",
        ),
        (
            survey_file(EVEN, [choice("a", 16), choice("b", 17)]),
            "sections[0].linked must be absent: the answers have 272 combinations, and one wheel takes",
        ),
        (
            survey_file(f'{EVEN}\nskip = "randomized"', [choice("a", 16), choice("b", 16)]),
            "the answers have 257 combinations",
        ),
        (
            survey_file(f"{EVEN}\nasked = 7", [f"q{n}" for n in range(14)]),
            "sections[0].asked must be a number that leaves at most 4096",
        ),
        (
            survey_file("linked = true\nepsilon = 0.000001", [choice("a", 16), choice("b", 16)]),
            "sections[0].epsilon must be larger",
        ),
        (survey_file("epsilon = 2.0"), "sections[0].epsilon must be absent"),
        (
            survey_file(f"{COINS}\nepsilon = 2.0"),
            "sections[0].epsilon must be absent where real coins may decide: they give ln(1 + K), which is "
            "1.6094 for K = 4 combinations of answers, got 2.0",
        ),
        (
            survey_file(f'{COINS}\nskip = "randomized"'),
            "sections[0].skip must be absent where real coins may decide: a coin has no side for a skip, got",
        ),
        (
            survey_file(COINS, ["smoked", 'id = "drank"\nskip = "randomized"']),
            "sections[0].questions[1].skip must be absent where real coins may decide",
        ),
        (
            survey_file(COINS, ["smoked", choice("drank", 3)]),
            "sections[0].questions[1].kind must be yes_no where real coins may decide: a coin has two sides",
        ),
        (
            survey_file(EVEN + '\nby_hand = "dice"'),
            "sections[0].by_hand must be absent or \"coin\", got 'dice'",
        ),
        (
            survey_file(COINS, [f"q{n}" for n in range(9)]),
            "sections[0].linked must be absent: the answers have 512 combinations",
        ),
    ],
)
def test_what_cannot_be_linked_is_refused_in_a_sentence(text, problem):
    with pytest.raises(DefinitionError) as refused:
        parse(text, "health.toml")
    assert problem in str(refused.value)
