"""An installation with a survey in every state, with every kind of question and every mechanism.

`running` is open with 12 respondents and a step of 5, so that its results show five; `finished` is closed
with 11, one more than two steps; `half` is a draft. With sections, some are asked half of the questions and
the others the other half. Receipts, reports and days come from a seed.
"""

import random

from server.store import submissions, surveys
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts
from server.store.submissions import Submission
from survey.mechanisms import BoxChannel
from survey.publication import question_columns
from survey.randomize import randomize, randomize_boxes, words_for

TOTAL = 2**32
OPTIONS = [{"en": name.title(), "ko": f"{name} 답"} for name in ("never", "seldom", "often", "always")]
QUESTIONS = {
    "copied": {"kind": "yes_no", "mechanism": "spinner_coin", "epsilon": 1.0},
    "bought": {"kind": "yes_no", "mechanism": "spinner", "epsilon": 0.5, "skip": "randomized"},
    "data": {"kind": "yes_no", "mechanism": "coin", "skip": "apart", "by_hand": "coin"},
    "relief": {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": OPTIONS},
    "income": {"kind": "choice", "mechanism": "subset", "epsilon": 1.0, "options": OPTIONS},
    "worry": {
        "kind": "choice",
        "mechanism": "exponential",
        "epsilon": 1.0,
        "options": OPTIONS,
        "ordered": True,
    },
    "taken": {"kind": "boxes", "mechanism": "per_box", "epsilon": 0.5, "options": OPTIONS, "scope": "box"},
    "happened": {
        "kind": "boxes",
        "mechanism": "sampled_box",
        "epsilon": 1.0,
        "options": OPTIONS,
        "skip": "apart",
    },
    "content": {"kind": "number", "mechanism": "one_bit", "epsilon": 1.0, "low": 0, "high": 10, "step": 1},
    "hours": {"kind": "number", "mechanism": "laplace", "epsilon": 1.0, "low": 0, "high": 6, "step": 1},
    "drinks": {
        "kind": "number",
        "mechanism": "gaussian",
        "epsilon": 1.0,
        "delta": 1e-6,
        "low": 0,
        "high": 6,
        "step": 1,
    },
    "spent": {"kind": "number", "mechanism": "hybrid", "epsilon": 2.0, "low": 0, "high": 50, "step": 10},
}


def definition(slug, sections):
    """A survey with every mechanism, in two languages."""
    texts = {
        "title": {"en": "Exams & <honesty>", "ko": "시험과 정직"},
        "information": {"en": "Who asks, and why.", "ko": "누가, 왜 묻는지."},
        "consent": {"en": "I take part.", "ko": "참여합니다."},
    }
    questions = [
        {"id": name, "wording": {"en": f"What of {name}?", "ko": f"{name}?"}} | question
        for name, question in QUESTIONS.items()
    ]
    results = {"step": 5, "reports_while_open": False}
    common = {"slug": slug, "languages": ["en", "ko"], **texts, "results": results}
    common |= {"budget": {"limit": 30.0, "waves": 2}}
    if not sections:
        return {"candor": 1, **common, "questions": questions}
    halves = [{"id": name, "questions": questions[start::2]} for start, name in enumerate(("evens", "odds"))]
    return {"candor": 2, **common, "asked": 1, "sections": halves}


def reports(publication, draw, sections):
    """Answer every question at random, and randomize the answers."""
    codes, left_out = {}, draw.randrange(2) if sections else None
    for number, (question, columns) in enumerate(question_columns(publication)):
        first = next(iter(columns.values()))
        if left_out is not None and number // (len(QUESTIONS) // 2) == left_out:
            codes |= {name: column.not_asked_code for name, column in columns.items()}
            continue
        if first.skip_code is not None and draw.random() < 0.2:
            chosen = [first.skip_code] * len(columns)
        elif isinstance(first.channel, BoxChannel):
            ticks = [draw.randrange(2) for _ in columns]
            words = [draw.randrange(TOTAL) for _ in range(words_for(first.channel))]
            chosen = randomize_boxes(first.channel, ticks, words)
        else:
            channel = first.channel
            chosen = [randomize(channel, draw.randrange(channel.answers), draw.randrange(TOTAL))]
        assert question.fault(tuple(columns.values()), chosen) is None
        codes |= zip(columns, chosen, strict=True)
    return codes


def fill(db, slug, respondents, draw, sections):
    """Open a survey, and let respondents come on two days."""
    survey = surveys.open_survey(db, surveys.create_draft(db, definition(slug, sections)).id)
    publication = survey.publication
    fingerprint = publication.fingerprint
    batch = [
        Submission(survey.id, fingerprint, draw.randbytes(16).hex(), reports(publication, draw, sections))
        for _ in range(respondents)
    ]
    for day, part in (("2026-06-01", batch[:4]), ("2026-06-02", batch[4:])):
        db.reports.add_to_day(survey.id, day, started=len(part) + 1, sent=0)
        assert set(submissions.record(db, part, day)) == {"stored"}
    return survey


def build(db, sections):
    """Make everything that an installation can hold."""
    draw = random.Random(8)
    fill(db, "running", 12, draw, sections)
    surveys.close_survey(db, fill(db, "finished", 11, draw, sections).id)
    surveys.create_draft(db, {"candor": 1, "slug": "half", "title": {"en": "Half"}})
    for name, role in (("ada", "admin"), ("ben", "researcher")):
        insert = "INSERT INTO accounts (name, role, password_hash) VALUES (?, ?, ?)"
        db.execute(insert, [name, role, f"$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ${name}"])
        person = accounts.by_name(db, name)
        row = [draw.randbytes(32).hex(), person.id, 1779964000, 1780000000]
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
        accounts.mark(db, person.id, all_surveys=True)
    db.execute("INSERT INTO settings VALUES ('secret_key', ?)", ["0" * 64])


def make(path, sections=False):
    """Make one in a file, after what closing leaves to do."""
    storage = SQLiteStorage(path)
    storage.create()
    storage.write(build, sections)
    storage.finish()
    storage.close()
    return path
