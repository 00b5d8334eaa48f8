"""Notices to the reader of an estimate, each a code with values and a plain English sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "no_respondents": (
            "Nobody has answered yet, so nothing is known. The estimate shown says nothing, "
            "and the interval holds every value that is possible."
        ),
        "all_same": (
            "All reports are the same ({respondents} of {respondents}), so the standard error of 0 means "
            "nothing. Use the interval."
        ),
        "infeasible": (
            "The noisy share {share:.4f} lies outside {lowest:.4f} to {highest:.4f}, the range that this "
            "channel is expected to give. Chance alone goes this far with probability {p_value:.3g}. "
            "If it was not chance, some respondents did not follow the rules, or some reports are forged."
        ),
        "mean_outside": (
            "The unbiased mean {mean:.6g} lies outside {lowest:.6g} to {highest:.6g}, where the true mean "
            "must lie. Chance alone takes it this far with a probability of about {p_value:.2g}. If it was "
            "not chance, some respondents did not follow the rules, or some reports are forged."
        ),
        "few": (
            "Only about {people:.0f} people are estimated to be in this group, fewer than {minimum}. Its "
            "figures show little."
        ),
        "few_expected": (
            "The smallest count expected in the table of reports is {expected:.1f}. Below {minimum}, the "
            "chi-square p-value is only a rough guide (Cochran 1954). Use the p-value from permutations."
        ),
        "asked_fewer": (
            "{asked} of {respondents} people were asked this section; the draw gives about {expected:.0f}. "
            "Chance alone goes this far with probability {p_value:.3g}. If it was not chance, people who "
            "were asked it left more often than others, and these estimates are about those who stayed."
        ),
        "asked_more": (
            "{asked} of {respondents} people were asked this section; the draw gives about {expected:.0f}. "
            "Chance alone goes this far with probability {p_value:.3g}. If it was not chance, forged reports "
            "chose this section, or people who were asked another one left more often."
        ),
        "cut": "The {method} interval would have been empty. It is shown as the nearest end of 0 to 1.",
    }
)
"""Code -> sentence. The catalogues hold the same codes, in every language, with the same values."""


@dataclass(frozen=True)
class Notice:
    """A notice to the reader.

    Attributes
    ----------
    code : str
        A key of `SENTENCES`, and of the section ``notice`` of the language catalogues.
    values : Mapping[str, object]
        The values of the names in the sentence: numbers, and for ``cut`` the method's name.

    Examples
    --------
    >>> str(Notice("all_same", {"respondents": 12}))
    'All reports are the same (12 of 12), so the standard error of 0 means nothing. Use the interval.'
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the notice as a plain English sentence."""
        return SENTENCES[self.code].format(**self.values)
