"""A survey while it is written: one JSON document, its units, and two versions of it put together."""

from survey.draft.check import Checked, checked
from survey.draft.document import EXPECTED, document_of, new_uid, nodes_of
from survey.draft.merge import Change, Conflict, Merged, merged
from survey.draft.shape import require_room, require_unit
from survey.draft.units import from_units, unit_hash, units

__all__ = [
    "EXPECTED",
    "Change",
    "Checked",
    "Conflict",
    "Merged",
    "checked",
    "document_of",
    "from_units",
    "merged",
    "new_uid",
    "nodes_of",
    "require_room",
    "require_unit",
    "unit_hash",
    "units",
]
