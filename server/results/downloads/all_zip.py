"""Everything about a survey as one zip."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from server.results.archive.contents import files, names_of_huge
from server.results.archive.zip_stream import zip_pieces
from server.results.downloads.gather_material import gather
from server.staff.audit_trail import note_mine
from server.staff.guard import needs, only
from server.web.attachment import attachment

blueprint = Blueprint("archive", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only("read"))


@blueprint.get("/all.zip")
@needs("rows")
def all_zip(slug: str) -> ResponseReturnValue:
    """Send every file that may be had; while the reports are kept back, all but those."""
    material = gather(slug, request.args)
    if material.reports is not None:
        note_mine("rows_downloaded", slug)
    sent = zip_pieces(material.folder, files(material), names_of_huge(material))
    return attachment(sent, "application/zip", f"{material.folder}.zip")
