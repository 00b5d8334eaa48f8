"""What a server gives to respondents' browsers, as files with their SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from server.web import assets
from server.web.survey_scripts import MORE, RESPOND, parts

STYLES = ("candor.css", "mark.svg", "questions.css", "texts.css", "pictures.css")
"""What pages for respondents need besides scripts."""


def for_respondents(files: Mapping[str, bytes]) -> list[str]:
    """List what a survey's page may load, and the modules that its two scripts are made of."""
    plain, others = parts(files)
    return sorted({RESPOND, MORE, *plain, *others, *STYLES})


def checksums(files: Mapping[str, bytes]) -> str:
    """Write the SHA-256 of each of these files, in lines as those of sha256sum."""
    lines = [f"{sha256(files[path])}  {path}" for path in for_respondents(files)]
    return "\n".join([f"# served under /static/{assets.hash_of(files)}/", *lines, ""])


def sha256(content: bytes) -> str:
    """Return the SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
