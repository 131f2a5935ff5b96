"""The kit of drawing."""
