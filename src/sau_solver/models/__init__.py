"""Models and baselines: mapped texts -> ranked trees. What is imported from here needs no torch."""
