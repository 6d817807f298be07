"""Readers of the published file formats. A reader turns a Row into a Problem or raises RowError."""
