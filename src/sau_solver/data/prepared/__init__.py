"""Corpora -> what models learn from and are tested on: folds, examples, mixtures."""
