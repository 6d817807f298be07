"""The frame of an HTML page that consists of one file: no scripts, and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_page(title: str, body: Sequence[str], style: str, language: str = "en", images: str = "") -> str:
    """Return the page. `images` is what the policy allows as source of images, besides nothing."""
    policy = f"default-src 'none'; style-src 'unsafe-inline'{f'; img-src {images}' if images else ''}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{language}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )
