"""The token of a one-time invitation, as the page of a survey sends it."""

from __future__ import annotations

import re

INVITATION = "invitation-token"
"""The name of the field. No question can have it: there is no hyphen in their names."""

TOKEN_LENGTH = 28
TOKEN = re.compile(r"[A-Za-z0-9_-]{28}")
"""21 bytes in base64 for addresses: every text of this form stands for other bytes."""
