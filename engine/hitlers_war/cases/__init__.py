"""Case files: a small position, orders and forced dice, and what must come of them."""
