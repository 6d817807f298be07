"""Chinese words around times of day: 出发, 到达, 多长时间, 几时几分; and words that raise doubt."""

from __future__ import annotations

import re
from typing import Literal

from sau_solver.text.clock.clock_story import ClockTime, ClockUnit, Duration, Half
from sau_solver.text.clock.clock_words import ClockQuestion, Direction, Role

_QUESTION = re.compile(
    r"(?P<both>几个?小时(?:零|又)?(?:几|多少)分钟?|多少小时(?:零|又)?多少分钟?)|(?P<hours>(?:几|多少)个?小时)|(?P<minutes>(?:几|多少)分钟?(?![之数米]))"
    r"|(?P<long>多长时间|多少时间|多久|多长的时间)|(?P<time>什么时[候间刻]|几[时点](?:几分)?|何时|哪个时刻)"
)
_OTHER = re.compile(r"多少|几(?!乎|何)|什么|怎[样么]|哪|谁|为何|吗|多[大高远重快]")
_STARTS = re.compile(
    r"出发|开始|开演|起飞|开门|开馆|上课|发车|开出|动身|上班|上学|离开|离家|睡觉|入睡|睡着|上床|启程|开车|驶出|开往|开播|出门|开幕|开会|去上"
)
_ENDS = re.compile(
    r"结束|(?<![迟得感直达])到(?!了?中?[早晚上下][上午])|抵达|关门|闭馆|下课|降落|停止|返回|回来|回家|醒|散场|[做完写看炖煮烤吃洗练]好|完|终场|打烊|落幕|停业"
)
_LATE = re.compile(r"晚点|误点|延误|推迟|晚到|迟到|提前|提早|早到")
_DUE = re.compile(r"应[该当]?|原定|原计划|计划|预定|预计|正点|正常")
_NOW = re.compile(r"现在|此时|这时|再过")
_SPAN = re.compile(r"\s?(?:一直)?(?:到|至|[-~～—－–]{1,2})\s?|[\u4e00-\u9fff]{0,4}?到")
_NEXT_DAY = re.compile("第二天|次日|第2天|翌日|隔天|明天")
_OTHER_DAY = re.compile(r"第[三四五六七3-9]天|昨天|前天|后天")
_DOUBT = re.compile(
    r"每(?![天日晚])|各|平均|速度|照这样|相遇|追[上及]|时差|当地|北京时间|夹角|时针|分针|秒|[快慢]|周|星期|礼拜|倍|半路|一半|比(?!赛)|其中|分别|同时|钟面"
    r"|手表|闹钟|每隔|间隔|千米|公里|[^钟]元|%|％|路程的|分之|两[车人地班]|不算|除去|实际|还剩|剩下|[^计]平时|下一|往常|又|再(?!过)|或"
)
_DOUBT_OF_SEVERAL = re.compile(r"第[一二三四五六七八九\d]+[节次班趟]|已经|还要|如果|同样|多[少长]时间")
_DAY = re.compile(r"(?:(?P<am>上午|早上|早晨|清晨|凌晨)|下午|晚上|傍晚)[\u4e00-\u9fff]{0,3}$")
_NEGATED = re.compile("不|没|未|关[门闭]|醒")
_IN_UNIT = re.compile("[用以](?:(?P<hours>小时)|分钟?)(?:来|作|做|为)?(?:回答|表示|单位)")


class ChineseClockWords:
    """The words of Chinese."""

    def question(self, text: str, raw: str) -> ClockQuestion | None:
        """Return the only question of a text; None if there is none, several, or one about something else."""
        found = list(_QUESTION.finditer(text))
        if len(found) != 1 or len(re.findall("[?？]", text)) > 1:
            return None
        (match,) = found
        if _OTHER.search(text[: match.start()]) or _OTHER.search(text[match.end() :]):
            return None
        begin = max(text.rfind(mark, 0, match.start()) + 1 for mark in "，。；,;！")
        ended = re.compile("[?？。]").search(text, match.end())
        end = ended.end() if ended else len(text)
        quoted = raw[begin:end].strip()
        if match["time"]:
            role = self._asked_role(text[begin:end])
            day = _DAY.search(text, begin, match.start())
            half: Half = "" if not day else "am" if day["am"] else "pm"
            return ClockQuestion(begin, quoted, False, half=half, role=role) if role else None
        if _NEGATED.search(quoted):
            return None
        unit: ClockUnit = (
            "both" if match["both"] else "hours" if match["hours"] else "minutes" if match["minutes"] else ""
        )
        if named := _IN_UNIT.search(text, match.end()):
            unit = "hours" if named["hours"] else "minutes"
        return ClockQuestion(begin, quoted, True, unit)

    @staticmethod
    def _asked_role(tail: str) -> Role:
        tail = tail.replace("迟到", "")
        starts, ends = (
            _STARTS.search(tail) or re.search("起床|开的", tail),
            _ENDS.search(tail) or re.search("下班|放学", tail),
        )
        if starts and ends:
            return "start" if starts.start() < ends.start() and re.search("最[晚迟]|才|必须|应该", tail) else ""
        if starts or ends:
            return "start" if starts else "end"
        return "now"

    def role(self, text: str, time: ClockTime, begin: int, end: int) -> Role:
        """Return whether something starts or ends at a time: by the words after it, else by those before it."""
        after = re.split("[，。；？,;?]", text[time.end : end], maxsplit=1)[0]
        before = re.split("[，。；？,;?]", text[begin : time.start])[-1]
        for words in (after, before):
            starts, ends = _STARTS.search(words), _ENDS.search(words)
            if starts and (not ends or starts.start() < ends.start()):
                return "start"
            if ends:
                return "end"
        return "now" if _NOW.search(before) else ""

    def is_span(self, text: str, first: ClockTime, second: ClockTime) -> bool:
        """Return whether two times are written as a span: 9:00—17:30, 从8时工作到12时."""
        return bool(_SPAN.fullmatch(_without_day(text, first.end, second.start)))

    def goes_to_next_day(self, text: str) -> bool | None:
        """Return whether the text says that it ends on the next day; None if it names other days."""
        return None if _OTHER_DAY.search(text) else bool(_NEXT_DAY.search(text))

    def is_doubtful(self, text: str, question: ClockQuestion, durations: int) -> bool:
        """Return whether the text has words that may change the calculation."""
        plain = re.sub("不会?迟到", "", text)
        if _LATE.search(plain):
            plain = plain.replace("实际", "") if self._is_late(plain) else plain + "实际"
        return bool(_DOUBT.search(plain)) or (durations > 1 and bool(_DOUBT_OF_SEVERAL.search(plain)))

    @staticmethod
    def _is_late(text: str) -> bool:
        """Return whether a delay follows a time that was planned, and the question is for the real time."""
        late, due = _LATE.search(text), _DUE.search(text)
        return bool(late and due and due.start() < late.start() and not _DUE.search(text, late.end()))

    def relation(self, text: str, time: ClockTime, durations: list[Duration]) -> Direction | Literal["", "odd"]:
        """Return the direction that the words beside a duration name: 再过45分钟, 晚点20分钟, 15分钟前."""
        plain = re.sub("不会?迟到", "", text)
        if late := _LATE.search(plain):
            if len(durations) > 1 or not self._is_late(plain):
                return "odd"
            return "backward" if "早" in late[0] or "提前" in late[0] else "forward"
        before = [one for one in durations if re.match("(?:之|以)?前", text[one.end : one.end + 2])]
        if before:
            return "backward" if len(durations) == 1 else "odd"
        after = [
            one for one in durations if one.start > time.end and re.match("(?:之|以)?后", text[one.end : one.end + 2])
        ]
        if after or (len(durations) == 1 and text[: durations[0].start].endswith(("再过", "过"))):
            return "forward" if len(durations) == 1 and not text[: durations[0].start].endswith("经过") else ""
        return ""

    def is_departure(self, question: ClockQuestion) -> bool:
        """Return whether the question is when somebody leaves or gets up, which may be before or after the time."""
        return bool(re.search("出发|动身|起床|离家|离开|出门", question.quoted))

    def departs_for(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether somebody leaves in order to be in place at the time of the text."""
        after = re.split("[，。；？,;?]", text[time.end :], maxsplit=1)[0]
        return bool(re.search("上[课班学]|开[始演会门]|到|抵达|降落|起飞|发车", after)) and not re.search(
            "出发|动身|离", after
        )

    def travels_after(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether the question is for an arrival after something that ends at the time of the text."""
        return False

    def is_about_all(self, question: ClockQuestion) -> bool:
        """Return whether the question is when everything starts or ends, not one of several things."""
        return bool(re.search("结束|完|好|散场|闭幕|开始|起床", question.quoted))


def _without_day(text: str, start: int, end: int) -> str:
    """Return text[start:end] without words that belong to the second time."""
    return re.sub(r"(?:第二天|次日)?的?$", "", text[start:end])
