"""Figures that several modules share: the level of intervals, and bounds."""

CONFIDENCE_LEVEL = 0.95
"""Level of the intervals where nobody asks for another."""

MOST_RESPONDENTS = 2**53
"""The largest whole number up to which a double, and so a browser, holds every whole number exactly."""

WORST_CONDITION = 1e4
"""Beyond this condition number a channel keeps too little of the answers for shares to be estimated."""

LONGEST_SLUG = 64
LONGEST_TEXT = 1000
LONGEST_HELP = 2000
LONGEST_OPTION = 300
"""The most characters of a survey's name, of a question's wording or note, of its help, and of an option."""

MOST_COMBINATIONS = 256
"""The most combinations of answers on one wheel, a skip of all of them counted."""
