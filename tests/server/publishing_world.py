"""An open survey and servers that commit to it in turn; as a program, one of two that do so at once."""

import itertools
import json
import sys
from collections import Counter

from server.database import location
from server.store import surveys
from server.store.committer import Batch, Committer
from server.store.engine import Unavailable
from server.store.storage import storage_at
from server.store.submissions import Submission

DAY = "2026-05-04"
STEP = 4
DRAWN = ("pay", "hours", "house")
SETS = tuple(itertools.combinations(DRAWN, 2))
NOT_ASKED = 2


def coin(name):
    return {"id": name, "mechanism": "coin", "wording": {"en": f"Did you do {name}?"}}


TABLE = {
    "candor": 2,
    "slug": "work",
    "languages": ["en"],
    "results": {"step": STEP},
    "asked": 2,
    "sections": [
        {"id": "about", "always": True, "questions": [coin("old"), coin("new")]},
        *({"id": name, "questions": [coin(f"in_{name}")]} for name in DRAWN),
    ],
    **{name: {"en": name} for name in ("title", "information", "consent")},
}


class Watched:
    """A storage that keeps the tallies of every state that was committed, in order."""

    def __init__(self, storage, survey, seen):
        self.storage, self.survey, self.seen = storage, survey, seen
        self.fails = False

    def deadline(self):
        return self.storage.deadline()

    def write_until(self, deadline, function, *arguments):
        def watched(db):
            result = function(db, *arguments)
            if self.fails:
                raise Unavailable("the disk is full")
            return result, tallies(db, self.survey)

        result, state = self.storage.write_until(deadline, watched)
        self.seen.append(state)
        return result


def tallies(db, survey):
    """What the file holds: the counts of everybody, and those that are published."""
    number, publication = survey.id, survey.publication
    published = db.reports.published(
        number, publication
    )  # first: others may publish after the counts were read
    return db.reports.counts(number, publication), published


class World:
    """An open survey, servers that commit to it, and all states that its tallies were in."""

    def __init__(self, database):
        self.storage = storage_at(database)
        object.__setattr__(self.storage, "busy_seconds", 60.0)  # a busy machine is no fault
        self.survey = self.storage.read(surveys.by_slug, "work")
        self.seen = [self.storage.read(tallies, self.survey)]
        self.servers = [self.server(), self.server()]
        self.sent = 0

    def server(self):
        """Start a process: it remembers nothing. Its commits are a second apart, by its clock."""
        return Committer(Watched(self.storage, self.survey, self.seen), clock=itertools.count().__next__)

    def send(self, server, asked, fails=False):
        """Let a server commit what respondents send, who were asked one of three sets of sections each."""
        committer = self.servers[server]
        committer.storage.fails = fails
        batch = Batch()
        for number, one in enumerate(asked, self.sent):
            batch.add(submission(self.survey, number, one), DAY, self.storage.deadline())
        self.sent += len(asked)
        assert committer.commit(batch, Counter()) == (not fails)

    def close(self):
        self.storage.write(surveys.close_survey, self.survey.id)
        self.seen.append(self.storage.read(tallies, self.survey))


def submission(survey, number, asked):
    """One respondent's reports."""
    reports = {"old": number % 2, "new": 1}
    reports |= {f"in_{name}": number % 2 if name in SETS[asked] else NOT_ASKED for name in DRAWN}
    return Submission(survey.id, survey.publication.fingerprint, f"{number:032x}", reports)


def one_process(database, first):
    """Be one of two processes: say so, wait, send, and print every state that the own commits led to."""
    world = World(location(database))
    world.sent = first
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(60):
        world.send(0, [number % 3])
    print(json.dumps([[each.tolist() for each in state] for state in world.seen]))


if __name__ == "__main__":
    one_process(sys.argv[1], int(sys.argv[2]))
