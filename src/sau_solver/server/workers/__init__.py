"""Processes that solve for the server, and how requests reach them."""
