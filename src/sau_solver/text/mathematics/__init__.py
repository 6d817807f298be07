"""Typed text -> the mathematics that it asks for, or nothing if it is a word problem."""

from sau_solver.text.mathematics.recognition import recognize
from sau_solver.text.mathematics.request import Kind, Request

__all__ = ["Kind", "Request", "recognize"]
