"""English words around times of day: leaves at, from … until, how long, at what time; and words that raise doubt."""

from __future__ import annotations

import re
from typing import Literal

from sau_solver.text.clock.clock_story import ClockTime, ClockUnit, Duration
from sau_solver.text.clock.clock_words import ClockQuestion, Direction, Role

_AUXILIARY = r"(?:does|did|do|will|is|was|are|were|should|must|can|could|would|has|had|may)"
_QUESTION = re.compile(
    rf"(?P<unit>how many (?:whole )?(?P<name>hours? and minutes?|hours|minutes))\b|(?P<long>(?:for )?how long"
    rf"|how much time)\b"
    rf"|(?P<elapsed>(?:the )?elapsed time)\b|(?P<time>(?:at )?what time|when(?= {_AUXILIARY}\b)"
    rf"|what is the latest time)\b"
)
_OTHER = re.compile(
    r"\b(?:how (?:many|much|far|fast|old|often|tall|late|early)|what(?! time| is the latest time)|which|who|where"
    r"|why)\b"
)
_EVENTS = (
    "trip ride journey flight drive movie film show play concert lesson class meeting game match shift session practice"
    " performance program programme visit break nap race delay day party hike walk ceremony conference"
    " interview rehearsal"
    " tour crossing appointment event exam test recess workout training speech lecture ballet opera school it that this"
)
_THING = re.compile(
    r"how long (?:is|was|are|were) (?:the |this |a |an |his |her |their |its |that )?(?:[a-z]+ ){0,2}?([a-z]+)$"
)
_STARTS = re.compile(
    r"\b(?:leav(?:e|es|ing)|left|start(?:s|ed|ing)?|beg(?:ins?|an|inning)|depart(?:s|ed)?|open(?:s|ed)?|from|between"
    r"|sets? (?:out|off)|tak(?:e|es|ing) off|took off|(?:goes|went|go) to (?:bed|sleep)|f(?:ell|alls) asleep"
    r"|go(?:es)? in(?:to)?"
    r"|went in(?:to)?|put(?:s|ting)?|(?:gets?|got) on|board(?:s|ed)?|order(?:s|ed)|lit|turn(?:s|ed) on|set)\b"
)
_ENDS = re.compile(
    r"\b(?:arriv(?:e|es|ed|ing)|end(?:s|ed|ing)?|clos(?:e|es|ed|ing)|finish(?:es|ed|ing)?|reach(?:es|ed)?|land(?:s|ed)?"
    r"|until|till|(?:got|gets?) (?:up|off|home|back|there|to)|w(?:oke|akes?)|stop(?:s|ped)?|return(?:s|ed)?|com(?:e"
    r"|es) (?:out|home"
    r"|back)|came (?:out|home|back)|over|deliver(?:s|ed)?|done|ready|took out|takes? (?:it |them )?out|expires?"
    r"|turn(?:s|ed) off"
    r"|be (?:at|there|home|back)|complete[sd]?)\b"
)
_NOW = re.compile(r"\b(?:it is|it['’]s|it was|now|the time is|time is it|time will it be|time was it|will it be)\b")
_SPAN = re.compile(r"(?:,? (?:to|until|till|and|through) (?:about )?| ?[-–—] ?)")
_BEFORE_SPAN = re.compile(r"\b(?:from|between)\s*$")
_NEXT_DAY = re.compile(r"\b(?:the )?(?:next|following) (?:day|morning|afternoon|evening)\b")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})s?\b")
_DOUBT = re.compile(
    r"\b(?:every(?! ?day\b| morning\b| evening\b| night\b| afternoon\b)|each(?! day\b| morning\b| evening\b"
    r"| night\b| afternoon\b)"
    r"|per|twice|times|local|zones?|differences?|slow(?:er|ly)?|fast(?:er)?|gains?|loses?|ahead|behind|late|early"
    r"|delay(?:ed|s)?"
    r"|instead|usually|normally|usual|planned|scheduled|supposed|another|both|angle|hands?|average|speeds?|rate"
    r"|respectively"
    r"|older|week(?:s|days?|ends?)?|months?|years?|meet|catch(?:es)?|overtakes?|passes? (?:him|her|it|them)|more"
    r"|less|longer"
    r"|shorter|half as|than|days|next(?! day\b| morning\b| afternoon\b| evening\b)|dozen|same|again|repeat(?:s|ed)?"
    r"|minus|except|without|excluding|not counting|percent|third of)\b"
    r"|[%$€£=+×÷]"
)
_DOUBT_OF_SEVERAL = re.compile(
    r"\b(?:or|if|left|remaining|remains?|already|so far|including|of which|only|but|while|during|meanwhile|usual"
    r"|before|ago"
    r"|earlier|after that he|at the same time|until|twice|both|either)\b"
)
_RELATION = re.compile(
    r" (?P<side>before|after|past)\b| (?P<back>earlier|ago)\b| (?P<on>later|from now)\b|[ -](?P<odd>intervals?|late"
    r"|early)\b"
)
_LEAVING = re.compile(r"\b(?:leave|set out|set off|depart|get up|wake up|start (?:walking|driving|out)|go)\b")
_OBLIGED = re.compile(r"\b(?:should|must|need|needs|have to|has to|latest)\b")
_IN_PLACE = re.compile(
    r"\b(?:arriv(?:e|es|ed)|reach(?:es|ed)?|be (?:at|there|home)|got|gets? (?:to|home|there)|land(?:s|ed)?)\b"
)
_ARRIVAL = re.compile(r"\b(?:arrive|get (?:home|there|to|back)|reach|be home)\b")
_IN_UNIT = re.compile(r"\bin (?P<name>hours|minutes)\b")
_PAUSE = re.compile(r"\b(?:break|recess|lunch|rest|delay|pause|intermission)\b")
_GETTING_UP = re.compile(r"\b(?:get up|wake up)\b")
_WHOLE = re.compile(r"\b(?:ends?|finish(?:es|ed)?|over|done|ready|completed?|start(?:ed)?|beg[ia]n)\b")
_NEGATED = re.compile(r"\b(?:not|n['’]t|closed|awake|off|dark|outside|rest of)\b")


class EnglishClockWords:
    """The words of English."""

    def question(self, text: str, raw: str) -> ClockQuestion | None:
        """Return the only question of a text; None if there is none, several, or one about something else."""
        found = list(_QUESTION.finditer(text))
        if len(found) != 1 or text.count("?") > 1:
            return None
        (match,) = found
        tail = re.split(r"[?!]|\.(?!\d|m\b)", text[match.start() :], maxsplit=1)[0].strip()
        if _OTHER.search(text[: match.start()]) or _OTHER.search(text[match.end() :]):
            return None
        quoted = raw[match.start() : match.start() + len(tail)].strip()
        if text[match.start() + len(tail) :].startswith("?"):
            quoted += "?"
        if match["time"]:
            role = self._asked_role(tail)
            return ClockQuestion(match.start(), quoted, False, role=role) if role else None
        thing = _THING.search(_IN_UNIT.sub("", tail).strip())
        if (
            thing
            and thing[1] not in _EVENTS.split()
            and thing[1] not in ("open", "closed", "away", "gone", "out", "asleep")
        ):
            return None
        pause = _PAUSE.search(tail)
        if _NEGATED.search(tail) or (pause and pause[0] not in text[: match.start()]):
            return None
        unit: ClockUnit = ""
        if named := _IN_UNIT.search(tail):
            unit = "hours" if named["name"] == "hours" else "minutes"
        elif match["unit"]:
            unit = "both" if " and " in match["name"] else "hours" if match["name"].startswith("h") else "minutes"
        return ClockQuestion(match.start(), quoted, True, unit)

    @staticmethod
    def _asked_role(tail: str) -> Role:
        starts, ends = _STARTS.search(tail), _ENDS.search(tail)
        if _GETTING_UP.search(tail):
            return "start" if _OBLIGED.search(tail) else ""
        if re.search(r"\blatest time\b", tail):
            return "start" if _LEAVING.search(tail) else ""
        if starts and ends:
            return "start" if _LEAVING.search(tail) and starts.start() < ends.start() else ""
        if starts or ends:
            return "start" if starts else "end"
        return "now" if _NOW.search(tail) else ""

    def role(self, text: str, time: ClockTime, begin: int, end: int) -> Role:
        """Return whether something starts or ends at a time, by the words in text[begin:end] around it."""
        lead = _lead(text, time, begin)
        if re.search(r"\bto $", lead):
            return "end"
        places = {role: max((m.start() for m in cue.finditer(lead)), default=-1) for role, cue in _ROLES.items()}
        best = max(places, key=lambda role: places[role])
        return best if places[best] >= 0 else ""

    def is_span(self, text: str, first: ClockTime, second: ClockTime) -> bool:
        """Return whether two times are written as a span: from 9 to 11, between 9 and 11."""
        written = _SPAN.fullmatch(text, first.end, second.start)
        return bool(written) and bool(
            _BEFORE_SPAN.search(text, 0, first.start) or (written and written[0].strip() != "and")
        )

    def goes_to_next_day(self, text: str) -> bool | None:
        """Return whether the text says that it ends on the next day; None if it names other days."""
        days = [_WEEKDAYS.index(day) for day in _WEEKDAY.findall(text)]
        if len(days) > 1 and days[0] != days[-1]:
            return True if len(days) == 2 and (days[1] - days[0]) % 7 == 1 else None
        return bool(_NEXT_DAY.search(text))

    def is_doubtful(self, text: str, question: ClockQuestion, durations: int) -> bool:
        """Return whether the text has words that may change the calculation."""
        return bool(_DOUBT.search(text)) or (durations > 1 and bool(_DOUBT_OF_SEVERAL.search(text)))

    def relation(self, text: str, time: ClockTime, durations: list[Duration]) -> Direction | Literal["", "odd"]:
        """Return the direction that the word after a duration names: 15 minutes before 9:00."""
        found = [match for one in durations if (match := _RELATION.match(text, one.end))]
        if not found:
            return ""
        (match, *_) = found
        if len(durations) > 1 or match["odd"]:
            return "odd"
        if match["side"]:  # 20 minutes after 7:15, but not 20 minutes after Joe arrived
            beside = text[match.end() : time.start].strip() == "" and match.end() < time.start
            return "odd" if not beside else "backward" if match["side"] == "before" else "forward"
        return "backward" if match["back"] else "forward"

    def is_departure(self, question: ClockQuestion) -> bool:
        """Return whether the question is when somebody leaves or gets up, which may be before or after the time."""
        return bool(_LEAVING.search(question.quoted.lower()))

    def departs_for(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether somebody leaves in order to be in place at the time of the text."""
        lead = _lead(text, time, 0)
        return bool(_OBLIGED.search(question.quoted.lower()) or _IN_PLACE.search(lead)) and not _LEAVING.search(lead)

    def travels_after(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether the question is for an arrival after something that ends at the time of the text."""
        return bool(_ARRIVAL.search(question.quoted.lower())) and not _IN_PLACE.search(_lead(text, time, 0))

    def is_about_all(self, question: ClockQuestion) -> bool:
        """Return whether the question is when everything starts or ends, not one of several things."""
        asked = question.quoted.lower()
        return bool(_GETTING_UP.search(asked) or (_WHOLE.search(asked) and not _LEAVING.search(asked)))


def _lead(text: str, time: ClockTime, begin: int) -> str:
    """Return the words of the sentence of a time before it, from `begin`."""
    return text[
        max(begin, *(text.rfind(mark, begin, time.start) + 1 for mark in (". ", "? ", "! ", "; "))) : time.start
    ]


_ROLES: dict[Role, re.Pattern[str]] = {"start": _STARTS, "end": _ENDS, "now": _NOW}
