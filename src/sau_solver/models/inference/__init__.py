"""Solving with a trained network, without torch: ONNX Runtime runs the encoder, NumPy the decoder and the search."""
