"""`prefrontal demo`: a pack's own story, played to its end."""

import asyncio
from typing import Annotated

import typer

from graph.cli.options import read_settings
from state.errors import BadInput
from tools.catalogue.pack import find_pack

EXAMPLE = "Example: prefrontal demo --pack vessel"


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=EXAMPLE)(demo)


def demo(
    pack: Annotated[
        str, typer.Option(metavar="NAME|PATH", help="A pack with a scenario.jsonl.")
    ] = "vessel",
) -> None:
    """Play a pack's scenario on a temporary folder: silence with reasons, chips, approvals, why.

    The people's answers stand in its scenario.answers.yaml; only they change the pack's store.
    """
    from graph.cli.stories.story import play_story

    folder = find_pack(pack)
    if not (folder / "scenario.jsonl").is_file():
        raise BadInput(f"the pack {folder.name} has no scenario.jsonl to play")
    if not asyncio.run(play_story(folder, read_settings([str(folder)]))):
        raise typer.Exit(1)
