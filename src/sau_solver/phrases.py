"""The sentences of worked steps, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

from sau_solver.problem import Language

PHRASES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "solve": "Solve {equations} for {unknowns}.",
        "statement": "Look at {equations}: it holds no unknown.",
        "denominators": "No denominator may be zero: {divisors}.",
        "collect": "Clear brackets and denominators and collect terms: {equation}.",
        "divide": "Divide by {factor}: {equation}.",
        "square": "Complete the square: {equation}.",
        "negative_square": "No square is {value}.",
        "factor": "Factor: {equation}.",
        "express": "From {equation}: {result}.",
        "substitute": "Substitute it into the other equations: {equations}.",
        "radical": "Let {name} be the root with {equation}.",
        "eliminate": "Eliminate {unknown}: {equation}.",
        "symbolic": "The equations were solved symbolically.",
        "excluded": "Drop {solution}: it makes a denominator zero.",
        "root": "Solution: {solution}.",
        "check": "Check: {equation}; left {left}, right {right}.",
        "check_near": "Check: {solution} satisfies {equation} exactly (both sides ≈ {left}).",
        "infinite": "There are infinitely many solutions: the equations do not fix every unknown.",
        "family": "In all of one family of them {solution}.",
        "none": "There is no solution: {reason}.",
        "too_hard": "No solution was found within the limits: {reason}.",
    },
    "zh": {
        "solve": "解 {equations}，求 {unknowns}。",
        "statement": "{equations} 中没有未知数。",
        "denominators": "分母不能为零：{divisors}。",
        "collect": "去括号、去分母并合并同类项：{equation}。",
        "divide": "两边同除以 {factor}：{equation}。",
        "square": "配方：{equation}。",
        "negative_square": "任何数的平方都不等于 {value}。",
        "factor": "因式分解：{equation}。",
        "express": "由 {equation} 得 {result}。",
        "substitute": "代入其余方程：{equations}。",
        "radical": "设 {name} 为满足 {equation} 的根。",
        "eliminate": "消去 {unknown}：{equation}。",
        "symbolic": "方程用符号方法求解。",
        "excluded": "舍去 {solution}：它使分母为零。",
        "root": "解：{solution}。",
        "check": "检验：{equation}；左边 {left}，右边 {right}。",
        "check_near": "检验：{solution} 精确满足 {equation}（两边约为 {left}）。",
        "infinite": "有无穷多解：方程不能确定每个未知数。",
        "family": "其中一族解满足 {solution}。",
        "none": "无解：{reason}。",
        "too_hard": "在限定的时间和内存内没有解出：{reason}。",
        # The reasons that the solver gives, which are English.
        "an expression divides by zero": "式子中除数为零",
        "no real values satisfy all equations": "没有实数满足所有方程",
        "every root makes a denominator zero": "每个根都使分母为零",
        "the statement is false and holds no unknown": "等式不成立，且不含未知数",
        "the equation is false for every value": "无论未知数取何值，等式都不成立",
        "the equations contradict each other": "方程互相矛盾",
        "a power with thousands of digits": "乘方的结果有成千上万位",
        "a solution with thousands of digits": "解有成千上万位",
        "no method is known for these equations": "没有已知的方法解这些方程",
    },
}
