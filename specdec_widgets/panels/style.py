"""How the panels look: one style sheet, in the colours of JupyterLab's theme where there is one."""

STYLE = """<style>
.specdec-panel {
  max-width: 1180px; overflow: visible; color: var(--specdec-text);
  --specdec-line: var(--jp-border-color1, #bdbdbd); --specdec-text: var(--jp-ui-font-color0, #111);
}
.specdec-panel h3 { margin: 6px 0 2px; font-size: 1.15em; color: var(--specdec-text); }
.specdec-panel .specdec-panel {
  border-top: 2px solid var(--specdec-line); margin-top: 8px; padding-top: 4px;
}
.specdec-panel .widget-html { max-width: 100%; }
.specdec-panel .widget-html-content { line-height: 1.4; white-space: normal; min-width: 0; }
.specdec-row { display: flex; flex-flow: row wrap; gap: 2px 20px; overflow: visible; }
.specdec-row > .specdec-row { flex: 0 1 auto; }
.specdec-side { flex: 1 1 280px; min-width: 250px; max-width: 100%; overflow: visible; }
.specdec-controls {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr));
  gap: 2px 20px; overflow: visible;
}
.specdec-controls > .widget-dropdown { grid-column: 1 / -1; }
.specdec-control { max-width: 560px; overflow: visible; }
.specdec-slider { flex: 1 1 auto; width: auto; min-width: 200px; }
.specdec-unlabelled { position: relative; }
.specdec-panel .specdec-unlabelled > label {
  position: absolute; left: 0; width: 1px; height: 1px; margin: 0; overflow: hidden;
  clip-path: inset(50%);
}
.specdec-message [role=alert] { border-left: 4px solid #D55E00; padding: 1px 8px; }
.specdec-status { min-height: 1.4em; font-weight: 600; }
.specdec-figure { flex: 0 1 auto; max-width: 100%; }
.specdec-figure img { display: block; }
.specdec-wide { flex: 1 1 auto; max-width: 100%; overflow: auto; }
.specdec-head { font-weight: 600; }
.specdec-readouts { width: 100%; margin: 0; border-collapse: collapse; }
.specdec-readouts th, .specdec-readouts td {
  border-bottom: 1px solid var(--specdec-line); padding: 2px 10px 2px 0; text-align: left;
  vertical-align: top;
}
.specdec-readouts th { width: 45%; font-weight: 600; }
.specdec-readouts td { font-variant-numeric: tabular-nums; }
.specdec-notice { margin: 2px 0; }
.specdec-links a {
  color: var(--jp-content-link-color, #0b5fff); text-decoration: underline; margin-right: 10px;
}
.specdec-scroll { overflow: auto; align-items: flex-start; }
.specdec-table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0; }
.specdec-table caption { text-align: left; padding: 2px 4px; }
.specdec-table th, .specdec-table td {
  padding: 2px 8px; text-align: right; border-bottom: 1px solid var(--specdec-line);
}
.specdec-side .specdec-table th, .specdec-side .specdec-table td { padding: 2px 4px; }
.specdec-table td { white-space: nowrap; }
.specdec-table thead th {
  position: sticky; top: 0; background: var(--jp-layout-color2, #eee); vertical-align: bottom;
}
@media (max-width: 1000px) {
  .specdec-status { min-height: 2.8em; }
  .specdec-table th, .specdec-table td { padding: 2px 4px; }
}
.specdec-field { max-width: 760px; overflow: visible; }
.specdec-field h4 { margin: 8px 0 0; color: var(--specdec-text); }
.specdec-field p { margin: 2px 0; }
.specdec-choices { display: block; height: auto; }
.specdec-choices .widget-radio-box label {
  position: relative; height: auto; line-height: 1.4; padding: 4px 0 4px 22px; white-space: normal;
}
.specdec-choices .widget-radio-box input {
  position: absolute; left: 1px; top: 4px; height: 1.4em; margin: 0;
}
.specdec-verdict { border-left: 4px solid #D55E00; padding: 1px 8px; }
.specdec-right { border-color: #009E73; }
</style>"""
