"""Stored results -> the paper's tables with ours beside them, significance, and figures."""
