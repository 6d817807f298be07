"""Stories about times of day and durations -> what they ask of the clock, or nothing if there is any doubt."""

from sau_solver.text.clock.clock_story import ClockStory
from sau_solver.text.clock.recognizing import clock_story

__all__ = ["ClockStory", "clock_story"]
