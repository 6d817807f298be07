"""Read the text of a problem: language, screening, numbers, words, questions and units."""
