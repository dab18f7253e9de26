"""Two panels of a busy server: a verify pass that grows with gamma, and a batch that grows."""

from typing import ClassVar

from specdec_widgets.figures.lines import Chart, Curve
from specdec_widgets.maths import BusyServer
from specdec_widgets.maths.server import BATCHES, best_of
from specdec_widgets.words import Words

from .base import Panel
from .chart import ChartPanel, View, by_gamma, sources, speedups_by_gamma
from .hardware_parameters import BatchParameter, CardParameters, ContextParameter
from .parameters import AlphaParameter, GammaParameter


class ServerPanel(
    AlphaParameter,
    GammaParameter,
    BatchParameter,
    ContextParameter,
    CardParameters,
    ChartPanel,
):
    """The parameters of a busy server: a card, two models, and the requests in a batch.

    Parameters (traits): hardware, target and draft (names of the published tables), batch,
    context (tokens in the KV caches of each request), alpha and gamma.

    >>> panel = BatchPanel(batch=8, language="en")
    >>> panel.server.hardware.name, panel.server.passes(panel.batch).batch
    ('NVIDIA H100 SXM', 8)
    >>> panel.close()
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = (
        *("hardware", "target", "draft", "batch", "gamma", "alpha", "context"),
    )
    CONTROLS: ClassVar[tuple[str, ...]] = (*PARAMETERS, *Panel.CONTROLS)

    @property
    def server(self) -> BusyServer:
        """The server at the present parameters."""
        card, target, draft = self.on_card()
        return BusyServer(card, target, draft, self.alpha, self.context)

    def remarks(self, memory: float) -> list[str]:
        """What is published and what is not, and whether the card can hold it; memory in GB."""
        words, _ = self.words, self.words.gettext
        said = [_("alpha and the context are set by you, made up: they measure no real server.")]
        room = self.server.hardware.memory / 1e9
        if memory > room:
            said.append(
                _(
                    "This does not fit on one card: weights and caches take {taken} GB of"
                    " {room} GB."
                ).format(taken=words.number(memory, 1), room=words.number(room))
            )
        return [*said, *sources(words, self.hardware, self.target, self.draft)]


class VerifyPanel(ServerPanel):
    """Verify cost and speedup against gamma, the verify cost by the roofline of a batch.

    Beside them what the cost model says, in which a verify pass costs 1 however far it looks.
    Parameters as for `ServerPanel`.

    Example:
        >>> panel = VerifyPanel(batch=128, language="en")
        >>> round(panel.server.verify_cost(128, 4), 2)
        1.72
        >>> panel.close()
    """

    CHARTS: ClassVar[tuple[int, ...]] = (2, 3)
    HEIGHT: ClassVar[int] = 290
    STEM: ClassVar[str] = "verify"

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("A verify pass that grows with gamma")

    def view(self) -> View:
        """Every gamma at the present batch."""
        words, _ = self.words, self.words.gettext
        number, gamma, server = words.number, self.gamma, self.server
        frame, draft = server.curve(self.batch), server.draft_cost(self.batch)
        best, believed = best_of(frame["speedup"]), best_of(frame["simple_speedup"])
        ridge = server.passes(self.batch).ridge
        verify = by_gamma(
            words,
            gamma,
            _("target passes"),
            Curve(_("verify cost c_v by the roofline"), frame["verify_cost"]),
            Curve(_("c_v of the simple model"), [1.0] * len(frame), guide=True),
        )
        speedups = speedups_by_gamma(
            words,
            gamma,
            (_("speedup with this c_v"), frame["speedup"], best.gamma),
            (_("speedup if c_v were 1"), frame["simple_speedup"], believed.gamma),
        )
        here = frame.loc[gamma]
        sentence = _(
            "At batch {batch} and gamma {gamma} a verify pass costs {cost}: {speedup}×, where the"
            " simple model says {simple}×."
        ).format(
            batch=number(self.batch),
            gamma=gamma,
            cost=number(here["verify_cost"], 2),
            speedup=number(here["speedup"], 2),
            simple=number(here["simple_speedup"], 2),
        )
        pairs = [
            (_("Ridge, positions of each request"), number(ridge, 2)),
            (_("Positions in a verify pass"), number(gamma + 1)),
            (_("Verify cost"), number(here["verify_cost"], 2)),
            (_("Draft cost"), number(draft, 2)),
            (_("Expected tokens"), number(here["expected_tokens"], 3)),
            (_("Round cost"), number(here["round_cost"], 2)),
            (_("Speedup"), f"{number(here['speedup'], 2)}×"),
            (_("Best gamma"), _gamma(words, best.gamma, best.speedup)),
            (_("Best gamma if c_v were 1"), _gamma(words, believed.gamma, believed.speedup)),
        ]
        memory = server.by_batch(gamma, (self.batch,))["memory_gb"].iloc[0]
        return View(sentence, pairs, self.remarks(memory), (verify, speedups), frame)


class BatchPanel(ServerPanel):
    """Speedup and best gamma against the number of requests in a batch.

    Parameters as for `ServerPanel`.

    Example:
        >>> panel = BatchPanel(language="en")
        >>> panel.server.best(1).gamma, panel.server.best(512).gamma
        (5, 0)
        >>> panel.close()
    """

    CHARTS: ClassVar[tuple[int, ...]] = (3, 1)
    HEIGHT: ClassVar[int] = 290
    STEM: ClassVar[str] = "batch"

    def title(self) -> str:
        """The heading."""
        return self.words.gettext("A busy server")

    def view(self) -> View:
        """Every doubling of the batch, and the present one."""
        words, _ = self.words, self.words.gettext
        number, gamma, batch = words.number, self.gamma, self.batch
        batches = sorted({*BATCHES, batch})
        frame = self.server.by_batch(gamma, batches)
        here, x_name = frame.loc[batch], _("requests in a batch")
        at = batches.index(batch)
        speedups = Chart(
            batches,
            (
                Curve(_("speedup at your gamma"), frame["speedup"], 2, "×"),
                Curve(_("speedup at the best gamma"), frame["best_speedup"], 2, "×"),
                Curve(_("break-even"), [1.0] * len(batches), 2, "×", guide=True),
            ),
            x_name,
            _("speedup"),
            at,
            doubling=True,
        )
        gammas = Chart(
            batches,
            (Curve(_("best gamma"), frame["best_gamma"], 0),),
            x_name,
            "gamma",
            at,
            doubling=True,
        )
        sentence = _(
            "At batch {batch}, gamma {gamma} gives {speedup}×; the best gamma is {best},"
            " with {best_speedup}×."
        ).format(
            batch=number(batch),
            gamma=gamma,
            speedup=number(here["speedup"], 2),
            best=number(here["best_gamma"]),
            best_speedup=number(here["best_speedup"], 2),
        )
        pairs = [
            (_("A plain target pass"), f"{number(here['plain_ms'], 2)} ms"),
            (_("Ridge, positions of each request"), number(here["ridge"], 2)),
            (_("Draft cost"), number(here["draft_cost"], 2)),
            (_("Verify cost"), number(here["verify_cost"], 2)),
            (_("Speedup"), f"{number(here['speedup'], 2)}×"),
            (_("Best gamma"), _gamma(words, here["best_gamma"], here["best_speedup"])),
            (_("Tokens a second, plain"), number(here["plain_tokens_s"])),
            (_("Tokens a second, best gamma"), number(here["best_tokens_s"])),
            (_("Weights and caches"), f"{number(here['memory_gb'], 1)} GB"),
        ]
        return View(sentence, pairs, self.remarks(here["memory_gb"]), (speedups, gammas), frame)


def _gamma(words: Words, gamma: float, speedup: float) -> str:
    text = words.gettext("{gamma}, with {speedup}×")
    return text.format(gamma=words.number(gamma), speedup=words.number(speedup, 2))
