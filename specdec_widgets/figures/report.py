"""A server's report as tables and charts: what it says, and what it says about every gamma."""

import numpy as np
import pandas as pd

from specdec_widgets.figures.lines import Chart, Curve
from specdec_widgets.figures.tables import Table
from specdec_widgets.maths import Choice, Report
from specdec_widgets.maths.cost import MAX_SCAN
from specdec_widgets.words import NOTHING, Words

FURTHER = 3  # gammas that are shown past the measured one, as extrapolated
_MOST_RATES = 8  # that one cell of a table lists


def report_table(report: Report, words: Words) -> Table:
    """What the report says: a field a row, its value, and where the value comes from.

    >>> from specdec_widgets.words import get_words
    >>> table = report_table(Report(joint_acceptance=(0.8, 0.6), gamma=2), get_words("en"))
    >>> [row for row in table.rows if row[2] == "derived"][0]
    ('conditional acceptance by position', '0.8 · 0.75', 'derived')
    """
    _ = words.gettext
    origins = {"reported": _("reported"), "derived": _("derived"), "given": _("given")}
    joint, conditional = report.joint_acceptance, report.conditional_acceptance
    counted: dict[str, tuple[str, str | None]] = {
        "gamma": (_("gamma"), _number(report.gamma, words)),
        "rounds": (_("rounds"), _number(report.rounds, words)),
        "drafted": (_("drafted"), _number(report.drafted, words)),
        "accepted": (_("accepted"), _number(report.accepted, words)),
        "acceptance_rate": (
            _("acceptance rate, accepted / drafted"),
            _number(report.acceptance_rate, words),
        ),
        "mean_acceptance_length": (
            _("mean acceptance length"),
            _number(report.mean_acceptance_length, words),
        ),
        "joint_acceptance": (_("joint acceptance by position"), _rates(joint, words)),
    }
    computed = (
        (_("conditional acceptance by position"), _rates(conditional, words)),
        (_("implied alpha"), _number(report.implied_alpha, words)),
    )
    unknown = _("not determined")
    rows = [
        (_("engine"), report.engine or _("typed numbers"), NOTHING),
        (_("lines read"), words.number(report.lines), NOTHING),
    ]
    for field, (name, value) in counted.items():
        rows.append((name, value or unknown, origins.get(report.origin.get(field, ""), NOTHING)))
    for name, value in computed:
        rows.append((name, value or unknown, _("derived") if value else NOTHING))
    heads = (_("field"), _("value"), _("origin"))
    return Table(_("What the report says"), heads, rows, text_columns=frozenset([0, 2]))


def report_curve(report: Report, draft_cost: float, verify_cost: float) -> pd.DataFrame:
    """The report's curve up to a few gammas past the measured one, with the rates by position.

    >>> report_curve(Report(joint_acceptance=(0.8, 0.6)), 0.1, 1.0)["basis"].tolist()
    ['measured', 'measured', 'measured', 'extrapolated', 'extrapolated', 'extrapolated']
    """
    last = min((report.measured_gamma or -FURTHER) + FURTHER, MAX_SCAN)
    curve = report.curve(draft_cost, verify_cost, last)
    return curve.join(report.positions[["joint", "conditional"]])


def curve_table(curve: pd.DataFrame, best: Choice | None, measured: int, words: Words) -> Table:
    """Every gamma: E as measured and by the implied alpha, speedups, and the basis of the row.

    >>> from specdec_widgets.words import get_words
    >>> report = Report(joint_acceptance=(0.8, 0.6))
    >>> table = curve_table(report_curve(report, 0.1, 1.0), report.best(), 2, get_words("en"))
    >>> table.rows[2]
    ('2 ○ ★', '2.400', '2.400', '2.00×', '2.00×', 'measured')
    """
    _ = words.gettext
    bases = {
        "measured": _("measured"),
        "independence": _("independence"),
        "extrapolated": _("extrapolated"),
        "unknown": _("unknown"),
    }
    rows, classes = [], []
    columns = ("expected_tokens", "independent_tokens")
    speeds = ("speedup", "independent_speedup")
    for gamma, row in zip(curve.index.tolist(), curve.to_dict("records"), strict=True):
        star, ring = best is not None and gamma == best.gamma, gamma == measured
        name = f"{gamma}{' ○' if ring else ''}{' ★' if star else ''}"
        cells = [words.number(row[column], 3) for column in columns]
        cells += [words.number(row[column], 2, "×") for column in speeds]
        rows.append((name, *cells, bases[str(row["basis"])]))
        classes.append("specdec-peak" if star else "specdec-now" if ring else "")
    heads = (
        "gamma",
        "E",
        _("E by one alpha"),
        _("speedup"),
        _("speedup by one alpha"),
        _("basis of E"),
    )
    return Table(_("Every gamma"), heads, rows, frozenset([5]), classes)


def report_charts(
    curve: pd.DataFrame, best: Choice | None, measured: int, words: Words
) -> tuple[Chart, Chart]:
    """E and speedup by gamma: measured, by independence, and extrapolated past what was run.

    >>> from specdec_widgets.words import get_words
    >>> report = Report(joint_acceptance=(0.8, 0.6))
    >>> curve = report_curve(report, 0.1, 1.0)
    >>> [chart.y_name for chart in report_charts(curve, report.best(), 2, get_words("en"))]
    ['expected tokens', 'speedup']
    """
    _ = words.gettext
    x, x_name = curve.index.tolist(), _("draft tokens in a round, gamma (γ)")

    def on(basis: str, column: str) -> pd.Series:
        return curve[column].where(curve["basis"] == basis)

    tokens = Chart(
        x,
        (
            Curve(_("E, measured"), on("measured", "expected_tokens"), 3),
            Curve(_("E, independent positions"), curve["independent_tokens"], 3),
            Curve(_("E, extrapolated"), on("extrapolated", "expected_tokens"), 3),
        ),
        x_name,
        _("expected tokens"),
        measured,
        short="gamma",
    )
    stars = () if best is None else ((best.gamma, 0 if best.basis == "measured" else 1),)
    speedups = Chart(
        x,
        (
            Curve(_("speedup, measured"), on("measured", "speedup"), 2, "×"),
            Curve(_("speedup, independent positions"), curve["independent_speedup"], 2, "×"),
            Curve(_("speedup, extrapolated"), on("extrapolated", "speedup"), 2, "×"),
            Curve(_("break-even"), np.ones(len(x)), 2, "×", guide=True),
        ),
        x_name,
        _("speedup"),
        measured,
        stars=stars,
        star_name=_("best gamma"),
        short="gamma",
    )
    return tokens, speedups


def _number(value: float | None, words: Words) -> str | None:
    if value is None:
        return None
    return words.number(value) if isinstance(value, int) else words.exact(round(value, 4))


def _rates(rates: tuple[float | None, ...] | None, words: Words) -> str | None:
    if not rates:
        return None
    shown = rates[:_MOST_RATES]
    listed = " · ".join(NOTHING if rate is None else words.exact(round(rate, 3)) for rate in shown)
    return f"{listed} …" if len(rates) > _MOST_RATES else listed
