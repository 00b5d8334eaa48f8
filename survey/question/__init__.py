"""The kinds of question: their settings, their mechanisms, and the columns that their reports fill."""

from survey.question.boxes import Boxes
from survey.question.choice import Choice
from survey.question.number import Number
from survey.question.question import IDENTIFIER, RESERVED, Question
from survey.question.read_question import KINDS, read_question
from survey.question.yes_no import YesNo

__all__ = [
    "IDENTIFIER",
    "KINDS",
    "RESERVED",
    "Boxes",
    "Choice",
    "Number",
    "Question",
    "YesNo",
    "read_question",
]
