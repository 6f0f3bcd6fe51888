"""`prefrontal serve`: the service, once everything it needs is known to be there."""

from typing import Annotated, Any

import typer

from graph.cli.options import DataDir, Packs, read_settings
from graph.cli.terminal.logs import configure_logs

EXAMPLE = "Example: prefrontal serve --pack vessel --port 8765"


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(serve)


def serve(
    pack: Packs = None,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on. Default: EXECUTIVE_HOST, else loopback."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="Default: EXECUTIVE_PORT, else 8765; 0: any."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Start the service; on loopback without any key it makes one and shows it once.

    Ctrl-C ends it after what is under way.
    """
    from graph.cli.serving import serve_until_stopped

    listening: dict[str, Any] = {"host": host, "port": port}  # fields of Settings
    others = {name: given for name, given in listening.items() if given is not None}
    configure_logs("info")
    serve_until_stopped(read_settings(pack, data_dir, **others))
