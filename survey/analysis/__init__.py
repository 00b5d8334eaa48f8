"""Results that were downloaded, read back: ``candor.read(zip or folder)`` gives an `Analysis`."""

from survey.analysis.analysis import Analysis
from survey.analysis.archive import Unusable
from survey.analysis.read_results import read, read_files

__all__ = ["Analysis", "Unusable", "read", "read_files"]
