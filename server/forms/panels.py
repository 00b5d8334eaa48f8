"""The editor's panels: what is open at one time, and which fields stand in it."""

from __future__ import annotations

import re
from types import MappingProxyType

FIELDS = MappingProxyType(
    {
        "start": (
            "slug",
            "languages",
            "title",
            "organisation",
            "contact",
            "kept_until",
            "information",
            "consent",
        ),
        "plan": ("respondents", "waves", "limit", "asked"),
        "end": ("help", "closing", "outcome_before", "quick_exit", "quick_exit_to"),
        "results": ("step", "reports_while_open", "invited", "invited_listed"),
    }
)
"""Panel -> the fields that stand in it. A question and a part are panels of their own."""

CLOSED = "none"
"""Named where every panel is folded."""

PANEL = re.compile(r"(?P<what>question|part)-(?P<number>[1-9][0-9]{0,2})")
FIELD = re.compile(r"(?P<what>questions|sections)-(?P<index>[0-9]{1,3})(?:-.*)?", re.DOTALL)
ROWS = MappingProxyType({"question": "questions", "part": "sections"})
PANELS = MappingProxyType({row: panel for panel, row in ROWS.items()})


def panel_of(place: str) -> str:
    """Return the panel in which a field or another place of the editor's page stands.

    Examples
    --------
    >>> panel_of("questions-2-wording-en"), panel_of("sections-0-id"), panel_of("title-ko")
    ('question-3', 'part-1', 'start')
    >>> panel_of("question-3"), panel_of("asked"), panel_of("questions")
    ('question-3', 'plan', 'none')
    """
    if found := FIELD.fullmatch(place):
        return f"{PANELS[found['what']]}-{int(found['index']) + 1}"
    if is_panel(place):
        return place
    return next((panel for panel, names in FIELDS.items() if is_of(place, names)), CLOSED)


def is_panel(name: str) -> bool:
    """Return whether this names a panel, if one that no question of this draft has."""
    return name in FIELDS or PANEL.fullmatch(name) is not None


def stands_in(field: str, panel: str) -> bool:
    """Return whether a field's name is one of a panel's.

    Examples
    --------
    >>> stands_in("questions-2-by_hand", "question-3"), stands_in("questions-20-id", "question-3")
    (True, False)
    >>> stands_in("quick_exit_to", "end"), stands_in("step", "end")
    (True, False)
    """
    if found := PANEL.fullmatch(panel):
        return field.startswith(f"{ROWS[found['what']]}-{int(found['number']) - 1}-")
    return is_of(field, FIELDS.get(panel, ()))


def is_of(field: str, names: tuple[str, ...]) -> bool:
    """Return whether a field is one of these, or a text of one in a language."""
    return any(field == name or field.startswith(f"{name}-") for name in names)
