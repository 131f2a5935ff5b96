"""What the orders of Hitler's War have besides those of the family."""

#: In place of an army or a place: whom the surrender of Italy costs points (HW-20.2, D-46).
ITALY_SURRENDER = "ITALY-SURRENDER"
