"""`prefrontal backup`: make, verify and restore backups of a data folder."""

from pathlib import Path
from typing import Annotated

import typer

from graph.cli.options import AsJson, DataDir, read_settings
from graph.cli.terminal.console import OUT, note, print_json, shown

backup = typer.Typer(
    no_args_is_help=True,
    help="Back the data folder up while the service runs, verify, restore.",
    epilog="Example: prefrontal backup make /backups/monday.tar.gz",
)
Archive = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A .tar.gz file.")]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The ledger.key that was left out of it."),
]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(backup, name="backup")


@backup.command(epilog="Example: prefrontal backup make /backups/monday.tar.gz")
def make(
    archive: Archive,
    with_key: Annotated[
        bool, typer.Option("--with-key/--without-key", help="Put ledger.key in, or keep it apart.")
    ] = True,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy everything into one archive; works beside a running service. Never overwrites."""
    from graph.backing_up import back_up

    manifest = back_up(read_settings(data_dir=data_dir), archive, with_key=with_key)
    if as_json:
        print_json({"archive": str(archive), **manifest.model_dump(mode="json")})
        return
    size = sum(kept.size for kept in manifest.files.values())
    OUT.print(f"{archive}: {len(manifest.files)} files, {size:,} bytes, the key {manifest.key}")
    if manifest.key == "inside":
        note("who has this archive can read all of it and forge the ledger: keep it as a secret")


@backup.command(epilog="Example: prefrontal backup verify /backups/monday.tar.gz")
def verify(archive: Archive, key: Key = None, as_json: AsJson = False) -> None:
    """Restore to a folder that goes away, with every sum, page, row and seal checked."""
    from graph.backing_up import verify as verified

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
    """Put a backup back where nothing is; the ledger is frozen until a person thaws it.

    What was under way becomes unknown, what was approved and not done has to be asked for again,
    and open questions stay open: nothing runs by itself.
    """
    from graph.backing_up import restore as restored

    settings = read_settings(data_dir=data_dir)
    aside = restored(archive, settings, key_file=key)
    if as_json:
        print_json({"folder": str(settings.data_dir.resolve()), **aside.model_dump()})
        return
    OUT.print(shown(f"restored to {settings.data_dir.resolve()}, and its ledger is frozen"))
    OUT.print(f"  {aside.unknown} unknown, {aside.stale} to be asked again, {aside.pending} open")
    if settings.database_url is not None:
        note("our tables are in it too, not at EXECUTIVE_DATABASE_URL; move or unset that")
    note("keys revoked since the backup are good again: see `prefrontal keys list`")
    note("check the targets, `prefrontal ledger settle` what is unknown, `prefrontal ledger thaw`")
