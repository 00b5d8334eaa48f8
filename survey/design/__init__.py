"""The best reports for what is wanted: an optimization with a proof of how near to the best it is."""

from survey.design.design import SetDesign, design, optimum, variance
from survey.design.planned_design import planned_design
from survey.design.wants import WANTS, read_wants

__all__ = ["WANTS", "SetDesign", "design", "optimum", "planned_design", "read_wants", "variance"]
