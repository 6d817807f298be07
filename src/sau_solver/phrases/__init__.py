"""Every sentence that users read, in English and Chinese. Other modules pass codes and values; `say` writes them."""

from sau_solver.phrases.phrase import PHRASES, Language, Phrase, hint_for, hint_of, say

__all__ = ["PHRASES", "Language", "Phrase", "hint_for", "hint_of", "say"]
