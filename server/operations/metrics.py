"""Metrics for Prometheus: they show how the server is, and never when somebody took part.

A counter that is read every 15 seconds is a log of arrivals. So no metric counts requests or changes with
one: there are no latencies (a histogram counts), no processor time, no sockets, and no size of the database,
which grows as people answer. Free space is in whole percent. The number of submissions covers all surveys
together, up to the end of yesterday, and of each survey as many as its own page shows. All metrics are read
on request, so that every worker returns the same.
"""

from __future__ import annotations

import hmac
import shutil
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from server.services import services
from server.store.engine import Storage, Unavailable
from server.store.lifecycle import retention
from server.store.results import survey_results
from server.store.upkeep import backup_series

if TYPE_CHECKING:
    from prometheus_client.core import Metric

blueprint = Blueprint("metrics", __name__)

STEPS = (0.1, 1.0, 10.0)
"""Seconds to which a time is rounded up, so that 20 ms of waiting for a submission do not show."""


@blueprint.get("/metrics")
def metrics() -> Response:
    """Answer a request that brings the token of the metrics."""
    wanted = f"Bearer {services().config.metrics_token}"
    if not hmac.compare_digest(request.headers.get("Authorization", "").encode(), wanted.encode()):
        refusal = "the token of the metrics is needed\n"
        return Response(refusal, 401, {"WWW-Authenticate": "Bearer"}, mimetype="text/plain")
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

    registry = CollectorRegistry()
    registry.register(Collector())
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class Collector:
    """A collector that reads the metrics on request."""

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering the collector does not ask the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        from prometheus_client.core import GaugeMetricFamily as Gauge

        about = Gauge("candor_info", "The version that runs.", labels=["version"])
        about.add_metric([version("candor-survey")], 1)
        yield about
        storage, database = services().storage, services().config.database
        seconds, up = read(storage, time.perf_counter)
        yield Gauge("candor_database_up", "Whether the database can be read.", value=up)
        yield Gauge(
            "candor_database_read_seconds", "How long that took, rounded up to .1, 1 or 10 s.", value=seconds
        )
        if isinstance(database, Path):
            yield Gauge(
                "candor_disk_free_ratio",
                "Free space where the database is, in hundredths.",
                value=free(database),
            )
        if up:
            totals = storage.read(survey_results.totals, services().today)
            surveys = Gauge("candor_surveys", "Surveys by state.", labels=["state"])
            for state, number in totals.surveys.items():
                surveys.add_metric([state], number)
            yield surveys
            yield Gauge(
                "candor_submissions_before_today",
                "Submissions to all surveys, up to the end of yesterday (UTC), of each in steps of people.",
                value=totals.sent,
            )
            yield Gauge(
                "candor_deletion_due",
                "Surveys with reports after the day until which they are kept, without those on legal hold.",
                value=len(storage.read(retention.due, services().clock().date())),
            )
            if (backups := storage.read(backup_series.outcome)) is not None:
                yield Gauge(
                    "candor_backup_failed",
                    "Whether the latest backup into a folder failed, or is overdue.",
                    value=backups.wrong(services().clock()),
                )


def read(storage: Storage, clock: Callable[[], float]) -> tuple[float, bool]:
    """Read the database; return the time that it took, rounded up to a step, and whether it succeeded."""
    began = clock()
    try:
        storage.check()
    except Unavailable:
        return STEPS[-1], False
    took = clock() - began
    return next((step for step in STEPS if took <= step), STEPS[-1]), True


def free(database: Path) -> float:
    """Return the free share of the disk, rounded down to hundredths."""
    usage = shutil.disk_usage(database.absolute().parent)
    return int(100 * usage.free / usage.total) / 100
