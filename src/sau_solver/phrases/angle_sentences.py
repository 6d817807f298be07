"""The sentences of worked steps about angles by code, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

ANGLES: Mapping[str, tuple[str, str]] = {
    # Facts of geometry
    "angle_triangle": ("The three angles of a triangle add up to 180°.", "三角形的内角和是 180°。"),
    "angle_right_triangle": (
        "The two acute angles of a right triangle add up to 90°.",
        "直角三角形的两个锐角互余，和是 90°。",
    ),
    "angle_isosceles": (
        "The base angles of an isosceles triangle are equal, and its three angles add up to 180°.",
        "等腰三角形的两个底角相等，三角形的内角和是 180°。",
    ),
    "angle_isosceles_right": (
        "The two acute angles of an isosceles right triangle are equal and add up to 90°.",
        "等腰直角三角形的两个锐角相等，和是 90°。",
    ),
    "angle_equilateral": (
        "The three angles of an equilateral triangle are equal and add up to 180°.",
        "等边三角形的三个内角相等，和是 180°。",
    ),
    "angle_polygon": (
        "The angles of a polygon with {n} sides add up to ({n} − 2) × 180° = {total}°.",
        "{n} 边形的内角和是 ({n} − 2) × 180° = {total}°。",
    ),
    "angle_quadrilateral": ("The four angles of a quadrilateral add up to 360°.", "四边形的内角和是 360°。"),
    "angle_parallelogram": (
        "Opposite angles of a parallelogram are equal, and adjacent angles add up to 180°.",
        "平行四边形的对角相等，邻角互补，和是 180°。",
    ),
    "angle_isosceles_trapezoid": (
        "The two angles at each base of an isosceles trapezoid are equal, and an angle at one base and an angle at the "
        "other add up to 180°.",
        "等腰梯形同一底上的两个角相等，上底角与下底角互补，和是 180°。",
    ),
    "angle_crossing": (
        "Where two lines cross, opposite angles are equal and adjacent angles add up to 180°.",
        "两条直线相交，对顶角相等，相邻的两个角和是 180°。",
    ),
    "angle_complementary": ("Complementary angles add up to 90°.", "互余的两个角和是 90°。"),
    "angle_supplementary": ("Supplementary angles add up to 180°.", "互补的两个角和是 180°。"),
    "angle_compl": ("An angle and its complement add up to 90°.", "一个角与它的余角的和是 90°。"),
    "angle_suppl": ("An angle and its supplement add up to 180°.", "一个角与它的补角的和是 180°。"),
    "angle_compl_and_suppl": (
        "An angle and its complement add up to 90°, an angle and its supplement to 180°.",
        "一个角与它的余角的和是 90°，与它的补角的和是 180°。",
    ),
    "angle_straight": ("A straight angle is 180°.", "平角是 180°。"),
    "angle_right": ("A right angle is 90°.", "直角是 90°。"),
    "angle_one_straight": ("A straight angle is 180°.", "一个平角是 180°。"),
    "angle_one_right": ("A right angle is 90°.", "一个直角是 90°。"),
    "angle_full_turn": ("A full turn is 360°.", "一周是 360°。"),
    "angle_quarter_turn": ("A quarter turn is 90°.", "四分之一周是 90°。"),
    "angle_full_circle": ("The whole circle is 360°.", "整个圆的圆心角是 360°。"),
    "angle_whole": ("The parts add up to the whole angle of {total}°.", "各部分合起来是整个角 {total}°。"),
    "angle_sum": ("The two angles add up to {total}°.", "两个角的和是 {total}°。"),
    "angle_exterior": (
        "An exterior angle of a triangle is the sum of the two interior angles that are not adjacent to it.",
        "三角形的一个外角等于与它不相邻的两个内角的和。",
    ),
    "angle_leaning": (
        "The wall, the ground and the slope form a right triangle. Its two acute angles add up to 90°.",
        "墙面、地面和斜线围成直角三角形，两个锐角的和是 90°。",
    ),
    "angle_near": (
        "Interior angles on the same side of a line that crosses two parallel lines add up to 180°.",
        "两直线平行，同旁内角互补，和是 180°。",
    ),
    "angle_corr": ("Corresponding angles at parallel lines are equal.", "两直线平行，同位角相等。"),
    "angle_alt": ("Alternate angles at parallel lines are equal.", "两直线平行，内错角相等。"),
    "angle_polygon_sum": (
        "Diagonals from one corner divide a polygon with {n} sides into {n} − 2 triangles of 180° each.",
        "从一个顶点引对角线，可以把 {n} 边形分成 {n} − 2 个三角形，每个三角形的内角和是 180°。",
    ),
    "angle_regular_interior": (
        "The {n} equal angles of the regular polygon add up to ({n} − 2) × 180°.",
        "正 {n} 边形的 {n} 个内角相等，内角和是 ({n} − 2) × 180°。",
    ),
    "angle_regular_exterior": (
        "The {n} exterior angles of the regular polygon are equal and add up to 360°.",
        "正 {n} 边形的 {n} 个外角相等，外角和是 360°。",
    ),
    "angle_exterior_sum": (
        "The exterior angles of every polygon add up to 360°.",
        "任意多边形的外角和都是 360°。",
    ),
    "angle_sides_from_polygon_sum": (
        "The interior angles of a polygon with n sides add up to (n − 2) × 180°, its exterior angles to 360°.",
        "n 边形的内角和是 (n − 2) × 180°，外角和是 360°。",
    ),
    "angle_sides_from_exterior_sum": (
        "The equal exterior angles add up to 360°.",
        "各个外角相等，外角和是 360°。",
    ),
    "angle_sides_from_interior_to_exterior": (
        "An interior angle and its exterior angle add up to 180°; the equal exterior angles add up to 360°.",
        "每个内角与相邻的外角的和是 180°，各个外角相等，外角和是 360°。",
    ),
    "angle_mhand": (
        "The minute hand turns 360° in 60 minutes, so 6° in a minute.",
        "分针 60 分钟转 360°，每分钟转 6°。",
    ),
    "angle_hhand": (
        "The hour hand turns 360° in 12 hours, so 30° in an hour.",
        "时针 12 小时转 360°，每小时转 30°。",
    ),
    "angle_shand": (
        "The second hand turns 360° in 60 seconds, so 6° in a second.",
        "秒针 60 秒转 360°，每秒转 6°。",
    ),
    "angle_numerals": (
        "The 12 numbers of a clock divide 360° into 12 parts of 30° each.",
        "钟面上 12 个大格共 360°，每个大格是 30°。",
    ),
    # Names of angles
    "angle_the": ("the {name}", "{name}"),
    "angle_name_other": ("other angle", "另一个角"),
    "angle_name_angle": ("angle", "这个角"),
    "angle_name_compl": ("complement", "余角"),
    "angle_name_suppl": ("supplement", "补角"),
    "angle_name_vertex": ("vertex angle", "顶角"),
    "angle_name_base": ("base angle", "底角"),
    "angle_name_small": ("smallest angle", "最小的角"),
    "angle_name_smaller": ("smaller angle", "较小的角"),
    "angle_name_larger": ("larger angle", "较大的角"),
    "angle_name_mid": ("middle angle", "中间的角"),
    "angle_name_large": ("largest angle", "最大的角"),
    "angle_name_ord1": ("first angle", "第一个角"),
    "angle_name_ord2": ("second angle", "第二个角"),
    "angle_name_ord3": ("third angle", "第三个角"),
    "angle_name_ord4": ("fourth angle", "第四个角"),
    "angle_name_ord5": ("fifth angle", "第五个角"),
    "angle_name_letter": ("angle {letter}", "∠{letter}"),
    "angle_unit_degrees": ("degrees", "度"),
    "angle_unit_sides": ("sides", "条边"),
    "angle_unit_minutes": ("minutes", "分钟"),
    "angle_unit_hours": ("hours", "小时"),
    "angle_unit_seconds": ("seconds", "秒"),
    "angle_unit_turns": ("turns", "圈"),
}
