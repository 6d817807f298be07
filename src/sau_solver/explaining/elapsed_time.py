"""A story of the clock -> its exact answer with worked steps: count up to the next hour, or add hours, then minutes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.equations.expressions import number_text
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.text.clock import ClockStory
from sau_solver.text.clock.clock_story import DAY, HOUR, NOON
from sau_solver.text.numbers import MappedText

_SHORT = (1, 2, 4)  # denominators of hours that people write as decimals: 7.5 hours
_UNITS: dict[Language, tuple[str, str]] = {"en": ("hours", "minutes"), "zh": ("小时", "分钟")}


def clock_answer(story: ClockStory, text: MappedText, step: StepWriter) -> tuple[tuple[Asked, ...], tuple[Step, ...]]:
    """Return what the story of a text asks for, and the steps that lead there in the writer's language."""
    clock = _Clock(story, text.text, step)
    if story.asked == "duration":
        value, unit, shown = clock.duration(text.language)
        unknown = _difference(story.start, story.end)
        steps = clock.counting()
    else:
        value, unit, shown = clock.time_of_day()
        total = story.end - story.start
        unknown = (
            f"{_plain(story.start)}+{_plain(total)}"
            if story.asked == "end"
            else f"{_plain(story.end % DAY)}-{_plain(total)}"
        )
        steps = clock.moving()
    asked = Asked(story.question, "", unknown, value, unit, shown=shown)
    return (asked,), (*steps, step("answer", answer=shown))


class _Clock:
    """Writes times, durations and steps of one story."""

    def __init__(self, story: ClockStory, text: str, step: StepWriter) -> None:
        self.story, self.text, self.step = story, text, step

    def time(self, minutes: int) -> str:
        """Return a time of day as the text writes times, in the reader's language."""
        hour, minute = divmod(minutes % DAY, HOUR)
        if self.step.language == "en":
            if not self.story.halves:
                return f"{hour}:{minute:02}"
            if not minute and hour in (0, 12):
                return "12:00 noon" if hour else "12:00 midnight"
            return f"{hour % 12 or 12}:{minute:02} {'am' if hour < 12 else 'pm'}"
        part = _part_of_day(hour) if self.story.halves else ""
        shown = hour - 12 if part and hour > 12 else hour
        if self.story.form == ":":
            return f"{part}{shown}:{minute:02}"
        return f"{part}{shown}{self.story.form}" + (f"{minute}分" if minute else "")

    def until(self, minutes: int) -> str:
        """Return the time at which a part of the way ends; midnight ends a day as 24:00."""
        if minutes % DAY or (self.step.language == "en" and self.story.halves):
            return self.time(minutes)
        if self.step.language == "en" or self.story.form == ":":
            return "24:00"
        return f"夜里12{self.story.form}" if self.story.halves else f"24{self.story.form}"

    def length(self, minutes: int) -> str:
        """Return a duration in the reader's language: 4 hours 25 minutes, 4小时25分."""
        hours, rest = divmod(minutes, HOUR)
        if self.step.language == "zh":
            return f"{hours}小时" + (f"{rest}分" if rest else "") if hours else f"{rest}分钟"
        parts = [
            f"{count} {name}{'s' if count != 1 else ''}" for count, name in ((hours, "hour"), (rest, "minute")) if count
        ]
        return " ".join(parts)

    def duration(self, language: Language) -> tuple[Fraction, str, str]:
        """Return the value, the unit in the language of the text, and what is shown."""
        minutes = self.story.end - self.story.start
        hours = Fraction(minutes, HOUR)
        in_hours, in_minutes = _UNITS[language]
        if self.story.unit == "minutes":
            return Fraction(minutes), in_minutes, self._counted(Fraction(minutes), 1)
        if self.story.unit == "hours":
            shown = self._counted(hours, 0) if hours.denominator in _SHORT else self.length(minutes)
            return hours, in_hours, shown
        if hours.denominator == 1:
            return hours, in_hours, self.length(minutes)
        return Fraction(minutes), in_minutes, self.length(minutes)

    def _counted(self, value: Fraction, unit: int) -> str:
        name = _UNITS[self.step.language][unit]
        return f"{number_text(value)} {name[:-1] if value == 1 and name.isascii() else name}"

    def time_of_day(self) -> tuple[Fraction, str, str]:
        """Return hours after midnight, or on the 12-hour clock if the question names the half of the day."""
        story = self.story
        minutes = story.end if story.asked == "end" else story.start
        shown = self.time(minutes)
        if story.end >= DAY and story.asked == "end":
            shown = str(self.step("clock_next_day", time=shown))
        elif story.end >= DAY > story.start:
            shown = str(self.step("clock_day_before", time=shown))
        inside = minutes % DAY
        if story.half and inside >= NOON + HOUR:
            inside -= NOON
        return Fraction(inside, HOUR), "", shown

    def counting(self) -> list[Step]:
        """Return the steps that count from the start to the end, and convert the result to the unit asked for."""
        story, step = self.story, self.step
        total = story.end - story.start
        pieces = list(_pieces(story.start, story.end))
        steps = [
            step("clock_count", start=self.time(one), end=self.until(other), duration=self.length(other - one))
            for one, other in pieces
        ]
        if len(pieces) > 1:
            lengths = [self.length(other - one) for one, other in pieces]
            steps.append(step("clock_total", sum=" + ".join(lengths), total=self.length(total)))
        hours, rest = divmod(total, HOUR)
        if story.unit == "minutes" and hours:
            worked = f"{hours} × {HOUR} + {rest}" if rest else f"{hours} × {HOUR}"
            steps.append(step("clock_minutes", duration=self.length(total), worked=worked, minutes=total))
        if story.unit == "hours" and rest and Fraction(total, HOUR).denominator in _SHORT:
            steps.append(step("clock_equal", one=self.length(total), other=self._counted(Fraction(total, HOUR), 0)))
        return steps

    def moving(self) -> list[Step]:
        """Return the steps that go from the known time by hours, then by minutes."""
        story, step = self.story, self.step
        total = story.end - story.start
        steps = []
        minutes = [Phrase.of("clock_in_minutes", minutes=one) for one in story.durations]
        if len(story.durations) > 1:
            added = " + ".join(one.said(step.language) for one in minutes)
            converted = Phrase.of("clock_in_minutes", minutes=total).said(step.language)
            same = f"{converted} = {self.length(total)}" if total >= HOUR else converted
            steps.append(step("clock_total", sum=added, total=same))
        elif total > HOUR and str(total) in self.text:  # 155 minutes
            steps.append(step("clock_equal", one=minutes[0], other=self.length(total)))
        place, sign, code = (story.start, 1, "clock_after") if story.asked == "end" else (story.end, -1, "clock_before")
        for part in (total - total % HOUR, total % HOUR):
            if part:
                after = place + sign * part
                steps.append(step(code, duration=self.length(part), time=self.time(place), result=self.time(after)))
                place = after
        return steps


def _pieces(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a way from one time to another: to midnight, or to the next hour, full hours, the rest."""
    if start < DAY < end:
        yield start, DAY
        if end - DAY > DAY:
            yield DAY, 2 * DAY
            yield 2 * DAY, end
        else:
            yield DAY, end
        return
    first = -(-start // HOUR) * HOUR
    last = end // HOUR * HOUR
    if first >= last or (first == start and last == end):  # within an hour, or from one full hour to another
        if start < first < end:
            yield start, first
            start = first
        yield start, end
        return
    if start < first:
        yield start, first
    yield first, last
    if last < end:
        yield last, end


def _plain(minutes: int) -> str:
    return f"{minutes // HOUR}:{minutes % HOUR:02}"


def _difference(start: int, end: int) -> str:
    return f"{_plain(end)}-{_plain(start)}" if end <= DAY else f"24:00-{_plain(start)}+{_plain(end - DAY)}"


def _part_of_day(hour: int) -> str:
    return "凌晨" if hour < 6 else "上午" if hour < 12 else "中午" if hour == 12 else "下午" if hour < 18 else "晚上"
