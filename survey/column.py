"""A column of reports: its codes, and the way of reporting that each of them stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from survey.channel import Channel


@dataclass(frozen=True)
class Strata:
    """The counts of a column, separated by the way of reporting.

    Attributes
    ----------
    device : tuple of int
        The count of each report of the column's channel.
    by_hand : tuple of int or None
        The same for reports from real coins; None where the column takes none.
    skipped : int
        The number who left the question out openly, without protection.
    not_asked : int
        The number who were not asked, because the draw left the section out.
    """

    device: tuple[int, ...]
    by_hand: tuple[int, ...] | None
    skipped: int
    not_asked: int = 0

    @property
    def asked(self) -> int:
        """The number of people who were asked: those who sent a report, and those who skipped."""
        return sum(self.device) + sum(self.by_hand or ()) + self.skipped


@dataclass(frozen=True)
class Column:
    """One column of a survey's reports.

    A code is what is sent and stored. The first codes are the channel's reports, then come the reports made
    by hand, then the skip that is counted apart, and last the code of a question that was not asked.

    Attributes
    ----------
    name : str
        The name of the column in the form, the table, the tallies and the downloads.
    channel : Channel
        The channel of the browser's reports.
    by_hand : Channel or None
        The channel of reports made with real coins; None where the column takes none.
    skip_apart : bool
        True if there is a code for leaving the question out. It is not protected.
    drawn : bool
        True if the section is drawn, so that not everybody is asked. Then the last code says "not asked". It
        depends on the draw alone and says nothing about an answer.
    """

    name: str
    channel: Channel
    by_hand: Channel | None = None
    skip_apart: bool = False
    drawn: bool = False

    @property
    def codes(self) -> int:
        """The number of codes, which run from 0 to ``codes - 1``."""
        return self.report_codes + self.skip_apart + self.drawn

    @property
    def report_codes(self) -> int:
        """The number of codes that are reports."""
        return self.channel.reports + (self.by_hand.reports if self.by_hand else 0)

    @property
    def skip_code(self) -> int | None:
        """The code for having left the question out, if there is one."""
        return self.report_codes if self.skip_apart else None

    @property
    def asked_codes(self) -> int:
        """The number of codes that somebody who is asked may send: all but "not asked", which is the last."""
        return self.codes - self.drawn

    @property
    def not_asked_code(self) -> int | None:
        """The code for a question that was not asked, if there is one."""
        return self.asked_codes if self.drawn else None

    @property
    def weakest(self) -> Channel:
        """The channel of the greater loss, which somebody who sends a code may have."""
        if self.by_hand is not None and self.by_hand.guarantee > self.channel.guarantee:
            return self.by_hand
        return self.channel

    def split(self, counts: Sequence[int]) -> Strata:
        """Split counts by the way of reporting.

        Parameters
        ----------
        counts : sequence of int
            The count of each code.

        Raises
        ------
        ValueError
            If there is not one count for each code.

        Examples
        --------
        >>> from survey.mechanisms import coin
        >>> Column("tired", coin(), by_hand=coin(), skip_apart=True).split([5, 6, 1, 2, 9])
        Strata(device=(5, 6), by_hand=(1, 2), skipped=9, not_asked=0)
        >>> Column("tired", coin(), drawn=True).split([5, 6, 30]).asked
        11
        """
        if len(counts) != self.codes:
            raise ValueError(f"counts must be {self.codes} numbers, one for each code, got {len(counts)}")
        device, end = self.channel.reports, self.report_codes
        return Strata(
            device=tuple(counts[:device]),
            by_hand=tuple(counts[device:end]) if self.by_hand else None,
            skipped=counts[end] if self.skip_apart else 0,
            not_asked=counts[-1] if self.drawn else 0,
        )
