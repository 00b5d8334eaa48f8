"""What staff did, for admins to read and to take along."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from server.results.files.csv_text import BYTE_ORDER_MARK, csv_text
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.store.staff import audit
from server.store.staff.accounts import NAME
from server.store.staff.audit import DEEDS, MACHINES, LineFilter
from server.web.attachment import attachment
from survey.definition import SLUG

blueprint = Blueprint("audit", __name__, url_prefix="/admin")
blueprint.before_request(only("audit"))

PAGE = 100
"""How many lines a page shows."""


@blueprint.get("/audit")
def page() -> ResponseReturnValue:
    """Show the latest lines, or those before a line, of whom and what is asked for."""
    wanted, number = asked(), request.args.get("before", "")
    before = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else None
    found = [] if wanted is None else services().storage.read(audit.lines, wanted, before, PAGE + 1)
    return render_template(
        "staff/audit.html",
        lines=found[:PAGE],
        older=found[PAGE - 1].id if len(found) > PAGE else None,
        deeds=DEEDS,
        machines=MACHINES,
        chosen={name: value for name in ("who", "what", "survey") if (value := given(name))},
    )


@blueprint.get("/audit.csv")
def csv() -> ResponseReturnValue:
    """Send all lines of whom and what is asked for."""
    wanted = asked()
    found = [] if wanted is None else services().storage.read(audit.lines, wanted)
    text = offload.compute(csv_text, audit.header(), audit.rows(found))
    return attachment(BYTE_ORDER_MARK + text, "text/csv; charset=utf-8", "candor-audit.csv")


def given(name: str) -> str:
    """Return what was typed, without the white space around it."""
    return request.args.get(name, "").strip()


def asked() -> LineFilter | None:
    """Read which lines are asked for; None if nobody and nothing can have such a name."""
    who, what, survey = (given(name) for name in ("who", "what", "survey"))
    possible = (not who or who in MACHINES or NAME.fullmatch(who)) and (not survey or SLUG.fullmatch(survey))
    if not possible or (what and what not in DEEDS):
        return None
    return LineFilter(who or None, what or None, survey or None)
