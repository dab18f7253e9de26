"""What nobody should meet on a page: parts without room, and what axe-core calls a barrier."""

from axe_playwright_python.sync_playwright import Axe

from tests.browser.panel import PARTS

# Parts that stick out, are cut off or lie upon each other.
FAULTS = f"""panel => {{
    {PARTS}
    const faults = [], all = parts(panel), box = e => e.getBoundingClientRect();
    for (const e of [panel, panel.closest('.jp-OutputArea-output')])
        if (e.scrollWidth > e.clientWidth)
            faults.push(`scrolls sideways: ${{e.scrollWidth}} > ${{e.clientWidth}}`);
    for (const e of panel.querySelectorAll('label, button, h3, th, td, p, .specdec-scroll'))
        if (seen(e) && e.scrollWidth > e.clientWidth) faults.push(`is cut off: ${{name(e)}}`);
    const pen = document.createElement('canvas').getContext('2d');
    for (const e of panel.querySelectorAll('select, input')) {{
        pen.font = getComputedStyle(e).font;
        const {{paddingLeft, paddingRight}} = getComputedStyle(e);
        const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        const text = e.tagName == 'SELECT' ? e.selectedOptions[0].text : e.value;
        if (pen.measureText(text).width > room) faults.push(`is cut off: ${{text}}`);
    }}
    const edge = box(panel);
    for (const e of all)
        if (box(e).right > edge.right + 1 || box(e).left < edge.left - 1)
            faults.push(`sticks out: ${{name(e)}}`);
    const overlap = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]) > 1;
    all.forEach((a, i) => all.slice(i + 1).forEach(b => {{
        if (a.contains(b) || b.contains(a)) return;
        if (overlap(box(a), box(b), 'left', 'right') && overlap(box(a), box(b), 'top', 'bottom'))
            faults.push(`one lies upon the other: ${{name(a)}}, ${{name(b)}}`);
    }}));
    return faults;
}}"""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PANELS = {
    "include": [[".specdec-panel"]],
    # Drawn by ipywidgets, which gives it no name and lets Python give it none; the number box
    # of the same name beside every slider does the same (test_cost.py).
    "exclude": [[".noUi-handle"]],
}


def barriers(page, scope=None, proven=("color-contrast",), **rules):
    """What axe-core finds in levels A and AA, in words; the `proven` rules met something to judge.

    It judges the colours of what is in sight only: let the window be tall enough.
    """
    options = {"runOnly": {"type": "tag", "values": LEVELS}, "rules": rules}
    found = Axe().run(page, scope, options)
    passed = {rule["id"] for rule in found.response["passes"]}
    assert passed.issuperset(proven), f"nothing to judge by {set(proven) - passed}"
    return found.generate_report() if found.violations_count else ""
