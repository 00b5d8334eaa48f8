"""Checks of the environment: settings that cannot be used, and misspelt ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from server.cli.checks import Check
from server.config import Config, ConfigError
from server.options import SETTINGS, from_environment

KNOWN = frozenset(str(setting.envvar) for setting in SETTINGS)


def configuration(environment: Mapping[str, str]) -> tuple[Config | None, list[Check]]:
    """Read the settings; return them, or None if they cannot be used, with the checks."""
    checks = list(misspelt(environment))
    try:
        config = from_environment()
    except ConfigError as error:
        return None, [Check("configuration", "fault", str(error), "set it anew"), *checks]
    set_here = sorted(name for name in KNOWN if environment.get(name))
    found = f"{', '.join(set_here)} set" if set_here else "every setting has its default"
    return config, [Check("configuration", "ok", found), *checks]


def misspelt(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yield a check for each variable that looks like a setting and is none."""
    for name in sorted(environment):
        if name.startswith("CANDOR_") and name not in KNOWN:
            near = get_close_matches(name, KNOWN, n=1)
            remedy = f"perhaps {near[0]} was meant" if near else "candor serve --help lists the settings"
            yield Check("configuration", "warning", f"{name} is no setting of Candor's", remedy)
