"""Triton kernels for the layers, used on a GPU."""
