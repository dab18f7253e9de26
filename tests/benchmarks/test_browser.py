"""From a key press on a slider to the painted change, in one notebook in headless Chromium.

The baseline is a slider bound to a bare HTML label: what the protocol itself costs. Beside it the
whole Simulator, and ipympl with the same curve. `python3 course.py bench -s` prints the medians.
"""

import statistics

from tests.browser.conftest import browser, lab, lab_server  # noqa: F401 - fixtures

MOVES = 50
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
simulator""",
    """%matplotlib widget
import matplotlib.pyplot as plt
with plt.ioff():
    figure, axes = plt.subplots(figsize=(6.2, 5))
line, = axes.plot(CostModel().curve().speedup, marker="o")
point, = axes.plot([4], [CostModel().speedup], "s")
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
    window.bench = (targets, canvas) => {
        let start, left = new Set(targets);
        window.painted = new Promise(resolve => {
            const done = () => requestAnimationFrame(
                () => requestAnimationFrame(() => resolve(performance.now() - start)));
            document.addEventListener('keydown', () => { start = performance.now(); },
                {capture: true, once: true});
            if (canvas) document.addEventListener('drawn', done, {once: true});
            for (const target of targets) {
                const observer = new MutationObserver(() => {
                    observer.disconnect();
                    left.delete(target);
                    if (!left.size) done();
                });
                observer.observe(target, {subtree: true, childList: true, characterData: true});
            }
        });
    };
}"""
TARGETS = {
    "bare label": (".bench-label", ".widget-html-content"),
    "Simulator": (".bench-simulator", ".specdec-figure .widget-html-content"),
    "ipympl": (".bench-ipympl", None),
}


def test_key_press_to_paint(lab):  # noqa: F811
    page = lab.open("bench", CELLS, height=2600)
    page.wait_for_selector(".bench-ipympl canvas")
    page.evaluate(LISTEN)
    times = {name: [] for name in TARGETS}
    for move in range(MOVES + 5):
        for name, (box, inner) in TARGETS.items():
            handle = page.locator(f"{box} .noUi-handle").first
            handle.focus()
            # The first two figures of the simulator change with gamma, the third does not.
            page.evaluate(
                """([box, inner]) => bench(inner
                    ? [...document.querySelector(box).querySelectorAll(inner)].slice(0, 2)
                    : [], !inner)""",
                [box, inner],
            )
            page.keyboard.press("ArrowLeft" if move % 2 else "ArrowRight")
            took = page.evaluate("painted")
            if move >= 5:
                times[name].append(took)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    print(
        "\n| from key press to paint | median, ms | ratio to the bare label |\n| --- | --- | --- |"
    )
    for name, median in medians.items():
        print(f"| {name} | {median:.0f} | {median / medians['bare label']:.2f} |")
