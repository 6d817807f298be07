"""Solving whole files from the command line."""
