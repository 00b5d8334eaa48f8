"""The best reports for what is wanted: an optimization with a proof of how near to the best it is."""

from survey.design.design import SetDesign, design, optimum, variance
from survey.design.wants import WANTS, read_wants

__all__ = ["WANTS", "SetDesign", "design", "optimum", "read_wants", "variance"]
