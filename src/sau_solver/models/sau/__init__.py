"""The paper's model: encoder, tree decoder, subtree alignment and beam search."""
