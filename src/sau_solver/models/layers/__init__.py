"""Layers that several models share, one per file."""
