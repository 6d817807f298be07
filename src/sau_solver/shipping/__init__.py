"""A trained model -> a shipped model: quantized, calibrated, verified, with a model card."""
