"""The numbers that the results page shows and the downloads carry: one source, so that they agree."""

from server.figures.columns import ColumnFigures
from server.figures.document import HEADER, document, rows
from server.figures.numbers import BinFigures, NumberFigures, ValueFigures
from server.figures.questions import Figures, QuestionFigures, figures_of
from server.figures.shares import Precision, ShareFigures, SharesFigures

__all__ = [
    "HEADER",
    "BinFigures",
    "ColumnFigures",
    "Figures",
    "NumberFigures",
    "Precision",
    "QuestionFigures",
    "ShareFigures",
    "SharesFigures",
    "ValueFigures",
    "document",
    "figures_of",
    "rows",
]
