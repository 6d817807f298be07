"""What a language knows about stories, and the way from a text to its story that is the same in all languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sau_solver.problem import Language
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS, MAX_FACTS, CommonStory, Told, told

# A story and its questions -> what it asks for; None if the rule is for other stories.
Rule = Callable[[Told, list[str]], CommonStory | None]


@dataclass(frozen=True, slots=True)
class StoryLanguage:
    """The words and rules of one language."""

    language: Language
    cues: tuple[re.Pattern[str], ...]  # every story has one of them: again, the greatest, the least
    other_stories: re.Pattern[str]  # speeds, prices, percentages
    asks_other: Callable[[str], bool]  # whether a question is for something that no rule gives: an area, a price
    essential: Callable[[Told], Told]  # leaves out numbers that only count or name something
    asked: Callable[[str], list[str]]  # the questions of a text
    rules: tuple[Rule, ...]

    def story(self, text: str) -> CommonStory | None:
        """Return the story that the first matching rule finds in a text; None if the text tells another one."""
        if len(text) > MAX_CHARACTERS:
            return None
        if not any(cue.search(text) for cue in self.cues) or self.other_stories.search(text):
            return None
        story = told(text, self.language)
        if story is None:
            return None
        story = self.essential(story)
        if not 2 <= len(story.facts) <= MAX_FACTS:
            return None
        asks = self.asked(story.text)
        if not asks or any(map(self.asks_other, asks)):
            return None
        return next((found for rule in self.rules if (found := rule(story, asks))), None)
