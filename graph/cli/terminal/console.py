"""What goes to the terminal: plain lines on stdout, complaints and progress on stderr."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import typer
from pydantic import JsonValue
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from tools.progress import listening
from tools.visible import inert_json, visible

OUT = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
ERR = Console(highlight=False, markup=False, emoji=False, soft_wrap=True, stderr=True)

_TOLD_EVERY_SECONDS = 2.0


def complain(sentence: str) -> None:
    """Say on stderr what went wrong."""
    ERR.print(f"prefrontal: {shown(sentence)}", style="red" if ERR.is_terminal else None)


def note(sentence: str) -> None:
    """Say on stderr what may be worth knowing."""
    ERR.print(shown(sentence), style="dim")


@contextmanager
def telling_of_learning(folder: Path) -> Iterator[None]:
    """Say on stderr that packs are learnt, and how far, where a cache folder holds none yet."""
    if any(folder.glob("router-*.npz")):
        yield
        return
    note("learning what people say to the packs, once: half a minute; later starts take seconds")
    last = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= _TOLD_EVERY_SECONDS:
            last = now
            note(f"  {what}: {done:,} of {total:,}")

    with listening(tell):
        yield


def print_json(value: JsonValue) -> None:
    """Print one line of JSON, in UTF-8 whatever the terminal speaks."""
    typer.echo(inert_json(orjson.dumps(value).decode()).encode())


def shown(text: str) -> str:
    """Keep line ends and make every other control character of somebody's text visible."""
    return "\n".join(visible(line) for line in text.split("\n"))


def is_asking_possible() -> bool:
    """Tell whether a person sits at both ends."""
    import sys

    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show progress on stderr while a person watches and stdout goes elsewhere.

    Yields a function that takes how much of `total` is done.
    """
    with _bar(what, total, is_shown=ERR.is_terminal and not OUT.is_terminal) as (bar, task):
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def stepping(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show progress on stderr where nothing is printed meanwhile; each call is a step of it."""
    with _bar(what, total, is_shown=ERR.is_terminal) as (bar, task):
        yield lambda: bar.advance(task)


@contextmanager
def _bar(what: str, total: int | None, *, is_shown: bool) -> Iterator[tuple[Progress, TaskID]]:
    columns = (TextColumn(what, markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True, disable=not is_shown) as bar:
        yield bar, bar.add_task(what, total=total)
