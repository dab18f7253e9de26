"""The tables: pandas' HTML, filled faster; the numbers in the language; names as text only."""

import io
import re
from fractions import Fraction
from html import escape
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.figures import tables
from specdec_widgets.figures.tables import Table, dressed
from specdec_widgets.maths import CostModel, SamplingRule, simulate_rounds
from specdec_widgets.words import get_words

EN, VI = get_words("en"), get_words("vi")
DEFAULT = simulate_rounds("111111001110101111")
WEATHER = SamplingRule(
    ["0.50", "0.25", "0.15", "0.10"],
    ["0.40", "0.30", "0.20", "0.10"],
    ["mưa", "nắng", "gió", "bão"],
)
# As `harmless` leaves them; pandas strips a cell.
CELLS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12).map(str.strip)


class Reader(HTMLParser):
    """The cells of an HTML table row by row, heads first, with what is said of them."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.row_classes, self.cell_classes, self.heads = [], [], [], []
        self.caption, self.within, self.tags = "", "", set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.within = tag
        self.tags.add(tag)
        assert "style" not in dict(attrs) and "border" not in dict(attrs)
        if tag == "tr":
            self.rows.append([])
            self.row_classes.append(dict(attrs).get("class"))
            self.cell_classes.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell_classes[-1].append(dict(attrs).get("class"))
        if tag == "th":
            self.heads.append(dict(attrs).get("scope"))

    def handle_endtag(self, tag):
        self.within = ""

    def handle_data(self, data):
        if self.within == "caption":
            self.caption += data
        elif self.within in ("td", "th"):
            self.rows[-1][-1] += data


TABLES = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        CELLS,
        st.lists(CELLS, min_size=width, max_size=width).map(tuple),
        st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5),
        st.frozensets(st.integers(0, width - 1)),
        st.just(()),
    )
)


@given(TABLES, st.booleans())
def test_a_filled_table_is_what_pandas_makes_of_its_cells(table, marked):
    classes = [f"row-{number}" for number in range(len(table.rows))] if marked else []
    table = table._replace(classes=classes)
    frame = pd.DataFrame(table.rows, columns=list(table.heads))
    html = frame.to_html(index=False, escape=True, border=0, classes=tables._CLASSES)
    html = dressed(html, len(table.heads), table.text_columns, bool(classes))
    slots = iter([escape(table.caption, quote=False), *classes])
    assert table.html() == re.sub("\0", lambda _slot: next(slots), html)


@given(TABLES)
def test_every_cell_can_be_read_back(table):
    read = Reader(table.html())
    assert read.rows == [list(table.heads), *table.rows]
    assert read.caption == table.caption
    assert read.tags == {"table", "caption", "thead", "tbody", "tr", "th"} | (
        {"td"} if table.rows else set()
    )
    assert read.heads == ["col"] * len(table.heads)


def test_numbers_and_texts_have_their_classes():
    read = Reader(tables.sampling_table(WEATHER, EN).html())
    assert all(row == [None] + ["specdec-num"] * 6 for row in read.cell_classes)
    assert 'class="dataframe specdec-table ' in tables.sampling_table(WEATHER, EN).html()


def test_the_cost_table_shows_every_gamma_and_marks_two():
    read = Reader(tables.cost_table(CostModel(), EN).html())
    assert [row[0] for row in read.rows[1:]] == [str(gamma) for gamma in range(33)]
    assert read.rows[5] == ["4", "3.36", "1.40", "2.40", "○ current"]
    assert read.rows[7] == ["6", "3.95", "1.60", "2.47", "★ peak"]
    assert read.rows[33] == ["32", "5.00", "4.20", "1.19", ""]
    assert read.row_classes[5] == "specdec-now" and read.row_classes[7] == "specdec-peak"
    assert read.row_classes[4] == ""


def test_the_marks_move_with_the_model():
    tables.cost_table(CostModel(), EN).html()
    read = Reader(tables.cost_table(CostModel(gamma=6), EN).html())
    assert [row[4] for row in read.rows[1:] if row[4]] == ["○ current, ★ peak"]
    assert read.row_classes[7] == "specdec-now specdec-peak"


def test_numbers_are_written_in_the_language():
    cost = Reader(tables.cost_table(CostModel(), VI).html())
    assert cost.rows[5][1:4] == ["3,36", "1,40", "2,40"]
    assert "8,40" in tables.rounds_table(DEFAULT, VI).html()
    assert "0,4000" in tables.sampling_table(WEATHER, VI).html()


def test_the_rounds_table_is_that_of_the_course():
    assert Reader(tables.rounds_table(DEFAULT, EN).html()).rows[1:] == [
        ["1", "4", "4", "none, bonus token", "5", "5", "4", "1", "1.40"],
        ["2", "4", "2", "3", "3", "8", "8", "2", "2.80"],
        ["3", "4", "0", "1", "1", "9", "12", "3", "4.20"],
        ["4", "4", "3", "4", "4", "13", "16", "4", "5.60"],
        ["5", "4", "1", "2", "2", "15", "20", "5", "7.00"],
        ["6", "4", "4", "none, bonus token", "5", "20", "24", "6", "8.40"],
    ]


def test_a_long_rounds_table_shows_the_last_and_says_how_many_it_does_not():
    result = simulate_rounds("0" * 1234, 4)
    read = Reader(tables.rounds_table(result, EN, limit=10).html())
    assert [row[0] for row in read.rows[1:]] == [f"1,{number}" for number in range(225, 235)]
    assert "1,224 earlier rounds are not shown" in read.caption
    assert "not shown" not in Reader(tables.rounds_table(result, EN, limit=1234).html()).caption


def test_rounds_without_drafts_unfinished_and_none_at_all():
    alone = Reader(tables.rounds_table(simulate_rounds("1", 0), EN).html())
    assert alone.rows[1][3].startswith("none,")
    unfinished = Reader(tables.rounds_table(simulate_rounds("11", 4), EN).html()).rows[1]
    assert unfinished == ["1", "4", "2", "unfinished", *["–"] * 5]
    empty = Reader(tables.rounds_table(simulate_rounds("", 4), EN).html())
    assert len(empty.rows) == 1 and empty.caption == "No round is finished yet."


def test_the_sampling_table_is_that_of_the_course():
    read = Reader(tables.sampling_table(WEATHER, EN).html())
    assert read.rows[1] == ["mưa", "0.5000", "0.4000", "0.4000", "0.1000", "1.0000", "0.5000"]
    assert read.rows[2][4:] == ["0.0000", "0.0000", "0.2500"]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a&amp;b", '"><img src=x>', "a\0b"])
def test_markup_in_a_name_stays_text(name):
    rule = SamplingRule(["1", "0"], ["1", "0"], [name, "other"])
    read = Reader(tables.sampling_table(rule, EN).html())
    assert read.rows[1][0] == name.replace("\0", "□")
    assert read.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_the_same_tables_as_plain_text():
    text = tables.rounds_table(DEFAULT, VI).text()
    assert "1,40" in text and "<" not in text and len(text.splitlines()) == 8
    assert len(tables.cost_table(CostModel(), EN).text().splitlines()) == 35
    assert re.search(r"mưa +0\.5000 +0\.4000", tables.sampling_table(WEATHER, EN).text())
    assert tables.rounds_table(simulate_rounds("", 4), EN).text() == "No round is finished yet."


def test_csv_can_be_read_back():
    read = pd.read_csv(io.BytesIO(tables.csv(DEFAULT.table)), dtype_backend="numpy_nullable")
    pd.testing.assert_frame_equal(read, DEFAULT.table, check_dtype=False)
    curve = CostModel().curve().reset_index()
    pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(tables.csv(curve))), curve)


def test_csv_is_marked_as_utf8_and_writes_fractions_as_decimals():
    frame = pd.DataFrame({"token": ["mưa"], "p": [Fraction(1, 8)], "q": [Fraction(2, 3)]})
    assert tables.csv(frame) == "\ufefftoken,p,q\nmưa,0.125,0.6666666666666666\n".encode()


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("x")', " =1"])
def test_no_name_is_a_formula_in_a_spreadsheet(name):
    frame = pd.DataFrame({"token": [name]})
    assert pd.read_csv(io.BytesIO(tables.csv(frame)), dtype=str)["token"][0] == f"'{name}"


@given(st.text(st.characters(categories=None), max_size=20))
def test_any_name_stays_in_its_cell(name):
    file = tables.csv(pd.DataFrame({"token": [name], "p": [0.5]}))
    read = pd.read_csv(io.BytesIO(file), dtype=str, keep_default_na=False)
    assert read.shape == (1, 2) and read["p"][0] == "0.5"
