"""Responses of the API: JSON with an ETag, and links between the pages of long lists."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np
from flask import Response, request

from server.api.problems import MIMETYPE
from survey.figures.table import Cell


def answer(body: Mapping[str, Any], status: int = 200, etag: str | None = None) -> Response:
    """Return a JSON response.

    Parameters
    ----------
    body : Mapping
    status : int
    etag : str, optional
        Names the state that is shown; by default, a hash of the body.
    """
    response = Response(f"{written(body)}\n", status, content_type="application/json")
    if etag is not None:
        response.set_etag(etag)
    return response


def written(body: object, depth: int = 2) -> str:
    """Write JSON part by part, so that other threads can run in between.

    Parameters
    ----------
    body : object
    depth : int
        Levels of lists and objects that are written part by part. A codebook in one piece takes two seconds.

    Examples
    --------
    >>> written({"codes": [{"label": "é"}, None], "n": 2})
    '{"codes": [{"label": "é"}, null], "n": 2}'
    """
    if depth and isinstance(body, dict):
        return "{" + ", ".join(f"{written(k, 0)}: {written(v, depth - 1)}" for k, v in body.items()) + "}"
    if depth and isinstance(body, list):
        return "[" + ", ".join(written(part, depth - 1) for part in body) + "]"
    return json.dumps(body, ensure_ascii=False, allow_nan=False)


def as_objects(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[dict[str, Cell]]:
    """Return the rows of a table as objects for JSON; a number that is not finite becomes null.

    Examples
    --------
    >>> as_objects(["column", "low", "high"], [["age", 0.0, float("inf")]])
    [{'column': 'age', 'low': 0.0, 'high': None}]
    """
    return [dict(zip(header, map(json_cell, row), strict=True)) for row in rows]


def json_cell(cell: Cell) -> Cell:
    """Return a cell as a value of JSON: no NumPy scalar, and None for a number that is not finite."""
    value: Cell = cell.item() if isinstance(cell, np.generic) else cell
    return None if isinstance(value, float) and not math.isfinite(value) else value


def link_pages(response: Response, page: int, per_page: int, total: int) -> Response:
    """Add links to the first, previous, next and last page of a list (RFC 8288)."""
    last = max(1, -(-total // per_page))
    pages = {"first": 1, "prev": page - 1, "next": page + 1, "last": last}
    other = [(name, value) for name, value in request.args.items(multi=True) if name not in PAGES]
    links = []
    for relation, number in pages.items():
        if 1 <= number <= last:
            query = urlencode([*other, ("page", number), ("per_page", per_page)])
            links.append(f'<{request.base_url}?{query}>; rel="{relation}"')
    response.headers["Link"] = ", ".join(links)
    return response


PAGES = ("page", "per_page")


def finish(response: Response) -> Response:
    """Add an ETag to a successful reading, so that a program can ask whether anything has changed."""
    response.vary.update(("Authorization", "Accept-Language"))
    if response.status_code == 200 and request.method in ("GET", "HEAD") and response.mimetype != MIMETYPE:
        response.add_etag()
        response.make_conditional(request)
        response.headers["Cache-Control"] = "private, no-cache"  # stored, but checked each time
    return response
