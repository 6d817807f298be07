"""Readers of the published file formats. A reader turns a Row into a Problem or raises RowError."""

from sau_solver.data.readers.formats import FORMATS, Format, Reading, detect, find_format, iterate, read

__all__ = ["FORMATS", "Format", "Reading", "detect", "find_format", "iterate", "read"]
