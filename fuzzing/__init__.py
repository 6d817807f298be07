"""Generated inputs for every part that reads something from outside, checked against independent oracles."""
