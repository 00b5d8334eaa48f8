"""Property tests: the same examples in every run, and new ones by ``--hypothesis-profile=explore``.

A run that fails says something about the change under test, not about the examples drawn that day. They are
not timed: how fast the statistics are is shown by tests/benchmarks/speed.py.
"""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("repeatable")
