"""What the referee mails: every kind of letter, its pictures, and the outbox it leaves by."""
