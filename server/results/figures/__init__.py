"""The numbers that the results page shows and the downloads carry: one source, so that they agree."""

from server.results.figures.columns import ColumnFigures
from server.results.figures.document import HEADER, document, header, rows
from server.results.figures.numbers import BinFigures, NumberFigures, ValueFigures
from server.results.figures.parts import PartFigures
from server.results.figures.questions import Figures, QuestionFigures, figures_of
from server.results.figures.shares import Precision, ShareFigures, SharesFigures

__all__ = [
    "HEADER",
    "BinFigures",
    "ColumnFigures",
    "Figures",
    "NumberFigures",
    "PartFigures",
    "Precision",
    "QuestionFigures",
    "ShareFigures",
    "SharesFigures",
    "ValueFigures",
    "document",
    "figures_of",
    "header",
    "rows",
]
