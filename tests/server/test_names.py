"""Nobody has to think of a short name for each question: the editor proposes one that is free."""

import pytest

from server.editor.conflict import by_itself, differences, marks
from server.forms.arrangement import rearrange
from server.forms.removal import removed
from server.store.edits import HEAD


def question(name, uid=""):
    return {"uid": uid or name, "id": name, "section": "", "options": [], "matrix": ""}


def state(*rows):
    return {"slug": "health", "sections": [], "questions": list(rows)}


def names(data):
    return [each["id"] for each in data["questions"]]


def together(before, mine, theirs):
    seen = "0" * HEAD + marks(state(*before))
    mine, theirs = state(*before, *mine), state(*before, *theirs)
    return by_itself(mine, theirs, differences(seen, mine, theirs))


def test_a_name_is_the_number_of_the_question_or_the_next_that_is_free():
    questions = [question("tired"), question("q3")]
    for action in ("add", "copy-1", "copy-0"):
        rearrange([], questions, action, "yes_no")
    assert [each["id"] for each in questions] == ["tired", "tired_2", "q3", "q5", "q4"]


@pytest.mark.parametrize("name", ["q2", "tired_2"])
def test_two_people_who_add_a_question_at_once_have_two_names(name):
    both = together([question("q1")], [question(name, "mine")], [question(name, "theirs")])
    assert sorted(names(both)) == sorted(["q1", name, name[:-1] + "3"])


def test_a_name_that_both_have_typed_is_left_for_them_to_change():
    both = together([], [question("tired", "mine")], [question("tired", "theirs")])
    assert names(both) == ["tired", "tired"]


def test_a_name_that_one_has_given_twice_stays_wrong_and_is_said_so():
    both = together([question("q1")], [question("q1", "mine")], [question("q2", "theirs")])
    assert sorted(names(both)) == ["q1", "q1", "q2"]


def test_a_question_that_comes_back_has_another_name_where_its_own_was_given_away():
    questions = [question("q1"), question("q2")]
    gone = removed([], questions, "remove-1")
    rearrange([], questions, "add", "yes_no")
    gone.restore([], questions)
    assert [each["id"] for each in questions] == ["q1", "q3", "q2"]
