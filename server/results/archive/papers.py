"""The papers behind the mechanisms, the estimates and the intervals, as BibTeX and as short citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from survey.figures.questions import Figures, QuestionFigures
from survey.question import Boxes

OF_MECHANISM: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "spinner": ("warner1965",),
        "spinner_coin": ("boruch1971", "fox1986", "kairouz2016extremal"),
        "coin": ("dwork2014",),
        "wheel": ("warner1965", "kairouz2016discrete"),
        "subset": ("ye2018", "wang2016"),
        "cyclic": ("ye2018", "park2024"),
        "designed": ("kairouz2016extremal", "pukelsheim2006"),
        "exponential": ("mcsherry2007", "dwork2014"),
        "per_box": ("dwork2014",),
        "sampled_box": ("nguyen2016", "wang2019"),
        "one_bit": ("duchi2018", "ding2017"),
        "laplace": ("dwork2006", "ghosh2012"),
        "gaussian": ("balle2018", "canonne2020"),
        "hybrid": ("wang2019",),
        "linked": ("domingo2020",),
    }
)
"""Mechanism -> what its source in ``survey/mechanisms`` names."""

OF_METHOD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "exact": ("feldman1998",),
        "likelihood_ratio": ("wilks1938", "venzon1988", "owen1988"),
        "wilson": ("wilson1927",),
        "wald": (),
        "normal": ("cochran1954",),
    }
)
"""Method of an interval -> what its source in ``survey/interval`` or ``survey/crosstab`` names."""

OF_SHARES = ("warner1965", "chaudhuri1988")
OF_QUANTILES = ("kim2020",)
OF_LEAVING = ("newey1987",)


@dataclass(frozen=True)
class Paper:
    """One entry of ``papers.bib``: its lines, and what a short citation needs."""

    key: str
    entry: str

    def field(self, name: str) -> str:
        """Return a field of the entry, without the marks of TeX."""
        found = re.search(rf"^  {name} = {{(.*)}},$", self.entry, re.MULTILINE)
        return plain(found[1]) if found else ""

    @property
    def short(self) -> str:
        """Surnames and year: ``Boruch 1971``, ``Fox & Tracy 1986``, ``Duchi et al. 2018``."""
        names = [author.partition(",")[0] for author in self.field("author").split(" and ")]
        first = " & ".join(names) if len(names) < 3 and names[-1] != "others" else f"{names[0]} et al."
        return f"{first} {self.field('year')}"

    @property
    def long(self) -> str:
        """Authors, year and title in one line."""
        authors = self.field("author").replace(" and others", " et al.").replace(" and ", "; ")
        return f"{authors} ({self.field('year')}). {self.field('title')}."


def plain(text: str) -> str:
    r"""Replace the accents that TeX writes with the letters.

    Examples
    --------
    >>> plain(r"Cl{\'e}ment")
    'Clément'
    """
    for marked, letter in {r"{\'e}": "é", r"{\^e}": "ê", r"{\^o}": "ô"}.items():
        text = text.replace(marked, letter)
    return text


@cache
def papers() -> Mapping[str, Paper]:
    """Read ``papers.bib``: key -> paper."""
    text = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8")
    entries = (entry.strip() for entry in re.split(r"\n(?=@)", text))
    return {key: Paper(key, entry) for entry in entries for key in re.findall(r"\A@\w+{(\w+),", entry)}


def of_question(figures: QuestionFigures) -> tuple[str, ...]:
    """Return the keys of the papers behind a question's mechanism, and of its real coins."""
    question = figures.question
    by_hand = OF_MECHANISM["coin"] if question.by_hand else ()
    skips = question.kind == "yes_no" and question.skip_answer is not None and not question.linked
    return (*OF_MECHANISM["wheel" if skips else question.mechanism], *by_hand)


def methods_of(figures: QuestionFigures) -> Iterator[str]:
    """Yield the method of every interval of a question."""
    for column in figures.columns:
        if column.answered:
            yield "likelihood_ratio"
        for shares in column.strata.values():
            yield from (share.method for share in shares.shares)
        if column.number is not None:
            number = column.number
            yield number.mean.method
            yield from (each.method for each in number.quantiles)


def of_survey(figures: Figures) -> list[Paper]:
    """Return the papers behind all that was done in a survey, by their keys."""
    keys: set[str] = set()
    for asked in figures.questions:
        keys |= {*of_question(asked), *(key for method in methods_of(asked) for key in OF_METHOD[method])}
        if asked.first.number is None:
            keys.update(OF_SHARES)
        elif asked.first.number.quantiles:
            keys.update(OF_QUANTILES)
        if isinstance(asked.question, Boxes):
            keys.add("dwork2014")  # losses of several reports add up
    if figures.by_hand or figures.publication.definition.seen_first:
        keys.update(OF_LEAVING)
    return [papers()[key] for key in sorted(keys)]


def cited(keys: Iterable[str]) -> str:
    """Return short citations, joined by semicolons."""
    return "; ".join(papers()[key].short for key in dict.fromkeys(keys))
