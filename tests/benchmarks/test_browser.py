"""From a key press on a slider to the painted change, in one notebook in headless Chromium.

The baseline is a slider bound to a bare HTML label: what the protocol itself costs. Beside it the
whole simulator and ipympl with the same curve; the three take turns.
"""

from tests.browser.conftest import browser, lab, lab_server  # noqa: F401 - fixtures

MOVES, WARM_UP = 50, 5
CELLS = [
    """import ipywidgets
slider = ipywidgets.IntSlider(value=4, max=32)
label = ipywidgets.HTML("gamma 4")
slider.observe(lambda change: setattr(label, "value", f"gamma {change.new}"), names="value")
box = ipywidgets.VBox([slider, label])
_ = box.add_class("bench-label")
box""",
    """from specdec_widgets import CostModel, Simulator
simulator = Simulator(language="en")
_ = simulator.add_class("bench-simulator")
_ = simulator.cost.add_class("bench-cost")
_ = simulator.rounds.add_class("bench-rounds")
simulator""",
    """%matplotlib widget
import matplotlib.pyplot as plt
with plt.ioff():
    figure, (upper, lower) = plt.subplots(2, sharex=True, figsize=(6.2, 5))
curve = CostModel().curve()
upper.plot(curve[["expected_tokens", "round_cost"]], marker="o")
lower.plot(curve["speedup"], marker="o")
point, = lower.plot([4], [CostModel().speedup], "s")
canvas_slider = ipywidgets.IntSlider(value=4, max=32)
def move(change):
    point.set_data([change.new], [CostModel(gamma=change.new).speedup])
    figure.canvas.draw_idle()
canvas_slider.observe(move, names="value")
canvas_box = ipywidgets.VBox([canvas_slider, figure.canvas])
_ = canvas_box.add_class("bench-ipympl")
canvas_box""",
]
# The change of a canvas is no change of the page, so drawing on one is made to be heard.
LISTEN = """() => {
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...rest) {
        document.dispatchEvent(new Event('drawn'));
        return draw.apply(this, rest);
    };
    let start;
    document.addEventListener('keydown', () => { start = performance.now(); }, {capture: true});
    const change = target => new Promise(resolve => {
        if (target.matches('.bench-ipympl'))
            document.addEventListener('drawn', resolve, {once: true});
        else
            new MutationObserver(resolve).observe(
                target, {subtree: true, childList: true, characterData: true});
    });
    const painted = target => change(target).then(() => new Promise(resolve =>
        requestAnimationFrame(() => requestAnimationFrame(
            () => resolve(performance.now() - start)))));
    window.wait = targets => { window.times = Promise.all(targets.map(painted)); };
}"""
WAIT = "([box, inner]) => wait([...document.querySelectorAll(inner ? `${box} ${inner}` : box)])"
LABEL, SIMULATOR, IPYMPL = "a bare label", "simulator", "ipympl"
TARGETS = {
    LABEL: (".bench-label", ".widget-html-content"),
    # gamma moves the curve of the cost and the timeline of the rounds
    SIMULATOR: (".bench-simulator", ":is(.bench-cost, .bench-rounds) .specdec-figure"),
    IPYMPL: (".bench-ipympl", None),
}


def test_key_press_to_paint(lab, row):  # noqa: F811
    page = lab.open("bench", CELLS, height=2600)
    page.wait_for_selector(".bench-ipympl canvas")
    page.evaluate(LISTEN)
    times = {name: [] for name in TARGETS}  # of each press, those of all targets
    for move in range(WARM_UP + MOVES):
        for name, (box, inner) in TARGETS.items():
            page.evaluate(WAIT, [box, inner])
            page.locator(f"{box} .noUi-handle").first.press(
                "ArrowLeft" if move % 2 else "ArrowRight"
            )
            times[name].append([time / 1000 for time in page.evaluate("times")])
    (label,), (curve, timeline), (ipympl,) = (
        zip(*times[name][WARM_UP:], strict=True) for name in (LABEL, SIMULATOR, IPYMPL)
    )
    what = "browser: key press to paint,"
    row(f"{what} the simulator's curve", curve, LABEL, label, "at most 1.3")
    row(f"{what} the simulator's curve", curve, IPYMPL, ipympl, "faster")
    row(f"{what} the curve and the timeline", timeline, LABEL, label, "")
    row(f"{what} the curve and the timeline", timeline, IPYMPL, ipympl, "faster")
