"""The words of the scripts on pages for everybody, in the language of the page."""

from __future__ import annotations

from server.language.catalogue import section

DEVICE_WORDS = ("answer.", "wheel.", "mechanism.")
"""The beginnings of the keys of the words that the wheel and the coins show."""


def words_of_script(language: str, *files: str) -> dict[str, object]:
    """Return the messages of the wheel, and those under ``script`` in some catalogues."""
    messages: dict[str, object] = {
        key: text for key, text in section(language, "respond").items() if key.startswith(DEVICE_WORDS)
    }
    for file in files:
        for key, text in section(language, file).items():
            if key.startswith("script."):
                messages[key.removeprefix("script.")] = text
    return messages
