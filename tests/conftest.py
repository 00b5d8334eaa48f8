"""What all tests share: examples that repeat, one PostgreSQL server, and short words where a test fails.

Property tests: the same examples in every run, and new ones by ``--hypothesis-profile=explore``.

A run that fails says something about the change under test, not about the examples drawn that day. They are
not timed: how fast the statistics are is shown by tests/benchmarks/speed.py.
"""

import fcntl
import gc
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import MethodType

# Read when numpy is loaded, here and in what the tests start. With two threads for one small matrix in each
# of several processes, threads wait for each other: to design a channel took ten times the work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("CANDOR_STRANGERS_SHARE", "0")  # no stranger is as fast as a test

import cluster
import pytest
from hypothesis import HealthCheck, settings
from werkzeug.routing import Rule

UNTIMED = [HealthCheck.too_slow]

settings.register_profile(
    "repeatable", max_examples=50, deadline=None, derandomize=True, suppress_health_check=UNTIMED
)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("repeatable")


def once(compile_rule):
    """Let applications share what a rule is compiled to: that was half of what it took to make one."""
    compiled = {}

    def compile_once(rule):
        place = (rule.rule, rule.subdomain, rule.host, rule.map.host_matching, rule.merge_slashes)
        key = (*place, repr(rule.defaults), *rule.map.converters.values())
        if key not in compiled:
            compile_rule(rule)
            compiled[key] = {name: getattr(rule, name) for name in COMPILED}, rule._build, rule._build_unknown
        parts, *builders = compiled[key]
        vars(rule).update(parts)
        rule._build, rule._build_unknown = (MethodType(each.__func__, rule) for each in builders)

    return compile_once


COMPILED = ("_parts", "_trace", "_converters", "arguments")
Rule.compile = once(Rule.compile)

ROOT = Path(__file__).parents[1]

MOST_LINES, MOST_SIGNS = 60, 300
"""How much a comparison prints: where CI is set pytest prints all, of a database thousands of lines."""


LONG = {
    "test_demo.py",
    "test_everybody.py",
    "test_first_report.py",
    "test_hostile_drafts.py",
    "test_results.py",
    "test_rolling.py",
    "test_standby.py",
}
"""Files with a test of twenty seconds. They begin first, so that in the end nobody waits for one of them."""

TEMPORARY = pytest.StashKey[str]()


class OnlyExamples:
    """Leaves out modules without examples: pytest imports each one in which it looks for doctests."""

    def pytest_ignore_collect(self, collection_path):
        if collection_path.suffix == ".py" and not collection_path.is_relative_to(ROOT / "tests"):
            return ">>> " not in collection_path.read_text(encoding="utf-8") or None
        return None


def pytest_configure(config):
    """Name the folders of the PostgreSQL server and of all other files, once for all processes of a run.

    In memory no test waits for a disk. ``--basetemp`` puts the files where they stay after the run.
    """
    config.pluginmanager.register(OnlyExamples())
    if hasattr(config, "workerinput"):
        return
    os.environ[cluster.VARIABLE] = str(cluster.place() / f"pg{os.getpid()}-{secrets.token_hex(4)}")
    if config.option.basetemp is None:
        config.stash[TEMPORARY] = tempfile.mkdtemp(prefix="candor", dir=cluster.place())
        os.environ["PYTEST_DEBUG_TEMPROOT"] = config.stash[TEMPORARY]


def pytest_unconfigure(config):
    """Stop the server when the process that waits for the others ends, and name once more what failed."""
    if not hasattr(config, "workerinput"):
        cluster.stop()
        shutil.rmtree(config.stash.get(TEMPORARY, ""), ignore_errors=True)
        print("".join(failures(config.pluginmanager.get_plugin("terminalreporter"))), end="")


def failures(terminal):
    """Give a line for each test that failed: a long message hides its name where only a log's end is kept."""
    stats = terminal.stats if terminal else {}
    return [f"{what}: {each.nodeid}\n" for what in ("failed", "error") for each in stats.get(what, [])]


def pytest_generate_tests(metafunc):
    """Run what is marked with `engines` on each, or on those that the mark names."""
    marker = metafunc.definition.get_closest_marker("engines")
    if marker and "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", marker.args or ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Make a folder once for all processes of a run: whoever comes first works, and the others wait."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def made(name, work):
        folder, begun = shared / name, shared / f"{name}-begun"
        with (shared / f"{name}-lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                shutil.rmtree(begun, ignore_errors=True)
                begun.mkdir()
                work(begun)
                begun.rename(folder)
        return folder

    return made


@pytest.fixture(scope="session")
def demo(made_once):
    """The folder with the study that pages of the documentation work with."""
    from study import make  # loads the whole server

    return made_once("demo", make)


@pytest.fixture(scope="session")
def documentation(made_once, demo):
    """The folder with the documentation as a site, built as `.ci/site` builds it."""
    (words,) = re.findall(r" sphinx-build (.+) --doctree-dir", (ROOT / ".ci/site").read_text())

    def build(folder):
        places = [
            "-D",
            f"study={demo}",
            "--doctree-dir",
            folder.with_name("documentation-trees"),
            ".docs",
            folder,
        ]
        command = [sys.executable, "-m", "sphinx", *shlex.split(words), *places]
        built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert (built.returncode, built.stderr) == (0, "")

    return made_once("documentation", build)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what is loaded for all tests out of the garbage collector's sight, and let it look less often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


def pytest_collection_modifyitems(items):
    """Begin with what takes longest."""
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.hookimpl(wrapper=True)
def pytest_assertrepr_compare():
    """Shorten what a comparison prints."""
    return [shortened(lines) for lines in (yield)]


def shortened(lines):
    """Leave out what is the same, and the rest of what is very long."""
    if lines is None or len(lines) <= MOST_LINES:
        told = lines
    else:
        told = [line for line in lines if not line.startswith("  ")]
        told[MOST_LINES:] = [f"... of {len(lines)} lines"]
    return told and [line[:MOST_SIGNS] for line in told]
