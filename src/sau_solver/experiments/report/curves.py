"""Risk-coverage curves -> an SVG picture: how many answers are wrong where only the surest problems are answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from sau_solver.experiments.report.reliability import Point

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 360, 60, 46, 16, 150  # pixels; the names stand on the right
COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700")
MOST_POINTS = 400  # of a drawn line

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .axis { stroke: #1f2328; stroke-width: 1 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .curve { fill: none; stroke-width: 2 }
"""


def draw_risk_coverage(curves: Mapping[str, Sequence[Point]]) -> str:
    """One line for each curve, with its name; coverage to the right, risk upwards, both in per cent."""
    highest = max((point.risk for points in curves.values() for point in points), default=0.0)
    top = max(0.1, -(-highest * 100 // 10) / 10)  # the next full ten per cent
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'role="img" aria-label="Risk-coverage curve">',
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *_axes(top),
    ]
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{_x(point.coverage):.1f},{_y(point.risk, top):.1f}" for point in thinned(points))
        parts.append(f'<polyline class="curve" stroke="{colour}" points="{line}"/>')
        height = TOP + 14 + 18 * number
        parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{height - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 28}" y="{height}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """At most so many points, evenly spread, the last among them."""
    if len(points) <= most:
        return list(points)
    return [points[(number + 1) * len(points) // most - 1] for number in range(most)]


def _axes(top: float) -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10 * tenth}</text>')
    for tenth in range(round(top * 10) + 1):
        y = _y(tenth / 10, top)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10 * tenth}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    upright = (TOP + HEIGHT - BOTTOM) / 2
    parts += [
        f'<line class="axis" x1="{LEFT}" y1="{HEIGHT - BOTTOM}" x2="{WIDTH - RIGHT}" y2="{HEIGHT - BOTTOM}"/>',
        f'<line class="axis" x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{HEIGHT - BOTTOM}"/>',
        f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">problems answered, %</text>',
        f'<text x="16" y="{upright}" text-anchor="middle" transform="rotate(-90 16 {upright})">wrong answers, %</text>',
    ]
    return parts


def _x(coverage: float) -> float:
    return LEFT + coverage * (WIDTH - RIGHT - LEFT)


def _y(risk: float, top: float) -> float:
    return HEIGHT - BOTTOM - risk / top * (HEIGHT - BOTTOM - TOP)
