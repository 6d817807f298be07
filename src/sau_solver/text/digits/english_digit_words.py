"""English texts about digits -> the same text with a letter for each quantity, so that few patterns suffice."""

from __future__ import annotations

import re

from sau_solver.text.digits.digit_reading import PLACES

_ARTICLE = r"(?:(?:the|a|an|this|that|my|its|their|his|her|such a|each) )?"
_KIND = (
    r"(?:(?:certain|original|given|unknown|whole|natural|positive|secret|mystery|first|initial|same|actual|old"
    r"|different|particular|counting|possible) )*"
)
_OF_NUMBER = r"(?: (?:of|in|for|from) (?:it|N))?"
_TURNED = r"(?:reversed|interchanged|switched|exchanged|swapped|transposed|inverted|flipped|reversed in order)"
_TURNING = r"(?:reversing|interchanging|switching|exchanging|swapping|transposing|inverting|flipping)"
_TURN = r"(?:reverse|interchange|switch|exchange|swap|transpose|invert|flip)"
_BOTH = r"(?:(?:the|its|my|both|all|of|these|those|[2-4]) )*"
_PLACES_TURNED = re.compile(
    rf"\b(?:the )?(?:tens|ones|units)(?: digit)? and (?:the )?(?:tens|ones|units) digits? (?:are|is) {_TURNED}\b"
)
_MADE = r"(?:formed|obtained|made|produced|created|found|gotten|got|that (?:is|results|you get)|you get|resulting)"

# In order. The first group brings other wordings to one, the second writes letters.
_REPLACEMENTS: tuple[tuple[str, str], ...] = (
    (r" 's\b", "'s"),
    (r"\s+(?=[.,?!;])", ""),
    (r" - (?=digits?\b)", "-"),
    (r"\bno\.(?= )", "number"),
    (r"\b(unit|ten|hundred)s? ?' ?s\b", r"\1s"),
    (r"\bcounting numeral\b|\bnumeral\b", "number"),
    (r"\bi'm\b", "i am"),
    (r"\bwhat's\b", "what is"),
    (r"\bit's\b", "it is"),
    (r"\bcan't\b", "can not"),
    (r"\b(\d)[- ]digits?(?: numeral)?\b(?= (?:even |odd |whole |natural |positive )*(?:number|integer|multiple"
     r"|code))", r"\1-digit"),
    (r"\binteger(s?)\b", r"number\1"),
    (r"\b(?:larger|greater|bigger|higher)\b", "more"),
    (r"\b(?:smaller|lesser|lower|fewer)\b", "less"),
    (r"\b(?:greatest|biggest|highest)\b", "largest"),
    (r"\b(?:least|lowest)\b", "smallest"),
    (r"\bthere(?: is|'s)\b", "there is"),
    (r"\b(?:ones|one's|1s|units|unit's|unit)(?:'|s')?(?: place| position)?(?:'s)? digits?\b", "O"),
    (r"\b(?:tens|ten's|10s|ten)'?(?: place| position)?(?:'s)? digits?\b", "T"),
    (r"\b(?:hundreds|hundred's|100s|hundred)'?(?: place| position)?(?:'s)? digits?\b", "H"),
    (r"\b(?:thousands|thousand's|1000s|thousand)'?(?: place| position)?(?:'s)? digits?\b", "K"),
    (r"\b(?:the )?digit (?:in|at|of|on) the (?:ones|one's|units|unit's|unit)'?(?: place| position)?\b", "O"),
    (r"\b(?:the )?digit (?:in|at|of|on) the (?:tens|ten's)'?(?: place| position)?\b", "T"),
    (r"\b(?:the )?digit (?:in|at|of|on) the (?:hundreds|hundred's)'?(?: place| position)?\b", "H"),
    (r"\bvalue of (?:the |this )(?=(?:original |\d-digit )*number)", ""),
    (r"\b(?:ones|units|unit's|unit) place\b", "O"),
    (r"\btens place\b", "T"),
    (r"\bhundreds place\b", "H"),
    (r"\bnumber (?:with|of) (\d) digits\b", r"\1-digit number"),
    (rf"\b{_ARTICLE}(?:new|resulting|reversed|reverse|newly formed) (?:\d-digit )?(?:number|value)(?: formed)?\b", "R"),
    (rf"\b{_ARTICLE}{_KIND}(?:\d-digit )?{_KIND}number\b(?!s)", "N"),
    (r"\b(?:the )?original(?: value)?\b(?! N)", "N"),
    (r"\bN itself\b", "N"),
    (rf"\b{_KIND}\d-digit {_KIND}numbers\b", "NS"),
    (rf"\b(?:the )?order of {_BOTH}digits{_OF_NUMBER} is {_TURNED}\b", "digits turned"),
    (rf"\b{_BOTH}(?:N's )?digits{_OF_NUMBER} (?:is|are|were|have been|get|be) {_TURNED}\b", "digits turned"),
    (rf"\b{_BOTH}(?:N's )?digits{_OF_NUMBER} (?:is|are|were|be) (?:written|put|placed|arranged"
     rf"|taken) in (?:the )?(?:reverse|reversed|opposite)(?: order)?\b", "digits turned"),
    (rf"\b(?:(?:you|we|i|one|tom|he"
     rf"|she) )?{_TURN}s? (?:the order of )?{_BOTH}digits{_OF_NUMBER}(?!\w)", "digits turned"),
    (rf"\b{_BOTH}digits{_OF_NUMBER} {_TURN}(?: (?:their )?(?:places|positions))?\b", "digits turned"),
    (rf"\b{_BOTH}digits{_OF_NUMBER} (?:change|exchange|swap|switch) (?:their )?(?:places"
     rf"|positions)\b", "digits turned"),
    (r"\bN is (?:reversed|written backwards?)\b", "digits turned"),
    (rf"\b{_TURNING} (?:the order of |the positions? of "
     rf"|the places of )?{_BOTH}digits{_OF_NUMBER}(?! \w+ed\b)", "turning"),
    (rf"\b(?:changing|switching|exchanging) the (?:places?|positions?|order) of {_BOTH}digits\b", "turning"),
    (r"\b(?:on|by|upon|after) turning\b", "when digits turned"),
    (rf"\bN (?:which is |that is )?{_MADE}(?: by| when| if| from| after)? (?:turning|digits turned)", "R"),
    (rf"\bN with {_BOTH}(?:same )?digits (?:{_TURNED}|in (?:the )?(?:reverse|reversed|opposite)(?: order)?)", "R"),
    (r"\bN(?: written)? (?:in reverse(?: order)?|backwards)\b", "R"),
    (r"\b(?:the |its )?(?:reverse|reversal)(?: of N)?\b", "R"),
    (rf"\bN (?:is |can be )?(?:expressed|written) (?:by|with) {_BOTH}digits in reverse order\b", "N is R"),
    (rf"\bN {_TURNED}\b", "R"),
    (r"\bN (?:so|thus|then) (?:formed|obtained)\b|\bN (?:formed|obtained)(?! by| from| with)\b", "R"),
    (rf"\b(?:the )?sum of {_BOTH}digits{_OF_NUMBER}(?!\w)", "S"),
    (rf"\b(?:the |its |my |a )?(?:digit sum|digits' sum|sum of digits){_OF_NUMBER}(?!\w)", "S"),
    (rf"\b(?:the )?product of {_BOTH}digits{_OF_NUMBER}(?!\w)", "P"),
    (rf"\b(?:the )?sum of (?:the )?squares of {_BOTH}digits{_OF_NUMBER}(?!\w)", "sum of squares"),
    (rf"\b(?:the )?difference (?:of|between) {_BOTH}digits{_OF_NUMBER}(?!\w)", "difference of digits"),
    (r"\b(?:the )?(?:sum of (?:the )?(?:2|both) numbers|the 2 numbers' sum)\b", "sum of N and R"),
    (r"\bN's (?=[OTHKSP]\b|digits)", ""),
    (rf"\b([OTHKSP]){_OF_NUMBER}(?!\w)", r"\1"),
    (r"\b(?:the|a|an|this|that|my|its|their|his|her|same) (?=[NROTHKSP]\b)", ""),
    (r"\b(?:it|its value|the value of N)\b(?= (?:is|was|has|equals|by)\b)", "N"),
    (r"\b(?:are there|there are) (?:in all|altogether|in total)\b", "are there"),
)  # fmt: skip
_COMPILED = [(re.compile(pattern), new) for pattern, new in _REPLACEMENTS]

_NAMED = re.compile(
    r"(?:^|[.!?] )(?P<name>(?!i\b)[a-z' ]{0,30}?\b(?:number|age|code|score))"
    r" (?:is|was|has) (?:a |an )?(?:certain )?(?:\d[- ]digit number|\d digits)(?=[.,]| and\b| whose\b)"
)
_BETWEEN = re.compile(r"\bnumber (?:which is |that is )?between (\d+) and (\d+)")
_NOT_A_NAME = re.compile(r"\b(?:digits?|sum|product|difference|of|this|that|its|the|a|new|resulting|other)\b")


def lettered(text: str, length: int) -> str:
    """Return a text in lower case, with its numbers in digits, with a letter for each quantity."""
    text = re.sub(r"\s+", " ", text.lower().replace("’", "'")).strip()
    if (named := _NAMED.search(text)) and not _NOT_A_NAME.search(named["name"]):
        text = _without_name(text, named["name"])
    for word, place in (("last", 0), ("first", length - 1), ("middle", 1 if length == 3 else -1)):
        if place >= 0:
            text = re.sub(rf"\b{word} digit\b", PLACES[place], text)
    if length == 2:
        text = _PLACES_TURNED.sub("digits are reversed", text)
    for pattern, new in _COMPILED:
        text = pattern.sub(new, text)
    return text


def _without_name(text: str, name: str) -> str:
    """Return a text that says the number instead of Maya's locker number, and asks for it instead of an age."""
    if name.endswith("'s age"):
        text = re.sub(rf"\bhow old is {re.escape(name[:-6])}\b(?: now)?", "what is the number", text)
    return re.sub(rf"\b{re.escape(name)}\b", "the number", text)


def length_of(text: str) -> int:
    """Return the number of digits that a text gives its numbers; 0 if it gives none or several."""
    found = set(re.findall(r"\b(\d)(?: - |[- ])digit\b", text) + re.findall(r"\b(\d) digits\b", text))
    if not found:
        found = {str(len(bound)) for bounds in _BETWEEN.findall(text) for bound in bounds}
    return int(found.pop()) if len(found) == 1 else 0
