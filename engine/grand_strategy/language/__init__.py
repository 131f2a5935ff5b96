"""The order language of the family: from the lines of a sheet to orders, or to what would work.

A game has an `Idiom` (words.py): the words of its parts, what its hexes look like, its own orders, names for examples.
"""
