"""A survey while it is written: one JSON document, its units, and two versions of it put together."""

from survey.draft.check import DraftCheck, at_units, check, is_missing
from survey.draft.document import (
    EXPECTED,
    MOST_EXPECTED,
    document_of,
    expected_of,
    file_tables,
    is_expected,
    linked_sections,
    nested,
    new_uid,
    nodes_of,
    question_table,
    section_table,
)
from survey.draft.groups import lines_of_groups
from survey.draft.history import changed_units, changes_since
from survey.draft.merge import Change, Conflict, Merged, merged
from survey.draft.parts import Parts, parts_of
from survey.draft.read_draft import read_draft
from survey.draft.shape import require_document, require_room, require_unit
from survey.draft.units import document_hash, from_units, node_of, unit_hash, units

__all__ = [
    "EXPECTED",
    "MOST_EXPECTED",
    "Change",
    "Conflict",
    "DraftCheck",
    "Merged",
    "Parts",
    "at_units",
    "changed_units",
    "changes_since",
    "check",
    "document_hash",
    "document_of",
    "expected_of",
    "file_tables",
    "from_units",
    "is_expected",
    "is_missing",
    "lines_of_groups",
    "linked_sections",
    "merged",
    "nested",
    "new_uid",
    "node_of",
    "nodes_of",
    "parts_of",
    "question_table",
    "read_draft",
    "require_document",
    "require_room",
    "require_unit",
    "section_table",
    "unit_hash",
    "units",
]
