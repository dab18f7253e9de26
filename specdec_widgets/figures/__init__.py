"""Figures and tables made from the results of the mathematics, in a language; no widgets."""

from specdec_widgets.figures.answers import Answers
from specdec_widgets.figures.base import PanelFigure, image
from specdec_widgets.figures.cost import CostFigure
from specdec_widgets.figures.draws import DrawsFigure
from specdec_widgets.figures.peak_map import PeakMapFigure
from specdec_widgets.figures.published import Picture, PublishedFigure, published_figure
from specdec_widgets.figures.rounds import RoundsFigure
from specdec_widgets.figures.sampling import SamplingFigure

__all__ = [
    "Answers",
    "CostFigure",
    "DrawsFigure",
    "PanelFigure",
    "PeakMapFigure",
    "Picture",
    "PublishedFigure",
    "RoundsFigure",
    "SamplingFigure",
    "image",
    "published_figure",
]
