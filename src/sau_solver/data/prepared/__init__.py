"""Prepare corpora for training and testing: folds, examples, mixtures."""
