"""The rules of a player-turn, phase by phase."""
