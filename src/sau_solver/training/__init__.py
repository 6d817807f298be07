"""Train networks: batches, training steps, epochs, snapshots and checkpoints to resume from."""
