"""Solved equations -> worked steps in the reader's language."""
