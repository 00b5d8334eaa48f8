"""What a server gives to respondents' browsers, as files with their SHA-256."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from server.web import assets
from server.web.modules import closure

FIRST = "js/respond/respond.js"
"""The script that every survey's page begins with."""

BY_SURVEY = (
    "js/chance/sample.js",
    "js/respond/pictures.js",
    "js/respond/invited.js",
    "js/respond/matrix.js",
)
"""Scripts that some surveys' pages have besides."""

STYLES = ("candor.css", "mark.svg", "questions.css", "pictures.css")
"""What pages for respondents need besides scripts."""


def for_respondents(files: Mapping[str, bytes]) -> list[str]:
    """List what a survey's page may load: its script, each kind of question, and what they import."""
    asked = re.findall(rb'\bimport\("\./([\w/.]+)"\)', files[FIRST])
    later = [f"js/respond/{name.decode()}" for name in asked]
    kinds = [path for path in files if path.startswith("js/kinds/")]
    return sorted({*closure(files, [FIRST, *BY_SURVEY, *kinds, *later]), *STYLES})


def checksums(files: Mapping[str, bytes]) -> str:
    """Write the SHA-256 of each of these files, in lines as those of sha256sum."""
    lines = [f"{sha256(files[path])}  {path}" for path in for_respondents(files)]
    return "\n".join([f"# served under /static/{assets.hash_of(files)}/", *lines, ""])


def sha256(content: bytes) -> str:
    """Return the SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
