"""The rules: pure functions from a position, sheets of orders and dice to a new position and its events."""
