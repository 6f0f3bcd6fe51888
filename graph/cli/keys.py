"""`prefrontal keys`: keys for the service's API."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from graph.cli.console import OUT, note, print_json
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.validating import validated
from graph.settings import Settings
from state.errors import AgentError, BadInput
from state.principal import Principal

keys = typer.Typer(
    no_args_is_help=True,
    help="Keys for the service's API: create one.",
    epilog="Example: prefrontal keys create --user marta --role chief_engineer",
)


class Kind(StrEnum):
    """Who holds a key; a service never approves."""

    PERSON = "person"
    SERVICE = "service"


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(keys, name="keys")


@keys.callback()
def _start() -> None:
    """Keys for the service's API."""


@keys.command(epilog="Example: prefrontal keys create --user marta --role chief_engineer --days 30")
def create(
    user: Annotated[str, typer.Option(help="Whose key it is.")],
    tenant: Tenant = "default",
    role: Annotated[
        list[str] | None, typer.Option(help="A role its holder has; may be repeated.")
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="A person may approve, a service never.")
    ] = Kind.PERSON,
    days: Annotated[float | None, typer.Option(help="How long it is good for.")] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a key and print it, this once; only its hash is kept. Works beside a running service."""
    if days is not None and not 0 < days <= 36_500:
        raise BadInput("--days takes a number from above 0 to 36500")
    principal = validated(
        Principal,
        {"user": user, "tenant_id": tenant, "roles": list(role or ()), "kind": kind.value},
    )
    settings = read_settings(data_dir=data_dir)
    if unknown := _unknown_roles(settings, principal):
        note(f"no loaded pack knows the role {', '.join(unknown)}; the key is made all the same")
    secret = asyncio.run(_make(settings, principal, days))
    if as_json:
        print_json({"key": secret, **principal.model_dump(mode="json"), "days": days})
        return
    note("this key is shown once; keep it")
    OUT.print(secret)


def _unknown_roles(settings: Settings, principal: Principal) -> list[str]:
    """Find the roles that nothing here gives a right; none when the packs cannot be read."""
    from tools.callers.attribution import SPEAKS_FOR_OTHERS
    from tools.catalogue.catalogue import roles_of
    from tools.catalogue.pack import find_pack, load_pack

    known = set(SPEAKS_FOR_OTHERS)
    try:
        for name in settings.packs:
            known |= roles_of(load_pack(find_pack(name)))
    except AgentError:  # `pack validate` and `doctor` say what is wrong with them
        return []
    return [role for role in principal.roles if role not in known]


async def _make(settings: Settings, principal: Principal, days: float | None) -> str:
    from tools.storage.database import Database
    from tools.storage.keys import SqlKeys

    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.database)
    try:
        return await SqlKeys(database).make(principal, days=days)
    finally:
        await database.close()
