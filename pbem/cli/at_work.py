"""The referee at work, once or until told to stop. A tick that finds nothing to do imports no more than it takes to see
that."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from pbem.cli.at_hand import Now, office_for, remark

at_work_app = typer.Typer()


@at_work_app.command(epilog="Example: pbem tick --now 2026-11-16T20:00+01:00")
def tick(
    context: typer.Context,
    now: Now = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Let deadlines pass although most players would miss them.")
    ] = False,
) -> None:
    """Read the letters, look at the clock, send the mail, once. For cron.

    Says something only if something happened. Exit code 1 says that a part of it could not be done: that mail was put
    off or has failed, too.
    """
    if not _all_is_quiet(context, now):
        _one_tick(context, now, anyway=anyway)


def _all_is_quiet(context: typer.Context, now: datetime | None) -> bool:
    """Whether a glance was enough. Where it was not, the whole tick says what is wrong."""
    from pbem.cli.directory import must_not_be_root_in
    from pbem.cli.main import directory_of
    from pbem.service.glance import nothing_to_do

    directory = directory_of(context)
    must_not_be_root_in(directory, context)
    remarks: list[str] = []
    quiet = nothing_to_do(directory, now or datetime.now(UTC), remarks.append)
    if quiet:
        for what in remarks:
            remark(what)
    return quiet


def _one_tick(context: typer.Context, now: datetime | None, *, anyway: bool) -> None:
    from pbem.intake.mailbox import must_be_whole
    from pbem.service.daemon import Duty
    from pbem.service.lock import only_one
    from pbem.service.logs import log_to

    office = office_for(context, now)
    must_be_whole(office)
    with only_one(office.store.directory, "tick"):
        duty = Duty(office, log_to(clock=office.clock), anyway=anyway)
        try:
            went_well = duty.one_tick() and not duty.mail_in_trouble
        finally:
            duty.close()
    if not went_well:
        raise typer.Exit(1)


@at_work_app.command(epilog="Example: pbem run   (as a service: see deploy/pbem.service)")
def run(context: typer.Context) -> None:
    """Be the referee until told to stop. Read each letter as it comes, keep the deadlines, send the mail."""
    from pbem.intake.mailbox import must_be_whole
    from pbem.service.daemon import LOOK_EVERY, Duty, run_daemon
    from pbem.service.lock import only_one
    from pbem.service.logs import log_to
    from pbem.service.systemd import ServiceManager

    office = office_for(context)
    must_be_whole(office)
    with only_one(office.store.directory, "run"):
        duty = Duty(office, log_to(), manager=ServiceManager.from_environment(), look_every=LOOK_EVERY)
        try:
            run_daemon(duty)
        finally:
            duty.close()
