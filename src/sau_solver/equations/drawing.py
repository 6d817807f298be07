"""Universal expression trees -> pictures: text for a terminal, SVG for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from sau_solver.equations.expressions import Number, number_text
from sau_solver.equations.symbols import Slot, Symbol, symbol_text
from sau_solver.equations.uet import Uet

COLUMN, ROW, RADIUS, MARGIN = 22, 56, 17, 12  # pixels
SHOWN = {"*": "×", "/": "÷", "-": "−"}


@dataclass(slots=True)
class _Node:
    label: str
    kind: str
    depth: int
    parent: int | None
    children: list[int]
    column: float = 0.0


def draw_text(tree: Uet, numbers: Sequence[Fraction] = ()) -> str:
    """Return the tree as lines of text, with the root on top."""
    nodes = _layout(tree, numbers, gap=2)
    height = 2 * max(node.depth for node in nodes) + 1
    width = int(max(node.column + len(node.label) for node in nodes)) + 2
    canvas = [[" "] * width for _ in range(height)]
    for node in nodes:
        start = round(node.column - (len(node.label) - 1) / 2)
        canvas[2 * node.depth][start : start + len(node.label)] = node.label
        if node.children:
            left, right = (round(nodes[child].column) for child in node.children)
            middle = round(node.column)
            branch = canvas[2 * node.depth + 1]
            branch[left : right + 1] = "─" * (right - left + 1)
            branch[left], branch[middle], branch[right] = "┌", "┴", "┐"
    return "\n".join("".join(line).rstrip() for line in canvas)


def draw_svg(tree: Uet, numbers: Sequence[Fraction] = ()) -> str:
    """Return the tree as a standalone SVG picture for light and dark pages."""
    nodes = _layout(tree, numbers, gap=1, unit=1 / 2.2)
    places = [(MARGIN + RADIUS + COLUMN * n.column, MARGIN + RADIUS + ROW * n.depth) for n in nodes]
    halves = [max(RADIUS, 5.0 * len(node.label) + 7) for node in nodes]
    shift = max(0.0, max(half - x for half, (x, _) in zip(halves, places, strict=True)) + MARGIN)
    places = [(x + shift, y) for x, y in places]
    width = max(x + half for half, (x, _) in zip(halves, places, strict=True)) + MARGIN
    height = max(y for _, y in places) + RADIUS + MARGIN
    lines = [
        f'<line x1="{places[n.parent][0]:.1f}" y1="{places[n.parent][1]:.1f}" x2="{x:.1f}" y2="{y:.1f}"/>'
        for n, (x, y) in zip(nodes, places, strict=True)
        if n.parent is not None
    ]
    shapes = [
        f'<g class="{n.kind}"><rect x="{x - half:.1f}" y="{y - RADIUS:.1f}" width="{2 * half:.1f}" '
        f'height="{2 * RADIUS}" rx="{RADIUS}"/><text x="{x:.1f}" y="{y + 5:.1f}">{escape(n.label)}</text></g>'
        for n, (x, y), half in zip(nodes, places, halves, strict=True)
    ]
    title = escape(str(tree))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style>",
            *lines,
            *shapes,
            "</svg>",
            "",
        ]
    )


_STYLE = """
line { stroke: #8a94a6; stroke-width: 1.5 }
rect { stroke-width: 1.5 }
text { font: 15px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; fill: #1c2430 }
.operator rect { fill: #e8ecf3; stroke: #5b6b86 }
.unknown rect { fill: #ffe9c7; stroke: #c47f17 }
.constant rect { fill: #eee6fa; stroke: #7d55b8 }
.number rect { fill: #d9f0e3; stroke: #2f8a5b }
"""


def label_of(symbol: Symbol, numbers: Sequence[Fraction]) -> str:
    """Return the label of a node; a slot shows its number."""
    if isinstance(symbol, Slot) and symbol.index < len(numbers):
        symbol = Number(numbers[symbol.index])
    if isinstance(symbol, Number):
        return number_text(symbol.value)
    text = symbol_text(symbol)
    return SHOWN.get(text, text)


def kind_of(symbol: Symbol) -> str:
    """Return the kind of a node: operator, unknown, constant or number."""
    if isinstance(symbol, str):
        return "operator"
    return {"Slot": "number", "Number": "constant"}.get(type(symbol).__name__, "unknown")


def parents_of(tree: Uet) -> list[int | None]:
    """Return the parent of each node, in prefix order; the root has None."""
    return [node.parent for node in _layout(tree, (), gap=0)]


def _layout(tree: Uet, numbers: Sequence[Fraction], gap: float, unit: float = 1.0) -> list[_Node]:
    """Return the nodes in prefix order; leaves are side by side, an operator is centered above its operands."""
    nodes: list[_Node] = []
    open_operators: list[int] = []
    right_edge = 0.0
    for symbol in tree.symbols:
        parent = open_operators[-1] if open_operators else None
        node = _Node(
            label_of(symbol, numbers), kind_of(symbol), 0 if parent is None else nodes[parent].depth + 1, parent, []
        )
        nodes.append(node)
        if parent is not None:
            nodes[parent].children.append(len(nodes) - 1)
        if isinstance(symbol, str):
            open_operators.append(len(nodes) - 1)
            continue
        width = max(1.0, len(node.label) * unit)
        node.column = right_edge + (width - 1) / 2
        right_edge += width + gap
        while open_operators and len(nodes[open_operators[-1]].children) == 2:
            full = nodes[open_operators.pop()]
            full.column = sum(nodes[child].column for child in full.children) / 2
    return nodes
