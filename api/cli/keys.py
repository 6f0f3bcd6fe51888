"""`prefrontal keys`: keys for the service's API."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import JsonValue

from api.cli.data_folder import on_tables
from api.cli.options import AsJson, DataDir, Tenant, read_settings
from api.cli.service import running_address
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from state.errors import AgentError, BadInput
from state.key import ApiKey
from state.principal import ACCESS, Principal
from tools.access import SqlKeys
from tools.platform.serialization import validated
from tools.platform.texts import t
from tools.storage import Database

T = TypeVar("T")
Days = Annotated[float | None, typer.Option(help="Days until it expires. Default: never.")]
keys = typer.Typer(
    no_args_is_help=True,
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


@keys.command(epilog="Example: prefrontal keys create --user marta --role chief_engineer --days 30")
def create(  # noqa: PLR0913, PLR0917  # every option is a parameter
    context: typer.Context,
    user: Annotated[str, typer.Option(help="The holder of the key.")],
    tenant: Tenant = "default",
    role: Annotated[
        list[str] | None, typer.Option(help="A role of the holder; may be repeated.")
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="A person may approve, a service may not.")
    ] = Kind.PERSON,
    days: Days = None,
    access: Annotated[
        Access,
        typer.Option(help="viewer: reads; operator: also asks; approver: reads and approves."),
    ] = Access.FULL,
    source: Annotated[
        list[str] | None,
        typer.Option(help="Reserve a source for this key; may be repeated."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Create a key and print it once; only its hash is stored."""
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
    settings = _settings(context, data_dir)
    if unknown := _unknown_roles(settings, principal):
        print_note(
            f"no loaded pack knows the role {', '.join(unknown)}; the key is made all the same"
        )
    secret = asyncio.run(_make(settings, principal, days))
    if as_json:
        told = principal.model_dump(mode="json", exclude={"kept_sources"})
        print_json({"key": secret, **told, "days": days})
        return
    print_note("this key is shown only once; store it")
    OUT.print(secret)


@keys.command("list", epilog="Example: prefrontal keys list --json")
def list_them(context: typer.Context, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List every key with its holder, access and expiry, never the key itself."""
    for key in _on_keys(context, data_dir, SqlKeys.list):
        if as_json:
            print_json(key.model_dump(mode="json", exclude={"principal": {"kept_sources"}}))
        else:
            OUT.print(_line(key))


@keys.command(epilog="Example: prefrontal keys rotate 5f0c2d9a71e3b846 --overlap-hours 24")
def rotate(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(help="As `keys list` names it.")],
    overlap_hours: Annotated[
        float, typer.Option(min=0, max=8_760, help="Hours that the old key stays valid.")
    ] = 0.0,
    days: Days = None,
    data_dir: DataDir = None,
) -> None:
    """Create a new key for the same holder, print it once, and end the old one."""
    _check_days(days)
    secret = _on_keys(
        context, data_dir, lambda held: held.rotate(key_id, days=days, overlap_hours=overlap_hours)
    )
    print_note("this key is shown only once; store it")
    OUT.print(secret)


@keys.command(epilog="Example: prefrontal keys revoke 5f0c2d9a71e3b846")
def revoke(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(help="As `keys list` names it.")],
    data_dir: DataDir = None,
) -> None:
    """Revoke a key at once; approvals given with it that have not run yet no longer count."""
    _on_keys(context, data_dir, lambda held: held.revoke(key_id))
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
    from tools.catalog import find_pack, load_pack
    from tools.catalog.action_catalog import roles_of

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
    database = Database(settings.database)
    try:
        return await SqlKeys(database).make(principal, days=days)
    finally:
        await database.close()


def _on_keys(
    context: typer.Context, data_dir: Path | None, work: Callable[[SqlKeys], Awaitable[T]]
) -> T:
    return on_tables(_settings(context, data_dir), lambda database: work(SqlKeys(database)))


def _settings(context: typer.Context, data_dir: Path | None) -> Settings:
    """Read the settings of the folder whose keys are meant: no service makes keys over its API.

    Raises:
        BadInput: no folder is named, and the service that is works on another one.
    """
    settings = read_settings(data_dir=data_dir)
    url: str | None = context.find_root().params.get("url")
    named = (url or "").rstrip("/").replace("//localhost:", "//127.0.0.1:")
    if named and data_dir is None and named != running_address(settings.data_dir):
        folder = settings.data_dir.resolve()
        raise BadInput(t("cli.keys_elsewhere", url=url, folder=folder))
    return settings
