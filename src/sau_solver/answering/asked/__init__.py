"""Solved equations and the questions of a text -> one `Asked` for each thing that the text asks for.

`text/asking` reads the questions: a list of things, each with its words, its unit and its relation (a value, a sum, the
larger one). This folder finds the unknown or expression that answers each thing. `entries.ask` tries, in this order:

1. The text names a common divisor or multiple of its numbers: `entries.common_number`.
2. Every share of a whole that is divided in a ratio: `ratio_shares`. All things together are one combination of the
   unknowns, 2*x+4*y: `totals`.
3. One thing. Equations that define one unknown by numbers, x=130*3: `definitions`. One unknown: `single_unknown`, with
   `derived` (which uses `trades` and `growths`), `totals`, `shapes` and `parts`. Several unknowns: a side of an
   equation (`totals`), a measure of a figure (`shapes`), a number of two digits (`two_digit_numbers`), a term of an
   equation (`equation_terms`), then a sum, difference, ratio or product (`sums_and_ratios`).
4. Several things and one unknown: `parts`, `travel`, then `derived`. Two things and two unknowns that are computed:
   `two_calculations`.
5. What is still open is an unknown: `linking` decides which one, by evidence from the words (`word_evidence`) and from
   what everybody knows (`known_evidence`). Without clear evidence all unknowns are listed.
6. A quotient that must be whole is rounded: `rounding`.

`quantities` has the type that all of them pass around: an expression, its value and its role in the equations.
"""

from sau_solver.answering.asked.entries import Asked, ask, common_number

__all__ = ["Asked", "ask", "common_number"]
