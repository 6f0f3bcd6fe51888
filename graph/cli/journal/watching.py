"""`prefrontal journal watch`: decisions out of a conversation while it goes on."""

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from graph.assembly.data_folder import hold_folder
from graph.cli.journal.files import read_message
from graph.cli.journal.opening import with_journal
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.terminal.console import OUT, note, print_json, shown
from state.journal import Decision
from tools.journal.conversation import ConversationReader
from tools.journal.journal import Journal
from tools.journal.records.importing import TERMINAL, brought_by

LOOKS_EVERY_SECONDS = 0.5


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chat-export --follow | prefrontal journal watch -")(watch)


def watch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-", help="Messages as JSON lines; - is standard input.")
    ],
    once: Annotated[bool, typer.Option("--once", help="Stop at the end of the file.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Read messages as they come and keep what they decide, until the input ends or Ctrl-C."""
    settings = read_settings(None, data_dir)

    async def work(journal: Journal) -> int:
        reader = ConversationReader(journal.confirmer, tenant)
        lines = _lines(file, is_followed=not once and str(file) != "-")
        kept = number = 0
        while (line := await asyncio.to_thread(next, lines, None)) is not None:
            number += bool(line)  # a message without an id is named by its line
            if line.strip():
                message = read_message(line, number, file)
                journal.not_ahead([message])
                read = reader.read(message)
                if read.decision is not None:
                    (made,) = brought_by([read.decision], TERMINAL)
                    await journal.keep([made], tenant, [message])
                    kept += 1
                    _tell(made, as_json=as_json)
        return kept

    with hold_folder(settings.data_dir.resolve()):
        kept = asyncio.run(with_journal(settings, work))
    note(f"{kept} decisions")


def _lines(file: Path, *, is_followed: bool) -> Iterator[bytes]:
    """Give whole lines; the last one of a file that is followed waits for its end of line."""
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as given:
        rest = b""
        while True:
            line = given.readline()
            if line.endswith(b"\n"):
                yield rest + line
                rest = b""
            elif line:
                rest += line
            elif is_followed:
                time.sleep(LOOKS_EVERY_SECONDS)
                yield b""  # nothing yet: whoever waits may be interrupted here
            else:
                break
        if rest:
            yield rest


def _tell(decision: Decision, *, as_json: bool) -> None:
    if as_json:
        print_json(decision.model_dump(mode="json"))
    else:
        OUT.print(f"{decision.id}  {shown(decision.title)}")
