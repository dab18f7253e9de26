"""The quiz in words: its questions, and the reply to every answer.

What is said is made from `QuizNumbers` and the mark of `specdec_widgets.maths.quiz`, so that it
holds for new numbers too. Everything here is plain text.
"""

from typing import NamedTuple

from specdec_widgets.maths import CostModel, SamplingRule
from specdec_widgets.maths.quiz import RIGHT, TOLERANCE, Mark, QuizNumbers, mistakes
from specdec_widgets.words import Words

LETTERS = "ABCD"
_ABOUT = {  # the notebooks to read again after an answer, by reason
    "fewer": ("05-sweet-spot",),
    "acceptance": ("05-sweet-spot", "09-limits"),
    "verify": ("05-sweet-spot", "09-limits"),
    "close": ("07-same-output",),
    "redraw": ("07-same-output",),
    "likeliest": ("07-same-output",),
    "all_kept": ("02-k-plus-one", "03-expected-tokens"),
    "no_extra": ("02-k-plus-one", "03-expected-tokens"),
    "below_one": ("02-k-plus-one",),
    "above_ceiling": ("02-k-plus-one",),
    "speedup": ("04-reading-the-defaults",),
}
_ABOUT_TOKENS = ("03-expected-tokens",)  # where nothing else is said


class Question(NamedTuple):
    """One question in words; `choices` is empty where a number is asked for.

    choices: name and text of each, in the order they are offered in
    answer:  the right answer, as a key gives it
    why:     what makes it right
    wrong:   what to say to each wrong answer that is foreseen
    """

    name: str
    text: str
    choices: tuple[tuple[str, str], ...]
    answer: str
    why: str
    wrong: tuple[str, ...]

    def lettered(self) -> list[tuple[str, str]]:
        """Name and text of every choice, a letter before it."""
        named = zip(LETTERS, self.choices, strict=False)
        return [(name, f"{letter}. {text}") for letter, (name, text) in named]


class Reply(NamedTuple):
    """What is said to an answer, and the notebooks to read again."""

    right: bool
    text: str
    sections: tuple[str, ...]


def questions(numbers: QuizNumbers, tokens: tuple[str, ...], words: Words) -> dict[str, Question]:
    """The three questions by name; `tokens` are the names of the four tokens of `same`.

    >>> from specdec_widgets.words import get_words
    >>> asked = questions(QuizNumbers(), ("rain", "sun", "wind", "storm"), get_words("en"))
    >>> asked["tokens"].answer
    'E = 1 + 0.8 + 0.64 + 0.512 + 0.4096 = 3.3616'
    """
    made = (
        _tokens(numbers.model, words),
        _choice("fall", _fall_text(numbers, words), _fall_choices(words), numbers, tokens, words),
        _choice(
            "same", _same_text(numbers, tokens, words), _same_choices(words), numbers, tokens, words
        ),
    )
    return {question.name: question for question in made}


def reply(
    question: str, mark: Mark, numbers: QuizNumbers, tokens: tuple[str, ...], words: Words
) -> Reply:
    """What to say to an answer that was marked so."""
    if question != "tokens":
        (name,) = mark.reasons
        text = _replies(numbers, tokens, words)[name]
    elif mark.right:
        text = _sum(numbers.model, words)
    else:
        said = _token_replies(numbers.model, words)
        text = " ".join(said[name] for name in mark.reasons)
    if mark.right:
        return Reply(True, text, ())
    about = [_ABOUT.get(name, _ABOUT_TOKENS) for name in mark.reasons]
    return Reply(False, text, tuple(dict.fromkeys(file for files in about for file in files)))


def section_title(file: str, words: Words) -> str:
    """The number and the subject of a notebook: "04 · The defaults, read aloud"."""
    _ = words.gettext
    subjects = {
        "02-k-plus-one": _("Why a round yields exactly k + 1 tokens"),
        "03-expected-tokens": _("How many tokens a round yields on average"),
        "04-reading-the-defaults": _("The defaults, read aloud"),
        "05-sweet-spot": _("Guessing further is not always better"),
        "07-same-output": _("Faster, and the output does not change"),
        "09-limits": _("What the model does not say"),
    }
    return f"{file[:2]} · {subjects[file]}"


# ---- the expected tokens -------------------------------------------------------------------------
def _tokens(model: CostModel, words: Words) -> Question:
    text = words.gettext(
        "alpha is {alpha} and gamma is {gamma}. How many tokens does a round yield on average?"
        " (Right within {tolerance}: two decimals will do.)"
    ).format(alpha=words.exact(model.alpha), gamma=model.gamma, tolerance=words.exact(TOLERANCE))
    said = _token_replies(model, words)
    return Question(
        "tokens", text, (), _sum(model, words), "", tuple(said[name] for name in mistakes(model))
    )


def _sum(model: CostModel, words: Words) -> str:
    terms = [round(term, 4) for term in model.series_terms]
    exact = all(abs(term - t) < 1e-12 for term, t in zip(model.series_terms, terms, strict=True))
    total = words.number(model.expected_tokens, 4)
    return f"E = {' + '.join(map(words.exact, terms))} {'=' if exact else '≈'} {total}"


def _token_replies(model: CostModel, words: Words) -> dict[str, str]:
    """What leads to a wrong number, by the name of the mistake."""
    _ = words.gettext
    said = {
        "all_kept": _(
            "{value} is gamma: it takes every draft token for accepted, and leaves out the token"
            " that the verify pass gives."
        ),
        "ceiling": _(
            "{value} is gamma + 1, the most a round can yield: for that, every draft token must be"
            " accepted."
        ),
        "product": _(
            "{value} is gamma × alpha: it counts draft tokens behind a rejected one, though these"
            " are dropped, and leaves out the token that the verify pass gives."
        ),
        "product_and_one": _(
            "{value} is 1 + gamma × alpha: it counts draft tokens behind a rejected one, though"
            " these are dropped, however good they are."
        ),
        "no_extra": _(
            "{value} counts the accepted draft tokens alone: the correction or bonus token is"
            " missing, 1 more in every round."
        ),
        "short": _(
            "{value} leaves out the last term, alpha to the power gamma: in closed form the"
            " exponent is gamma + 1."
        ),
        "chance": _(
            "{value} is alpha to the power gamma: the chance that all draft tokens are accepted,"
            " and no number of tokens."
        ),
        "limit": _("{value} is the limit 1 / (1 − alpha), for a gamma without end."),
        "speedup": _(
            "{value} is the speedup, E divided by the round cost; the question is E alone."
        ),
    }
    values = mistakes(model)
    about = {
        name: text.format(value=words.exact(round(values[name], 4))) for name, text in said.items()
    }
    return about | {
        "rounded": _("That is rounded too far: give two decimals."),
        "below_one": _("A round never yields less than 1 token: the verify pass always gives one."),
        "above_ceiling": _("A round never yields more than gamma + 1 = {most} tokens.").format(
            most=model.gamma + 1
        ),
        "too_low": _(
            "Too low. Add up the chances that at least 0, 1, … up to {gamma} draft tokens are"
            " accepted."
        ).format(gamma=model.gamma),
        "too_high": _(
            "Too high. Add up the chances that at least 0, 1, … up to {gamma} draft tokens are"
            " accepted."
        ).format(gamma=model.gamma),
    }


# ---- the two choices -----------------------------------------------------------------------------
def _choice(
    name: str,
    text: str,
    choices: dict[str, str],
    numbers: QuizNumbers,
    tokens: tuple[str, ...],
    words: Words,
) -> Question:
    order: tuple[str, ...] = getattr(numbers, name)
    right = RIGHT[name]
    said = _replies(numbers, tokens, words)
    return Question(
        name,
        text,
        choices=tuple((choice, choices[choice]) for choice in order),
        answer=LETTERS[order.index(right)],
        why=said[right],
        wrong=tuple(
            f"{letter}: {said[choice]}"
            for letter, choice in zip(LETTERS, order, strict=True)
            if choice != right
        ),
    )


def _fall_text(numbers: QuizNumbers, words: Words) -> str:
    return words.gettext(
        "alpha is {alpha}; a draft pass costs {draft_cost} target passes, a verify pass 1. At gamma"
        " {best} the speedup is at its peak, {peak}×; at gamma {last} only {far}× is left. Why?"
    ).format(
        alpha=words.exact(numbers.alpha),
        draft_cost=words.exact(numbers.draft_cost, 2),
        best=numbers.peak.gamma,
        peak=words.number(numbers.peak.speedup, 2),
        last=numbers.far.gamma,
        far=words.number(numbers.far.speedup, 2),
    )


def _fall_choices(words: Words) -> dict[str, str]:
    _ = words.gettext
    return {
        "fewer": _("Past the peak, a round yields fewer and fewer tokens."),
        "acceptance": _("The further ahead the draft guesses, the smaller alpha becomes."),
        "saturates": _("The expected tokens level off, while the round cost keeps rising."),
        "verify": _("The verify pass gets dearer with every position it has to score."),
    }


def _same_text(numbers: QuizNumbers, tokens: tuple[str, ...], words: Words) -> str:
    return words.gettext(
        "The draft proposes the token “{token}” with probability {q}; the target gives it {p}. Why"
        " is speculative decoding faster, and “{token}” still comes out with probability {p}?"
    ).format(
        token=tokens[numbers.asked],
        p=words.exact(numbers.p[numbers.asked], 2),
        q=words.exact(numbers.q[numbers.asked], 2),
    )


def _same_choices(words: Words) -> dict[str, str]:
    _ = words.gettext
    return {
        "rule": _(
            "One target pass checks several draft tokens; accepting with min(1, p/q), and drawing"
            " from the residual on rejection, gives exactly p."
        ),
        "close": _(
            "The small model writes most of the text, and it resembles the large one so closely"
            " that the difference does not matter."
        ),
        "redraw": _(
            "One target pass checks several draft tokens; a rejected one is drawn again from p, so"
            " that p comes out."
        ),
        "likeliest": _(
            "One target pass checks several draft tokens, and keeps only those that are the"
            " target's own most likely token."
        ),
    }


def _replies(numbers: QuizNumbers, tokens: tuple[str, ...], words: Words) -> dict[str, str]:
    """Why a choice is right, or the misconception behind it, by the name of the choice."""
    _ = words.gettext
    at = numbers.asked
    rule = SamplingRule(numbers.p, numbers.q, tokens)
    limit = words.number(numbers.far.token_limit, 2)
    said = {
        "saturates": _(
            "From gamma {best} to {last}, E only rises from {few} to {many}, for its limit is"
            " {limit}; the round cost rises from {cheap} to {dear}. So {many} / {dear} = {far}× is"
            " left."
        ),
        "fewer": _(
            "E never falls: it is {few} tokens at gamma {best} and {many} at gamma {last}. Every"
            " further guess adds something, only less and less."
        ),
        "acceptance": _(
            "In this model alpha is {alpha} at every position, and the speedup falls all the same."
            " In a real pair of models acceptance does fall with position; that comes on top."
        ),
        "verify": _(
            "Here the verify pass costs 1 at every gamma. What grows are the draft passes: with"
            " them the round cost rises from {cheap} to {dear}. In reality a long verify pass gets"
            " dearer too; that comes on top."
        ),
        "rule": _(
            "Acceptance brings “{token}” min(p, q) = {kept}, the residual {lacking}: {output} in"
            " all, just p, and so it is for every token. And one target pass serves several tokens."
        ),
        "close": _(
            "The target checks every draft token, and nothing is let pass for being close: p and q"
            " differ by a total variation distance of {distance}, the output and p not at all."
            " A poor draft costs speed, never the result."
        ),
        "redraw": _(
            "That is a common bug. Acceptance already brings “{token}” {kept}; drawing from p adds"
            " {rejection} × {p}, and {redrawn} comes out instead of {p}. The residual holds"
            " only what is still missing."
        ),
        "likeliest": _(
            "That would be greedy decoding: “{top}” would come out every time, and “{token}” never."
            " The rule accepts with probability min(1, p/q), and so keeps all of p."
        ),
    }
    fields = {
        "alpha": words.exact(numbers.alpha),
        "best": numbers.peak.gamma,
        "last": numbers.far.gamma,
        "few": words.number(numbers.peak.expected_tokens, 3),
        "many": words.number(numbers.far.expected_tokens, 3),
        "limit": limit,
        "cheap": words.number(numbers.peak.round_cost, 2),
        "dear": words.number(numbers.far.round_cost, 2),
        "far": words.number(numbers.far.speedup, 2),
        "token": tokens[at],
        "top": tokens[numbers.p.index(max(numbers.p))],
        "p": words.exact(numbers.p[at], 2),
        "kept": words.exact(rule.accepted[at], 2),
        "lacking": words.exact(rule.residual[at], 2),
        "output": words.exact(rule.output[at], 2),
        "rejection": words.exact(rule.rejection, 2),
        "distance": words.exact(rule.total_variation, 2),
        "redrawn": words.exact(numbers.redrawn),
    }
    return {name: text.format(**fields) for name, text in said.items()}
