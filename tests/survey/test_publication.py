"""A published survey: one way to write it, one fingerprint, and no way to state a loss it does not have."""

import hashlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL
from survey.compact_form import from_dict as read_form
from survey.fields import DefinitionError
from survey.mechanisms import BoxChannel, GaussianChannel, NumberChannel
from survey.publication import canonical_json, publish, question_columns
from survey.read_definition import from_dict
from survey.read_publication import load


def table(**changes):
    return {
        "candor": 1,
        "slug": "one",
        "languages": ["en"],
        "title": {"en": "One & <only>"},
        "information": {"en": "Why."},
        "consent": {"en": "Yes."},
        "questions": [
            {"id": "a", "mechanism": "spinner", "epsilon": 0.5, "wording": {"en": "A?"}},
            {"id": "b", "mechanism": "coin", "wording": {"en": "B?"}},
        ],
    } | changes


PUBLICATION = publish(from_dict(table(), "test"))


def test_publishing_twice_gives_the_same_bytes():
    assert publish(from_dict(table(), "test")).json == PUBLICATION.json
    assert PUBLICATION.fingerprint == hashlib.sha256(PUBLICATION.json).hexdigest()


def test_any_change_changes_the_fingerprint():
    assert publish(from_dict(table(title={"en": "Two"}), "test")).fingerprint != PUBLICATION.fingerprint


def test_loading_gives_back_the_integers_that_were_published():
    assert load(PUBLICATION.json) == PUBLICATION
    assert load(PUBLICATION.json).definition == PUBLICATION.definition
    assert load(PUBLICATION.json).columns == PUBLICATION.columns


def test_the_loss_is_published_as_two_integers():
    column = json.loads(PUBLICATION.json)["questions"][1]["columns"][0]
    assert column["loss"] == [3 * 2**30, 2**30]
    assert column["weights"] == [[3 * 2**30, 2**30], [2**30, 3 * 2**30]]


def test_the_two_figures_of_a_guess_are_published_and_none_other_nor_none_is_read_back():
    published = json.loads(PUBLICATION.json)
    assert published["guess"] == {"right": 0.75, "most_telling": 0.8318243}
    others = [{"right": 0.74}, {"right": "0.75"}, {"most_telling": 0.8}]
    for stated in (published["guess"] | other for other in others):
        tampered = published | {"guess": stated}
        with pytest.raises(DefinitionError, match=r"guess .*must be the figures of the weights, .*0.75"):
            load(canonical_json(tampered))
    del published["guess"]
    with pytest.raises(DefinitionError, match=r"guess .*must be the figures of the weights"):
        load(canonical_json(published))


def test_questions_keep_their_order_and_their_columns():
    pairs = question_columns(PUBLICATION)
    assert [(question.id, list(columns)) for question, columns in pairs] == [("a", ["a"]), ("b", ["b"])]


def test_the_budget_is_the_plain_sum_over_questions_and_waves():
    assert PUBLICATION.budget.epsilon == pytest.approx(0.5 + math.log(3), abs=1e-6)
    thrice = publish(from_dict(table(budget={"waves": 3}), "test"))
    assert thrice.budget.epsilon == pytest.approx(1.5 + 3 * math.log(3), abs=1e-6)


def test_a_survey_that_costs_more_than_its_limit_is_not_published():
    within = {"limit": 0.5 + math.log(3)}
    assert publish(from_dict(table(budget=within), "test")).definition.limit == within["limit"]
    with pytest.raises(
        DefinitionError, match=r"budget\.limit must be at least 3\.1973, .* over 2 waves, got 1\.59"
    ):
        publish(from_dict(table(budget=within | {"waves": 2}), "test"))


def test_nor_is_one_read_back_whose_limit_was_changed_afterwards():
    data = canonical_json(json.loads(PUBLICATION.json) | {"budget": {"limit": 1.0}})
    with pytest.raises(
        DefinitionError, match=r"budget\.limit must be at least 1\.5987, .* questions, got 1\.0"
    ):
        load(data)


def test_a_survey_without_limit_or_waves_is_published_as_it_always_was():
    assert "budget" not in json.loads(PUBLICATION.json)
    assert "budget" not in json.loads(publish(from_dict(table(budget={"waves": 1}), "test")).json)


def test_a_stated_loss_that_the_weights_do_not_have_is_refused():
    tampered = json.loads(PUBLICATION.json)
    tampered["questions"][0]["columns"][0]["weights"] = [[2**32 - 1, 1], [1, 2**32 - 1]]
    with pytest.raises(DefinitionError, match=r"a\.loss must be the loss of the weights"):
        load(canonical_json(tampered))


def test_bytes_that_are_not_canonical_are_refused():
    with pytest.raises(DefinitionError, match="canonical"):
        load(json.dumps(json.loads(PUBLICATION.json)).encode())


@given(st.text())
def test_canonical_json_can_stand_in_a_script_element(text):
    data = canonical_json({"text": text})
    assert json.loads(data) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(data.decode())


def choice(id_, **keys):
    options = [{"en": f"{n}"} for n in range(keys.pop("count", 4))]
    return {"id": id_, "kind": "choice", "wording": {"en": "?"}, "options": options, "epsilon": 1.0} | keys


def number(id_, **keys):
    grid = {"low": 0, "high": 100, "step": 1}
    return {"id": id_, "kind": "number", "wording": {"en": "?"}, "epsilon": 1.0} | grid | keys


KINDS = publish(
    from_dict(
        table(
            questions=[
                {"id": "hand", "mechanism": "spinner", "epsilon": 0.5, "wording": {"en": "?"}}
                | {"by_hand": "coin", "skip": "apart"},
                {"id": "skip", "mechanism": "spinner_coin", "epsilon": 0.5, "wording": {"en": "?"}}
                | {"skip": "randomized"},
                choice("wheel", mechanism="wheel", count=50),
                choice("subset", mechanism="subset", count=12, size=6),
                choice("scale", mechanism="exponential", ordered=True, count=50, epsilon=8.0),
                choice("own", mechanism="exponential", ordered=True, count=2, utility=[[2, 0], [1.5, 2]]),
                choice("all", kind="boxes", mechanism="per_box", count=20, epsilon=9.0),
                choice("some", kind="boxes", mechanism="sampled_box", count=20, epsilon=5.0),
                number("bit", mechanism="one_bit"),
                number("fine", mechanism="laplace", step=0.1, epsilon=2.0),
                number("normal", mechanism="gaussian", delta=1e-6, step=0.1, epsilon=2.0),
                number("window", mechanism="hybrid"),
            ]
        ),
        "test",
    )
)
ENTRIES = {each["id"]: each for each in json.loads(KINDS.json)["questions"]}


def test_every_kind_comes_back_as_it_was_published():
    loaded = load(KINDS.json)
    assert loaded == KINDS
    assert loaded.json == publish(loaded.definition).json
    for name, column in KINDS.columns.items():
        again = loaded.columns[name].channel
        assert again.form == column.channel.form
        for kind in (NumberChannel, GaussianChannel, BoxChannel):
            assert isinstance(again, kind) == isinstance(column.channel, kind)


def test_what_a_number_s_reports_are_worth_follows_from_what_is_published():
    for name in ("bit", "fine", "normal", "window"):
        assert (load(KINDS.json).channels[name].values == KINDS.channels[name].values).all()


@pytest.mark.parametrize("name", ENTRIES)
def test_a_question_is_published_in_20_kb(name):
    parts = {key: ENTRIES[name].get(key) for key in ("columns", "box", "utility")}
    assert len(canonical_json(parts)) <= 20_000


@pytest.mark.parametrize("name", ENTRIES)
def test_the_published_form_expands_to_the_channel_and_its_loss_stands_beside(name):
    for entry in ENTRIES[name]["columns"]:
        channel = KINDS.channels[entry["name"]]
        weights = entry["weights"] if "weights" in entry else read_form(entry["form"]).weights().tolist()
        assert weights == channel.weights.tolist()
        if name != "normal":
            assert (entry["loss"], entry["epsilon"]) == (list(channel.loss), channel.epsilon)


def test_keys_of_a_column_are_those_that_its_kind_needs():
    keys = {name: sorted(entry["columns"][0]) for name, entry in ENTRIES.items()}
    assert keys.pop("hand") == ["by_hand", "epsilon", "loss", "name", "weights"]
    assert keys.pop("normal") == ["delta", "delta_weight", "epsilon", "form", "name", "ratio"]
    assert set(map(tuple, keys.values())) == {("epsilon", "form", "loss", "name")}


def test_the_gaussian_publishes_the_promise_that_was_asked_for():
    (entry,) = ENTRIES["normal"]["columns"]
    assert (entry["epsilon"], entry["delta"]) == (2.0, 1e-6)
    assert 0 < entry["delta_weight"] <= 1e-6 * TOTAL


def test_sampled_boxes_publish_the_device_of_one_box_and_how_many_are_sampled():
    some = ENTRIES["some"]
    channel = KINDS.channels["some_1"]
    assert some["sampled"] == channel.sampled > 1
    assert some["box"]["weights"] == channel.box.weights.tolist()
    assert some["box"]["epsilon"] * some["sampled"] <= 5.0 + 1e-12
    assert "box" not in ENTRIES["all"]


def change(entry, *path, value):
    """Change one place of the published JSON of all kinds, and write it in the canonical way."""
    tampered = json.loads(KINDS.json)
    (place,) = (each for each in tampered["questions"] if each["id"] == entry)
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return canonical_json(tampered)


@pytest.mark.parametrize(
    ("entry", "path", "value", "message"),
    [
        ("wheel", ("columns", 0, "loss"), [3, 1], "wheel.loss must be the loss of the weights, got"),
        ("wheel", ("columns", 0, "epsilon"), 0.5, "wheel.epsilon must be the epsilon of the weights"),
        ("wheel", ("columns", 0, "form", "answers"), 49, "answers must be 50, got 49"),
        ("wheel", ("columns", 0, "form", "form"), "spiral", "form must be one of rows, windows"),
        ("wheel", ("columns", 0, "form", "windows"), [[50, 1, 1, 1]], "must sum to 4294967296"),
        ("wheel", ("columns", 0, "form", "windows"), None, "windows must be a list"),
        ("wheel", ("columns", 0, "name"), "spoke", "wheel.columns must be those of the question"),
        ("hand", ("columns", 0, "by_hand", "loss"), [2, 1], "hand.by_hand must be the by_hand of the wei"),
        ("normal", ("columns", 0, "delta"), 1e-7, "normal.delta must be the delta of the weights, got 1e-07"),
        ("normal", ("columns", 0, "delta_weight"), 1, "normal.delta_weight must be the delta_weight of"),
        ("normal", ("columns", 0, "ratio"), [3, 1], "normal.ratio must be the ratio of the weights"),
        ("normal", ("delta",), 1e-8, "normal.delta_weight must be at most delta = 1e-08 of 2\\*\\*32"),
        ("some", ("sampled",), 20, "some.columns must be .* of the 20 boxes a column tells of, got 20"),
        ("some", ("box", "loss"), [2, 1], "some.box must be the box of the weights"),
        ("some", ("columns", 3, "loss"), [2, 1], "some_4.loss must be the loss of the weights"),
        ("all", ("columns",), lambda columns: columns[:-1], "all_20.name is missing"),
        ("fine", ("step",), 1, "fine.columns must be those of the question"),
        ("bit", ("high",), 200, "bit.columns must be those of the question|grid must have"),
    ],
)  # fmt: skip
def test_what_is_published_cannot_be_changed_and_loaded(entry, path, value, message):
    with pytest.raises(DefinitionError, match=message):
        load(change(entry, *path, value=value))
