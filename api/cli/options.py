"""Options that commands share, their validation, and the settings they make."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from api.cli.service import Service
from api.cli.terminal import configure_logs
from api.http.local_access import EVERY_ROLE
from state.errors import BadInput
from state.principal import Principal
from tools.platform.serialization import faults_of

if TYPE_CHECKING:
    from graph.settings import Settings

Packs = Annotated[
    list[str] | None,
    typer.Option(
        "--pack",
        metavar="NAME|PATH",
        help="Pack by name or folder; may be repeated. Default: EXECUTIVE_PACKS, else vessel.",
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help="Folder for everything on disk. Default: EXECUTIVE_DATA_DIR, else ./data.",
    ),
]
StreamDataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help="Folder to keep decisions in. Default: EXECUTIVE_DATA_DIR, else a temporary folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Speaker = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="USER:ROLE",
        help="Who acts, such as ben:engineer; separate several roles with commas. "
        "A service with a key takes the key's user.",
    ),
]
Session = Annotated[str, typer.Option("--session", metavar="ID", help="The conversation.")]
Tenant = Annotated[str, typer.Option("--tenant", metavar="NAME", help="The tenant.")]
Key = Annotated[
    str | None,
    typer.Option(
        "--key", envvar="PREFRONTAL_KEY", help="Key of a running service.", show_envvar=True
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SLOT=VALUE", help="Value of a slot; may be repeated."),
]


def read_settings(
    packs: list[str] | None = None,
    data_dir: Path | None = None,
    *,
    is_checked: bool = True,
    **others: Any,  # any field of Settings
) -> "Settings":
    """Read the environment, with options before it; logs go to stderr from here on.

    Raises:
        BadInput: a variable holds a value that its setting does not take.
    """
    from graph.settings import Settings

    configure_logs()
    given: dict[str, Any] = dict(others)  # as above
    if packs:
        given["packs"] = tuple(packs)
    if data_dir is not None:
        given["data_dir"] = data_dir
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise BadInput(f"settings: {faults_of(error, name_of=_variable)}") from error
    if is_checked:
        check_database_url(settings)
    return settings


def check_database_url(settings: "Settings") -> None:
    """Make sure that a database of one's own can be spoken to.

    Raises:
        BadInput: no address of a database, or its driver is not installed.
    """
    if settings.database_url is None:
        return
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        make_url(settings.database_url).get_dialect().import_dbapi()
    except (ArgumentError, ImportError) as error:
        cause = "it is no address" if isinstance(error, ArgumentError) else str(error)
        raise BadInput(f"EXECUTIVE_DATABASE_URL cannot be used: {cause}") from error


@contextmanager
def stream_settings(packs: list[str] | None, data_dir: Path | None) -> Iterator["Settings"]:
    """Settings for a stream, on a folder of its own that goes away unless one is named."""
    settings = read_settings(packs, data_dir)
    if "data_dir" in settings.model_fields_set:
        yield settings
        return
    with temporary(settings) as settings:
        yield settings


@contextmanager
def temporary(settings: "Settings") -> Iterator["Settings"]:
    """Move settings to a folder that goes away; only what is learnt from packs outlives it."""
    with TemporaryDirectory(prefix="prefrontal-") as folder:
        yield settings.model_copy(
            update={
                "data_dir": Path(folder),
                "database_url": None,
                "cache_dir": settings.cache_dir or _user_cache(),
            }
        )


def read_speaker(speaker: str, tenant: str) -> Principal:
    """Read USER:ROLE,ROLE.

    Raises:
        BadInput: no user, a name that cannot be one, or `*`: the ledger names the roles in which
            somebody asked, and every role at once is the folder's owner's, for reading alone.
    """
    user, _colon, roles = speaker.partition(":")
    if EVERY_ROLE in (role.strip() for role in roles.split(",")):
        raise BadInput(f"--as takes roles by name; {EVERY_ROLE} is none")
    try:
        return Principal(
            user=user.strip(),
            tenant_id=tenant,
            roles=tuple(role.strip() for role in roles.split(",") if role.strip()),
        )
    except ValidationError as error:
        raise BadInput(
            f"--as takes USER:ROLE, such as ben:engineer ({faults_of(error)})"
        ) from error


def read_values(values: list[str] | None) -> Mapping[str, str]:
    """Read SLOT=VALUE options.

    Raises:
        BadInput: one has no equals sign, or a slot stands twice.
    """
    read: dict[str, str] = {}
    for given in values or ():
        slot, equals, value = given.partition("=")
        if not equals or not slot:
            raise BadInput(f"--set takes SLOT=VALUE, such as quantity=4; got {given!r}")
        if slot in read:
            raise BadInput(f"--set gives {slot} twice")
        read[slot] = value
    return read


def _user_cache() -> Path | None:
    named = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(named) if named else Path.home() / ".cache") / "prefrontal"
    except RuntimeError:  # a user without a home
        return None


def _variable(field: str) -> str:
    return field if field.isupper() else f"EXECUTIVE_{field.upper()}"


def _is_of_environment(context: Any, option: str) -> bool:  # Typer's click context is private
    source = context.get_parameter_source(option)
    return source is not None and source.name == "ENVIRONMENT"


def with_service(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that name its service and its output, as `service`."""

    def shared(
        context: typer.Context,
        pack: Packs = None,
        as_json: AsJson = False,
        data_dir: DataDir = None,
        tenant: Tenant = "default",
        key: Key = None,
    ) -> Service:
        root = context.find_root()
        url: str | None = root.params.get("url")
        if data_dir is not None and _is_of_environment(root, "url"):
            # The key of the environment is that service's, and goes to no other.
            url, key = None, None if _is_of_environment(context, "key") else key
        return Service(url, key, pack, data_dir, tenant, as_json)

    own = dict(inspect.signature(command).parameters)
    del own["service"]
    added = inspect.signature(shared).parameters

    @wraps(command)
    def with_options(**given: Any) -> None:  # whatever the command takes
        service = shared(**{name: given.pop(name) for name in added})
        command(service=service, **given)

    keywords = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for each in (*own.values(), *added.values())
    ]
    with_options.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]  # as inspect documents it
    with_options.__annotations__ = {each.name: each.annotation for each in keywords}
    return with_options
