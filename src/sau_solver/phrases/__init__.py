"""Every sentence for users, in English and Chinese."""

from sau_solver.phrases.messages import PHRASES, Language, Phrase, hint_for, say

__all__ = ["PHRASES", "Language", "Phrase", "hint_for", "say"]
