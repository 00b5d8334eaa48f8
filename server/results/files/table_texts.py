"""Tables and texts that are files by themselves and lie in the zip too, the same bytes in both."""

from __future__ import annotations

import json

from server.results.files import codebook
from server.results.files.channel_tables import channels
from server.results.files.csv_text import BYTE_ORDER_MARK, csv_text
from survey.figures.questions import Figures
from survey.figures.table import header, rows
from survey.publication import Publication


def estimates_text(figures: Figures) -> str:
    """Write the estimates as CSV."""
    return BYTE_ORDER_MARK + csv_text(header(figures), rows(figures))


def survey_text(publication: Publication) -> str:
    """Write the survey file as it was published."""
    return publication.definition.as_toml()


def codebook_text(publication: Publication) -> str:
    """Write the codebook as CSV."""
    return BYTE_ORDER_MARK + csv_text(codebook.header(publication), codebook.rows(publication))


def channels_text(publication: Publication) -> str:
    """Write the channels as JSON."""
    return json.dumps(channels(publication), ensure_ascii=False, allow_nan=False) + "\n"
