"""`prefrontal keys`: keys for the service's API."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated, TypeVar

import typer
from pydantic import JsonValue

from api.cli.data_folder import require_database
from api.cli.options import AsJson, DataDir, Tenant, read_settings
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from state.errors import AgentError, BadInput
from state.key import ApiKey
from state.principal import ACCESS, Principal
from tools.platform.validation import validated
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database

T = TypeVar("T")
Days = Annotated[float | None, typer.Option(help="How long it is good for.")]
keys = typer.Typer(
    no_args_is_help=True,
    help="Keys for the service's API: create, list, rotate, revoke.",
    epilog="Example: prefrontal keys create --user marta --role chief_engineer",
)


class Access(StrEnum):
    """What a key is good for; within it the roles say what its holder may."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    FULL = "full"


class Kind(StrEnum):
    """Who holds a key; a service never approves."""

    PERSON = "person"
    SERVICE = "service"


def add_keys(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(keys, name="keys")


@keys.callback()
def _start() -> None:
    """Keys for the service's API."""


@keys.command(epilog="Example: prefrontal keys create --user marta --role chief_engineer --days 30")
def create(  # noqa: PLR0913, PLR0917  # every option is a parameter
    user: Annotated[str, typer.Option(help="Whose key it is.")],
    tenant: Tenant = "default",
    role: Annotated[
        list[str] | None, typer.Option(help="A role its holder has; may be repeated.")
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="A person may approve, a service never.")
    ] = Kind.PERSON,
    days: Days = None,
    access: Annotated[
        Access,
        typer.Option(help="viewer: looks; operator: asks too; approver: looks and answers."),
    ] = Access.FULL,
    source: Annotated[
        list[str] | None,
        typer.Option(help="It sends as this source alone, and no other key does; may be repeated."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a key and print it, this once; only its hash is kept. Works beside a running service."""
    _check_days(days)
    named: dict[str, JsonValue] = {
        "user": user,
        "tenant_id": tenant,
        "roles": list(role or ()),
        "kind": kind.value,
        "scopes": list(ACCESS[access.value]),
        "sources": list(source or ()),
    }
    principal = validated(Principal, named)
    settings = read_settings(data_dir=data_dir)
    if unknown := _unknown_roles(settings, principal):
        print_note(
            f"no loaded pack knows the role {', '.join(unknown)}; the key is made all the same"
        )
    secret = asyncio.run(_make(settings, principal, days))
    if as_json:
        told = principal.model_dump(mode="json", exclude={"kept_sources"})
        print_json({"key": secret, **told, "days": days})
        return
    print_note("this key is shown once; keep it")
    OUT.print(secret)


@keys.command("list", epilog="Example: prefrontal keys list --json")
def list_them(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List every key: whose, for what, how long; never the key itself. Reads beside a service."""
    settings = read_settings(data_dir=data_dir)
    require_database(settings)
    for key in asyncio.run(_with(settings, SqlKeys.list)):
        if as_json:
            print_json(key.model_dump(mode="json", exclude={"principal": {"kept_sources"}}))
        else:
            OUT.print(_line(key))


@keys.command(epilog="Example: prefrontal keys rotate 5f0c2d9a71e3b846 --overlap-hours 24")
def rotate(
    key_id: Annotated[str, typer.Argument(help="As `keys list` names it.")],
    overlap_hours: Annotated[
        float, typer.Option(min=0, max=8_760, help="How long the old one stays good.")
    ] = 0.0,
    days: Days = None,
    data_dir: DataDir = None,
) -> None:
    """Make a new key for the same holder, print it this once, and end the old one."""
    _check_days(days)
    settings = read_settings(data_dir=data_dir)
    require_database(settings)
    secret = asyncio.run(
        _with(settings, lambda held: held.rotate(key_id, days=days, overlap_hours=overlap_hours))
    )
    print_note("this key is shown once; keep it")
    OUT.print(secret)


@keys.command(epilog="Example: prefrontal keys revoke 5f0c2d9a71e3b846")
def revoke(
    key_id: Annotated[str, typer.Argument(help="As `keys list` names it.")],
    data_dir: DataDir = None,
) -> None:
    """End a key at once; a yes given with it that nothing has come of yet counts no more."""
    settings = read_settings(data_dir=data_dir)
    require_database(settings)
    asyncio.run(_with(settings, lambda held: held.revoke(key_id)))
    print_note(f"key {key_id} is revoked")


def _check_days(days: float | None) -> None:
    if days is not None and not 0 < days <= 36_500:
        raise BadInput("--days takes a number from above 0 to 36500")


def _line(key: ApiKey) -> str:
    held = key.principal
    until = "revoked" if key.revoked_at else "over" if not key.is_good else "good"
    if key.is_good and key.expires_at:
        until = f"good until {key.expires_at:%Y-%m-%d %H:%M} UTC"
    access = next(name for name, scopes in ACCESS.items() if set(scopes) == set(held.scopes))
    roles = ", ".join(held.roles) or "no role"
    who = f"{printable(held.user)} of {held.tenant_id} ({held.kind}; {printable(roles)})"
    sends_as = f"  as {printable(', '.join(held.sources))}" if held.sources else ""
    return f"{key.key_id}  {access:<8}  {who}  {until}{sends_as}"


def _unknown_roles(settings: Settings, principal: Principal) -> list[str]:
    """Find the roles that nothing here gives a right; none when the packs cannot be read."""
    from graph.wiring.thresholds import read_tuning
    from tools.access.permissions import SPEAKS_FOR_OTHERS
    from tools.catalog.action_catalog import roles_of
    from tools.catalog.pack import find_pack, load_pack

    known = set(SPEAKS_FOR_OTHERS)
    try:
        closed = read_tuning(settings.policy_file).sessions
        known |= {role for one in closed for role in one.roles}
        for name in settings.packs:
            known |= roles_of(load_pack(find_pack(name)))
    except AgentError:  # `pack validate` and `doctor` say what is wrong with them
        return []
    return [role for role in principal.roles if role not in known]


async def _make(settings: Settings, principal: Principal, days: float | None) -> str:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    return await _with(settings, lambda held: held.make(principal, days=days))


async def _with(settings: Settings, work: Callable[[SqlKeys], Awaitable[T]]) -> T:
    database = Database(settings.database)
    try:
        return await work(SqlKeys(database))
    finally:
        await database.close()
