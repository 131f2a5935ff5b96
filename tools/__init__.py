"""Tools for those who work on the program: benchmarks, soaks, samples and screenshots."""
