"""A referee that lives in a mailbox: everything that touches the world. The rules are in `engine`.

    mail/       mailboxes to read from, the outbox that is sent after the commit
    letters/    MIME to the lines a player meant; pure functions over bytes
    intake/     from a letter to its fate: triage, trust, the desk on which it is settled
    commands/   every command a mail may hold, one small function each
    referee.py  runs a gate when its sheets are in;  rollback.py  takes turns back
    clock/      deadlines, reminders, and when not to trust the clock
    records/    the tables, the store, matches; playing them again and checking the dice
    words/      what a reader may know, as text and as HTML;  draw/  the same as pictures
    service/    the daemon, its log, its lock, systemd
    cli/        the command line of the GM, and the demo

`settings.py` and `settings_file.py` read settings.yaml; `shipped.py` finds templates and docs; `refusal.py` is what all
of them raise when something asked for cannot be done.
"""
