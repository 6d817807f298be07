"""Candidates -> which answer the question asks for, and how sure it is."""
