"""Figures of a report: as far as a scan goes, and a star that claims no more than it may."""

import pytest

from specdec_widgets.figures.report import report_charts, report_curve
from specdec_widgets.maths import read_report
from specdec_widgets.words import get_words


@pytest.mark.parametrize("gamma", [5, 996, 997, 1000])
def test_a_curve_ends_where_a_scan_must(gamma):
    curve = report_curve(read_report(f"208 of 260, gamma {gamma}"), 0.1, 1.0)
    assert curve.index[-1] == min(gamma + 3, 1000)


def test_the_best_gamma_is_not_called_measured_where_only_the_length_is():
    report = read_report("60 of 260, gamma 5")
    best = report.best()
    assert best.basis == "independence"
    _, speedups = report_charts(report_curve(report, 0.1, 1.0), best, 5, get_words("en"))
    assert speedups.star_name == "best gamma"
