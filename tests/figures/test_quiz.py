"""The quiz in words and on paper: every number in it is the model's, nothing is left unsaid."""

import re
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import nbformat
import pytest

from specdec_widgets import CostModel
from specdec_widgets.figures.quiz import questions, reply, section_title
from specdec_widgets.figures.quiz_sheet import Sheet
from specdec_widgets.maths.quiz import CHOICES, Mark, mark, mistakes, quiz_numbers
from specdec_widgets.words import get_words

TOKENS = {"vi": ("mưa", "nắng", "gió", "bão"), "en": ("rain", "sun", "wind", "storm")}
LESSONS = Path(__file__).parents[2] / "notebooks"
SEEDS = [None, 1, 2, 3, 7, 999_999]
each_language = pytest.mark.parametrize("language", ["vi", "en"])
each_seed = pytest.mark.parametrize("seed", SEEDS)


def asked(seed, language):
    return questions(quiz_numbers(seed), TOKENS[language], get_words(language))


def said(question, answer, seed=None, language="en"):
    numbers = quiz_numbers(seed)
    marked = mark(question, answer, numbers)
    return reply(question, marked, numbers, TOKENS[language], get_words(language))


def sheet(seed=None, language="en", key=True):
    made = list(asked(seed, language).values())
    return Sheet("Quiz <1>", "note", made, key, get_words(language))


def test_the_questions_ask_the_facts_of_the_course():
    tokens, fall, same = asked(None, "vi").values()
    assert "alpha = 0,8" in tokens.text
    assert "gamma = 4" in tokens.text
    assert "0,005" in tokens.text
    for figure in ("gamma 6", "2,47×", "gamma 32", "1,19×"):
        assert figure in fall.text
    assert "“nắng”" in same.text
    assert "0,30" in same.text
    assert "0,25" in same.text
    assert [question.answer for question in (tokens, fall, same)] == [
        "E = 1 + 0,8 + 0,64 + 0,512 + 0,4096 = 3,3616",
        "C",
        "B",
    ]


def test_the_replies_hold_the_exact_numbers():
    assert "3.951" in said("fall", "fewer").text
    assert "4.997" in said("fall", "fewer").text
    assert "1.60 to 4.20" in said("fall", "verify").text
    assert "4.997 / 4.20 = 1.19×" in said("fall", "saturates").text
    assert "0.10 × 0.25, and 0.275 comes out instead of 0.25" in said("same", "redraw").text
    assert "min(p, q) = 0.25, the residual 0.00: 0.25 in all" in said("same", "rule").text
    assert "distance of 0.10" in said("same", "close").text
    assert "“rain” would come out every time" in said("same", "likeliest").text


@pytest.mark.parametrize(
    ("answer", "beginning"),
    [
        ("3.2", "3.2 is gamma × alpha:"),
        ("4", "4 is gamma:"),
        ("4.2", "4.2 is 1 + gamma × alpha:"),
        ("2.3616", "2.3616 counts the accepted draft tokens alone:"),
        ("0.4096", "0.4096 is alpha to the power gamma:"),
        ("5", "5 is gamma + 1, the most a round can yield: for that, every draft token must be "
              "accepted. 5 is the limit 1 / (1 − alpha)"),
        ("2.952", "2.952 leaves out the last term"),
        ("2.4", "2.4011 is the speedup"),
        ("3.4", "That is rounded too far"),
        ("0", "A round never yields less than 1 token"),
        ("6", "A round never yields more than gamma + 1 = 5 tokens"),
        ("3", "That is rounded too far"),
        ("2", "Too low."),
        ("3.9", "Too high."),
    ],
)  # fmt: skip
def test_a_wrong_number_is_told_its_mistake(answer, beginning):
    found = said("tokens", answer)
    assert found.text.startswith(beginning)
    assert not found.right


@each_language
@each_seed
def test_every_answer_has_a_reply_and_every_wrong_one_a_notebook(seed, language):
    numbers = quiz_numbers(seed)
    answers = [("tokens", value) for value in (*mistakes(numbers.model).values(), 0, 2.1, 99)]
    answers += [(question, choice) for question in CHOICES for choice in CHOICES[question]]
    for question, answer in answers:
        found = said(question, answer, seed, language)
        assert re.fullmatch(r"[^{}]+\.", found.text)
        assert bool(found.sections) != found.right
        for file in found.sections:
            assert section_title(file, get_words(language)).startswith(f"{file[:2]} · ")


@each_language
def test_a_notebook_to_read_again_exists_and_is_called_by_its_name(language):
    answers = [("tokens", value) for value in ("3.2", "4", "2.4", "0", "6", "2", "3.9")]
    answers += [(question, choice) for question in CHOICES for choice in CHOICES[question]]
    files = {file for answer in answers for file in said(*answer).sections}
    assert len(files) == 6
    for file in files:
        path = LESSONS / language / f"{file}.ipynb"
        heading = nbformat.read(path, as_version=4).cells[0].source.splitlines()[0]
        assert f"# {section_title(file, get_words(language))[5:]}" == heading


@each_language
@each_seed
def test_the_sum_is_the_models(seed, language):
    model = quiz_numbers(seed).model
    terms, _equals, total = re.fullmatch(
        r"E = (.+) ([=≈]) (.+)", asked(seed, language)["tokens"].answer.replace(",", ".")
    ).groups()
    assert float(total) == round(model.expected_tokens, 4)
    assert [float(term) for term in terms.split(" + ")] == [round(t, 4) for t in model.series_terms]


def test_a_rounded_sum_does_not_claim_to_be_equal():
    for seed in range(20):
        terms = quiz_numbers(seed).model.series_terms
        rounded = any(abs(term - round(term, 4)) > 1e-12 for term in terms)
        assert (" ≈ " in asked(seed, "en")["tokens"].answer) == rounded


@each_language
@each_seed
def test_the_letter_of_the_key_is_that_of_the_right_choice(seed, language):
    numbers = quiz_numbers(seed)
    for name in CHOICES:
        question = asked(seed, language)[name]
        assert len(set(question.choices)) == len(CHOICES[name])
        for choice, text in question.lettered():
            right = mark(name, choice, numbers).right
            assert text.startswith(f"{question.answer}. ") == right


def test_new_numbers_are_those_of_the_model():
    numbers = quiz_numbers(7)
    best = CostModel(numbers.alpha, 4, numbers.draft_cost).best()
    text = asked(7, "en")["fall"].text
    assert f"At gamma {best.gamma} the speedup is at its peak, {best.speedup:.2f}×" in text


def test_the_languages_differ_in_every_sentence():
    for vi, en in zip(asked(None, "vi").values(), asked(None, "en").values(), strict=True):
        assert vi.name == en.name
        for mine, yours in zip(sentences(vi), sentences(en), strict=True):
            assert mine != yours


def sentences(question):
    return [
        question.text,
        question.why or question.answer,
        *question.wrong,
        *(text for _name, text in question.choices),
    ]


class Tags(HTMLParser):
    """Which tags are open where; closed ones are matched."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(("language", "key"), list(product(["vi", "en"], [True, False])))
def test_the_document_stands_alone(language, key):
    html = sheet(language=language, key=key).document()
    page = Tags(html)
    assert page.open == []
    assert html.startswith("<!DOCTYPE html>")
    assert ("html", {"lang": language}) in page.seen
    assert ("meta", {"charset": "utf-8"}) in page.seen
    assert not [attrs for _tag, attrs in page.seen if {"src", "href", "onclick"} & set(attrs)]
    for question in asked(None, language).values():
        assert question.text in page.text
        assert all(text in page.text for _name, text in question.lettered())
        assert all(text in page.text for text in question.wrong) == key


def test_the_sheet_without_its_key_gives_nothing_away():
    shown = sheet(key=False)
    for text in (shown.document(), repr(shown), shown._repr_html_()):
        assert "3.3616" not in text
        assert "From gamma 6 to 32, E only rises" not in text
    assert "3.3616" in sheet(key=True).document()


def test_the_key_is_folded_away_in_a_notebook_and_on_a_page_of_its_own_in_print():
    shown = sheet()
    before, folded = shown._repr_html_().split("<details>")
    assert "3.3616" not in before
    assert "3.3616" in folded
    assert ".key { break-before: page;" in shown.document()


def test_markup_is_text():
    assert "<1>" not in sheet().document()
    assert "Quiz &lt;1&gt;" in sheet()._repr_html_()


def test_the_sheet_in_words():
    text = repr(sheet())
    assert text.startswith("Quiz <1>\nnote\nQuestion 1. alpha is 0.8 and gamma is 4.")
    assert "\nC. The expected tokens level off" in text
    assert text.index("Answer key:") < text.index("Question 1: E = 1 + 0.8")


def test_a_mark_without_a_reply_is_a_bug():
    with pytest.raises(KeyError):
        reply("tokens", Mark(False, ("nothing",)), quiz_numbers(), TOKENS["en"], get_words("en"))
