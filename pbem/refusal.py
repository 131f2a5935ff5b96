"""What the program says when it cannot do what was asked: why, and what would work."""


class Refusal(Exception):
    """Something the user can do something about. It is shown as words, never as a traceback."""

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.remedy = remedy
