"""Mail in and out: mailboxes to read letters from, and the outbox that is sent after the commit."""
