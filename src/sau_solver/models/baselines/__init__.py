"""The baselines of the paper: GTS, Seq2Seq, StackDecoder and Retrieval-Jaccard."""
