"""The solver over HTTP, and the web page that uses it."""
