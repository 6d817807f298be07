"""The benchmark: any system on the test problems of every corpus, and one report."""
