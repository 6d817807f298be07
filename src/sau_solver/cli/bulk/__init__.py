"""Solves files of problems line by line, in constant memory, and continues after an interruption."""
