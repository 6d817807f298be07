"""One reader per published file format: a Row in, a Problem out, RowError for a row that cannot be one."""

from sau_solver.data.readers.formats import FORMATS, Format, Reading, detect, find_format, iterate, read

__all__ = ["FORMATS", "Format", "Reading", "detect", "find_format", "iterate", "read"]
