"""Text of a problem -> the things it asks for, the words around its numbers, and the comparisons it states."""

from sau_solver.text.asking.reading import Reading, read_questions
from sau_solver.text.asking.thing import Thing

__all__ = ["Reading", "Thing", "read_questions"]
