"""What the pulses on record are called, and how far apart two of them may be. It takes no library to know that."""

from datetime import timedelta

TICK = "tick"
MAILBOX_READ = "mailbox read"
STRANGERS_FORGOTTEN = "strangers forgotten"

#: Clocks are set by a few seconds now and then, and two processes may look at the same time.
BACKWARDS_AT_MOST = timedelta(minutes=2)
FORWARDS_AT_MOST = timedelta(days=1)


def is_plausible(step: timedelta) -> bool:
    """From one look at the clock to the next."""
    return -BACKWARDS_AT_MOST <= step <= FORWARDS_AT_MOST
