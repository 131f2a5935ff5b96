"""The sea: charts, routes, transport, landings, and fire at them (HW-12, HW-13)."""
