"""What an open survey shows and its file holds: never two states that differ by fewer than a step."""

import itertools
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import publishing_world
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from publishing_world import STEP, TABLE, World

from server.store import surveys
from server.store.publishing import Group, advanced, groups
from server.store.storage import storage_at


def check(survey, seen, closed=False):
    """Check the rules of `server.store.publishing` over all states; the last may be that of closing."""
    running = seen[:-1] if closed else seen
    for group in groups(survey.publication):
        parts = [(counts[group.places], published[group.places]) for counts, published in running]
        for counts, published in parts:
            assert group.asked(published) == 0 or group.asked(counts - published) >= STEP
        shown = [published for _, published in parts]
        if closed:
            counts, published = (each[group.places] for each in seen[-1])
            assert (published == counts).all()
            assert group.asked(shown[-1]) == 0 or group.asked(published - shown[-1]) >= STEP
        for before, after in itertools.pairwise(shown):
            assert (after == before).all() or group.asked(after - before) >= STEP


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file with the survey, which each schedule copies."""
    path = tmp_path_factory.mktemp("publishing") / "work.db"
    open_in(path)
    return path


def open_in(database):
    """Open the survey in a database."""
    storage = storage_at(database)
    storage.create()
    draft = storage.write(surveys.create_draft, TABLE)
    storage.write(surveys.open_survey, draft.id)
    storage.close()


@pytest.fixture
def world(database):
    open_in(database)
    world = World(database)
    yield world
    world.storage.close()


EVENTS = st.one_of(
    st.tuples(st.just("send"), st.integers(0, 1), st.lists(st.integers(0, 2), min_size=1, max_size=6)),
    st.tuples(st.just("fail"), st.integers(0, 1), st.lists(st.integers(0, 2), min_size=1, max_size=6)),
    st.tuples(st.just("restart"), st.integers(0, 1), st.none()),
)


@settings(max_examples=60, deadline=None)
@given(events=st.lists(EVENTS, min_size=5, max_size=40))
def test_two_servers_in_any_order_with_restarts_and_commits_that_fail_keep_the_rules(
    file, tmp_path_factory, events
):
    world = World(Path(shutil.copy(file, tmp_path_factory.getbasetemp() / "schedule.db")))
    for event, server, asked in events:
        if event == "restart":
            world.servers[server] = world.server()
        else:
            world.send(server, asked, fails=event == "fail")
    check(world.survey, world.seen)
    world.close()
    world.storage.close()
    check(world.survey, world.seen, closed=True)


def respondents(world):
    """Of how many respondents results were shown, after each commit."""
    first = world.survey.publication.columns["old"].codes
    return [int(published[:first].sum()) for _, published in world.seen]


@pytest.mark.engines
def test_one_server_shows_what_is_a_step_old(world):
    for number in range(15):
        world.send(0, [number % 3])
    assert respondents(world) == [0] * 8 + [4] * 4 + [8] * 4


@pytest.mark.engines
def test_the_end_of_a_batch_counts(world):
    for size in (11, 3, 2, 30):
        world.send(0, [0] * size)
    # The first moment is at 11 and the next at 16, for 14 is less than a step more.
    assert respondents(world) == [0, 0, 0, 11, 16]


@pytest.mark.engines
def test_a_server_that_is_restarted_every_half_step_shows_nothing_new_and_nothing_wrong(world):
    for number in range(40):
        if number % (STEP // 2) == 0:
            world.servers[0] = world.server()
        world.send(0, [number % 3])
    assert respondents(world)[-1] == 0
    for number in range(8):
        world.send(0, [number % 3])
    assert respondents(world)[-1] > 0  # once it is left alone, results come
    world.close()
    check(world.survey, world.seen, closed=True)


@pytest.mark.engines
def test_a_snapshot_of_a_commit_that_failed_is_never_shown(world):
    world.send(0, [0] * STEP, fails=True)
    assert world.servers[0].memory == {}
    for _ in range(STEP):
        world.send(0, [1])
    world.send(0, [0] * STEP)
    assert respondents(world)[-1] == STEP
    published = dict(zip(("old", "new"), np.split(world.seen[-1][1][:4], 2), strict=True))
    assert published["new"].tolist() == [0, STEP]


@pytest.mark.engines
def test_a_server_discards_its_snapshot_when_another_has_published_a_later_one(world):
    world.send(0, [0] * 4)  # the first server has a snapshot of 4
    world.send(1, [0] * 2)  # the second one of 6
    world.send(1, [0] * 4)  # which is shown at 10
    world.send(0, [0] * 1)  # the first one's is not ahead of it any more
    assert respondents(world)[-2:] == [6, 6]
    check(world.survey, world.seen)


def test_a_database_that_was_restored_meanwhile_is_not_shown_what_it_does_not_hold(file, tmp_path):
    world = World(Path(shutil.copy(file, tmp_path / "world.db")))
    for _ in range(3):
        world.send(0, [0] * 2)
    shutil.copy(file, world.storage.path)
    world.send(0, [1] * 5)
    world.send(0, [1] * 5)
    house = next(group for group in groups(world.survey.publication)[3:])
    assert house.asked(world.seen[-1][1][house.places]) in (0, 5)
    check(world.survey, world.seen[-2:])


def test_a_snapshot_that_holds_more_of_any_code_than_came_is_forgotten():
    group = Group(places=np.arange(2), asked_codes=2, codes=2)
    nothing, now = np.array([0, 0]), np.array([7, 30])
    for snapshot in ([8, 4], [4, 31], [8, 31]):
        published, later = advanced(group, STEP, nothing, np.array(snapshot), now)
        assert (published.tolist(), later.tolist()) == ([0, 0], [7, 30])


@pytest.mark.engines
def test_what_is_remembered_of_another_survey_of_this_number_is_not_shown(world):
    world.send(0, [0] * STEP)
    committer = world.servers[0]
    of_another = replace(committer.memory[world.survey.id], fingerprint="0" * 64)
    committer.memory = {world.survey.id: of_another}
    world.send(0, [0] * STEP)
    assert respondents(world)[-1] == 0


@pytest.mark.engines
def test_two_processes_on_one_database_keep_the_rules(world, database):
    command = [sys.executable, publishing_world.__file__, getattr(database, "text", str(database))]
    with (
        subprocess.Popen([*command, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one,
        subprocess.Popen([*command, "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as two,
    ):
        for process in (one, two):
            assert process.stdout.readline() == "ready\n"
        for process in (one, two):
            process.stdin.write("\n")
            process.stdin.flush()
        seen = [state for process in (one, two) for state in json.loads(process.communicate(timeout=600)[0])]
    world.seen = [
        tuple(map(np.array, state))
        for state in sorted(seen, key=lambda state: (sum(state[1]), sum(state[0])))
    ]
    assert sum(world.seen[-1][0][:2]) == 120
    assert respondents(world)[-1] > 0
    world.close()
    check(world.survey, world.seen, closed=True)
