"""From examples to weights: the training loop, and the checkpoints that carry its state."""
