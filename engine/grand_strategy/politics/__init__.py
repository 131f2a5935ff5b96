"""Countries that stand aside until they are attacked, and then take a side (HW-19)."""
