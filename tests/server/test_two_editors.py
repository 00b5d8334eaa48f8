"""Two people write in one draft and save in any order: nothing that one of them typed is lost silently.

Each edit types a text that was never typed before. It may go away only where somebody who saw it types over
it or removes it, or chooses the other version of two that are shown to differ.
"""

import copy
import json
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editor.conflict import by_itself, differences, marks, merged, units
from server.forms.state import ROWS, ordered, state_of
from server.store import edits, surveys
from server.store.edits import DraftChangedError
from server.store.sqlite.storage import SQLiteStorage

EMPTY = {"slug": "health", "title": {"en": ""}, "sections": [], "questions": []}


def texts(state):
    """Every text in a state that somebody typed."""
    return set(filter(lambda text: text.startswith("typed"), json.dumps(state).split('"')))


class Draft:
    """A stored draft, and all that was typed and not given up by anybody."""

    def __init__(self, storage):
        self.storage = storage
        self.number = storage.write(surveys.create_draft, {"slug": "health"}).id
        self.fresh, self.alive = (f"typed {n}" for n in count()), set()

    def read(self):
        survey, found = self.storage.read(edits.stored, self.number)
        state = state_of(copy.deepcopy(EMPTY)) if found is None else found.typed
        return state, edits.basis(survey.draft, found) + marks(state)


class Page:
    """The editor in one browser."""

    def __init__(self, draft, name):
        self.draft, self.name = draft, name
        self.state, self.basis = draft.read()

    def type(self, row):
        """Type over a text: the title, or that of one of the rows."""
        self.draft.alive -= texts(row["title"])
        row["title"] = {"en": next(self.draft.fresh)}
        self.draft.alive |= texts(row["title"])

    def edit(self, what, at, to, **_):
        """Do what one press or one word does."""
        kind = ROWS[at % 2]
        rows = self.state[kind]
        if what == "title":
            self.type(self.state)
        elif what == "add":
            rows.insert(to % (len(rows) + 1), {"uid": "", "title": {}, "section": ""})
            self.type(rows[to % len(rows)])
            self.name_rows()
        elif rows:
            row = rows[to % len(rows)]
            if what == "type":
                self.type(row)
            elif what == "remove":
                self.leave(kind, rows.index(row))
                self.draft.alive -= texts(row)
            elif what == "move":
                rows.append(self.take(kind, rows.index(row)))
            elif what == "part" and kind == "questions" and self.state["sections"]:
                row["section"] = str(at % len(self.state["sections"]))

    def take(self, kind, at):
        """Take a row out of its place; questions stay in their parts."""
        if kind == "questions":
            return self.state[kind].pop(at)
        parts = {str(n): row["uid"] for n, row in enumerate(self.state["sections"])}
        row = self.state["sections"].pop(at)
        new = {each["uid"]: str(n) for n, each in enumerate([*self.state["sections"], row])}
        for question in self.state["questions"]:
            question["section"] = new.get(parts.get(question["section"]), "")
        return row

    def leave(self, kind, at):
        """Remove a row; questions of a part stay."""
        uid = self.take(kind, at)["uid"]
        assert uid not in [row["uid"] for row in self.state[kind]]
        last = str(len(self.state["sections"]))
        for question in self.state["questions"] if kind == "sections" else ():
            question["section"] = "" if question["section"] == last else question["section"]

    def name_rows(self):
        self.state = state_of(self.state, self.name, next(self.draft.fresh))

    def save(self, mine_first, lost=False):
        """Save, choosing between versions until nobody is first; the answer may be lost on the way back."""
        while True:
            state = ordered(state_of(self.state, self.name, self.basis))
            try:
                self.draft.storage.write(edits.save, self.draft.number, self.basis, state, None, self.name)
            except DraftChangedError:
                self.choose(mine_first)
                continue
            if not lost:
                self.state, self.basis = self.draft.read()
            return

    def choose(self, mine_first):
        """Keep one version of what both have changed; what is given up there is given up by a person."""
        theirs, basis = self.draft.read()
        mine = ordered(self.state)
        found = differences(self.basis, mine, theirs)
        if (both := by_itself(mine, theirs, found)) is not None:
            self.state, self.basis = both, basis  # nobody is asked
            return
        keep = {each.name: "mine" if mine_first else "theirs" for each in found if each.changed == "both"}
        own, other = units(mine), units(theirs)
        for name, side in keep.items():
            if name not in ROWS:
                kept, given_up = (own, other) if side == "mine" else (other, own)
                self.draft.alive -= texts(given_up.get(name)) - texts(kept.get(name))
        self.state, self.basis = merged(mine, theirs, found, keep), basis


EDITS = ("title", "add", "add", "type", "type", "remove", "move", "part", "save", "save", "lost")
STEP = st.fixed_dictionaries(
    {
        "who": st.integers(0, 1),
        "what": st.sampled_from(EDITS),
        "at": st.integers(0, 3),
        "to": st.integers(0, 5),
        "mine_first": st.booleans(),
    }
)


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    storage = SQLiteStorage(tmp_path_factory.mktemp("two") / "candor.db")
    storage.create()
    yield storage
    storage.close()


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, min_size=5, max_size=40))
def test_nothing_typed_is_lost_without_somebody_giving_it_up(storage, steps):
    draft = Draft(storage)
    pages = [Page(draft, "ada"), Page(draft, "eve")]
    for step in [*steps, *({"who": who, "what": "save", "mine_first": True} for who in (0, 1, 0))]:
        page = pages[step["who"]]
        if step["what"] in ("save", "lost"):
            page.save(step["mine_first"], lost=step["what"] == "lost")
        else:
            page.edit(**step)
        held = texts(draft.read()[0]).union(*(texts(each.state) for each in pages))
        assert draft.alive <= held
    state, _ = draft.read()
    assert draft.alive <= texts(state)
    uids = [row["uid"] for kind in ROWS for row in state[kind]]
    assert len(uids) == len(set(uids))
    places = {"", *(str(n) for n in range(len(state["sections"])))}
    assert {row["section"] for row in state["questions"]} <= places
    storage.write(surveys.delete_survey, draft.number)
