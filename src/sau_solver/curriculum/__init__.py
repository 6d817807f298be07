"""Families of problems -> exercises with exact answers: for worksheets, for practice and for training."""
