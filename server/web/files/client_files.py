"""The files that respondents' browsers load, with their SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from server.web.files import assets
from server.web.files.survey_scripts import parts

STYLES = ("candor.css", "linked.css", "mark.svg", "survey.css")
"""Files besides scripts that the respondents' pages need."""


def for_respondents(files: Mapping[str, bytes]) -> list[str]:
    """List the files that a survey's page may load, and the modules that its scripts consist of."""
    scripts = parts(files)
    return sorted({*scripts, *(path for paths in scripts.values() for path in paths), *STYLES})


def checksums(files: Mapping[str, bytes]) -> str:
    """Write the SHA-256 of each of these files in the format of sha256sum."""
    lines = [f"{sha256(files[path])}  {path}" for path in for_respondents(files)]
    return "\n".join([f"# served under /static/{assets.hash_of(files)}/", *lines, ""])


def sha256(content: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
