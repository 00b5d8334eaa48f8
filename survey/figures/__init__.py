"""The numbers that the results page shows and the downloads carry: one source, so that they agree."""

from survey.figures.document import document
from survey.figures.numbers import NumberFigures, ValueFigures
from survey.figures.questions import Figures, QuestionFigures, figures_of
from survey.figures.section_figures import SectionFigures
from survey.figures.shares import Precision, ShareFigures, SharesFigures
from survey.figures.table import header, rows

__all__ = [
    "Figures",
    "NumberFigures",
    "Precision",
    "QuestionFigures",
    "SectionFigures",
    "ShareFigures",
    "SharesFigures",
    "ValueFigures",
    "document",
    "figures_of",
    "header",
    "rows",
]
