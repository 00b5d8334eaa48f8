"""Tests that watch over a file: which of them run which lines of it, and what they say of a mutant.

They run in processes that fork, so that each imports the file anew and what it left in memory is gone.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import pickle
import resource
import signal
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from time import process_time, sleep

import pytest
from mutants_made import ROOT, Mutant, Seeded, module_of

sys.path.append(str(ROOT / "tests" / "postgresql"))
import cluster

WATCH_SECONDS = 600
"""How long the processor may work on a file of tests whose lines are noted."""

SPARE_SECONDS = 10
"""How long it may work on tests of a mutant to begin; then as long as while each of their lines was noted."""

IDLE_SECONDS, IDLE_SHARE = {"postgresql": 10, "sqlite": 60}, 0.02
"""The engine that is left out -> seconds. A run that works less than this share of so long a time waits for
something that does not come; PostgreSQL's server may work meanwhile, which is not seen."""

PASSED, FAILED, NO_TESTS, WAITS, ENDLESS = 0, 1, 5, 70, -signal.SIGXCPU
"""What pytest exits with, and runs that wait for ever or go round and round."""

UNUSED = " and ".join(
    f"not {name}"
    for name in ("power_cut", "lose_what", "weaker", "process", "statement", "marks", "base64", "20000")
)
"""Tests that start other processes, which do not see the mutant, and some that take long."""

OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=native"]
"""pytest may rewrite no assertion: it would import itself the file of a mutant whose examples are tests. It
needs no source of what fails, which it would search among all modules."""


@dataclass(frozen=True)
class Watch:
    """What a file of tests runs of the file that it watches over.

    Attributes
    ----------
    tests : str
        The file of tests.
    left_out : str
        The other engine, whose tests are left out.
    seconds : dict of str to float
        Test -> how long the processor works on it.
    lines : dict of str to set of int
        Test -> the lines that it runs. Under "": those that run before the first test.
    modules : list of str
        The modules of Candor that it imports.
    """

    tests: str
    left_out: str
    seconds: dict[str, float]
    lines: dict[str, set[int]]
    modules: list[str]

    def reached(self, lines: frozenset[int]) -> dict[str, float]:
        """Return the tests that run one of these lines."""
        return {test: time for test, time in self.seconds.items() if not lines.isdisjoint(self.lines[test])}

    def reaches(self, lines: frozenset[int]) -> bool:
        """Return whether one of these lines runs at all."""
        return not all(map(lines.isdisjoint, self.lines.values()))


class Watching:
    """A plugin for pytest that notes which lines of some files each test runs, in its threads too."""

    def __init__(self, files: Sequence[str]) -> None:
        self.lines: dict[str, dict[str, set[int]]] = {str(ROOT / file): defaultdict(set) for file in files}
        self.test = ""
        self.seconds: dict[str, float] = {}
        threading.settrace(self.enter)
        sys.settrace(self.enter)

    def enter(self, frame, event, argument):
        """Follow the lines of these files only, which a call begins."""
        return self.step if frame.f_code.co_filename in self.lines else None

    def step(self, frame, event, argument):
        """Note a line."""
        self.lines[frame.f_code.co_filename][self.test].add(frame.f_lineno)
        return self.step

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        """Note which test runs, and how long the processor works on it."""
        self.test, begun = item.nodeid, process_time()
        done = yield
        self.seconds[item.nodeid] = process_time() - begun
        return done


class QuickestFirst:
    """A plugin for pytest that puts some tests first, the quickest of them to the front."""

    def __init__(self, tests: Sequence[str], seconds: dict[str, float], only: bool) -> None:
        files = [ROOT / each.partition("::")[0] for each in tests]
        self.places = {place for file in files for place in (file, *file.parents)}
        self.seconds, self.only = seconds, only

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path):
        """Pass by all other files in the same folder, which pytest collects too, and leaves out later."""
        return collection_path not in self.places or None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Put them in order."""
        items.sort(key=lambda item: self.seconds.get(item.nodeid, math.inf))
        if self.only:
            del items[len(self.seconds) :]


def other_engine(file: str) -> str:
    """Name the engine whose tests are left out: PostgreSQL, as they take long, except for its own files."""
    return "sqlite" if "/postgresql/" in file else "postgresql"


def watch(tests: str, left_out: str, files: Sequence[str]) -> dict[str, Watch] | None:
    """Find out which tests of a file run which lines of others; None if one of them fails."""
    with tempfile.TemporaryFile() as noted:

        def run() -> int:
            watching = Watching(files)
            code = pytest.main([*OPTIONS, "-k", f"not {left_out} and {UNUSED}", tests], [watching])
            modules = sorted(name for name in sys.modules if name.startswith(("survey.", "server.")))
            pickle.dump(
                (watching.seconds, [dict(lines) for lines in watching.lines.values()], modules), noted
            )
            noted.flush()
            return code

        if apart(run, WATCH_SECONDS, left_out) != PASSED:
            return None
        noted.seek(0)
        seconds, all_lines, modules = pickle.load(noted)
    return {
        file: Watch(
            tests, left_out, seconds, {test: lines.get(test, set()) for test in ["", *seconds]}, modules
        )
        for file, lines in zip(files, all_lines, strict=True)
    }


def import_all_but(file: str, watches: Sequence[Watch]) -> None:
    """Import what tests import and what does not need a file, so that no mutant of it takes time for that."""
    sys.modules[module_of(file)] = None  # type: ignore[assignment]  # whoever imports it fails
    for name in sorted({name for watch in watches for name in watch.modules}):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    del sys.modules[module_of(file)]
    # Where a package failed, what stands in it is imported anew with it.
    for name in sorted(name for name in sys.modules if name.startswith(("survey.", "server."))):
        if name.rpartition(".")[0] not in sys.modules:
            del sys.modules[name]


def verdict(mutant: Mutant, watches: Sequence[Watch], explained: Container[str]) -> int:
    """Return what the tests that watch over a mutant exit with.

    Notes
    -----
    The tests that run the mutant's lines go first. A line may also have run once for all, on import, for a
    fixture or for what is kept in memory, and other tests build on it: the others of each file in which it
    ran at all follow, unless what survives is explained.
    """
    there = [each for each in watches if each.reaches(mutant.lines)]
    first = {test: seconds for each in there for test, seconds in each.reached(mutant.lines).items()}
    only = mutant.change in explained and bool(first)
    code = tried(mutant, there, first, only) if there else PASSED
    return tried(mutant, there, first, only) if code == WAITS else code


def tried(
    mutant: Mutant | None, watches: Sequence[Watch], first: dict[str, float], only: bool = False
) -> int:
    """Run files of tests up to the first test that fails: the first ones by their time, or only these."""

    left_out = watches[0].left_out

    def run() -> int:
        if mutant is not None:
            sys.meta_path.insert(0, Seeded(mutant))
        used, tests = f"not {left_out} and {UNUSED}", [each.tests for each in watches]
        return pytest.main([*OPTIONS, "-k", used, *tests], [QuickestFirst(tests, first, only)])

    return apart(run, SPARE_SECONDS + sum(sum(each.seconds.values()) for each in watches), left_out)


def apart(run: Callable[[], int], seconds: float, left_out: str) -> int:
    """Return what a run of tests, without those of an engine, exits with; it may work for so long."""
    number = os.fork()
    if number == 0:
        os.setpgid(0, 0)
        # The hard limit stays: tests start helpers that set limits of their own.
        resource.setrlimit(
            resource.RLIMIT_CPU, (math.ceil(seconds), resource.getrlimit(resource.RLIMIT_CPU)[1])
        )
        threading.Thread(target=end_when_idle, args=[IDLE_SECONDS[left_out]], daemon=True).start()
        with open(os.devnull, "w") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        code = FAILED
        with contextlib.suppress(BaseException):
            code = int(run())
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)
    for folder in cluster.place().glob(f"pg{number}-*/"):  # its server, if it could not stop it itself
        os.environ[cluster.VARIABLE] = str(folder)
        with contextlib.suppress(AssertionError):  # it may not have been started yet
            cluster.stop()
    return PASSED if code == NO_TESTS else code


def end_when_idle(seconds: float) -> None:
    """End the process when it works no more, however long others keep it from working."""
    worked = -math.inf
    while process_time() - worked > IDLE_SHARE * seconds:
        worked = process_time()
        sleep(seconds)
    os._exit(WAITS)
