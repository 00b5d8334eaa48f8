"""The estimates of one question as a table with a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

HEADER = (
    "quantity", "option", "probability", "estimate", "low", "high", "unbiased", "standard_error",
    "count", "noisy_share", "people", "respondents", "epsilon", "delta",
    "confidence_level", "method", "warnings",
)  # fmt: skip


def table_rows(table: Mapping[str, Any]) -> list[list[Any]]:
    """Return the rows of a table that `candor estimate` prints as JSON."""
    shared = {**table, "warnings": " ".join(table["warnings"])}
    return [[(shared | row).get(name) for name in HEADER] for row in quantities(table)]


def quantities(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a mean, the shares of options, and quantiles."""
    if mean := table.get("mean"):
        yield {"quantity": "mean", "estimate": mean["mean"], **mean}
    for option in table.get("options", []):
        yield {"quantity": "proportion", **option}
    for quantile in table.get("quantiles", []):
        yield {"quantity": "quantile", "estimate": quantile["value"], **quantile}
