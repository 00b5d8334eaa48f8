"""No survey says what is not true of it: our sentences with a number, “may”, “sure” or “nothing”.

The page's own scripts say what they say of 200 random surveys (``tests/js/said.js``), and each sentence is
held against the channels. A new one needs an entry here, or the test that shows what it says.
"""

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from server.language.catalogue import section
from survey.channel import TOTAL
from survey.privacy import dearest, exceeding, guess, plain_sum, reports_of
from survey.privacy.limits import protects_little
from survey.publication import publish
from survey.read_definition import from_dict

FOLDER = Path(__file__).parents[1]
SURVEYS = 200
EPSILONS = (0.1, 0.25, 0.5, 0.9, 1.4, 2.5, 5.0)
OPTIONS = [{"en": letter} for letter in "abcdef"]
GRID = {"kind": "number", "low": 0, "high": 10, "step": 1}
KINDS = (
    {"kind": "yes_no", "mechanism": "spinner_coin"},
    {"kind": "yes_no", "mechanism": "spinner", "by_hand": "coin"},
    {"kind": "yes_no", "mechanism": "coin", "by_hand": "coin", "skip": "apart"},
    {"kind": "yes_no", "mechanism": "spinner_coin", "skip": "randomized"},
    {"kind": "choice", "mechanism": "wheel", "options": OPTIONS[:4]},
    {"kind": "choice", "mechanism": "subset", "options": OPTIONS, "size": 2},
    {"kind": "choice", "mechanism": "exponential", "options": OPTIONS, "ordered": True, "skip": "apart"},
    {"kind": "boxes", "mechanism": "per_box", "options": OPTIONS[:3]},
    {"kind": "boxes", "mechanism": "sampled_box", "options": OPTIONS[:4]},
    *({**GRID, "mechanism": name} for name in ("one_bit", "laplace", "hybrid")),
    {**GRID, "mechanism": "gaussian", "delta": 1e-5},
)
ANSWERS = {"spinner_coin", "spinner", "coin", "wheel", "exponential"}
"""Mechanisms whose reports are answers that somebody could have given."""


def random_survey(random, number):
    """Draw a survey of one to four parts, of which some may be drawn, in one wave or two."""
    count = int(random.integers(1, 5))
    sections = [
        {"id": f"part_{place}", "questions": [random_question(random, f"q{place}_{n}") for n in range(size)]}
        for place, size in enumerate(random.integers(1, 3, count))
    ]
    if count > 2 and random.random() < 0.5:
        sections[0]["always"] = True
    drawn = sum("always" not in part for part in sections)
    table = {
        "candor": 2,
        "slug": f"survey-{number}",
        "languages": ["en"],
        **{key: {"en": key} for key in ("title", "information", "consent")},
        "sections": sections,
        "budget": {"limit": 400.0, "waves": int(random.integers(1, 3))},
    }
    if drawn > 1 and random.random() < 0.7:
        table["asked"] = int(random.integers(1, drawn))
    return publish(from_dict(table, "random"))


def random_question(random, name):
    kind = KINDS[random.integers(len(KINDS))]
    epsilon = {} if kind["mechanism"] == "coin" else {"epsilon": float(random.choice(EPSILONS))}
    return {"id": name, "wording": {"en": name}, **epsilon, **kind}


@cache
def surveys():
    """Give random surveys as they are published, each with what its page says."""
    random = np.random.default_rng(7)
    return spoken([random_survey(random, number) for number in range(SURVEYS)])


def spoken(published):
    """Return each publication with what its page says."""
    lines = "\n".join(publication.json.decode() for publication in published)
    command = ["node", FOLDER / "js" / "said.js"]
    ended = subprocess.run(command, input=lines, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return list(zip(published, map(json.loads, ended.stdout.splitlines()), strict=True))


def guessed(publication):
    return guess(publication.reports, publication.definition.waves)


def beyond(publication):
    """The chance that more is told than epsilon allows: above delta, which is no such chance."""
    chances = publication.reports.of_each(lambda report: exceeding(report, report.guarantee[0]))
    return publication.definition.waves * sum(dearest(chances))


def total_epsilon(publication):
    return plain_sum(publication.reports, publication.definition.waves).epsilon


def uncertain(publication, values=None):
    """Tell whether what is sent could have come from another answer, but for a Gaussian's delta."""
    for column in publication.columns.values():
        chances = column.channel.probabilities
        alone = chances[:, (chances > 0).sum(axis=0) < 2]
        if alone.sum(axis=1).max(initial=0) > guessed(publication).delta:
            return False
    return True


def protects(publication):
    return not protects_little(guessed(publication))


def may_be_the_answer(publication, values):
    """Every result is an answer, and each answer may come out and may not."""
    channels = [column.channel.probabilities for column in publication.columns.values()]
    return (
        protects(publication)
        and uncertain(publication)
        and all(question.mechanism in ANSWERS for question in publication.definition.questions)
        and all(((np.diag(chances) > 0) & (np.diag(chances) < 1)).all() for chances in channels)
    )


def always_asked(publication):
    return sum(part.always for part in publication.definition.sections)


def of_survey(publication):
    found = guessed(publication)
    sections = publication.definition.sections
    drawn = publication.definition.samples
    others = len(sections) - always_asked(publication)
    asked = publication.definition.asked
    return {
        "welcome.promise.be": lambda _: may_be_the_answer(publication, _),
        "welcome.promise.match": lambda _: protects(publication) and uncertain(publication),
        "welcome.questions": lambda said: 1 <= int(said["n"]) <= len(publication.definition.questions),
        "total.caption": lambda _: found.right < 1,
        # The page adds up on a coarser grid: it may round up to one more, and never down to one less.
        "total.most": lambda said: int(said["n"]) - found.times_right in (0, 1),
        "total.telling": lambda said: found.times_right < int(said["n"]) == found.times_telling,
        "total.rare": lambda said: 0 < beyond(publication) <= float(said["chance"]) * (1 + 1e-9),
        "total.alone": lambda said: int(said["n"]) <= found.times_telling,
        "odds.epsilon": lambda said: not found.delta and near(said, total_epsilon(publication)),
        "kind.number.epsilon": lambda said: found.delta > 0 and near(said, total_epsilon(publication)),
        "budget.waves": lambda said: int(said["waves"]) == publication.definition.waves > 1,
        "budget.limit": lambda said: total_epsilon(publication) <= float(said["limit"]) * (1 + 1e-9),
        "sections.drawn": lambda said: (
            drawn and not always_asked(publication) and numbers(said, "asked", "parts") == [asked, others]
        ),
        "sections.also": lambda said: (
            drawn and numbers(said, "n", "asked", "parts") == [always_asked(publication), asked, others]
        ),
        "sections.found": lambda _: drawn,
        "label.not": lambda _: True,  # it promises nothing
    }


def of_question(publication, question):
    columns = tuple(publication.columns[name] for name in question.column_names)
    device = [column.channel for column in columns]
    found = guess(reports_of(columns)) if not question.by_hand else guess(device)
    epsilon = plain_sum(reports_of(columns) if not question.by_hand else device).epsilon

    def at_most(name, of=found):
        return lambda said: int(said[name]) >= 100 * of.right - 1e-4

    return {
        "odds.bound": at_most("n"),
        "kind.choice.between": at_most("n"),
        "kind.number.between": at_most("n"),
        "kind.number.rare": lambda said: at_most("mean")(said) and int(said["n"]) >= found.times_telling,
        "kind.boxes.bound": lambda said: at_most("n", guess(device[:1]))(said) and at_most("all")(said),
        "kind.boxes.epsilon": lambda said: abs(float(said["question"]) - epsilon) < 1e-4,
        "odds.epsilon": lambda said: near(said, epsilon),
        "kind.number.epsilon": lambda said: near(said, epsilon),
        "kind.choice.mine": lambda said: turned_up(said, device[0].probabilities),
    }


def turned_up(said, chances):
    """Tell whether so many cards turn up, one's own and each other so often."""
    shown = (
        chances > (chances.max() + chances.min()) / 2
    )  # a set is likelier under each answer that it contains
    size, mine = int(shown[:, 0].sum()), float(chances[0, shown[0]].sum())
    others = float(chances[0, shown[1]].sum())
    return int(said["n"]) == size and all(
        abs(float(said[name]) - 100 * share) <= 0.5 for name, share in (("mine", mine), ("others", others))
    )


SETS = (
    {"kind": "choice", "mechanism": "cyclic", "options": [{"en": letter} for letter in "abcdefghijklm"]},
    {"kind": "choice", "mechanism": "designed", "options": OPTIONS, "ordered": True, "wants": {"curve": 1}},
    {**GRID, "mechanism": "designed", "high": 40, "wants": {"curve": 1}},
    {**GRID, "mechanism": "designed", "high": 40, "wants": {"mean": 1}},
)
"""Questions whose reports are sets: of options, of classes of a number, and of points it is rounded to."""


@cache
def surveys_of_sets():
    """Publish a survey of each question of sets, with what its page says."""
    table = {"candor": 2, "languages": ["en"], **{key: {"en": key} for key in ("title", "information")}}
    table |= {"consent": {"en": "consent"}, "budget": {"limit": 9.0, "waves": 1}}
    asked = [{"id": "q", "wording": {"en": "q"}, "epsilon": 1.0} | question for question in SETS]
    tables = [table | {"slug": f"sets-{n}", "questions": [each]} for n, each in enumerate(asked)]
    return spoken([publish(from_dict(each, "sets")) for each in tables])


def of_sets(channel):
    """Hold what is said of cards against the chances that each turns up, with every card as one's own."""
    sets = getattr(channel.form, "sets", channel.form)
    up = sets.weights() @ sets.members().T / TOTAL
    own, others = np.diag(up), up[~np.eye(len(up), dtype=bool)]

    def turns_up(said):
        return all(
            abs(float(end) - 100 * chance) <= 0.5
            for name, chances in (("own", own), ("others", others))
            for low, _, high in [said[name].partition("..")]
            for end, chance in ((low, chances.min()), (high or low, chances.max()))
        )

    def may_be_mine(_):
        return ((up > 0) & (up < 1)).all()

    return {f"kind.sets.{how}": turns_up for how in ("own", "classes", "rounded")} | {
        "kind.sets.turned": may_be_mine
    }


def near(said, epsilon):
    return abs(float(said["epsilon"]) - epsilon) < 1e-4


def numbers(said, *names):
    return [int(said[name]) for name in names]


def test_what_two_hundred_surveys_say_first_is_true_of_them():
    met = set()
    for publication, said in surveys():
        predicates = of_survey(publication)
        for key, values in said["first"] + said["total"]:
            if key in predicates:
                assert predicates[key](values), (key, values, publication.json.decode())
                met.add(key)
    assert met == set(of_survey(surveys()[0][0])), "a sentence that no survey says is not tested"


def test_what_they_say_of_each_question_is_true_of_it():
    met = set()
    for publication, said in surveys():
        for question, spoken in zip(publication.definition.questions, said["questions"], strict=True):
            predicates = of_question(publication, question)
            for key, values in spoken["said"]:
                if key in predicates:
                    assert predicates[key](values), (key, values, question)
                    met.add(key)
            assert all(0 < share < 1 for share in spoken["shares"])
    assert met == set(of_question(*(lambda first: (first, first.definition.questions[0]))(surveys()[0][0])))


def test_what_is_said_of_cards_is_true_of_every_kind_of_sets():
    met = set()
    for publication, said in surveys_of_sets():
        (column,), (question,) = publication.columns.values(), said["questions"]
        predicates = of_sets(column.channel)
        for key, values in question["said"]:
            if key in predicates:
                assert predicates[key](values), (key, values, publication.json.decode())
                met.add(key)
        assert all(0 < share < 1 for share in question["shares"])
    assert met == set(predicates)


def test_a_survey_that_protects_little_promises_nothing():
    for publication, said in surveys():
        keys = {key for key, _ in said["first"]}
        promised = {key for key in keys if key.startswith("welcome.promise.")}
        assert len(promised) + ("welcome.little" in keys) == 1
        assert ("welcome.little" in keys) == ("label.guess" in keys) == (not protects(publication))


def test_figures_that_lie_far_apart_are_read_together():
    far = 0
    for publication, said in surveys():
        keys = [key for key, _ in said["first"]]
        found = guessed(publication)
        if "total.telling" in keys:
            outside = keys.index("total.telling") < keys.index("total.more")
            assert outside == (found.times_telling - found.times_right > 15)
            far += outside
    assert far > 5


def test_a_skip_and_real_coins_that_can_be_seen_are_told_of():
    for publication, said in surveys():
        keys = {key for key, _ in said["first"]}
        columns = publication.columns.values()
        assert ("skip.apart.hint" in keys) == any(column.skip_apart for column in columns)
        assert ("hand.coin.seen" in keys) == any(column.by_hand is not None for column in columns)


AUTHORS = {"title", "information"}
"""What the authors of these surveys say, but for the consent, which stands with the buttons."""


def words_read(said, language):
    """Count our words that everybody reads on the first screen without unfolding anything."""
    messages = section(language, "respond")
    read = re.sub(r"⟦([^|⟧]+)[^⟧]*⟧", lambda name: max(forms(messages[name[1]]), key=len), said["read"])
    return len([word for word in read.split() if word not in AUTHORS])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_survey_with_most_to_say_says_at_most_95_words_first(language):
    plain, with_coins = ({**KINDS[place], "wording": {"en": "Q?"}, "epsilon": 0.1} for place in (7, 1))
    sections = [
        {"id": f"part_{n}", "questions": [{"id": f"q{n}", **plain}], **({"always": True} if n < 2 else {})}
        for n in range(12)
    ]
    sections[0]["questions"] += [{"id": "coins", **with_coins}, {"id": "skip", **plain, "skip": "apart"}]
    texts = {key: {"en": key} for key in ("title", "information", "consent")}
    table = {"candor": 2, "slug": "longest", "languages": ["en"], **texts, "sections": sections, "asked": 9}
    ((_, said),) = spoken([publish(from_dict(table, "longest"))])
    most = words_read(said, language)
    others = [words_read(said, language) for _, said in surveys()]
    print(f"\n{language}: {most} words at most, {min(others)} to {max(others)} in {SURVEYS} surveys")
    assert max(others) <= most <= 95


SHOWN = {
    "tests/browser/test_answers_first.py": """
        answers.blank answers.invented answers.progress answers.text sending.late
        sent.shows ended.doubt""",
    "tests/browser/test_respondent.py": """
        question.legend question.progress review.text review.exact discarded.means odds.of
        try.button try.hint try.result try.title refuse.browser.text refuse.storage.text refuse.weak.text""",
    "tests/browser/test_kinds.py": """
        kind.boxes.all kind.boxes.drawn kind.boxes.of kind.boxes.of_drawn kind.choice.of
        kind.choice.sent kind.choice.set kind.number.ambiguous kind.number.beyond kind.number.missing
        kind.number.problem kind.number.range kind.number.send""",
    "tests/browser/test_sections.py": "sections.part sections.progress sections.rest",
    "tests/browser/test_linked.py": """
        linked.bound linked.bright.more linked.chance.more linked.dark.more linked.drawn.boxes
        linked.drawn.questions linked.kept.more linked.leave_hint linked.so linked.spin.2
        linked.spin.3 linked.spin.4 linked.spin.more linked.title.more""",
    "tests/browser/test_texts.py": "matrix.progress",
    "tests/browser/test_survey_pictures.py": "pictures.failed pictures.loading",
    "tests/browser/test_counted.py": "sent.list",
    "tests/browser/test_invited.py": "invited.listed invited.missing.text",
}
"""Test -> sentences of the page about what it does, or what its reader may do, whatever the survey."""

SAYS = re.compile(r"\d|\b(?:may|sure|nothing)\b", re.IGNORECASE)
NAMES = {"answer", "yes", "report", "one", "other", "box", "value"}
"""Of values that are no numbers."""


def test_every_such_sentence_has_a_predicate_or_a_test():
    publication = surveys()[0][0]
    known = {*of_survey(publication), *of_question(publication, publication.definition.questions[0])}
    known |= of_sets(surveys_of_sets()[0][0].columns["q"].channel).keys()
    known |= {"kind.sets.of", "kind.sets.times"}  # within the sentences about cards, and under their picture
    shown = {key for keys in SHOWN.values() for key in keys.split()}
    assert all((FOLDER.parent / file).is_file() for file in SHOWN)
    claims = {
        key for key, message in section("en", "respond").items() if any(map(claims_something, forms(message)))
    }
    assert claims - known == shown


def forms(message):
    return [message] if isinstance(message, str) else message.values()


def claims_something(text):
    return SAYS.search(re.sub(r"\{(\w+)\}", lambda name: "name" if name[1] in NAMES else "7", text))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_is_sent_is_nowhere_called_a_record_or_the_persons_answer(language):
    wrong = {"en": r"\brecord|your answer is sent|never leaves", "ko": "기록|기기를 떠나지|기기 밖으로"}[
        language
    ]
    for file in ("respond", "outcome", "trial", "waiting"):
        for key, message in section(language, file).items():
            assert not re.search(wrong, str(message), re.IGNORECASE), key
