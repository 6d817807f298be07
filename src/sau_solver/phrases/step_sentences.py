"""The sentences of worked steps by code, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

STEPS: Mapping[str, tuple[str, str]] = {
    "solve": ("Solve {equations} for {unknowns}.", "解方程 {equations}，求 {unknowns}。"),
    "statement": ("{equations} contains no unknown.", "{equations} 中没有未知数。"),
    "denominators": ("No denominator may be zero: {divisors}.", "分母不能为零：{divisors}。"),
    "collect": (
        "Clear brackets and denominators and collect terms: {equation}.",
        "去分母、去括号、移项并合并同类项：{equation}。",
    ),
    "divide": ("Divide by {factor}: {equation}.", "两边同除以 {factor}：{equation}。"),
    # The school's way, line by line. `at` says which equation of a system a line is about.
    "work_out_numbers": ("{at}Calculate: {equation}.", "{at}计算：{equation}。"),
    "multiply_both": ("{at}Multiply both sides by {factor}: {equation}.", "{at}两边同乘 {factor}：{equation}。"),
    "expand": ("{at}Expand the brackets: {equation}.", "{at}去括号：{equation}。"),
    "simplify": ("{at}Simplify: {equation}.", "{at}化简：{equation}。"),
    "combine": ("{at}Combine like terms: {equation}.", "{at}合并同类项：{equation}。"),
    "standard": ("{at}Bring the unknowns to the left: {equation}.", "{at}移项整理：{equation}。"),
    "add_both": ("Add {term} to both sides: {equation}.", "两边同加 {term}：{equation}。"),
    "subtract_both": ("Subtract {term} from both sides: {equation}.", "两边同减 {term}：{equation}。"),
    "divide_both": ("Divide both sides by {factor}: {equation}.", "两边同除以 {factor}：{equation}。"),
    "swap": ("Swap the sides: {equation}.", "左右两边交换：{equation}。"),
    "one_side": ("Bring all terms to one side: {equation}.", "移项整理，使右边为 0：{equation}。"),
    "isolate_square": ("Bring the square to one side alone: {equation}.", "整理得：{equation}。"),
    "square_root": ("Take the square root: {equation}.", "两边开平方：{equation}。"),
    "zero_product": (
        "A product is zero only if one of its factors is zero: {equation}.",
        "乘积为 0，至少有一个因式为 0：{equation}。",
    ),
    "so": ("So {equation}.", "所以 {equation}。"),
    "formula_values": (
        "Use the quadratic formula with a = {a}, b = {b}, c = {c}: {rule} = {inside} = {discriminant}.",
        "用求根公式，a = {a}，b = {b}，c = {c}：{rule} = {inside} = {discriminant}。",
    ),
    "formula": ("Put this into the formula: {equation}.", "代入公式：{equation}。"),
    "negative_discriminant": (
        "This is negative, so no real number solves the equation.",
        "判别式小于 0，方程没有实数根。",
    ),
    "either": ("{one} or {other}", "{one} 或 {other}"),
    "about": ("{equation} ≈ {decimal}", "{equation} ≈ {decimal}"),
    "solve_system": ("Solve the equations {equations}.", "解方程组：{equations}。"),
    "labeled": ("({number}) {equation}", "({number}) {equation}"),
    "label": ("({number})", "({number})"),
    "at": ("Equation {label}. ", "方程 {label}："),
    "first": ("Start with {label}, which has only one unknown.", "先解只含一个未知数的方程 {label}。"),
    "put": ("Put {values} into {label}: {equation}.", "把 {values} 代入 {label}：{equation}。"),
    "express": ("From {label}: {equation}.", "由 {label} 得 {equation}。"),
    "substitute": ("Substitute {source} into {label}: {equation}.", "把 {source} 代入 {label}：{equation}。"),
    "call": ("Call this ({number}): {equation}.", "记为 ({number})：{equation}。"),
    "back": (
        "Put {values} into {source}: {equation} = {value}.",
        "把 {values} 代入 {source}：{equation} = {value}。",
    ),
    "add_rows": ("Add {one} and {other}: {equation}.", "{one} + {other}：{equation}。"),
    "subtract_rows": ("Subtract {other} from {one}: {equation}.", "{one} − {other}：{equation}。"),
    "multiply_row": (
        "Multiply {label} by {factor} and call it ({number}): {equation}.",
        "{label} × {factor}，记为 ({number})：{equation}。",
    ),
    "square": ("Complete the square: {equation}.", "配方：{equation}。"),
    "negative_square": ("No real number has the square {value}.", "任何实数的平方都不等于 {value}。"),
    "factor": ("Factor: {equation}.", "因式分解：{equation}。"),
    "common_factor": ("The equations have the common factor {equation}.", "各方程的公因式：{equation}。"),
    "case": ("Case {equation}:", "当 {equation} 时："),
    "solve_for": ("From {equation}: {result}.", "由 {equation} 得 {result}。"),
    "substitute_all": ("Substitute this into the other equations: {equations}.", "代入其余方程：{equations}。"),
    "radical": ("Let {name} stand for the root: {equation}.", "用 {name} 表示根式：{equation}。"),
    "eliminate": ("Eliminate {unknown}: {equation}.", "消去 {unknown}：{equation}。"),
    "matrix": ("Solve the linear system by Gaussian elimination.", "用高斯消元法解线性方程组。"),
    "symbolic": ("The equations were solved symbolically.", "用符号计算解方程。"),
    "excluded": ("Drop {solution}: it makes a denominator zero.", "舍去 {solution}：它使分母为零。"),
    "drop_condition": (
        "Drop {solution}: it does not meet {conditions}.",
        "舍去 {solution}：不满足 {conditions}。",
    ),
    "root": ("Solution: {solution}.", "解：{solution}。"),
    "check": ("Check{place}: {equation}.", "检验{place}：{equation}。"),
    "check_sides": (
        "Check{place}: left {left} = {value}, right {right} = {value}.",
        "检验{place}：左边 {left} = {value}，右边 {right} = {value}。",
    ),
    "check_place": (" {label}", " {label}"),
    "check_root": (" {solution}", " {solution}"),
    "infinite": ("There are infinitely many solutions: {reason}.", "有无穷多解：{reason}。"),
    "all_families": ("All of them satisfy {solution}.", "所有的解都满足 {solution}。"),
    "one_family": ("Some of them satisfy {solution}.", "其中一些解满足 {solution}。"),
    "partial": ("There may be other solutions.", "可能还有其他解。"),
    "none": ("There is no solution: {reason}.", "无解：{reason}。"),
    "too_hard": ("No solution was found within the limits: {reason}.", "在允许的范围内没有解出：{reason}。"),
    # The story of a word problem: its numbers, its unknowns, its answer.
    "guess": (
        "This is a guess: the solver is not sure that these are the right equations.",
        "以下只是猜测：不能确定所列的方程是否正确。",
    ),
    "answer_guess": ("Guess: {answer}.", "猜测：{answer}。"),
    "numbers": ("Numbers in the text: {numbers}.", "题中的数：{numbers}。"),
    "number": ("“{words}” gives {value}", "“{words}”对应 {value}"),
    "number_in_unit": ("{value} {unit}", "{value}{unit}"),
    "unused": ("Not needed: {numbers}.", "没有用到：{numbers}。"),
    "unused_number": ("the {value} in “{words}”", "“{words}”中的 {value}"),
    "unused_more": ("{count} more numbers", "另外 {count} 个数"),
    "constants": ("Not in the text, but generally known: {values}.", "题中没有给出、属于常识的数：{values}。"),
    "let_question": ("Let {unknown} be the quantity to find: “{question}”", "设所求的量为 {unknown}：“{question}”"),
    "let_number": (
        "Let {unknown} be the number of {things}: “{question}”",
        "设{things}的个数为 {unknown}：“{question}”",
    ),
    "let_clause": ("Let {before} {unknown} {after}.", "设{before} {unknown} {after}。"),
    "let_thing": ("Let {unknown} be {thing}.", "设{thing}为 {unknown}。"),
    "let_several": ("Let {unknowns} be the quantities to find: {questions}", "设所求的量为 {unknowns}：{questions}"),
    "let_all": ("Let {parts}.", "设{parts}。"),
    "chained": ("{one}{other}", "{one}{other}"),
    "let_first_number": ("{unknown} be the number of {thing}{unit}", "{thing}为 {unknown}{unit}"),
    "let_next_number": (" and {unknown} the number of {thing}{unit}", "，{thing}为 {unknown}{unit}"),
    "let_first_thing": ("{unknown} be {thing}{unit}", "{thing}为 {unknown}{unit}"),
    "let_next_thing": (" and {unknown} be {thing}{unit}", "，{thing}为 {unknown}{unit}"),
    "let_rest": ("; the other unknown is {unknowns}", "，另一个未知量为 {unknowns}"),
    "let_unit": (" ({unit})", " {unit}"),
    "quoted": ("“{question}” ", "“{question}”"),
    "calculate": ("Calculate {expression}.", "计算 {expression}。"),
    "given": ("The value is {value}.", "值是 {value}。"),
    "calculation": ("{meaning}{operation} = {value}{unit}", "{meaning}{operation} = {value}{unit}"),
    "meaning": ("{words}: ", "{words}："),
    "words": ("“{words}”", "“{words}”"),
    "things": (" {things}", "（{things}）"),
    "calculation_rest": ("The remaining operations give {value}", "依次算完其余各步，得 {value}"),
    "drop_negative": (
        "Drop {solution}: a negative value makes no sense here.",
        "舍去 {solution}：这里的量不能是负数。",
    ),
    "drop_impossible": (
        "Drop {solution}: it would take away more than there is.",
        "舍去 {solution}：否则减去的比原有的还多。",
    ),
    "drop_trivial": ("Drop {solution}: zero makes no sense here.", "舍去 {solution}：取零不合题意。"),
    "drop_bounded": ("Drop {solution}: it exceeds a limit given in the text.", "舍去 {solution}：超出了题中的限制。"),
    "drop_fractional": ("Drop {solution}: the number of things must be whole.", "舍去 {solution}：个数应为整数。"),
    "drop_unwanted": (
        "Drop {solution}: the text asks for the other solution.",
        "舍去 {solution}：题目所求的是另一个解。",
    ),
    # Mathematics without a story.
    "euclid": ("{one} = {quotient} × {divisor} + {rest}", "{one} = {quotient} × {divisor} + {rest}"),
    "common_divisor": (
        "The greatest common divisor of {one} and {other} is {value}.",
        "{one} 和 {other} 的最大公因数是 {value}。",
    ),
    "common_multiple": (
        "The least common multiple of {one} and {other} is {one} × {other} ÷ {shared} = {value}; {shared} is their "
        "greatest common divisor.",
        "{one} 和 {other} 的最小公倍数是 {one} × {other} ÷ {shared} = {value}，其中 {shared} 是它们的最大公因数。",
    ),
    "product": ("{number} = {product}", "{number} = {product}"),
    "greatest_of": (
        "The greatest common divisor of {numbers} is {product}.",
        "{numbers} 的最大公因数是 {product}。",
    ),
    "least_of": ("The least common multiple of {numbers} is {product}.", "{numbers} 的最小公倍数是 {product}。"),
    # Stories about common divisors and multiples: why one is looked for.
    "story_events": (
        "Each comes back at multiples of its own interval, so all come together at the common multiples of {numbers}. "
        "The first one is their least common multiple.",
        "各自出现的时刻是自己间隔的倍数，同时出现的时刻就是 {numbers} 的公倍数，第一次就是它们的最小公倍数。",
    ),
    "story_distances": (
        "Each ends at multiples of its own length, so both end together at the common multiples of {numbers}. The "
        "first one is their least common multiple.",
        "各自到达的位置是自己长度的倍数，重合的位置就是 {numbers} 的公倍数，第一次重合就是它们的最小公倍数。",
    ),
    "story_packs": (
        "The number of things of each kind is a common multiple of {numbers}. The smallest one is their least common "
        "multiple.",
        "数量相等时，这个数量是 {numbers} 的公倍数，最少就是它们的最小公倍数。",
    ),
    "story_arrangements": (
        "The number is divisible by {numbers}. The smallest such number is their least common multiple.",
        "这个数能同时被 {numbers} 整除，最小的就是它们的最小公倍数。",
    ),
    "story_left_over": (
        "Without the {rest} left over, the number is divisible by {numbers}. The smallest such number is their least "
        "common multiple.",
        "去掉余下的 {rest} 之后，这个数能同时被 {numbers} 整除，最小的就是它们的最小公倍数。",
    ),
    "story_missing": (
        "With {rest} more, the number is divisible by {numbers}. The smallest such number is their least common "
        "multiple.",
        "添上缺少的 {rest} 之后，这个数能同时被 {numbers} 整除，最小的就是它们的最小公倍数。",
    ),
    "story_tiles": (
        "The side of the square is a common multiple of {numbers}. The smallest one is their least common multiple.",
        "正方形的边长是 {numbers} 的公倍数，最小的边长就是它们的最小公倍数。",
    ),
    "story_gears": (
        "When the same teeth meet again, a common multiple of {numbers} teeth has passed. The first one is their least "
        "common multiple.",
        "同一对齿再次相遇时，转过的齿数是 {numbers} 的公倍数，第一次就是它们的最小公倍数。",
    ),
    "story_lengths": (
        "The measure to find must go into {numbers} without a remainder. The greatest such measure is their greatest "
        "common divisor.",
        "所求的长度要能同时整除 {numbers}，最长就是它们的最大公因数。",
    ),
    "story_squares": (
        "The side must go into {numbers} without a remainder. The longest such side is their greatest common divisor.",
        "边长要能同时整除 {numbers}，最长的边长就是它们的最大公因数。",
    ),
    "story_groups": (
        "The number of groups must divide {numbers} without a remainder. The greatest such number is their "
        "greatest common divisor.",
        "份数要能同时整除 {numbers}，最多的份数就是它们的最大公因数。",
    ),
    "story_rows": (
        "The number in each group must divide {numbers} without a remainder. The greatest such number is their "
        "greatest common divisor.",
        "每组的数量要能同时整除 {numbers}，最多就是它们的最大公因数。",
    ),
    # Times of day and durations.
    "clock_count": ("From {start} to {end}: {duration}", "从{start}到{end}：{duration}"),
    "clock_total": ("Together: {sum} = {total}", "合起来：{sum} = {total}"),
    "clock_minutes": ("{duration}: {worked} = {minutes} minutes", "{duration}：{worked} = {minutes}（分钟）"),
    "clock_equal": ("{one} = {other}", "{one} = {other}"),
    "clock_in_minutes": ("{minutes} minutes", "{minutes}分钟"),
    "clock_after": ("{duration} after {time} it is {result}.", "{time}再过{duration}是{result}。"),
    "clock_before": ("{duration} before {time} it is {result}.", "{time}往前推{duration}是{result}。"),
    "clock_next_day": ("{time} the next day", "第二天{time}"),
    "clock_day_before": ("{time} the day before", "前一天{time}"),
    "is_prime": (
        "{number} is divisible only by 1 and itself, so it is prime.",
        "{number} 只能被 1 和它本身整除，是质数。",
    ),
    "is_composite": ("{number} = {product}, so it is not prime.", "{number} = {product}，不是质数。"),
    "is_one": ("1 is neither prime nor composite.", "1 既不是质数，也不是合数。"),
    "factorized": ("Prime factors: {number} = {product}", "分解质因数：{number} = {product}"),
    "compared": ("Compare: {comparison}", "比较：{comparison}"),
    "distance": ("The distance from {one} to {other} is {value}.", "{one} 与 {other} 相差 {value}。"),
    "scaled": (
        "Multiply both terms of {ratio} by {factor}: {result}",
        "{ratio} 的前项和后项同时乘以 {factor}：{result}",
    ),
    "reduced": (
        "Divide both terms of {ratio} by {factor}: {result}",
        "{ratio} 的前项和后项同时除以 {factor}：{result}",
    ),
    "rounded": ("Round: {before} ≈ {after}", "四舍五入：{before} ≈ {after}"),
    "rewrite_simplify": ("Collect and cancel: {before} = {after}", "化简：{before} = {after}"),
    "rewrite_expand": ("Expand: {before} = {after}", "展开并合并同类项：{before} = {after}"),
    "rewrite_factor": ("Factor: {before} = {after}", "因式分解：{before} = {after}"),
    "same_simplify": ("{expression} is already as simple as it can be.", "{expression} 已经是最简形式。"),
    "same_expand": ("{expression} has no brackets to expand.", "{expression} 没有需要展开的括号。"),
    "same_factor": (
        "{expression} cannot be factored with rational numbers.",
        "{expression} 在有理数范围内不能再分解。",
    ),
    "rewrite_derivative": ("Differentiate term by term: ({before})' = {after}", "逐项求导：({before})' = {after}"),
    "rewrite_roots": ("Both roots of {equation} are square roots.", "平方根就是方程 {equation} 的两个根。"),
    "constant": (
        "The equations leave unknowns free, but {expression} is always {values}.",
        "方程不能确定每个未知数的值，但 {expression} 总等于 {values}。",
    ),
    "label_quotient": ("quotient", "商"),
    "label_remainder": ("remainder", "余数"),
    "verdict_yes": ("yes", "是"),
    "verdict_no": ("no", "不是"),
    "verdict_prime": ("prime", "质数"),
    "verdict_composite": ("composite", "合数"),
    "find": ("So {expression} = {filled} = {value}.", "所以 {expression} = {filled} = {value}。"),
    "find_value": ("So {expression} = {value}.", "所以 {expression} = {value}。"),
    "round_up": ("A part counts as a whole here, so round up: {value}.", "不足一个也要算一个，用进一法取 {value}。"),
    "round_down": ("Only whole ones count, so round down: {value}.", "只算完整的，用去尾法取 {value}。"),
    "round_nearest": ("Round as the problem says: {value}.", "按题目要求四舍五入，得 {value}。"),
    "round_estimate": (
        "Estimate with rounded numbers: {value}.",
        "求大约是多少，用估算得 {value}。",
    ),
    "round_missing": ("To be complete, the last group needs {value} more.", "最后一组还差 {value} 才完整。"),
    "round_remainder": ("What is left over: {value}.", "余下：{value}。"),
    "answer": ("Answer: {answer}.", "答：{answer}。"),
    "or": (" or ", "或"),
    "or_else": ("; or ", "；或 "),
    "and": (" and ", " 和 "),
    "names": (", ", "、"),
    "list": (", ", "，"),
    "skipped": (
        "The equations do not answer these questions: {questions}",
        "以下问题无法由方程得出答案，未作回答：{questions}",
    ),
    "named_value": ("{label}: {value}", "{label} {value}"),
}
