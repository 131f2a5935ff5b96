"""The referee as a program that stays: passes over the mailbox, its log, its lock, and systemd."""
