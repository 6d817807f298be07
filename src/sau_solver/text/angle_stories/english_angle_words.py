"""The terms of English texts about angles."""

from __future__ import annotations

import re

from sau_solver.text.angle_stories.angle_terms import NUMBER, AngleWords
from sau_solver.text.angle_stories.refused_angle_texts import ENGLISH_REFUSED

_N = NUMBER
_IS = r"\b(?:(?:is|are|forms?|makes?) )?(?:(?:in )?the shape of )?(?:an? |the )?"
_TURNS = r"(?:turns?|rotations?|revolutions?|spins)"
_FULL = r"(?:full|complete|whole|entire)"
_TRI = r"(?:triangles?(?-i: [A-Z]{3}\b)?|triangular)"
_ROADS = (
    r"(?:lines?|roads?|streets?|paths?|sticks|tracks?|avenues?|beams|pencils|ropes|wires|rods|runways|trails|fences"
    r"|(?:line )?segments|rails|blades|strings|planks|boards|rulers|straws)"
)
_CIRCLE = (
    r"(?:pizzas?|pies?(?! chart)|cakes?|circles?|disks?|discs?|circular \w+|round \w+|wheels?(?= (?:is|are"
    r"|has|was) (?:been )?divided)|spinners?|clock ?faces?)"
)
_TIME = r"\d{1,2}(?: o'?clock|:\d\d)(?: ?[ap]\.?m\b\.?)?"
_PEOPLE = (
    "students|pupils|children|people|kids|adults|families|voters|visitors|members|customers|readers|players|animals|cars"
    "|books|votes|teachers|workers|employees|households|boys|girls|campers|guests|teenagers|friends|classmates"
)
# After the third, the other, the smaller: else they may be about something that is no angle.
_AFTER = (
    r"(?= ?(?:$|[.,;?!:|]|\d|(?:angles?|ones?|parts?|pieces?|slices?|sectors?|corners?|acute|obtuse|base"
    r"|interior|exterior|remote"
    r"|adjacent|opposite|non-adjacent|vertex|top|is|are|was|measures?|has|have|and|or|of|in|than|by|must"
    r"|equal|equals|unknown|missing"
    r"|if|when|to|at|on|same|makes?|with|for|which|will)\b))"
)
_POLYGONS = {
    "pent": 5, "hex": 6, "hept": 7, "oct": 8, "non": 9, "dec": 10, "hendec": 11, "undec": 11, "dodec": 12,
    "icos": 20,
}  # fmt: skip

_CUE = (
    r"°|º|˚|∠|\bdegrees?\b|\bangles?\b|\b(?:straight|right|vertical|perpendicular)\b|\bpolygon|agon\b|quadrilateral"
    r"|\b(?:supplement|complement)"
)
_TERMS: tuple[tuple[str, str], ...] = (
    # Figures
    (rf"{_IS}(?:isosceles right(?:-angled)?|right(?:-angled)? isosceles|45-45-90) {_TRI}", " F.irtri "),
    (rf"{_IS}right(?:[- ]angled?)? {_TRI}", " F.rtri "),
    (rf"{_IS}isosceles {_TRI}|{_IS}{_TRI} (?:with|that has|which has) (?:2 )?equal sides", " F.itri "),
    (rf"{_IS}(?:equilateral|equiangular|regular) {_TRI}", " F.etri "),
    (rf"{_IS}(?:(?:acute|obtuse|scalene)(?:-angled)? )?{_TRI}", " F.tri "),
    (rf"{_IS}parallelograms?\b", " F.para "),
    (rf"{_IS}rhomb(?:us|uses|i)\b", " F.rhom "),
    (rf"{_IS}isosceles trapez(?:oids?|iums?)\b", " F.itrap "),
    (rf"{_IS}(?:quadrilaterals?|four-sided (?:figure|polygon|shape)s?)\b", " F.poly4 "),
    *((rf"{_IS}regular {stem}ag(?:ons?|onal)\b", f" F.rpoly{n} ") for stem, n in _POLYGONS.items()),
    *((rf"{_IS}{stem}ag(?:ons?|onal)\b", f" F.poly{n} ") for stem, n in _POLYGONS.items()),
    (
        rf"{_IS}regular (?:polygon|figure|shape)s? (?:with|that has|which has|having) {_N} (?:equal )?sides\b",
        " F.rpoly{n} ",
    ),
    (rf"{_IS}(?:convex )?(?:polygon|figure|shape)s? (?:with|that has|which has|having) {_N} sides\b", " F.poly{n} "),
    (rf"{_IS}regular {_N}[- ]?(?:sided (?:polygon|figure|shape)s?|gons?)\b", " F.rpoly{n} "),
    (rf"{_IS}{_N}[- ]?(?:sided (?:polygon|figure|shape)s?|gons?)\b", " F.poly{n} "),
    (rf"{_IS}regular polygons?\b", " F.rpoly "),
    (rf"{_IS}(?:convex )?polygons?\b", " F.poly "),
    (rf"{_N} sides(?! (?:of|equal))\b", " {n} side "),
    (
        r"\bhow many sides\b|\bwhat is the number of sides\b|\b(?:find|determine"
        r"|calculate) the number of (?:its )?sides\b",
        " ? side ",
    ),
    (r"\bnumber of (?:its )?sides\b", " side "),
    (rf"{_IS}(?:complementary|complements\b)", " F.compl "),
    (rf"{_IS}(?:supplementary|supplements\b)", " F.suppl "),
    (rf"{_IS}linear pair\b", " F.suppl "),
    (r"\b(?:its |the )?complement\b", " compl "),
    (r"\b(?:its |the )?supplement\b", " suppl "),
    (rf"\b{_N} parallel {_ROADS}\b|\bparallel {_ROADS}\b", " F.parallel "),
    (
        r"\b(?:are |is )?(?:cut|crossed|intersected) by (?:a|another|1|the third) (?:transversal|straight line"
        r"|line|road|street)\b|\btransversal\b",
        " ",
    ),
    (
        rf"\b(?:(?:2|the) )?(?:straight )?{_ROADS} (?:that |which )?(?:cross(?:es)?|intersects?"
        rf"|meet)\b(?: each other)?",
        " F.lines ",
    ),
    (rf"\b(?:2 )?(?:crossing|intersecting) (?:straight )?{_ROADS}\b", " F.lines "),
    (rf"\b(?:intersection|crossing) of (?:2|the) (?:straight )?{_ROADS}\b", " F.lines "),
    (r"\bcross(?:es|ing)? (?:each other )?so that\b|\bcross\b", " F.cross "),
    (rf"(?:{_IS}|\bon )(?:straight angle|flat angle|straight line)\b", " F.straight "),
    (rf"(?:{_N}/\d+ )?\b{_N} right angles?\b", " {n} F.right "),
    (r"\bright[- ]angles?\b(?!-)", " F.right "),
    (rf"\b{_N} {_FULL} {_TURNS}\b|\b{_N} {_TURNS}\b|\b{_N} (?:times around|full circles)\b", " {n} turns "),
    (rf"(?:\ba )?\b1/2 (?:of )?(?:a )?(?:full )?{_TURNS}\b|\ba half[- ]{_TURNS}\b", " 1/2 turns "),
    (rf"\b{_N} quarter[- ]{_TURNS}\b", " {n} quarters "),
    (rf"\bhow many (?:{_FULL} )?{_TURNS}\b", " ? turns "),
    (
        rf"{_IS}{_FULL} (?:turn|angle|circle|rotation|revolution)\b|\b(?:all the way )?around a point\b"
        rf"|\bat a point\b",
        " F.turn ",
    ),
    (r"\b(?:pie|circle) (?:charts?|graphs?|diagrams?)\b", " F.pie "),
    (rf"{_IS}{_CIRCLE}", " F.circle "),
    # Clock
    (rf"\b(?:past|after|before|until|till) {_N} o'?clock\b", " odd "),
    (rf"\bat (?:exactly )?{_N}(?: o'?clock|:00)(?: (?:sharp|exactly|in the \w+))?(?: ?[ap]\.?m\.?)?", " {n}h@ "),
    (rf"\b{_N} o'?clock\b", " {n}h@ "),
    (
        r"\b(?:hour and (?:the )?minute|minute and (?:the )?hour) hands?\b"
        r"|\bthe hour hand and the minute hand\b|\bthe minute hand and the hour hand\b|\b(?:2 )?hands of (?:a"
        r"|the|an \w+|\w+'s|her|his) (?:\w+ )?(?:clock|watch)\b|\b(?:clock|watch)(?:'s)? hands\b"
        r"|\b(?:2 )?hands\b",
        " hands ",
    ),
    (rf"\b(?:from|between) {_TIME} (?:to|and|until) {_TIME}", " {span} "),
    (
        rf"\bfrom (?:the )?(?:number )?{_N} to (?:the )?(?:number )?{_N}\b(?! ?(?:°|degrees|minutes|hours))",
        " {steps} ",
    ),
    (r"\bminute hand\b", " mhand "),
    (r"\bhour hand\b", " hhand "),
    (r"\bsecond hand\b", " shand "),
    (rf"{_N} min(?:ute)?s?\b", " {n}min "),
    (rf"{_N} hours?\b", " {n}h "),
    (rf"{_N} sec(?:ond)?s\b", " {n}s "),
    (r"\bhow many minutes\b", " ? min "),
    (r"\bhow many hours\b", " ? h "),
    (r"\bhow many seconds\b", " ? s "),
    (rf"\b(?:(?:in|of) a (?:class|group|survey) of|(?:out )?of(?: the)?) {_N} (?=(?:{_PEOPLE})\b)", " {n}total "),
    (r"\b1/2 (?:of )?(?:an )?hour\b", " 30min "),
    (r"\ban hour\b", " 1h "),
    # Numbers
    (rf"\b(?:ratio )?{_N}(?: ?: ?{_N})+(?! ?(?:[ap]\.?m))", " {ratio} "),
    (
        rf"\b(?:(?:are |is )?in (?:the |a )?)?ratio (?:of )?(?:their (?:measures|sizes) )?(?:is "
        rf"|of )?{_N} to {_N}(?: to {_N})*",
        " {ratio} ",
    ),
    (rf"{_N}[ -]?(?:°|º|˚|degrees?\b)", " {n}° "),
    (rf"{_N}(?=(?:(?:,| and|, and) {_N})+ ?(?:°|º|˚|degrees?\b))", " {n}° "),
    (rf"{_N} ?(?:%|percent\b|per cent\b)", " {n}% "),
    (rf"{_N} times(?: (?:as (?:large|big|great|wide|much)(?: as)?|the (?:size|measure) of|that of))?\b", " {n} x "),
    (r"\d+/\d+(?: (?:of|as (?:large|big|great|wide) as|the (?:size|measure) of))?(?= )", " {n} x "),
    # Relations
    (
        r"\b(?:is |are )?in (?:the |a )?ratio(?: of)?\b|\b(?:have|with|has) (?:the |a )?ratio(?: of)?\b"
        r"|\bratio of\b|\bratio is\b|\bratio\b",
        " ",
    ),
    (r"\b(?:more|greater|larger|bigger|wider) than\b", " more "),
    (r"\b(?:less|smaller|narrower|fewer) than\b", " less "),
    (r"\b(?:is |are )?(?:equal to|the same size as|the same as|as (?:large|big|great|wide) as|equals)\b", " same "),
    (
        r"\b(?:is |are )?(?:also )?(?:equal(?:ly large)?(?: in (?:size|measure))?|the same(?: size)?|identical"
        r"|equal-sized|of equal size)(?! to)\b",
        " equal ",
    ),
    (r"\b(?:differ|differs) by\b|\bdifference (?:between|of)\b|\bdifference\b", " differ "),
    (r"\b(?:always )?adds? up to\b", " sum = "),
    (r"\b(?:together|altogether|in all|in total|combined)\b", " sum "),
    (r"\b(?:total|sum)\b(?: (?:of|measure|is))?(?: the)?(?: measures?)?(?: of)?", " sum "),
    (
        r"\b(?:is |are )?(?:divided|cut|cuts|split|splits|separated|divides|separates|sliced|slices(?= (?:a"
        r"|the|her|his) ))\b",
        " divide ",
    ),
    (r"\b(?:bisects?|bisected)\b", " bisect "),
    # Questions
    (r"\bhow many degrees\b(?: (?:is|are|does|do|will|did|would|should|must|was|were))?", " ? deg "),
    (r"\bhow (?:large|big|wide|great)\b(?: (?:is|are|does|do|will|did|would|should|must|was|were))?", " ? "),
    (
        r"\b(?:what(?:'s)?)\b(?: (?:is|are|will|does|do|was|would be))?(?: the)?(?: sizes?"
        r"| measure(?:ment)?s?)?(?: of)?",
        " ? ",
    ),
    (r"\b(?:find|determine|calculate|compute|work out|give|what are) (?:them|they)\b", " ? all angle "),
    (
        r"\b(?:find|determine|calculate|compute|work out|give)\b(?: the)?(?: sizes?"
        r"| measure(?:ment)?s?)?(?: of)?",
        " ? ",
    ),
    (r"\b(?:percent|percentage|per cent)\b", " % "),
    (r"\bfraction\b", " fraction "),
    # Names of angles
    (
        r"(?:(?<=\bangle )|(?<=∠))[A-Z](?: ?and ?(?:angle |∠)?[A-Z])(?= (?:are|form))"
        r"|\bangles [A-Z] and [A-Z](?= (?:are|form))",
        " ",
    ),
    (r"\bangle (?-i:[A-Z])\b|∠ ?\w\b|\bangle [1-4]\b(?! ?°| degrees)", " ∠{name} angle "),
    (r"\b(?:of the )?(?:acute|sharp)\b", " acute "),
    (r"\b(?:obtuse|blunt)\b", " obtuse "),
    (r"\b(?:opposite|remote|non-adjacent|far) (?:interior|inside)\b", " remote int "),
    (
        r"\b(?:opposite|vertical)(?: to it| to the given angle| to this angle)?\b(?! (?:wall|pole|post"
        r"|flagpole|tree|mast|tower|tent))",
        " opp ",
    ),
    (r"\b(?:non-adjacent|nonadjacent|remote|not adjacent)\b", " remote "),
    (r"\b(?:adjacent|neighbou?r(?:ing|s)?|next)(?: (?:to it|angle|angles))?\b", " adj angle "),
    (
        r"\b(?:same[- ]side interior|co-?interior|consecutive interior"
        r"|interior angles? on the same side)(?: (?:of the|angles?))?\b",
        " near ",
    ),
    (r"\bcorresponding\b", " corr "),
    (r"\balternate(?: (?:interior|exterior))?\b", " alt "),
    (r"\b(?:interior|internal|inner)\b", " int "),
    (r"\b(?:exterior|external|outer)\b", " ext "),
    (
        r"\b(?:vertex angle|apex angle|top angle|(?:angle )?at (?:its |the )?(?:top|apex|peak|tip|ridge)"
        r"|(?:angle )?between (?:the|its) (?:2 )?equal sides)\b",
        " vertex angle ",
    ),
    (r"\bbase angles\b|\bangles at (?:its |the )?(?:base|bottom)\b", " all base angle "),
    (r"\bbase angle\b|\b(?:angle )?at (?:its |the )?(?:base|bottom)\b", " base angle "),
    (rf"\b(?:smaller|smallest|least)(?: one)?\b(?: of (?:the )?2\b)?{_AFTER}", " small "),
    (rf"\b(?:larger|largest|bigger|biggest|greater|greatest)(?: one)?\b(?: of (?:the )?2\b)?{_AFTER}", " large "),
    (rf"\b(?:middle|medium|middle-sized)(?: one)?\b{_AFTER}", " mid "),
    *(
        (rf"\b{word}(?: one)?\b{_AFTER}", f" ord{n} ")
        for n, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"), 1)
    ),
    (
        rf"\b(?:(?:the |an)?other 1|another|other|others|remaining|rest|last|missing|unknown|final)\b{_AFTER}",
        " other ",
    ),
    (
        r"\b(?:smaller|smallest|larger|largest|bigger|biggest|greater|greatest|middle|third|fourth|fifth|other"
        r"|another|others|rest"
        r"|remaining|last|first|second|sides?)\b",
        " odd ",
    ),
    (r"\b(?:each|both|all|every)\b(?: of)?(?: (?:the|its|these|those))?", " each "),
    (r"\bangles\b|\bones\b", " all angle "),
    (r"\b(?:angle|corner)\b|\bcorners\b", " angle "),
    (r"\b(?:slices|pieces|parts|sectors|sections|slots|portions)\b", " all part "),
    (r"\b(?:slice|piece|part|sector|section|slot|portion)\b", " part "),
    (r"\b(?:vertex|vertices)\b", " angle "),
    (
        r"\b(?:ladders?|ramps?|wires?|ropes?|cables?|planks?|beams?|slides?|boards?|poles? leans|braces?"
        r"|struts?|sticks?|brooms?)\b",
        " slope ",
    ),
    (
        r"\b(?:vertical |upright )?(?:walls?|poles?|flagpoles?|posts?|trees?|masts?|houses?|towers?|buildings?)\b",
        " wall ",
    ),
    (r"\b(?:level |horizontal |flat )?(?:grounds?|floors?|pavements?|lawns?)\b|\bhorizontal\b", " ground "),
    (
        r"\b(?:one|1) of (?:the |its |these |those )?\d+\b(?! ?(?:°|degrees))|\bone\b|\b1(?= )(?! (?:full|degree))",
        " one ",
    ),
    (rf"{_N}", " {n} "),
    # Words without a meaning for angles, and breaks
    (r"\b(?:is|are|measures?|equals)\b", " = "),
    (r"\bthan\b", " than "),
    (r"\bmore\b|\bless\b", " odd "),
    (r"\btwo-thirds\b", " odd "),
    (r"[.,;?!]|\b(?:and|but|while|if|when)\b", " | "),
    (r"[=:%]", " = "),
)

ENGLISH_ANGLES = AngleWords("en", re.compile(_CUE, re.IGNORECASE), ENGLISH_REFUSED, _TERMS, r"[A-Za-z]+(?:['’][a-z]+)?")
