"""Problems with their solutions -> worksheets: Markdown, HTML, CSV and LaTeX."""
