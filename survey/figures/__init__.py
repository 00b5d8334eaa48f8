"""The numbers that the results page shows and the downloads carry: one source, so that they agree."""

from survey.figures.curves import CurveFigures, ScaleFigures
from survey.figures.document import document
from survey.figures.numbers import NumberFigures
from survey.figures.questions import Figures, QuestionFigures, figures_of
from survey.figures.section_figures import SectionFigures
from survey.figures.shares import Precision, ShareFigures, SharesFigures
from survey.figures.table import header, rows
from survey.figures.values import ValueFigures

__all__ = [
    "CurveFigures",
    "Figures",
    "NumberFigures",
    "Precision",
    "QuestionFigures",
    "ScaleFigures",
    "SectionFigures",
    "ShareFigures",
    "SharesFigures",
    "ValueFigures",
    "document",
    "figures_of",
    "header",
    "rows",
]
