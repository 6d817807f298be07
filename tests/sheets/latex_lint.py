"""A strict reader of the LaTeX that worksheets use: a document that passes has nothing that LaTeX would stumble over.

It stands in for a TeX installation, which tests cannot expect.
"""

from __future__ import annotations

import re

_MATH = "times div cdot pm le ge ne approx surd pi frac left right sqrt mathit text displaystyle"
_TEXT = (
    "documentclass usepackage setlength parindent sloppy begin end section item par hspace vspace hfill bigskip "
    "underline clearpage emph textbf textbackslash textasciicircum textasciitilde textless textgreater textbar "
    "textquotedbl textasciigrave ldots textdegree textsuperscript texteuro pounds textyen operatorname arabic "
    "log ln exp sin cos tan gcd"
)
MATH_ONLY = frozenset(_MATH.split(" "))
COMMANDS = MATH_ONLY | frozenset(_TEXT.split(" "))
TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|([{}$#%&_^~\n])|([^\\{}$#%&_^~\n]+)", re.DOTALL)


class LatexError(AssertionError):
    """What is wrong, and in which line."""


def check_latex(document: str) -> None:
    """Raise LatexError unless braces, math mode and environments are closed and every special character is escaped."""
    braces: list[tuple[bool, bool]] = []  # math mode before and after each open brace
    environments: list[str] = []
    math, blank, delimiters, line = False, False, 0, 1
    last: str | None = None
    place = 0
    while place < len(document):
        found = TOKEN.match(document, place)
        if found is None:
            raise LatexError(f"line {line}: a backslash at the end")
        place = found.end()
        is_text = last in ("text", "textbf")  # text inside a formula
        command, escaped, special, _ = found.groups()
        last = command
        newline = special == "\n"
        if newline and blank and math:
            raise LatexError(f"line {line}: a blank line in math mode")
        blank = newline or (blank and not found[0].strip())
        if command:
            if command not in COMMANDS:
                raise LatexError(f"line {line}: the command \\{command}")
            if command in MATH_ONLY and not math:
                raise LatexError(f"line {line}: \\{command} outside math mode")
            delimiters += (command == "left") - (command == "right")
            if command in ("begin", "end"):
                name = re.compile(r"\{(\w+)\}").match(document, place)
                if name is None:
                    raise LatexError(f"line {line}: \\{command} without a name")
                if command == "begin":
                    environments.append(name[1])
                elif not environments or environments.pop() != name[1]:
                    raise LatexError(f"line {line}: \\end{{{name[1]}}} does not match")
        elif escaped and escaped not in "#$%&_{}\\ \n":
            raise LatexError(f"line {line}: \\{escaped}")
        elif special == "{":
            braces.append((math, math and not is_text))
            math = math and not is_text
        elif special == "}":
            before, inside = braces.pop() if braces else (False, True)
            if inside != math:
                raise LatexError(f"line {line}: an unmatched brace")
            math = before
        elif special == "$":
            math = not math
        elif special == "%":
            if line > 1:
                raise LatexError(f"line {line}: a comment")
            place = document.index("\n", place)
        elif (special == "^" and not math) or special in ("#", "&", "_"):
            raise LatexError(f"line {line}: a bare {special}")
        line += found[0].count("\n")
    if braces or math or environments or delimiters:
        raise LatexError(f"at the end: {len(braces)} braces, math mode {math}, {environments}, {delimiters} brackets")
