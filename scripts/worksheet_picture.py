"""Take the picture of docs/worksheets.md: the two pages of a worksheet as a browser prints them.

python scripts/worksheet_picture.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for scripts/

import sau_solver as sau  # noqa: E402
from sau_solver.sheets.html_sheet import html_sheet  # noqa: E402
from sau_solver.sheets.sheet import item_of, make_sheet  # noqa: E402
from scripts.browsing import launched  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "worksheet.png"
WIDTH, HEIGHT, GAP = 665, 700, 40  # pixels: the print area of A4 at 96 pixels per inch, cut off below the last line
TEXTS = (
    "Tom has 3 apples and buys 5 more. How many apples does he have?",
    "A farmer has goats and hens. They have 30 heads and 86 legs. How many goats are there?",
    "一支钢笔8元，买3支钢笔要多少元？",
)
# A browser does not show page breaks on a screen, so two columns stand for two pages.
PAGES = f"""
html {{ background: #c8ccd2 }}
body {{ columns: {WIDTH}px 2; column-gap: {GAP + 32}px; column-fill: auto; box-sizing: border-box; height: {HEIGHT}px;
       margin: {GAP // 2}px; padding: 0 16px; column-rule: {GAP}px solid #c8ccd2 }}
.page {{ break-before: column }}
"""


def main() -> None:
    """Solve the problems, lay the worksheet out and take the picture."""
    items = []
    for solution in sau.load().solve_many(TEXTS):
        items.append(item_of(solution.as_json() | {"step_kinds": [step.kind for step in solution.steps]}))
    sheet = html_sheet(make_sheet(items, "separate", "en"))
    with launched() as browser:
        page = browser.new_page(viewport={"width": 2 * WIDTH + 2 * GAP + 64, "height": HEIGHT + GAP})
        page.emulate_media(media="print")
        page.set_content(sheet.replace("</style>", f"@media print {{ {PAGES} }}</style>"))
        PICTURE.write_bytes(page.screenshot())
    print(f"{PICTURE.relative_to(ROOT)}  {PICTURE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
