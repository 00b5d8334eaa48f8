"""Expand the generator of a large channel to its matrix: a row for each answer, a column for each report."""

from typing import Any

import numpy as np


def expand(generator: dict[str, Any]) -> Any:
    """Return the integers of P(report | answer); their denominator is 2**32."""
    if generator["form"] == "tails":  # tails[d] weighs noise of d steps or more; the ends collect all beyond
        tails = np.array(generator["tails"])
        answer = np.arange(len(tails))
        matrix = np.append(tails[:-1] - tails[1:], 0)[abs(answer[:, None] - answer)]
        matrix[:, 0], matrix[:, -1] = tails, tails[::-1]
        return matrix
    n, answer = generator["answers"] - 1, np.arange(generator["answers"])
    if generator["form"] == "rows":  # rows at knots, mixed between them; those left out are read backwards
        rows, s = np.array(generator["rows"]), generator["knots"] - 1
        rows = np.vstack([rows, rows[: s + 1 - len(rows)][::-1, ::-1]])
        q, r = np.divmod(answer * s, n)
        matrix = -(-((n - r)[:, None] * rows[q] + r[:, None] * rows[np.minimum(q + 1, s)]) // n)
        matrix[answer, matrix.argmax(axis=1)] -= matrix.sum(axis=1) - 2**32  # what rounding up has added
        return matrix
    blocks = []
    for columns, width, inside, outside in generator["windows"]:  # each slides with the answer
        y, (q, r) = np.arange(columns), np.divmod(answer[:, None] * (columns - width), n)
        ramp = (inside - outside) * r // n  # moves from the window's first column to the one behind it
        window = np.where((y >= q) & (y < q + width), inside, outside)
        blocks.append(window - ramp * (y == q) + ramp * (y == q + width))
    return np.hstack(blocks)
