"""The audit log of what staff did, for admins to read and to download."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from server.results.files.csv_text import BYTE_ORDER_MARK, csv_text
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.store.staff import audit, audit_chain
from server.store.staff.accounts import NAME
from server.store.staff.audit import DEEDS, MACHINES, LineFilter
from server.web.attachment import attachment
from survey.read_definition import SLUG

blueprint = Blueprint("audit", __name__, url_prefix="/admin")
blueprint.before_request(only("audit"))

PAGE = 100
"""Lines on a page."""


@blueprint.get("/audit")
def page() -> ResponseReturnValue:
    """Show the latest lines that the filters let through, or those before a certain line."""
    wanted, number = filters(), request.args.get("before", "")
    before = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else None
    storage = services().storage
    lines = [] if wanted is None else storage.read(audit.lines, wanted, before, PAGE + 1)
    return render_template(
        "staff/audit.html",
        lines=lines[:PAGE],
        older=lines[PAGE - 1].id if len(lines) > PAGE else None,
        head=storage.read(audit_chain.head),
        deeds=DEEDS,
        machines=MACHINES,
        chosen={name: value for name in ("who", "what", "survey") if (value := typed(name))},
    )


@blueprint.get("/audit.csv")
def csv() -> ResponseReturnValue:
    """Send all lines that the filters let through."""
    wanted = filters()
    lines = [] if wanted is None else services().storage.read(audit.lines, wanted)
    text = offload.compute(csv_text, audit.header(), audit.rows(lines))
    return attachment(BYTE_ORDER_MARK + text, "text/csv; charset=utf-8", "candor-audit.csv")


def typed(name: str) -> str:
    """Return a filter as it was typed, without the white space around it."""
    return request.args.get(name, "").strip()


def filters() -> LineFilter | None:
    """Read the filters; return None if no line can match them."""
    who, what, survey = (typed(name) for name in ("who", "what", "survey"))
    possible = (not who or who in MACHINES or NAME.fullmatch(who)) and (not survey or SLUG.fullmatch(survey))
    if not possible or (what and what not in DEEDS):
        return None
    return LineFilter(who or None, what or None, survey or None)
