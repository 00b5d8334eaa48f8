"""The simulated respondents of the examples: every kind is answered, and the estimates find its truth."""

import http.client
import random
from collections import Counter
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import click
import numpy as np
import pytest

from server.cli.simulation.example_truths import EXAMPLES, Person, Truth
from server.cli.simulation.respondents import ATTEMPTS, Visit, answered, read_examples
from survey.asked_sections import asked_columns, set_faults
from survey.estimate import estimate_mean, estimate_proportions
from survey.publication import publish
from survey.read_definition import from_dict
from survey.record import layout_of

ASKED = {"en": "?"}
RESPONDENTS = 4000


def options(count):
    return [{"en": f"Option {n}"} for n in range(count)]


QUESTIONS = {
    "hand": {"mechanism": "spinner", "epsilon": 2.0, "by_hand": "coin", "skip": "apart"},
    "left": {"mechanism": "spinner_coin", "epsilon": 2.0, "skip": "randomized"},
    "one": {"kind": "choice", "mechanism": "wheel", "epsilon": 2.0, "options": options(3)},
    "set": {"kind": "choice", "mechanism": "subset", "epsilon": 1.0, "options": options(6)},
    "few": {"kind": "boxes", "mechanism": "sampled_box", "epsilon": 2.0, "options": options(3)},
    "all": {"kind": "boxes", "mechanism": "per_box", "epsilon": 2.0, "options": options(2)},
    "much": {"kind": "number", "mechanism": "hybrid", "epsilon": 2.0, "low": -10, "high": 30, "step": 2},
}
TRUTHS = {
    "hand": Truth(shares=(0.7, 0.3), skip=0.2, by_hand=0.25),
    "left": Truth(shares=(0.6, 0.4), skip=0.1),
    "one": Truth(shares=(0.5, 0.3, 0.2)),
    "set": Truth(shares=(0.4, 0.2, 0.1, 0.1, 0.1, 0.1)),
    "few": Truth(shares=(0.8, 0.5, 0.1)),
    "all": Truth(shares=(0.9, 0.3)),
    "much": Truth(mean=8.0, deviation=4.0),
}


@pytest.fixture(scope="module")
def counts():
    """What a recount of everybody's codes gives, by column; one seed for the people and the words."""
    texts = dict.fromkeys(("title", "information", "consent"), ASKED)
    questions = [{"id": name, "wording": ASKED} | keys for name, keys in QUESTIONS.items()]
    table = {"candor": 1, "slug": "kinds", "languages": ["en"], **texts, "questions": questions}
    publication = publish(from_dict(table, "kinds"))
    chance = random.Random(12)

    def word():
        return chance.randrange(2**32)

    people = (Person(chance, chance.random()) for _ in range(RESPONDENTS))
    everybody = [answered(publication, TRUTHS, person, word) for person in people]
    found = {}
    for name, column in publication.columns.items():
        codes = np.array([codes[name] for codes in everybody])
        found[name] = column, column.split(np.bincount(codes, minlength=column.codes).tolist())
    return found


def close(estimate, truth):
    """Within four standard errors; one seed, fewer than thirty comparisons: a false alarm in 500 seeds."""
    return (np.abs(estimate.proportions - truth) < 4 * estimate.standard_errors).all()


@pytest.mark.parametrize("name", ["one", "set"])
def test_one_choice_is_answered_with_its_shares(counts, name):
    column, strata = counts[name]
    assert close(estimate_proportions(column.channel, strata.device), TRUTHS[name].shares)


@pytest.mark.parametrize("name", ["few", "all"])
def test_every_box_is_ticked_with_its_own_share(counts, name):
    for number, share in enumerate(TRUTHS[name].shares, start=1):
        column, strata = counts[f"{name}_{number}"]
        assert close(estimate_proportions(column.channel, strata.device), [1 - share, share])


def test_a_skip_that_is_randomized_is_one_more_answer(counts):
    column, strata = counts["left"]
    assert close(estimate_proportions(column.channel, strata.device), [0.54, 0.36, 0.1])


def test_a_skip_apart_and_real_coins_are_strata_of_their_own(counts):
    column, strata = counts["hand"]
    assert strata.skipped / RESPONDENTS == pytest.approx(0.2, abs=0.03)
    assert sum(strata.by_hand) / (RESPONDENTS - strata.skipped) == pytest.approx(0.25, abs=0.03)
    for channel, part in ((column.channel, strata.device), (column.by_hand, strata.by_hand)):
        assert close(estimate_proportions(channel, part), [0.7, 0.3])


def test_a_number_is_answered_around_its_mean(counts):
    column, strata = counts["much"]
    mean = estimate_mean(column.channel, strata.device)
    assert abs(mean.mean - 8.0) < 4 * mean.standard_error


def test_each_is_asked_the_sections_that_their_own_word_draws():
    sections = [
        {"id": f"part{n}", "questions": [{"id": name, "wording": ASKED} | QUESTIONS[name]], "always": n == 0}
        for n, name in enumerate(("one", "left", "few", "hand"))
    ]
    texts = dict.fromkeys(("title", "information", "consent"), ASKED)
    table = {"candor": 2, "slug": "kinds", "languages": ["en"], **texts, "asked": 2, "sections": sections}
    publication = publish(from_dict(table, "kinds"))
    chance = random.Random(5)
    everybody = [
        answered(publication, TRUTHS, Person(chance, chance.random()), lambda: chance.randrange(2**32))
        for _ in range(600)
    ]
    assert not any(set_faults(publication, codes) for codes in everybody)
    asked = Counter(frozenset(asked_columns(publication, codes)) for codes in everybody)
    assert sorted(map(len, asked)) == [3, 5, 5]  # `few` has three boxes
    assert {codes["one"] for codes in everybody} == {0, 1, 2}  # which everybody answers
    assert all(abs(times - 200) < 50 for times in asked.values())  # four standard deviations of 11.5


def test_linked_questions_are_answered_with_one_wheel_whose_rows_give_their_shares():
    """Two of three are asked, and can be left out together."""
    questions = [{"id": "left", "wording": ASKED}]
    questions += [{"id": name, "wording": ASKED, "kind": "choice", "options": options(3)} for name in "ab"]
    keys = {"id": "together", "linked": True, "epsilon": 4.0, "asked": 2, "skip": "randomized"}
    texts = dict.fromkeys(("title", "information", "consent"), ASKED)
    table = {
        "candor": 3,
        "slug": "kinds",
        "languages": ["en"],
        **texts,
        "sections": [keys | {"questions": questions}],
    }
    publication = publish(from_dict(table, "kinds"))
    truths = {name: Truth(shares=(0.5, 0.3, 0.2), skip=0.2) for name in "ab"} | {
        "left": Truth(shares=(0.6, 0.4), skip=0.2)
    }
    chance = random.Random(21)
    everybody = [
        answered(publication, truths, Person(chance, chance.random()), lambda: chance.randrange(2**32))
        for _ in range(RESPONDENTS)
    ]
    layout = layout_of(publication)
    counts = layout.by_column(
        layout.count(np.array([[codes[name] for name in layout.names_and_sizes[0]] for codes in everybody]))
    )
    for name, column in publication.columns.items():
        *device, not_asked = counts[name]
        assert not_asked / RESPONDENTS == pytest.approx(1 / 3, abs=0.03)
        shares = [*(0.8 * share for share in truths[name].shares), 0.2]
        assert close(estimate_proportions(column.channel, device), shares)


def test_answers_are_related_so_that_tables_of_two_questions_have_something_to_show():
    chance = random.Random(4)
    question = read_examples()[0].questions[0]
    truth = Truth(shares=(0.5, 0.5))
    pairs = []
    for _ in range(2000):
        person = Person(chance, chance.random())
        pairs.append([truth.answer(question, person.quantile()) for _ in range(2)])
    # Both follow the leaning with chance 0.4 each; one seed, and a standard error of .022.
    assert np.corrcoef(np.array(pairs).T)[0, 1] == pytest.approx(0.16, abs=0.09)


def test_every_question_of_every_example_has_a_truth_that_fits_it():
    for definition in read_examples():
        publication = publish(definition)
        codes = answered(publication, EXAMPLES[definition.slug], Person(random.Random(1), 0.5), lambda: 2**31)
        assert codes.keys() == publication.columns.keys()
        assert all(0 <= code < publication.columns[name].codes for name, code in codes.items())
        for question in definition.questions:
            shares = EXAMPLES[definition.slug][question.id].shares
            if question.kind == "boxes":
                assert len(shares) == len(question.options)
            elif question.kind != "number":
                assert len(shares) == question.answers - (question.skip == "randomized")
                assert sum(shares) == pytest.approx(1)


@pytest.fixture
def impatient():
    """A server that ends connections without an answer until it has been asked often enough."""

    class Impatient(BaseHTTPRequestHandler):
        def do_POST(self):
            server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            if len(server.bodies) >= server.patience:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"stored")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Impatient)
    server.bodies = []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def visit(impatient):
    with closing(http.client.HTTPConnection(*impatient.server_address)) as connection:
        yield Visit(connection, "exams")


def test_what_a_server_has_not_waited_for_is_sent_again_as_it_was(impatient, visit):
    impatient.patience = 3
    assert visit.request("POST", "receipt=1") == b"stored"
    assert impatient.bodies == [b"receipt=1"] * 3


def test_when_a_server_answers_nobody_that_is_said(impatient, visit):
    impatient.patience = ATTEMPTS + 1
    with pytest.raises(click.ClickException, match=f"{ATTEMPTS} times without an answer"):
        visit.request("POST", "receipt=1")
