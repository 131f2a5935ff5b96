"""The order language: from the lines of a sheet to orders, or to what would work."""
