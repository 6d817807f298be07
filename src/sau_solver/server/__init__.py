"""The solver over HTTP, and the page that shows what it found."""
