"""What somebody changed in a draft, found from an older draft of which only hashes are known."""

from itertools import pairwise

import pytest

from survey.draft import changed_units, changes_since, document_hash, merged

A, B, C = ({"uid": f"n{n:012d}", "id": f"q{n}", "wording": {"en": f"Question {n}?"}} for n in (1, 2, 3))
X, Y, Z = ({"uid": f"n{n:012d}", "text": {"en": f"Option {n}"}} for n in (7, 8, 9))
FIRST = {"title": {"en": "Sleep"}, "questions": [A, B]}


def history(*documents):
    """The steps from each document to the next, and the last one."""
    steps = [(document_hash(before), changed_units(before, after)) for before, after in pairwise(documents)]
    return steps, documents[-1]


def changed(documents, wanted, seen=FIRST):
    steps, stored = history(*documents)
    changes = changes_since(steps, document_hash(seen), stored, wanted)
    return None if changes is None else {change.unit: change.now for change in changes}


def test_only_what_differs_from_the_draft_that_was_read_is_a_change():
    stored = {"title": {"en": "Rest"}, "questions": [A, B]}
    assert changed([FIRST, stored], FIRST) == {}
    assert changed([FIRST, stored], FIRST | {"title": {"en": "Nap"}}) == {"title.en": "Nap"}
    assert changed([FIRST, stored, FIRST], stored) == {"title.en": "Rest"}


def test_what_is_changed_on_both_sides_is_a_conflict_and_what_was_added_stays():
    stored = {"title": {"en": "Rest"}, "questions": [C, A, B]}
    steps, _ = history(FIRST, stored)
    for title, conflicts in (("Nap", ["title.en"]), ("Sleep", [])):
        wanted = {"title": {"en": title}, "questions": [B, A]}
        changes = changes_since(steps, document_hash(FIRST), stored, wanted)
        result = merged(stored, changes)
        assert [conflict.unit for conflict in result.conflicts] == conflicts
    assert result.document == {"title": {"en": "Rest"}, "questions": [C, B, A]}


@pytest.mark.parametrize(
    ("seen", "stored"),
    [
        (FIRST, FIRST | {"questions": [A]}),
        ({"questions": [A | {"options": [X, Y]}]}, {"questions": [A | {"options": [Y, X]}]}),
        ({"questions": [A | {"options": [X, Y]}]}, {"questions": [A | {"options": [X]}]}),
    ],
    ids=["a question removed", "options in another order", "an option removed"],
)
def test_what_a_file_would_bring_back_unseen_is_no_change(seen, stored):
    assert changed([seen, stored], seen | {"title": {"en": "Nap"}}, seen) is None


def test_an_option_that_was_added_meanwhile_is_no_other_order():
    seen = {"questions": [A | {"options": [X, Y]}]}
    stored = {"questions": [A | {"options": [X, Z, Y]}]}
    assert changed([seen, stored], seen | {"slug": "nap"}, seen) == {"slug": "nap"}


def test_a_draft_that_is_forgotten_has_no_changes():
    assert changed([FIRST, FIRST | {"slug": "x"}], FIRST, {"title": {"en": "Earlier"}}) is None
