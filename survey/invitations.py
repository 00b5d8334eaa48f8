"""The setting by which a survey is only for invited people, with or without a list of unused invitations."""

from __future__ import annotations

from typing import Literal

from survey.fields import Fields

LISTED = "listed"
"""The value with which researchers see the invitations that were not used."""

Invitations = Literal[False, True, "listed"]


def read_invitations(fields: Fields, reports_while_open: bool) -> Invitations:
    """Read the key ``invitations``: whether each report needs a one-time invitation.

    Notes
    -----
    A list of invitations and a download, both taken while the survey is open, would show who sent what.
    """
    value = fields.get("invitations")
    if value is None or isinstance(value, bool):
        return bool(value)
    if value != LISTED:
        fields.problem("invitations", "invitations")
        return False
    if reports_while_open:
        fields.problem("invitations", "listed_closed")
    return "listed"
