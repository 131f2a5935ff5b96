"""Countries: who stands aside, joins a side or gives up, and what a side may not count or move (HW-17 to HW-23)."""
