"""Designs of surveys on paper, by telephone or face to face, whose chances are known exactly."""

from survey.paper.design import Design, require_chance
from survey.paper.forced_answers import dice, forced
from survey.paper.innocuous_question import crosswise, triangular, unrelated
from survey.paper.linked_answers import linked
from survey.paper.matrix import matrix, read_matrix
from survey.paper.opposite_statement import warner

__all__ = [
    "Design",
    "crosswise",
    "dice",
    "forced",
    "linked",
    "matrix",
    "read_matrix",
    "require_chance",
    "triangular",
    "unrelated",
    "warner",
]
