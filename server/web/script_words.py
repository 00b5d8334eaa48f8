"""The words of scripts that pages for everybody have, in the language of the page."""

from __future__ import annotations

from server.language.catalogue import section

DEVICE_WORDS = ("answer.", "wheel.", "mechanism.")
"""What the respondent's wheel and coins say on themselves: they are drawn here by the same module."""


def words_of_script(language: str, *files: str) -> dict[str, object]:
    """Return the messages of a page's script: those of the wheel, and ``script`` of some catalogues."""
    messages: dict[str, object] = {
        key: text for key, text in section(language, "respond").items() if key.startswith(DEVICE_WORDS)
    }
    for file in files:
        for key, text in section(language, file).items():
            if key.startswith("script."):
                messages[key.removeprefix("script.")] = text
    return messages
