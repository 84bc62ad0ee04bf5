"""SVG plots: bars with targets, and the curve of the share of pages that reach a score. Colours come from CSS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 720
_ROW = 30
_LEFT, _RIGHT = 190, 70


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart; values are shares between 0 and 1."""

    label: str
    value: float | None
    note: str = ""
    target: float | None = None


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars; a target is a mark across its bar."""
    height = _ROW * len(rows) + 26
    plot = WIDTH - _LEFT - _RIGHT
    out = [_open(title, height)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = _LEFT + share * plot
        out.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_ROW * len(rows)}"/>')
        out.append(f'<text class="axis" x="{x:.1f}" y="{height - 8}" text-anchor="middle">{100 * share:.0f} %</text>')
    for i, row in enumerate(rows):
        y = i * _ROW
        value = max(0.0, min(1.0, row.value or 0.0))
        missed = row.value is not None and row.target is not None and row.value < row.target
        out.append(f'<text class="label" x="{_LEFT - 10}" y="{y + 19}" text-anchor="end">{escape(row.label)}</text>')
        out.append(
            f'<rect class="bar{" missed" if missed else ""}" x="{_LEFT}" y="{y + 6}" width="{value * plot:.1f}"'
            f' height="{_ROW - 12}" rx="2"><title>{escape(f"{row.label}: {row.note}")}</title></rect>'
        )
        out.append(f'<text class="value" x="{_LEFT + value * plot + 6:.1f}" y="{y + 19}">{_shown(row.value)}</text>')
        if row.target is not None:
            x = _LEFT + row.target * plot
            out.append(f'<line class="target" x1="{x:.1f}" x2="{x:.1f}" y1="{y + 3}" y2="{y + _ROW - 3}"/>')
    return "".join([*out, "</svg>"])


def curve(title: str, points: Sequence[tuple[float, float]], mark: float) -> str:
    """A falling curve in the unit square; ``mark`` is drawn as a vertical line."""
    height, top, bottom, left = 260, 8, 34, 52
    wide, high = WIDTH - left - 20, height - top - bottom

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * wide, top + (1 - y) * high

    out = [_open(title, height)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        (x0, y), (x1, _) = at(0, share), at(1, share)
        out.append(f'<line class="grid" x1="{x0:.1f}" x2="{x1:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="axis" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
        x, base = at(share, 0)
        out.append(f'<text class="axis" x="{x:.1f}" y="{base + 18:.1f}" text-anchor="middle">{share:g}</text>')
    (x, y0), (_, y1) = at(mark, 0), at(mark, 1)
    out.append(f'<line class="target" x1="{x:.1f}" x2="{x:.1f}" y1="{y0:.1f}" y2="{y1:.1f}"/>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
    out.append(f'<polyline class="curve" points="{path}"/>')
    return "".join([*out, "</svg>"])


def _open(title: str, height: int) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
