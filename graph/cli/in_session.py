"""Commands on one session: the options they share, and how they read, change and tell it."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import JsonValue

from graph.cli.options import AsJson, DataDir, Packs, Session, Tenant, read_settings
from graph.cli.terminal.console import OUT, print_json, shown
from graph.settings import Settings

if TYPE_CHECKING:
    from graph.cli.stored import Stored
    from graph.runner import Executive

T = TypeVar("T")


@dataclass(frozen=True)
class SessionOptions:
    """Which session of which folder is meant, and how the answer is told."""

    settings: Settings
    tenant: str
    session: str
    as_json: bool

    def read(self, work: "Callable[[Stored], Awaitable[T]]") -> T:
        """Read the tables, also beside a service.

        Raises:
            AgentError: nothing was ever decided in the folder.
        """

        async def run() -> T:
            from graph.cli.stored import open_stored

            async with open_stored(self.settings) as stored:
                return await work(stored)

        return asyncio.run(run())

    def at_work(self, work: "Callable[[Executive], Awaitable[T]]") -> T:
        """Work with an Executive, which needs the folder for itself.

        Raises:
            Busy: a service has it.
        """

        async def run() -> T:
            from graph.cli.embedded import at_work

            async with at_work(self.settings) as executive:
                return await work(executive)

        return asyncio.run(run())

    def tell(self, answers: Iterable[JsonValue], lines: Iterable[str]) -> None:
        """Print each answer as a line of JSON where that is asked for, else what a person reads."""
        for answer in answers if self.as_json else ():
            print_json(answer)
        for line in () if self.as_json else lines:
            OUT.print(shown(line))


def in_session(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --session, --pack, --json, --data-dir and --tenant, as its `options`."""

    def options(
        session: Session = "default",
        pack: Packs = None,
        as_json: AsJson = False,
        data_dir: DataDir = None,
        tenant: Tenant = "default",
    ) -> SessionOptions:
        return SessionOptions(read_settings(pack, data_dir), tenant, session, as_json)

    own = inspect.signature(command).parameters
    shared = inspect.signature(options).parameters

    @wraps(command)
    def with_options(**given: Any) -> None:  # whatever the command takes
        known = options(**{name: given.pop(name) for name in shared})
        command(options=known, **given)

    parameters = [*(own[name] for name in own if name != "options"), *shared.values()]
    keywords = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    with_options.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]  # as inspect documents it
    with_options.__annotations__ = {each.name: each.annotation for each in keywords}
    return with_options
