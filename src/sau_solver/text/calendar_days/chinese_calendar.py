"""Chinese stories about the days of the calendar."""

from __future__ import annotations

import re

from sau_solver.text.calendar_days.calendar_reading import Marked, decided, in_weeks, month_of, part_of_year
from sau_solver.text.calendar_days.calendar_story import CalendarStory, Day, Month
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS, told

_CUE = re.compile(r"(?:多少|几)天|闰年|[大小]月|天的月")
_MARK = re.compile(
    r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]|(?:(?P<of>\d{4})年的?)?(?<!\d)(?<!个)(?P<alone>\d{1,2})月份?"
    r"|(?P<only>(?:1[5-9]|20)\d\d)年"
)
_ENDS = r"(?:首尾|头尾|首末|开始和结束|始末|第1天和最后1天|出发和返回|起止)"
_BOTH = re.compile(
    rf"[，,（(]?(?:{_ENDS}的?(?:2天|当天|这2天|两天)?(?:全)?(?:都|均|也)(?:计算|算|包括|计入|展出|开放)(?:在内|入)?|(?:包括|含|包含|算上){_ENDS}(?:的?(?:这|那)?2天|的?当天|日)?(?:在内)?"
    r"|(?:包括|含|包含|算上)这?2天(?:在内)?|(?:包括|包含|算上)<d>[和与]<d>(?:在内)?|(?:这)?2天(?:都|均)(?:算|包括)(?:在内)?|算头又?算尾)[)）]?(?=[，,。？?]|$)"
)
_NEITHER = re.compile(rf"[，,（(]?{_ENDS}(?:的?(?:2天|当天|两天))?(?:都|均)不(?:计)?算(?:在内)?[)）]?(?=[，,。？?]|$)")
_LAST = re.compile(
    r"[，,（(]?(?:首日|第1天|开始的?那天|出发的?那天)不算(?:在内)?(?:[，,](?:末日|最后1天)(?:要)?算)?[)）]?(?=[，,。？?]|$)|[，,（(]算尾不算头[)）]?"
)
_MANY = r"(?:1共|一共|共|总共)?(?:是|有|经过了?|过了)?(?:多少|几)天"
_SPAN = re.compile(rf"从?<d>(?:到|至|[-—~]+)<d>(?:之间|期间|为止|止)?[，,]?{_MANY}")
_VERB = r"(?:开始|开工|开幕|出发|开放|起|放假|动工|开业)"
_STOP = r"(?:结束|完工|闭幕|返回|止|为止|竣工|回来)"
_EVENT = re.compile(
    rf"(?P<story>[1\u4e00-\u9fff]{{0,10}})从?<d>{_VERB}?[，,]?(?:持续)?(?:到|至|同年)?<d>{_STOP}?(?P<then>[\u4e00-\u9fff]{{0,10}}?)[，,]"
    r"(?P<what>[\u4e00-\u9fff]{0,6})(?:1共|一共|共|总共)(?P<verb>[\u4e00-\u9fff]{0,4}?)了?(?:多少|几)天"
    rf"|(?P<story2>[1\u4e00-\u9fff]{{0,10}})从?<d>{_VERB}[，,](?:到|至|同年)?<d>{_STOP}[，,](?P<what2>[\u4e00-\u9fff]{{0,6}}?)(?:用|共|经过|持续)?了?(?:多少|几)天"
)
# 从7月1日开始，8月31日结束 counts both days, also where the text does not say so.
_BEGUN = re.compile(
    r"从<d>(?:开始|开幕)[，,](?:持续)?(?:到|至)?<d>(?:结束|闭幕)?[，,]|从<d>(?:开始|开幕)(?:到|至)<d>(?:结束|闭幕)"
)
_DOUBT = re.compile(
    r"除|每(?!天都)|周|星期|工作日|休息|停|隔|轮|晚|夜|早|迟|上学|不|没|平均|比|余|剩|半|岁|大|小时|倍|只|雨|雪|病|超|提前|实际|计划|原"
)
_AFTER = (
    re.compile(r"<d>(?:之后|以后|后)的?(?:多少|几)天是<d>"),
    re.compile(
        r"今天是<d>[，,]?(?P<what>[\u4e00-\u9fff]{1,8}?)(?:的生日)?是<d>[，,](?:还有|再过|过)(?:多少|几)天(?:就|才)?是(?P<again>[\u4e00-\u9fff]{1,8}?)(?:的生日)?"
    ),
    re.compile(r"今天是<d>[，,]?(?:距离|距|离|到)<d>(?:还有|有)(?:多少|几)天"),
)
_LEFT = re.compile(r"今天是<d>[，,](?:今天不算[，,])<m>还(?:剩|有|剩下)(?:多少|几)天")
_LENGTHS = re.compile(
    r"(?:每年的?|1年中)?(?P<list>.+?)(?:这?(?P<many>\d)个月|这?(?P<twice>2)年)?(?:全年)?(?:1共|一共|共|总共)?(?:有|是)?(?:多少|几)天"
)
_MONTHS = r"<m>(?:[、,，和与]<m>)*"
_YEARS = r"<y>(?:[、,，和与]<y>)*"
_PART = re.compile(r"(?:(?:<y>|(?P<kind>平年|闰年))的?)?(?:(?P<half>[上下])半年|第?(?P<quarter>[1-4一二三四])个?季度)")
_KINDS = {"平年": False, "闰年": True}
_WEEK = r"(?:个?星期|周)"
_WEEKS = re.compile(
    rf"(?P<days>\d+)天(?:是|有|等于|合)(?:多少|几)(?:个完整的|个整|整)?{_WEEK}(?:零|0|又|多)(?:多少|几)天"
    rf"|(?P<days2>\d+)天(?:是|有)(?:多少|几)(?:个完整的|个整|整)?(?:星期|周)[，,]还?(?:余|剩)(?:下)?(?:多少|几)天"
    rf"|<m>(?:是|有)(?:多少|几){_WEEK}(?:零|0|又|多)(?:多少|几)天"
)
_DAYS = re.compile(
    rf"(?:<y>有)?(?P<weeks>\d+){_WEEK}(?:零|0|又)(?P<days>\d+)天[，,]?(?:这[1一]年)?(?:1共|一共|共)?(?:是|有)(?:多少|几)天"
)
_LEAP_YEARS = re.compile(r"从?<y>(?:到|至)<y>(?:1共|一共|共)?有(?:多少|几)个闰年")
_MONTHS_WITH = re.compile(
    r"[1一]年(?:中|里)?有(?P<days>30|31)天的(?:月份|月)(?:1共|一共|共)?有(?:多少|几)个|[1一]年(?:中|里)?(?:1共|一共|共)?有(?:多少|几)个(?P<kind>[大小])月"
)


def chinese_calendar_story(text: str) -> CalendarStory | None:
    """Return what a Chinese text asks about the calendar."""
    if len(text) > MAX_CHARACTERS or not _CUE.search(text):
        return None
    written = told(re.sub(r"\s+", "", text), "zh", whole=False)
    if written is None:
        return None
    marked = _marked(written.text.strip("。．？?！!"))
    if not marked.is_possible:
        return None
    plain = marked.without(_BOTH, 2).without(_NEITHER, 0).without(_LAST, 1)
    plain = Marked(plain.text.strip("。？?，,"), plain.dates, plain.months, plain.years, plain.counted)
    return _days_between(plain) or _days_of(marked)


def _marked(text: str) -> Marked:
    dates: list[Day] = []
    months: list[Month] = []
    years: list[int] = []

    def mark(found: re.Match[str]) -> str:
        if found["day"]:
            dates.append(Day(int(found["month"]), int(found["day"]), int(found["year"] or 0)))
            return "<d>"
        if found["alone"]:
            if not 1 <= int(found["alone"]) <= 12:
                return found[0]
            months.append(month_of(int(found["alone"]), int(found["of"] or 0)))
            return "<m>"
        years.append(int(found["only"]))
        return "<y>"

    return Marked(_MARK.sub(mark, text), tuple(dates), tuple(months), tuple(years))


def _days_between(marked: Marked) -> CalendarStory | None:
    text = marked.text
    if _LEFT.fullmatch(text) and len(marked.months) == 1:
        (first,) = marked.dates
        month = marked.months[0].month
        if month != first.month or (month == 2 and not first.year):
            return None
        last = Day(month, Month(month, first.year).days, first.year)
        return decided(CalendarStory("span", (first, last), 1)) if first.day < last.day else None
    if marked.counted is None:
        for pattern in _AFTER:
            if found := pattern.fullmatch(text):
                groups = found.groupdict()
                return None if groups.get("what") != groups.get("again") else marked.span(1)
        counted = 2 if (begun := _BEGUN.search(text)) and re.search("结束|闭幕|持续", begun[0]) else None
    else:
        counted = marked.counted
        if _SPAN.fullmatch(text):
            return marked.span(counted)
    found = _EVENT.fullmatch(text)
    return marked.span(counted) if found and not _DOUBT.search(text) else None


def _days_of(marked: Marked) -> CalendarStory | None:
    """Return what a text asks about months, years and weeks."""
    text = marked.text
    if marked.dates:
        return None
    if found := _WEEKS.fullmatch(text):
        return in_weeks(marked, found["days"] or found["days2"])
    if found := _DAYS.fullmatch(text):
        return decided(CalendarStory("days", weeks=int(found["weeks"]), days=int(found["days"])))
    if _LEAP_YEARS.fullmatch(text):
        return decided(CalendarStory("leap_years", years=marked.years)) if marked.years[0] < marked.years[1] else None
    if found := _MONTHS_WITH.fullmatch(text):
        return decided(CalendarStory("months_with", days=int(found["days"] or {"大": 31, "小": 30}[found["kind"]])))
    found = _LENGTHS.fullmatch(text)
    months = _listed(found["list"], marked) if found else ()
    if (
        not found
        or (found["many"] and int(found["many"]) != len(months))
        or (found["twice"] and len(marked.years) != 2)
    ):
        return None
    return marked.lengths(months) if months else None


def _listed(listed: str, marked: Marked) -> tuple[Month, ...]:
    """Return the months of a list of months, of years, or of a part of a year; nothing if it is not understood."""
    if re.fullmatch(_MONTHS, listed) and not marked.years:
        return _same_year(marked.months)
    if re.fullmatch(_YEARS, listed):
        return tuple(month for year in marked.years for month in part_of_year(1, 12, year, None))
    if listed in _KINDS:
        return part_of_year(1, 12, 0, _KINDS[listed])
    if (found := re.fullmatch(r"(平年|闰年)的?<m>", listed)) and not marked.years:
        return (Month(marked.months[0].month, 0, _KINDS[found[1]]),)
    found = _PART.fullmatch(listed)
    if not found or marked.months:
        return ()
    year = marked.years[0] if marked.years else 0
    leap = _KINDS.get(found["kind"])
    if found["half"]:
        return part_of_year(*((1, 6) if found["half"] == "上" else (7, 12)), year, leap)
    last = 3 * int(found["quarter"].translate(str.maketrans("一二三四", "1234")))
    return part_of_year(last - 2, last, year, leap)


def _same_year(months: tuple[Month, ...]) -> tuple[Month, ...]:
    """Return months of which only the first has a year as months of that year: 2024年1月、2月."""
    year = months[0].year
    if year > 0 and all(one.year <= 0 for one in months[1:]):
        return tuple(Month(one.month, year) for one in months)
    return months
