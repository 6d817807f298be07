"""Candidates -> the answer that the question asks for, and the probability that it is right."""
