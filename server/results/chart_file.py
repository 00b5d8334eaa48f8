"""Charts as SVG files: what the views that send them have in common."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response, render_template

from server.language.request_language import translate
from server.results.charts.drawing import Drawing
from server.results.charts.text_width import printable
from server.results.question_layout import ChartRow
from server.web.attachment import FINGERPRINT_DIGITS


def chart_svg(drawing: Drawing, title: str, description: Iterable[str], language: str) -> str:
    """Write a picture as SVG; its texts hold nothing that XML does not.

    Parameters
    ----------
    drawing : Drawing
    title, language : str
        The survey's own words, and the language they are in.
    description : iterable of str
        What the picture shows, line by line, for whoever does not see it.
    """
    said = "\n".join(printable(line) for line in description)
    return render_template(
        "results/charts/chart.svg",
        drawing=drawing,
        title=printable(title),
        description=said,
        language=language,
    )


def svg_response(picture: str) -> Response:
    """Answer with an SVG file, which may be shown in its place or saved."""
    return Response(picture, content_type="image/svg+xml; charset=utf-8")


def name_and_fingerprint(slug: str, fingerprint: str) -> str:
    """Return the name of a survey and the start of its fingerprint, as in the names of its files."""
    return f"{slug} {fingerprint[:FINGERPRINT_DIGITS]}"


def interval_pattern() -> str:
    """Return the pattern of an interval, with the names of its ends in braces."""
    return translate("results.range", low="{low}", high="{high}")


def estimate_lines(rows: Iterable[ChartRow]) -> list[str]:
    """Write every estimate in a line."""
    to = interval_pattern()
    return [f"{row.label.text}: {row.estimate} ({to.format(low=row.low, high=row.high)})" for row in rows]
