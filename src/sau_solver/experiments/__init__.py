"""The laboratory: configurations, folds, runs, cross-validation and reports."""
