"""A plan is kept by what is published: its total, and every margin, whatever the draft holds."""

import random

from server.drafts.draft_reading import draft_previews
from server.drafts.planning.plan import plan_draft, taken_over
from survey.draft import check, document_of
from survey.plan import PlanError, outlook

TEXT = {"en": "-"}
AROUND = {"candor": 3, "slug": "a", "languages": ["en"], "title": TEXT, "information": TEXT, "consent": TEXT}
OPTIONS = [{"en": str(n)} for n in range(5)]
SETTINGS = [
    {"kind": "yes_no", "mechanism": "spinner_coin"},
    {"kind": "yes_no", "mechanism": "spinner", "skip": "randomized"},
    {"kind": "yes_no", "mechanism": "spinner_coin", "by_hand": "coin"},
    {"kind": "choice", "mechanism": "wheel", "options": OPTIONS[:4], "skip": "randomized"},
    {"kind": "choice", "mechanism": "subset", "options": OPTIONS},
    {"kind": "choice", "mechanism": "exponential", "options": OPTIONS, "ordered": True},
    {"kind": "boxes", "mechanism": "sampled_box", "options": OPTIONS[:4]},
    {"kind": "boxes", "mechanism": "per_box", "options": OPTIONS[:3], "scope": "box"},
    {"kind": "number", "mechanism": "hybrid", "low": 0, "high": 10, "step": 1, "skip": "apart"},
    {"kind": "number", "mechanism": "gaussian", "low": 0, "high": 10, "step": 1, "delta": 1e-6},
]
SCALES = [SETTINGS[0], SETTINGS[3], SETTINGS[4]]


def question(name, settings, **more):
    return {"id": name, "wording": TEXT, **settings, **more}


def block(rng, name):
    """One question, or the lines of a matrix."""
    if rng.random() < 0.6:
        return [question(name, rng.choice(SETTINGS))]
    scale = rng.choice(SCALES)
    return [
        question(f"{name}_{n}", scale, matrix=name, **({} if n else {"matrix_wording": TEXT}))
        for n in range(rng.randint(2, 6))
    ]


def random_draft(rng):
    """A draft whose epsilons are left to the plan: bare questions, or some of them in parts."""
    draft = AROUND | {"budget": {"waves": rng.choice([1, 1, 2, 3])}}
    blocks = [block(rng, f"b{n}") for n in range(rng.randint(1, 5))]
    if rng.random() < 0.5:
        return document_of(draft | {"questions": [each for questions in blocks for each in questions]})
    sections = []
    for questions in blocks:
        if sections and "title" in sections[-1] and rng.random() < 0.4:
            sections[-1]["questions"] += questions
        elif rng.random() < 0.5:
            sections.append({"id": questions[0]["id"], "questions": questions})
        else:
            always = {"always": True} if rng.random() < 0.3 else {}
            sections.append({"id": f"s{len(sections)}", "title": TEXT, **always, "questions": questions})
    return document_of(draft | {"sections": sections})


def is_planned(draft, total, people):
    """Plan a draft, publish it as planned, and return whether there was a plan."""
    try:
        plan = plan_draft(draft, total, people)
    except PlanError:
        return False
    planned = taken_over(draft, plan) | {"expected": people}
    publication = check(planned, "here").publication
    definition = publication.definition
    assert publication.budget.epsilon <= plan.chosen.total * (1 + 1e-9) <= total * (1 + 2e-9)
    assert publication.guess.times_right <= 80
    promised = [change.then.margin for change in plan.changes]
    asked = definition.asked if definition.samples else None
    assert [each.margin for each in outlook(definition.sections, asked, people)] == promised
    assert [each.comparison.margins[0].chosen for each in draft_previews(planned)] == promised
    return True


def test_what_is_published_keeps_the_plan_of_a_random_draft():
    planned = 0
    for seed in range(20):
        rng = random.Random(seed)
        planned += is_planned(random_draft(rng), rng.uniform(0.5, 4), rng.randint(300, 5000))
    assert planned > 15, "for some no plan keeps the limits"


def test_six_lines_of_a_matrix_planned_for_2_cost_2():
    lines = [
        question(f"q{n}", SETTINGS[0], matrix="m", **({} if n else {"matrix_wording": TEXT}))
        for n in range(6)
    ]
    assert is_planned(document_of(AROUND | {"questions": lines}), 2.0, 1000)
