"""A report in words: the advice, the findings, and what to be careful of."""

from dataclasses import dataclass
from functools import cached_property

from specdec_widgets.maths import Choice, Finding, Report, SingleAlpha
from specdec_widgets.words import Words


@dataclass(frozen=True)
class Reading:
    """What a report says at these costs, in a language.

    >>> from specdec_widgets.maths import read_report
    >>> from specdec_widgets.words import get_words
    >>> Reading(read_report("0.9 0.3 0.1"), 0.1, 1.0, get_words("en")).pairs[0]
    ('Best gamma', '2, with 1.83×')
    """

    report: Report
    draft_cost: float
    verify_cost: float
    words: Words

    @cached_property
    def best(self) -> Choice | None:
        """The best gamma up to the measured one."""
        return self.report.best(self.draft_cost, self.verify_cost)

    @property
    def advice(self) -> str:
        """One sentence: the best gamma, and on which assumption."""
        words, _ = self.words, self.words.gettext
        report, best = self.report, self.best
        if not report.measured_gamma:
            return _(
                "The report does not tell how many tokens a draft has: give gamma, and the curve"
                " follows."
            )
        if best is None:
            return _("From this report no E follows, and so no gamma is advised.")
        trust = self._trust
        fields = {
            "draft": words.exact(self.draft_cost, 2),
            "verify": words.exact(self.verify_cost, 2),
            "last": words.number(report.measured_gamma),
            "gamma": words.number(best.gamma),
            "speedup": words.number(best.speedup, 2),
        }
        if trust is None:
            said = _(
                "At draft cost {draft} and verify cost {verify}, and if positions are independent,"
                " which this report cannot tell, the best gamma of 0 to {last} is {gamma}, with"
                " {speedup}×."
            ).format(**fields)
        elif trust.gamma == trust.best_gamma:
            said = _(
                "At draft cost {draft} and verify cost {verify}, and if a position is accepted as"
                " often whatever gamma is, the best gamma of 0 to {last} is {gamma}, with"
                " {speedup}×; trusting one alpha, {alpha}, loses nothing."
            ).format(alpha=words.number(trust.alpha, 3), **fields)
        else:
            said = _(
                "At draft cost {draft} and verify cost {verify}, and if a position is accepted as"
                " often whatever gamma is, the best gamma of 0 to {last} is {gamma}, with"
                " {speedup}×; trusting one alpha, {alpha}, would choose {believed} and lose"
                " {loss}×."
            ).format(
                alpha=words.number(trust.alpha, 3),
                believed=words.number(trust.gamma),
                loss=words.number(trust.loss, 3),
                **fields,
            )
        if report.contradictions:
            doubtful = _("The report contradicts itself, see below; taken as it stands: {advice}")
            said = doubtful.format(advice=said[0].lower() + said[1:])
        return said

    @property
    def findings(self) -> list[tuple[str, str]]:
        """The findings in words, contradictions first, each with its mark."""
        _ = self.words.gettext
        report = self.report
        contradiction, caveat = _("Contradiction: {finding}"), _("Note: {finding}")
        return [
            *(("⚠", contradiction.format(finding=self._say(f))) for f in report.contradictions),
            *(("ℹ", caveat.format(finding=self._say(f))) for f in report.caveats),
        ]

    def _say(self, finding: Finding) -> str:
        said = self.words.explain(finding)
        if finding.lines == 1:
            return said
        lines = self.words.number(finding.lines)
        return self.words.gettext("{finding} ({lines} lines)").format(finding=said, lines=lines)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The readouts: the best gamma, and what comes of trusting one alpha."""
        words, _ = self.words, self.words.gettext
        report, best = self.report, self.best
        pairs = []
        if best is not None:
            gamma = _("{gamma}, with {speedup}×").format(
                gamma=words.number(best.gamma), speedup=words.number(best.speedup, 2)
            )
            pairs.append((_("Best gamma"), gamma))
        trust = self._trust
        if trust is not None:
            pairs.append((_("Trusting the implied alpha"), self._trusted(trust)))
        rate = report.acceptance_rate
        taken = self._trusting(rate) if rate is not None and 0 <= rate <= 1 else None
        if taken is not None:
            pairs.append((_("Taking accepted / drafted for alpha"), self._trusted(taken)))
        return pairs

    def _trusted(self, trust: SingleAlpha) -> str:
        number = self.words.number
        return self.words.gettext(
            "{alpha}: gamma {gamma}, {promised}× promised, {speedup}× measured"
        ).format(
            alpha=number(trust.alpha, 3),
            gamma=number(trust.gamma),
            promised=number(trust.promised, 2),
            speedup=number(trust.speedup, 2),
        )

    @property
    def remarks(self) -> list[str]:
        """What the curve leaves open."""
        words, _ = self.words, self.words.gettext
        report, best = self.report, self.best
        said: list[str] = []
        if not report.measured_gamma:
            return said
        last = words.number(report.measured_gamma)
        if best is not None and best.at_edge:
            said.append(
                _(
                    "The best gamma is the largest that was measured: the peak may lie further;"
                    " only a run with a larger gamma can tell."
                )
            )
        if report.joint_acceptance is None:
            said.append(
                _(
                    "Of gamma {last} only the length is known: below it, E is what independence"
                    " gives, not a measurement."
                ).format(last=last)
            )
        said.append(
            _(
                "Past gamma {last} nothing was measured: those rows are extrapolated, as if every"
                " further position were accepted as often as the last one."
            ).format(last=last)
        )
        return said

    @cached_property
    def _trust(self) -> SingleAlpha | None:
        return self._trusting()

    def _trusting(self, alpha: float | None = None) -> SingleAlpha | None:
        return self.report.trusting(alpha, self.draft_cost, self.verify_cost)
