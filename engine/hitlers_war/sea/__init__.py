"""The seas of Europe."""
