"""The GM's command about his own key: with it he commands by mail."""

from typing import Annotated

import typer
from sqlmodel import Session

from pbem.cli.at_hand import office_for
from pbem.cli.mail import AsJson
from pbem.letters.addresses import same_address
from pbem.post.gm_keys import key_of_gm, renewed_key
from pbem.post.letterhead import stranger_mail
from pbem.post.notices import notice
from pbem.post.office import Office
from pbem.records.keys import gm_tag
from pbem.refusal import Refusal
from pbem.screens.console import Facts, as_json, moment
from pbem.settings import SETTINGS

gm_key_app = typer.Typer()


class ThereIsNoSuchGm(Refusal):
    pass


@gm_key_app.command("gm-key", epilog="Example: pbem gm-key --renew")
def gm_key(
    context: typer.Context,
    address: Annotated[str, typer.Argument(metavar="[ADDRESS]", help="One GM; left out: all.")] = "",
    renew: Annotated[
        bool, typer.Option("--renew", help="Make a new key and mail it; the old one counts no more.")
    ] = False,
    as_json_: AsJson = False,
) -> None:
    """Show the key with which you command by mail, or get a new one.

    It stands in the subject of every mail to you. Show it to nobody.
    """
    office = office_for(context)
    with office.store.writing() as session:
        facts = [_facts(session, office, one, renew=renew) for one in _gms(office, address)]
    typer.echo(as_json(facts) if as_json_ else "\n".join(map(_line, facts)))
    if renew and not as_json_:
        typer.echo("A mail with the new key goes out with the next pass: pbem tick, or pbem run if it is running.")


def _gms(office: Office, address: str) -> list[str]:
    named = [gm for gm in office.gm_addresses if not address or same_address(gm, address)]
    if not named:
        why = f"{address} is no GM's address" if address else "no GM is named"
        raise ThereIsNoSuchGm(why, f"Name it in {SETTINGS}, below referee: as gm: [{address or 'gm@example.org'}]")
    return named


def _facts(session: Session, office: Office, address: str, *, renew: bool) -> Facts:
    now = office.clock()
    key = renewed_key(session, address, now) if renew else key_of_gm(session, address, now)
    if renew:
        said, name = notice("gm-key"), f"gm/new-key/{now.isoformat()}/{address}"
        office.write(session, stranger_mail(office, name, "notice", address, said.subject, said.text))
    return {"address": address, "key": gm_tag(key.key), "since": key.since}


def _line(facts: Facts) -> str:
    return f"{facts['address']}  {{{facts['key']}}}  since {moment(facts['since'])}"
