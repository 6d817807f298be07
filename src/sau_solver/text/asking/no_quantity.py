"""Sentences that ask for something that no equation gives: a reason, a drawing, an opinion, a new story."""

from __future__ import annotations

import re

_PART = r"(?:\(?[a-h1-9][).:]\s*|part [a-h1-9][).:]?\s*)?"

NO_QUANTITY = re.compile(
    rf"^\W*{_PART}(?:(?:and |then |please |now )?(?:explain|why|prove|show that|draw|sketch|describe|justify|discuss"
    r"|verify|invent|make up|talk about|present|compare (?:your|notes|with)|check (?:your|the|whether|that|it)"
    r"|give (?:a reason|reasons|an example|your opinion)|tell (?:a|your|what|why|us why|your)"
    r"|think of (?:an? (?:reason|example|question|story|problem)|another|other)|come up with"
    r"|(?:graph|plot)(?! number| \d))\b"
    r"|(?:do|would|should|is it|are) (?:you|it|this|that|the)\b(?! (?:find|work|calculate))"
    r"|(?:is|was|does|did) (?:it|this|that|the \w+) (?:\w+ )?"
    r"(?:fair|realistic|possible|reasonable|a good|enough|make sense|true)"
    r"|who\b(?! am i\b)|what (?:do you (?:notice|think)|else|assumptions?|\w+ would you|would you)"
    r"|which (?:\w+ )?(?:would|do) you"
    r"|how do you know|how would you|how could you|how can you (?:check|tell)|can you (?:explain|think)"
    r"|write (?:a|an|your own)\b(?! equation and find)|name\b)",
    re.IGNORECASE,
)
ORDER_OF_NO_QUANTITY = re.compile(
    r"\s*(?:[(（]\s*[\d一二三]\s*[)）]|[①②③④⑴⑵⑶⑷]|\d[.、．](?!\d))?\s*(?:请你?|你)?(?:再|还|能)?"
    r"(?:提出|编|说(?:[说出一]|明(?!书))|画|写出?[一两二三几]|谈|解释|设计(?!师|[^，]{1,6}时)|证明|检验|讲[讲一]|(?:请你?)?用自己的话|把(?:你的|解)\w{1,6}讲|和?[与和]?同[桌学]"
    r"(?:交流|讨论|说)|讨论|交流|给\w{1,6}提)"
)
