"""Deadlines, reminders, and when not to trust the clock."""
