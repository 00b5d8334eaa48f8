"""The estimates from one column of reports, separately for each way of reporting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from survey.channel import Channel
from survey.column import Column
from survey.crosstab import pool_strata, pooled_band, pooled_radius
from survey.figures.curves import ScaleFigures, scale_figures
from survey.figures.numbers import NumberFigures, number_figures
from survey.figures.shares import Precision, ShareFigures, SharesFigures, shares_figures
from survey.interval.answered_shares import AnsweredShare, answered_shares
from survey.linked import MarginalChannel
from survey.mechanisms import NumberChannel, classes_of
from survey.privacy import Shuffled


@dataclass(frozen=True)
class ColumnFigures:
    """The estimates from one column of reports.

    Attributes
    ----------
    column : Column
    respondents : int
        The number of people who were asked, with those who skipped.
    skipped : int
        The number who left the question out openly, without protection.
    not_asked : int
        The number who were not asked, because the draw left the section out.
    shares : SharesFigures or None
        From the reports that browsers made; None of a number.
    by_hand, pooled : SharesFigures or None
        From the reports made with real coins, and of both together, if there are any of each.
    number : NumberFigures or None
    scale : ScaleFigures or None
        Of ordered options through a channel that is designed for them.
    published : Shuffled or None
        The privacy loss of the column's published counts; None before there are any.
    answered : tuple of AnsweredShare
        Of linked questions that can be left out together: the share of each answer among those who did not.
    """

    column: Column
    respondents: int
    skipped: int
    not_asked: int = 0
    shares: SharesFigures | None = None
    by_hand: SharesFigures | None = None
    pooled: SharesFigures | None = None
    number: NumberFigures | None = None
    scale: ScaleFigures | None = None
    published: Shuffled | None = None
    answered: tuple[AnsweredShare, ...] = ()

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def channel(self) -> Channel:
        """The channel of the browser's reports."""
        return self.column.channel

    @property
    def radius(self) -> float | None:
        """The most by which one forged report moves the best shares, or the mean in its own unit."""
        return self.number.radius if self.number is not None else self.best.radius

    @property
    def strata(self) -> dict[str, SharesFigures]:
        """The shares by the way of reporting, the best first."""
        by_way = {"pooled": self.pooled, "device": self.shares, "by_hand": self.by_hand}
        return {name: shares for name, shares in by_way.items() if shares is not None}

    @property
    def best(self) -> SharesFigures:
        """The shares of most respondents: pooled where there are several strata."""
        return max(self.strata.values(), key=lambda shares: shares.respondents)


def column_figures(
    column: Column, counts: Sequence[int], answers: tuple[str, ...], precision: Precision, seen_first: bool
) -> ColumnFigures:
    """Estimate from the counts of one column, separately for each stratum.

    The survey says whether a result on a device is seen before it is sent; that of real coins always is.
    """
    strata = column.split(counts)
    apart = strata.asked, strata.skipped, strata.not_asked
    if isinstance(column.channel, NumberChannel):
        number = number_figures(column.channel, strata.device, precision, seen_first)
        return ColumnFigures(column, *apart, number=number)
    shares = shares_figures(column.channel, strata.device, answers, precision, seen_first)
    if classes_of(column.channel) is not None:
        scale = scale_figures(column.channel, strata.device, precision.confidence_level)
        return ColumnFigures(column, *apart, shares, scale=scale)
    if isinstance(column.channel, MarginalChannel) and column.channel.linked.skip:
        answered = answered_shares(column.channel, strata.device, precision.confidence_level)
        return ColumnFigures(column, *apart, shares, answered=answered)
    if column.by_hand is None or strata.by_hand is None or not sum(strata.by_hand):
        return ColumnFigures(column, *apart, shares)
    by_hand = shares_figures(column.by_hand, strata.by_hand, answers, precision, seen_first=True)
    pooled = None
    if sum(strata.device):
        both = ((column.channel, strata.device), (column.by_hand, strata.by_hand))
        pooled = pooled_figures(both, answers, precision, (seen_first, True))
    return ColumnFigures(column, *apart, shares, by_hand, pooled)


def pooled_figures(
    strata: Sequence[tuple[Channel, tuple[int, ...]]],
    answers: tuple[str, ...],
    precision: Precision,
    seen_first: Sequence[bool],
) -> SharesFigures:
    """Pool both ways of reporting by inverse variance: reports of both are too unlike to be counted."""
    pooled = [pool_strata(strata, answer, precision.confidence_level) for answer in range(len(answers))]
    low, high = pooled_band(strata, seen_first, precision.confidence_level)
    bands = (1 - high, 1 - low), (low, high)
    shares = tuple(
        ShareFigures(
            answer=name,
            count=None,
            noisy_share=None,
            estimate=share.estimate,
            low=share.low,
            high=share.high,
            unbiased=share.proportion,
            standard_error=share.standard_error,
            people=share.respondents * share.estimate,
            confidence_level=share.confidence_level,
            method="normal",
            band_low=min(band[0], share.low),  # 1 less one end may differ from the other by its last digit
            band_high=max(band[1], share.high),
        )
        for name, share, band in zip(answers, pooled, bands, strict=True)
    )
    return SharesFigures(pooled[0].respondents, pooled[0].respondents, shares, (), pooled_radius(strata))
