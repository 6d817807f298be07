"""Models by name: a folder, or a model of the Hugging Face Hub; downloading, saving and publishing them."""
