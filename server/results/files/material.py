"""All that the files of one survey are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from server.store.lifecycle.life import Life
from server.store.results.sorted_reports import SortedReports
from survey.figures.questions import Figures
from survey.publication import Publication


def no_picture(sha256: str) -> bytes:
    """Say that a survey without pictures has none."""
    raise LookupError(f"no picture is known, and {sha256} was asked for")


@dataclass(frozen=True)
class Material:
    """All that is known of a survey when somebody asks for its files.

    Attributes
    ----------
    figures : Figures
    reports : SortedReports or None
        The noisy reports in their own order; None while the survey keeps them back, and once they are gone.
    version : str
        Of Candor.
    held : Life
        How the survey ended.
    picture : callable
        Gives the bytes of a picture of the survey by its SHA-256.
    counted_root : str or None
        The root of the list that was counted, once it is made.
    audit_head : str or None
        The head of the audit log at the line that names this root.
    """

    figures: Figures
    reports: SortedReports | None
    version: str
    held: Life = field(default_factory=Life)
    picture: Callable[[str], bytes] = no_picture
    counted_root: str | None = None
    audit_head: str | None = None

    @property
    def publication(self) -> Publication:
        """The survey as it was published."""
        return self.figures.publication

    @property
    def folder(self) -> str:
        """The folder that the files lie in: the survey's name and the start of its fingerprint."""
        return f"{self.figures.slug}-{self.publication.fingerprint[:8]}"
