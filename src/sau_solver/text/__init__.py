"""Raw text -> a screened text with its language, words and numbers."""
