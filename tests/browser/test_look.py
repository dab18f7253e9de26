"""How the panels look: room for everything, in both themes and languages, and axe-core's word."""

import pytest

from tests.browser.look import FAULTS, PANELS, barriers
from tests.browser.panel import NARROW, WIDE

ALL = 9000  # pixels; all panels are in sight


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_panels_have_room_and_no_barriers(panels, panels_lab, theme):
    for width in (WIDE, NARROW):
        panels.look(theme, width)
        for language in ("en", "vi"):
            for shown in panels.all:
                shown.speak(language)
                assert shown.panel.evaluate(FAULTS) == []
            name = f"simulator-{theme}-{width}-{language}"
            panels_lab.screenshot(panels.simulator.panel, name)
    panels.look(theme, height=ALL)  # what is scrolled away has no colours to axe-core
    assert not barriers(panels.page, PANELS, proven=("color-contrast", "label", "image-alt"))
