"""Read the tables of a data folder beside a running service; `prefrontal backup`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from sqlalchemy.engine import make_url

from api.cli.options import AsJson, DataDir, read_settings
from api.cli.service import NothingYet
from api.cli.terminal import OUT, print_json, print_note, printable

if TYPE_CHECKING:
    from graph.settings import Settings
    from tools.storage import Database

T = TypeVar("T")


@asynccontextmanager
async def open_tables(settings: "Settings") -> "AsyncIterator[Database]":
    """Open the tables of a folder that has some, without its lock or packs.

    Raises:
        NothingYet: nothing was ever decided there.
    """
    from graph.wiring.data_folder import open_database

    if not has_database(settings):
        raise NothingYet(settings.data_dir)
    database = open_database(settings)
    try:
        yield database
    finally:
        await database.close()


def on_tables(settings: "Settings", work: "Callable[[Database], Awaitable[T]]") -> T:
    """Do something with the tables of a folder. Raises NothingYet as `open_tables` does."""

    async def run() -> T:
        async with open_tables(settings) as database:
            return await work(database)

    return asyncio.run(run())


def has_database(settings: "Settings") -> bool:
    """Tell whether there is a database to read; one on a server is there."""
    url = make_url(settings.database)
    return url.get_backend_name() != "sqlite" or bool(url.database and Path(url.database).is_file())


backup = typer.Typer(
    no_args_is_help=True, epilog="Example: prefrontal backup make /backups/monday.tar.gz"
)
Archive = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A .tar.gz file.")]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The ledger.key, where the archive has none."),
]


@backup.command(epilog="Example: prefrontal backup make /backups/monday.tar.gz")
def make(
    archive: Archive,
    with_key: Annotated[
        bool, typer.Option("--with-key/--without-key", help="Whether the archive holds ledger.key.")
    ] = True,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy the data folder into one archive, also while the service runs. Never overwrites."""
    from graph.wiring.data_folder import back_up

    manifest = back_up(read_settings(data_dir=data_dir), archive, with_key=with_key)
    if as_json:
        print_json({"archive": str(archive), **manifest.model_dump(mode="json")})
        return
    size = sum(kept.size for kept in manifest.files.values())
    OUT.print(f"{archive}: {len(manifest.files)} files, {size:,} bytes, the key {manifest.key}")
    if manifest.key == "inside":
        print_note(
            "who has this archive can read all of it and forge the ledger: keep it as a secret"
        )


@backup.command(epilog="Example: prefrontal backup verify /backups/monday.tar.gz")
def verify(archive: Archive, key: Key = None, as_json: AsJson = False) -> None:
    """Restore to a temporary folder and check every sum, page, row and seal."""
    from graph.wiring.data_folder import verify as verified

    manifest = verified(archive, read_settings(), key_file=key)
    if as_json:
        print_json(manifest.model_dump(mode="json"))
        return
    rows = sum(sum(kept.rows.values()) for kept in manifest.files.values())
    OUT.print(f"{archive} is whole: {len(manifest.files)} files, {rows:,} rows, as of")
    OUT.print(f"  {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC")


@backup.command(
    epilog="Example: prefrontal backup restore /backups/monday.tar.gz --data-dir ./data"
)
def restore(
    archive: Archive, key: Key = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Restore a backup to an empty place; the ledger stays frozen until a person thaws it.

    Nothing runs by itself: started actions become unknown, approved ones that did not run must be
    asked for again, and open approvals stay open.
    """
    from graph.wiring.data_folder import restore as restored

    settings = read_settings(data_dir=data_dir)
    aside = restored(archive, settings, key_file=key)
    if as_json:
        print_json({"folder": str(settings.data_dir.resolve()), **aside.model_dump()})
        return
    OUT.print(printable(f"restored to {settings.data_dir.resolve()}, and its ledger is frozen"))
    OUT.print(f"  {aside.unknown} unknown, {aside.stale} to be asked again, {aside.pending} open")
    if settings.database_url is not None:
        print_note("our tables are in it too, not at EXECUTIVE_DATABASE_URL; move or unset that")
    print_note("keys revoked since the backup are good again: see `prefrontal keys list`")
    print_note(
        "check the targets, `prefrontal ledger settle` what is unknown, `prefrontal ledger thaw`"
    )
