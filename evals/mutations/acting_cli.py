"""`prefrontal evals acted`: whether anything is changed by commands that nobody gave."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from evals.mutations.acting import Acted, acted
from evals.mutations.judging import Bench
from evals.mutations.shapes import Mutation, mutations, read_shapes, sample
from evals.options import AtMost, HeldOut, MutatedPack
from graph.cli.console import OUT, complain, print_json, progress
from graph.cli.options import AsJson

_SEED = 1
_SHARD = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")


def act_out(
    pack: MutatedPack = "vessel",
    at_most: AtMost = None,
    shard: Annotated[
        str, typer.Option(metavar="K/N", help="Take each Nth message from the Kth on.")
    ] = "1/1",
    held_out: HeldOut = False,
    as_json: AsJson = False,
) -> None:
    """Send a pack's commands, said so that they ask for nothing, through the whole service.

    Graph, ledger, gate and the pack's store are real, models and the network left out. Ends with 1
    when a store or the ledger tells of a change: nobody said yes to one.
    """
    messages = _messages(pack, held_out=held_out)
    if at_most is not None:
        messages = sample(messages, at_most, seed=_SEED)
    first, count = _shard(shard)
    messages = list(messages)[first - 1 :: count]
    with progress("deciding", len(messages)) as show:
        found = asyncio.run(acted(pack, messages, told=show))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print(found)
    if found.changes or not found.stores_kept:
        complain(f"something was changed: {', '.join(found.changes) or 'a store'}")
        raise typer.Exit(1)


def _messages(pack: str, *, held_out: bool) -> Sequence[Mutation]:
    """Make the messages that ask for nothing, or only to read."""
    shapes = [one for one in read_shapes(held_out=held_out) if one.leaves in ("nothing", "reads")]
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = Bench(pack, Path(folder), words_only=True)
        commands = bench.commands()
        bench.close()
    return list(mutations(commands, shapes, per_action=1, seed=_SEED))


def _shard(text: str) -> tuple[int, int]:
    matched = _SHARD.fullmatch(text)
    if matched is None or int(matched[1]) > int(matched[2]):
        complain(f"{text[:20]!r} is no shard; say 1/2 for the first half")
        raise typer.Exit(2)
    return int(matched[1]), int(matched[2])


def _print(found: Acted) -> None:
    OUT.print(f"{found.messages} messages made of commands of {found.pack}, none of them asked for")
    for outcome, count in sorted(found.outcomes.items(), key=lambda one: -one[1]):
        OUT.print(f"  {outcome}: {count}")
    OUT.print(f"reads that ran: {found.reads}")
    OUT.print(f"changes that ran: {len(found.changes)}, without a yes {len(found.unasked)}")
    OUT.print(f"stores as before: {'yes' if found.stores_kept else 'NO'}")
