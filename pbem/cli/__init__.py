"""The command line of the GM."""
