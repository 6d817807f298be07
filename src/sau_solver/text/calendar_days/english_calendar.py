"""English stories about the days of the calendar."""

from __future__ import annotations

import re

from sau_solver.text.calendar_days.calendar_reading import Marked, decided, in_weeks, month_of, part_of_year
from sau_solver.text.calendar_days.calendar_story import CalendarStory, Day, Month, leap_years
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS, told

_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = rf"(?:{'|'.join(_NAMES)})"
_CUE = re.compile(r"\b(?:how many|number of) (?:\w+ ){0,2}(?:days|weeks|months|leap years)\b", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:(?P<month>{_MONTH}) (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?:the )?(?P<day2>\d{{1,2}})(?:st"
    rf"|nd|rd|th)?(?: of)? (?P<month2>{_MONTH}))\b"
    r"(?! ?\d|:|%)(?:,? (?P<year>\d{4})\b)?|"
    rf"\b(?P<alone>{_MONTH})\b(?:,? (?:of (?:the (?:leap )?year )?|in )?(?P<of>\d{{4}})\b)?"
    rf"|\b(?P<only>(?:1[5-9]|20)\d\d)\b(?! days)"
)
_FIRST_AND_LAST = (
    r"(?:the )?(?:first|start|starting|beginning)(?: day)?,? and (?:the )?(?:last|end|ending|final)(?: days?)?"
)
_BOTH = re.compile(
    r"[,(]? ?(?:(?:if )?both (?:days|dates|ends)?(?: are| being)? ?(?:included|inclusive|counted|count)|both included"
    rf"|(?:including|counting|when counting|if you count) (?:both )?(?:of )?(?:the |these )?(?:2 )?(?:days"
    rf"|dates|{_FIRST_AND_LAST}|<d> and <d>)"
    r"|(?:including|counting) both the day (?:it|he|she|they) [a-z]+ and the day (?:it|he|she|they) [a-z]+"
    r"|inclusive(?:ly)?)[,)]?(?=[ .?,]|$)"
)
_NEITHER = re.compile(
    r"[,(]? ?(?:not counting either (?:date|day|of them)|(?:excluding|not counting|not including) (?:both"
    r"|these) (?:days|dates)"
    r"|not counting either)[,)]?(?=[ .?,]|$)"
)
_TO = r"(?:to|until|till|through|and)"
_HOW_LONG = (
    r"(?:(?:on |for )?how many days(?: long)? (?:in all )?(?:does|did|do|is|was|are|will"
    r"|were)(?P<what>(?: [a-z']+){1,6}))"
)
_EVENT = re.compile(
    rf"(?P<story>(?:[a-z']+ ){{1,9}})(?:from |on |between )?<d>(?: {_TO} (?:on )?<d>"
    rf"|,? and (?P<then>(?:[a-z']+ )+)(?:on )?<d>(?: of the same year)?)"
    rf"\.(?: (?:it|he|she|they) (?:is|was|are|were) open every day\.?)? {_HOW_LONG}"
)
_LENGTH_WORDS = ("last", "long", "take", "open", "run", "vacation", "trip", "holiday", "holidays", "on")
_DOUBT = re.compile(
    r"\b(?:except|closed|without|weekdays?|weekends?|school|work\w*|business|other|second|third"
    r"|every (?!day\b)\w+|not|no|hours?|nights?"
    r"|\w+days?(?<!\bdays)(?<!\bday)(?<!birthday)(?<!holidays)(?<!holiday)|week|weeks|late|early|more|longer"
    r"|left over|half|each|per|only|days? off|rest|rain\w*|snow\w*|twice|times|old|born|due)\b"
)
_COUNT = (
    r"(?:how many days (?:are there|are|were there|were|is it|will there be)|what is the (?:total )?number of days)"
)
_SPAN = re.compile(rf"(?:{_COUNT} (?:from|between) <d> {_TO} <d>|from <d> {_TO} <d>,? {_COUNT})")
_THROUGH = re.compile(r"<d> through <d>")
_AFTER = (
    re.compile(r"how many days (?:after|before|later than) <d> (?:is|was) <d>"),
    re.compile(
        r"today is <d>\. how many days (?:are left|are there|remain|is it|are there left) (?:until|till|to) <d>"
    ),
    re.compile(r"how many days (?:are left|are there|remain|is it) from today,? <d>,? (?:until|till|to) <d>"),
    re.compile(
        r"today is <d>\. (?P<what>(?:[a-z']+ ){1,4})(?:is on|is|begins on"
        r"|starts on) <d>\. (?:in how many days (?:is|will)"
        r"|how many days (?:are left|are there|is it) (?:until|till)) (?P<again>(?:[a-z']+ ?){1,4})"
    ),
    re.compile(
        r"(?:[a-z']+ ){2,4}(?P<one>[a-z]+ed) on <d> and (?P<two>[a-z]+ed) on <d>\. how many days (?:after (?:it"
        r"|she|he|they) (?:was|were) (?P=one)"
        r" was (?:it|she|he) (?P=two)|later was (?:it|she|he) (?P=two))"
    ),
)
_LEFT = re.compile(r"today is <d>\. how many days are left in <m>,? not counting today")
_TOGETHER = r"(?: altogether| together| in all| in total| combined)?"
_LENGTHS = re.compile(
    r"(?:(?:how many days (?:are there|are|were there|were|will there be) in"
    r"|what is the total number of days in) (?:the )?(?:months? of )?(?P<list>.+?)"
    rf"|how many days (?:does|did|do|will) (?:the )?(?:months? of )?(?P<has>.+?) have){_TOGETHER}"
)
_PART = re.compile(
    r"(?:the )?(?P<which>first|second|third|fourth|last) (?P<what>1/2|quarter"
    r"|\d+ months) of (?:(?P<leap>a leap year)|(?P<common>a (?:common|non-leap) year)"
    r"|(?:the )?(?:year )?(?P<year><y>)|(?:the |a )?year)"
)
_YEAR_KIND = re.compile(
    r",? (?:if it is|in|of) (?:a leap year(?P<is>)|not a leap year|a (?:common|non-leap) year"
    r"|a year that is not a leap year)$"
)
_WEEKS = re.compile(
    r"how many (?:whole |full |complete )?weeks and (?:extra )?days (?:are there in|are|is|make up"
    r"|do) (?P<days>\d+) days(?: make)?"
    r"|how many (?:whole|full"
    r"|complete) weeks are there in (?P<days2>\d+) days,? and how many (?:extra )?days are left(?: over)?"
    r"|how many (?:whole |full )?weeks and days (?:are there in|does) (?:the month of )?<m>(?: have)?"
)
_DAYS = re.compile(r"how many days (?:are there in|are|is) (?P<weeks>\d+) weeks? and (?P<days>\d+) days?")
_LEAP_YEARS = re.compile(
    r"how many leap years (?:are|were) there (?P<how>from|between) <y> (?:to|and|through) <y>(?P<both>,? inclusive)?"
)
_MONTHS_WITH = re.compile(
    r"how many months (?:of the year|in a year|of a year) have (?P<exactly>exactly |only )?(?P<days>30|31) days"
)
_QUARTERS = ("first", "second", "third", "fourth")


def english_calendar_story(text: str) -> CalendarStory | None:
    """Return what an English text asks about the calendar."""
    if len(text) > MAX_CHARACTERS or not _CUE.search(text):
        return None
    written = told(text, "en", whole=False)
    if written is None:
        return None
    marked = _marked(re.sub(r"\s+", " ", written.text.lower().replace("’", "'")))
    if not marked.is_possible:
        return None
    plain = marked.without(_BOTH, 2).without(_NEITHER, 0)
    plain = Marked(_tidied(plain.text), plain.dates, plain.months, plain.years, plain.counted)
    return _days_between(plain) or _days_of(Marked(_tidied(marked.text), marked.dates, marked.months, marked.years))


def _tidied(text: str) -> str:
    return re.sub(r"\s*([.,])[\s,.]*", r"\1 ", re.sub(r"\s+", " ", text)).strip(" .,?")


def _marked(text: str) -> Marked:
    dates: list[Day] = []
    months: list[Month] = []
    years: list[int] = []

    def mark(found: re.Match[str]) -> str:
        if name := found["month"] or found["month2"]:
            day = int(found["day"] or found["day2"])
            dates.append(Day(_NAMES.index(name) + 1, day, int(found["year"] or 0)))
            return "<d>"
        if found["alone"]:
            months.append(month_of(_NAMES.index(found["alone"]) + 1, int(found["of"] or 0)))
            return "<m>"
        years.append(int(found["only"]))
        return "<y>"

    return Marked(_DATE.sub(mark, text), tuple(dates), tuple(months), tuple(years))


def _days_between(marked: Marked) -> CalendarStory | None:
    text, counted = marked.text, marked.counted
    if _LEFT.fullmatch(text) and counted is None and len(marked.months) == 1:
        (first,) = marked.dates
        month = marked.months[0].month
        if month != first.month or (month == 2 and not first.year):
            return None
        last = Day(month, Month(month, first.year).days, first.year)
        return decided(CalendarStory("span", (first, last), 1)) if first.day < last.day else None
    if counted is None:
        for pattern in _AFTER:
            if found := pattern.fullmatch(text):
                groups = found.groupdict()
                if "again" in groups and not _is_same(groups["what"], groups["again"]):
                    return None
                return marked.span(1) if "before <d>" not in text else _turned(marked).span(1)
    if _THROUGH.search(text) and counted is None:
        counted = 2
    if re.search(r"between <d>", text) and "<d> to <d>" in text:
        return None
    if _SPAN.fullmatch(text):
        return marked.span(counted)
    found = _EVENT.fullmatch(text)
    if not found or _DOUBT.search(re.sub("every day", "", text)):
        return None
    return marked.span(counted) if _is_length(found) else None


def _turned(marked: Marked) -> Marked:
    return Marked(marked.text, tuple(reversed(marked.dates)))


def _is_same(what: str, again: str) -> bool:
    """Return whether a question names what the text named before: Mia's birthday, her birthday."""
    first, *rest = again.split()
    return (
        what.split() == [first, *rest]
        or again.strip() in ("it", "that")
        or (first in ("her", "his", "their", "its", "the") and [what.split()[-1]] == rest)
    )


def _is_length(found: re.Match[str]) -> bool:
    """Return whether a question asks how long what is told lasts, and not about something else."""
    words = found["what"].split()
    if words[-1] in _LENGTH_WORDS:
        return True
    said = found["story"] + (found["then"] or "")
    return len(words) > 1 and words[-1][:4] in {word[:4] for word in said.split()} and len(words[-1]) > 3


def _days_of(marked: Marked) -> CalendarStory | None:
    """Return what a text asks about months, years and weeks."""
    text = marked.text
    if found := _WEEKS.fullmatch(text):
        return in_weeks(marked, found["days"] or found["days2"])
    if found := _DAYS.fullmatch(text):
        return decided(CalendarStory("days", weeks=int(found["weeks"]), days=int(found["days"])))
    if found := _LEAP_YEARS.fullmatch(text):
        if (
            found["how"] == "between"
            and not found["both"]
            and leap_years(marked.years[:1]) + leap_years(marked.years[1:])
        ):
            return None
        return decided(CalendarStory("leap_years", years=marked.years)) if marked.years[0] < marked.years[1] else None
    if found := _MONTHS_WITH.fullmatch(text):
        if found["days"] == "30" and not found["exactly"]:
            return None
        return decided(CalendarStory("months_with", days=int(found["days"])))
    kind = _YEAR_KIND.search(text) if marked.months else None
    found = _LENGTHS.fullmatch(text[: kind.start()] if kind else text)
    if not found or re.search(r"\bto\b", text):
        return None
    listed = found["list"] or found["has"]
    if kind:
        leap = kind["is"] is not None
        same = tuple(Month(one.month, 0, leap) for one in marked.months)
        return (
            marked.lengths(same) if re.fullmatch(r"<m>(?:, <m>)*(?:,? and <m>)?", listed) and not marked.years else None
        )
    return marked.lengths(_listed(listed, marked)) if _listed(listed, marked) else None


def _listed(listed: str, marked: Marked) -> tuple[Month, ...]:
    """Return the months of a list of months, of years, or of a part of a year; nothing if it is not understood."""
    if re.fullmatch(r"<m>(?:, <m>)*(?:,? and <m>)?", listed) and not marked.years:
        return _same_year(marked.months)
    if re.fullmatch(r"(?:year |years )?<y>(?:, <y>)*(?:,? and <y>)?", listed):
        return tuple(month for year in marked.years for month in part_of_year(1, 12, year, None))
    if listed in ("a leap year", "a common year", "a non-leap year", "a year that is not a leap year"):
        return part_of_year(1, 12, 0, listed == "a leap year")
    found = _PART.fullmatch(listed)
    if not found or marked.months:
        return ()
    year = marked.years[0] if marked.years else 0
    leap = True if found["leap"] else False if found["common"] else None
    first, last = _part(found["which"], found["what"])
    return part_of_year(first, last, year, leap) if last else ()


def _same_year(months: tuple[Month, ...]) -> tuple[Month, ...]:
    """Return months of which only the last has a year as months of that year: January and February 2024."""
    year = months[-1].year
    if year > 0 and all(one.year <= 0 for one in months[:-1]):
        return tuple(Month(one.month, year) for one in months)
    return months


def _part(which: str, what: str) -> tuple[int, int]:
    """Return the first and the last month of a part of a year."""
    if what == "1/2":
        return {"first": (1, 6), "second": (7, 12), "last": (7, 12)}.get(which, (1, 0))
    if what == "quarter":
        place = _QUARTERS.index(which) if which in _QUARTERS else 3
        return 3 * place + 1, 3 * place + 3
    count = int(what.split()[0])
    if not 1 < count < 12:
        return 1, 0
    return {"first": (1, count), "last": (13 - count, 12)}.get(which, (1, 0))
