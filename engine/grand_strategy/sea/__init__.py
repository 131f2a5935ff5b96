"""The sea: what may be carried over it, the ways of armies, landings and the fire at them (HW-12, HW-13)."""
