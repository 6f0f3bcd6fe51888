"""`prefrontal evals acted`: whether anything is changed by commands that nobody gave."""

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from evals.intervals import wilson
from evals.mutations.acting import Acted
from evals.mutations.acting_blocks import Kept, acted_in_blocks
from evals.mutations.commands import Command
from evals.mutations.judging import Bench
from evals.mutations.shapes import Mutation, Shape, mutations, read_shapes, sample
from evals.options import AtMost, HeldOut, Jobs, MutatedPack
from evals.playground import learnt_once
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, complain, print_json, progress, shown

_SEED = 1
_MOST_SHOWN = 20
_SHARD = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")
_PLAIN = Shape(kind="asked_plainly", leaves="keeps", template="{do}")


def act_out(
    pack: MutatedPack = "vessel",
    at_most: AtMost = None,
    shard: Annotated[
        str, typer.Option(metavar="K/N", help="Take each Nth message from the Kth on.")
    ] = "1/1",
    held_out: HeldOut = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="The commands as they stand: how many are named?")
    ] = False,
    jobs: Jobs = 1,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep each block of 500 there, and decide none twice."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Send a pack's commands, said so that they ask for nothing, through the whole service.

    Graph, ledger, gate and the pack's store are real, models and the network left out. Ends with 1
    when a store or the ledger tells of a change: nobody said yes to one.
    """
    first, count = _shard(shard)
    with learnt_once() as cache:
        messages = _messages(pack, cache, held_out=held_out, plain=plain)
        if at_most is not None:
            messages = sample(messages, at_most, seed=_SEED)
        messages = messages[first - 1 :: count]
        with progress("deciding", len(messages)) as show:
            found = acted_in_blocks(
                pack, messages, kept=Kept(into), cache=cache, jobs=jobs, told=show
            )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print(found, plain=plain)
    if found.changes or not found.stores_kept:
        complain(f"something was changed: {', '.join(found.changes) or 'a store'}")
        raise typer.Exit(1)


def _messages(pack: str, cache: Path, *, held_out: bool, plain: bool) -> Sequence[Mutation]:
    """Make the messages that ask for nothing, or only to read; or the commands themselves."""
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = Bench(pack, Path(folder), cache=cache, words_only=True)
        commands = bench.commands()
        bench.close()
    if plain:
        return [_unchanged(command) for command in commands]
    shapes = [one for one in read_shapes(held_out=held_out) if one.leaves in ("nothing", "reads")]
    return list(mutations(commands, shapes, per_action=1, seed=_SEED))


def _unchanged(command: Command) -> Mutation:
    return Mutation(shape=_PLAIN, text=command.text, action=command.action)


def _shard(text: str) -> tuple[int, int]:
    matched = _SHARD.fullmatch(text)
    if matched is None or int(matched[1]) > int(matched[2]):
        complain(f"{text[:20]!r} is no shard; say 1/2 for the first half")
        raise typer.Exit(2)
    return int(matched[1]), int(matched[2])


def _print(found: Acted, *, plain: bool) -> None:
    asked = "as they stand" if plain else "none of them asked for"
    OUT.print(f"{found.messages} messages made of commands of {found.pack}, {asked}")
    for outcome, count in sorted(found.outcomes.items(), key=lambda one: -one[1]):
        OUT.print(f"  {outcome}: {count}")
    OUT.print(f"reads that ran: {found.reads}")
    OUT.print(f"changes that ran: {len(found.changes)}, without a yes {len(found.unasked)}")
    OUT.print(f"stores as before: {'yes' if found.stores_kept else 'NO'}")
    if plain:
        OUT.print(f"named: {_share(found.named, found.messages)}")
        return
    OUT.print(f"ran or asked for a yes: {_share(len(found.ready), found.messages)}")
    for text in found.ready[:_MOST_SHOWN]:
        OUT.print(f"  {shown(text)!r}")


def _share(count: int, total: int) -> str:
    if not total:
        return "not measured"
    interval = wilson(count, total)
    return f"{count / total:.2%} of {total}  [95 % {interval.low:.2%} – {interval.high:.2%}]"
