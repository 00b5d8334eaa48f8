"""The most that a request may cost, for every address, and for each of three kinds of visitors.

`Gate` looks here before Flask sees a request. An application needs every rule of its pages here.

To add a rule, name its method and its address under a class in `RULES`. A new class says in `CLASSES` what is
read of nobody, of a visitor with a session that never signed in, and of staff, and what they are answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Visitor = Literal["nobody", "visitor", "staff"]

KB, MB = 1024, 1024 * 1024

MOST_BYTES = 64 * KB
"""Bytes of a stranger's largest body, and of the answer; a submission of a hundred questions has 6 kB."""

MOST_BYTES_OF_A_SURVEY = 2 * MB
"""Bytes of the largest body for the editor: a hundred questions in twenty languages."""

MOST_BYTES_OF_A_PICTURE = 16 * MB
"""Bytes of the largest body with a picture; a photograph of 20 megapixels has about 8 MB."""

MOST_FIELDS = 1100
"""The most fields of a form of staff."""

MOST_TIMES, MOST_TIMES_OF_STAFF = 20, 100
"""Processor time of an answer to a stranger, over that of a valid submission; of one to staff, in the event
loop alone: what takes longer is worked out outside, one request at a time (`server.runtime.offload`)."""


@dataclass(frozen=True)
class Cost:
    """The most that a request costs of one kind of visitor.

    Attributes
    ----------
    body : int
        Bytes that are read of its body; with 0, none is read, and what came is not looked at.
    fields : int or None
        Fields of a form; None where the view compares them with the columns of a survey.
    answer : int or None
        Bytes of the answer; None where they grow with a survey's reports, which are sent piece by piece.
    times : int or None
        Processor time over that of a valid submission; of staff, only that of the event loop. None where a
        password is hashed, one after the other outside the loop.
    """

    body: int = 0
    fields: int | None = 0
    answer: int | None = MOST_BYTES
    times: int | None = MOST_TIMES


UNREAD = Cost()
"""Of somebody who has no right: nothing is read, and the answer is the same whatever came."""


@dataclass(frozen=True)
class CostClass:
    """Rules that cost the same.

    Attributes
    ----------
    nobody, visitor, staff : Cost
        Without a session; with one that never signed in; signed in, or with a token of the interface.
    staff_only : bool
        Whether others are asked to sign in.
    rights_first : bool
        Whether a body is read only once the sender's rights were looked up.
    constant : bool
        Whether the answer is the same for everybody, made once for each language, and sent from memory.
    files : bool
        Whether a form may bring a file, as multipart.
    at_once : int or None
        The most requests that a worker works on; further ones are answered 503 at once.
    a_minute : int or None
        The most requests from one network: see `server.web.limits.client_address`.
    """

    nobody: Cost = UNREAD
    visitor: Cost = UNREAD
    staff: Cost = UNREAD
    staff_only: bool = False
    rights_first: bool = False
    constant: bool = False
    files: bool = False
    at_once: int | None = None
    a_minute: int | None = None

    def cost(self, visitor: Visitor) -> Cost:
        """Return the cost for a kind of visitor."""
        costs: dict[Visitor, Cost] = {"nobody": self.nobody, "visitor": self.visitor, "staff": self.staff}
        return costs[visitor]


def everybody(cost: Cost, *, constant: bool = False) -> CostClass:
    """Make a class that costs the same whoever asks."""
    return CostClass(cost, cost, cost, constant=constant)


def staff(
    body: int = 0,
    fields: int = 0,
    answer: int | None = 4 * MB,
    times: int | None = MOST_TIMES_OF_STAFF,
    *,
    files: bool = False,
    at_once: int | None = None,
) -> CostClass:
    """Make a class of which nothing is read unless somebody is signed in."""
    cost = Cost(body, fields, answer, times)
    return CostClass(staff=cost, staff_only=True, rights_first=True, files=files, at_once=at_once)


def programs(body: int = 0, answer: int | None = 16 * MB) -> CostClass:
    """Make a class for programs that bring a token."""
    return CostClass(staff=Cost(body, MOST_FIELDS, answer, MOST_TIMES_OF_STAFF), rights_first=True)


RESPONDENTS = frozenset(
    {"survey's page", "submission", "list that was counted", "trial of the page", "health"}
)
"""Classes for respondents, or who watches over them: no stranger's share of the processor limits them."""

CREDENTIALS = Cost(16 * KB, 12, times=None)
"""A password may have a thousand signs, each up to twelve bytes long in a form."""

CLASSES: Mapping[str, CostClass] = {
    "no rule": everybody(UNREAD),
    "constant page": everybody(Cost(answer=256 * KB, times=1), constant=True),
    "survey's page": everybody(Cost(answer=8 * MB)),
    "list that was counted": everybody(Cost(answer=MB + MOST_BYTES)),
    "submission": everybody(Cost(MOST_BYTES, None)),
    "trial of the page": everybody(UNREAD),
    "health": everybody(UNREAD),
    "door": everybody(UNREAD),
    # Without a session, no form has the token of ours that it needs: so it is not read.
    "link": CostClass(visitor=CREDENTIALS, staff=CREDENTIALS, at_once=32, a_minute=240),
    "password": CostClass(visitor=CREDENTIALS, staff=CREDENTIALS, at_once=32, a_minute=240),
    # Waits for somebody else's server, so only a few at a time; what it answers is remembered.
    "sign-in elsewhere": CostClass(at_once=16, a_minute=120),
    "staff password": staff(16 * KB, 20, at_once=8),
    "staff page": staff(),
    "staff form": staff(MOST_BYTES, MOST_FIELDS),
    "costly page": staff(answer=16 * MB),
    "costly form": staff(MOST_BYTES, MOST_FIELDS, answer=16 * MB),
    "survey's texts": staff(MOST_BYTES_OF_A_SURVEY, MOST_FIELDS, answer=16 * MB, files=True),
    "picture": staff(MOST_BYTES_OF_A_PICTURE, 10, files=True),
    "download": staff(answer=None),
    "program reads": programs(answer=None),
    "program writes": programs(MOST_BYTES),
    "program sends a survey": programs(MOST_BYTES_OF_A_SURVEY),
}
"""Name of a class -> what its rules cost."""

RULES: Mapping[str, tuple[str, ...]] = {
    "constant page": (
        "GET /",
        "GET /learn",
        "GET /learn/<slug>",
        "GET /learn/glossary",
        "GET /learn/scripts.sha256",
        "GET /learn/sources",
        "GET /try",
        "GET /style",
        "GET /survey.schema.json",
        "GET /api/v1/",
        "GET /api/v1/openapi.json",
    ),
    "survey's page": ("GET /s/<slug>", "GET /s/<slug>/pictures/<sha256>"),
    "list that was counted": (
        "GET /s/<slug>/counted",
        "GET /s/<slug>/counted/leaves-",
        "GET /s/<slug>/counted/leaves-<bits>",
    ),
    "submission": ("POST /s/<slug>",),
    "trial of the page": ("POST /try",),
    "health": ("GET /healthz", "GET /readyz", "GET /metrics"),
    "door": ("GET /login", "GET /login/code", "GET /join", "GET /reset"),
    "sign-in elsewhere": ("GET /login/with/<name>", "GET /login/with/<name>/back"),
    "link": ("POST /join/link", "POST /reset/link"),
    "password": ("POST /login", "POST /login/code", "POST /join", "POST /reset"),
    "staff password": (
        "POST /account",
        "POST /account/factor/begin",
        "POST /account/factor/codes",
        "POST /account/factor/confirm",
        "POST /account/factor/remove",
        "POST /account/link",
        "POST /account/tokens",
        "POST /admin/people",
        "POST /admin/people/<int:account_id>/password",
    ),
    "staff page": (
        "GET /account",
        "GET /account/factor",
        "GET /account/link",
        "GET /account/tokens",
        "GET /admin",
        "GET /admin/audit",
        "GET /admin/import",
        "GET /admin/people",
        "GET /admin/people/<int:account_id>",
        "GET /admin/people/<int:account_id>/remove",
        "GET /admin/surveys/<slug>/close",
        "GET /admin/surveys/<slug>/copy",
        "GET /admin/surveys/<slug>/delete",
        "GET /admin/surveys/<slug>/draft",
        "GET /admin/surveys/<slug>/invitations",
        "GET /admin/surveys/<slug>/life",
        "GET /admin/surveys/<slug>/pictures/<sha256>",
        "GET /admin/surveys/<slug>/relatives",
        "GET /admin/surveys/<slug>/share",
        "GET /admin/surveys/<slug>/share/code.<kind>",
        "GET /admin/surveys/<slug>/share/poster",
        "GET /results",
    ),
    "staff form": (
        "POST /account/sessions/<key>/end",
        "POST /account/sessions/end",
        "POST /account/tokens/<int:token_id>/revoke",
        "POST /admin/people/<int:account_id>",
        "POST /admin/people/<int:account_id>/factor/remove",
        "POST /admin/people/<int:account_id>/remove",
        "POST /admin/people/<int:account_id>/reset",
        "POST /admin/people/invitations",
        "POST /admin/people/invitations/<int:link_id>/withdraw",
        "POST /admin/people/requirement",
        "POST /admin/people/second-admin",
        "POST /admin/people/second-admin/confirm",
        "POST /admin/people/second-admin/decline",
        "POST /admin/surveys/<slug>/close",
        "POST /admin/surveys/<slug>/delete",
        "POST /admin/surveys/<slug>/hold/lift",
        "POST /admin/surveys/<slug>/proposals/<what>/confirm",
        "POST /admin/surveys/<slug>/proposals/<what>/decline",
        "POST /admin/surveys/<slug>/invitations/withdraw",
        "POST /admin/surveys/<slug>/try",
        "POST /logout",
    ),
    "costly page": (
        "GET /admin/new",
        "GET /admin/surveys/<slug>",
        "GET /admin/surveys/<slug>/ethics",
        "GET /admin/surveys/<slug>/open",
        "GET /admin/surveys/<slug>/plan",
        "GET /admin/surveys/<slug>/proposals",
        "GET /admin/surveys/<slug>/try",
        "GET /results/<slug>",
        "GET /results/<slug>/charts/<name>.svg",
        "GET /results/<slug>/charts/<name>-curve.svg",
        "GET /results/<slug>/cross",
        "GET /results/<slug>/cross.svg",
        "GET /results/<slug>/ethics",
        "GET /results/<slug>/together",
    ),
    "costly form": (
        "POST /admin/surveys/<slug>/invitations",
        "POST /admin/surveys/<slug>/hold",
        "POST /admin/surveys/<slug>/life",
        "POST /admin/surveys/<slug>/open",
        "POST /admin/surveys/<slug>/plan",
        "POST /admin/surveys/<slug>/relatives/<relation>",
    ),
    "survey's texts": (
        "POST /admin/import",
        "POST /admin/left",
        "POST /admin/new",
        "POST /admin/new/starter",
        "POST /admin/surveys/<slug>/copy",
        "POST /admin/surveys/<slug>/draft",
        "POST /admin/surveys/<slug>/preview",
        "POST /admin/surveys/<slug>/survey.toml",
    ),
    "picture": ("POST /admin/surveys/<slug>/pictures",),
    "download": (
        "GET /admin/audit.csv",
        "GET /admin/import/example.xlsx",
        "GET /admin/surveys/<slug>/invitations/not-used.csv",
        "GET /admin/surveys/<slug>/survey.toml",
        "GET /admin/surveys/<slug>/survey.xlsx",
        "GET /results/<slug>/all.zip",
        "GET /results/<slug>/channels.json",
        "GET /results/<slug>/codebook.csv",
        "GET /results/<slug>/codebook.html",
        "GET /results/<slug>/counted.csv",
        "GET /results/<slug>/cross.csv",
        "GET /results/<slug>/estimates.csv",
        "GET /results/<slug>/estimates.json",
        "GET /results/<slug>/estimates.xlsx",
        "GET /results/<slug>/reports.csv",
        "GET /results/<slug>/reports.parquet",
        "GET /results/<slug>/reports.sqlite",
        "GET /results/<slug>/survey.toml",
    ),
    "program reads": (
        "GET /api/v1/surveys",
        "GET /api/v1/surveys/<slug>",
        "GET /api/v1/surveys/<slug>/channels",
        "GET /api/v1/surveys/<slug>/codebook",
        "GET /api/v1/surveys/<slug>/cross",
        "GET /api/v1/surveys/<slug>/definition",
        "GET /api/v1/surveys/<slug>/estimates",
        "GET /api/v1/surveys/<slug>/quantities",
        "GET /api/v1/surveys/<slug>/reports",
        "GET /api/v1/token",
    ),
    "program writes": (
        "DELETE /api/v1/surveys/<slug>",
        "POST /api/v1/surveys/<slug>/close",
        "POST /api/v1/surveys/<slug>/open",
    ),
    "program sends a survey": (
        "POST /api/v1/check",
        "POST /api/v1/surveys",
        "PUT /api/v1/surveys/<slug>/definition",
    ),
}
"""Name of a class -> its rules, each a method and an address. HEAD costs what GET does."""

CLASS_OF: Mapping[str, str] = {rule: name for name, rules in RULES.items() for rule in rules}
