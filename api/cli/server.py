"""Check, start and announce the service; stop it on a signal."""

import asyncio
import gc
import json
import logging
import os
import re
import shlex
import socket
from collections.abc import Callable
from pathlib import Path

import typer
import uvicorn

from api.cli.service import OWNER, announce, withdraw
from api.cli.terminal import OUT, print_error, training_notice
from graph.settings import Settings
from graph.wiring.data_folder import lock_folder
from state.errors import BadInput, Busy, Forbidden
from state.principal import Principal
from tools.access import SqlKeys
from tools.catalog import Catalogue, find_pack, packs_named
from tools.platform.egress_policy import is_loopback
from tools.storage import Database

APP = "api.app:app"
"""Imported by uvicorn once the environment holds the settings."""

CONNECTION = "api.http.connection:Connection"

GRACE_SECONDS = 4
"""How long open requests may take at the end, of ten in all; live streams are cut then."""

ADMIN = "admin"


def serve_until_stopped(
    settings: Settings, announced: "Callable[..., AnnouncedServer] | None" = None
) -> None:
    """Run the service until a signal ends it.

    Args:
        announced: makes the server of its configuration, the settings and the catalogue.

    Raises:
        PackFaults, NotFound: a pack cannot be loaded.
        BadInput: there is no such address.
        Busy: the folder or the port is taken.
        Forbidden: it would be open to others without any key.
    """
    catalogue = Catalogue.of(packs_named(settings.packs))
    family = _family(settings.host, settings.port)
    with lock_folder(settings.data_dir):
        keys = asyncio.run(_count_keys(settings))
    if not keys and not is_loopback(settings.host):
        raise Forbidden(
            f"{settings.host} is open to others and there is no key; make one first: "
            "prefrontal keys create --user NAME --role ROLE"
        )
    listener = _listen(family, settings.host, settings.port)
    _hand_over(settings)
    config = uvicorn.Config(
        APP,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=CONNECTION,
        ws="none",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = (announced or AnnouncedServer)(config, settings, catalogue)
    telling = OneSentenceFilter()
    logging.getLogger("uvicorn.error").addFilter(telling)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        OUT.print("stopped")
    except SystemExit as end:  # what uvicorn does when the application does not start
        raise typer.Exit(telling.code) from end
    finally:
        logging.getLogger("uvicorn.error").removeFilter(telling)
        listener.close()


_ENDS_IN_OURS = re.compile(r"\nstate\.errors\.(?P<kind>\w+): (?P<said>.+)\s*\Z", re.DOTALL)


class OneSentenceFilter(logging.Filter):
    """Says why we do not start as every command does; uvicorn has the whole traceback for it."""

    code = 1
    """How to end: 2 where what was written for us is wrong, as of every command."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell it, and let the traceback be."""
        ended = _ENDS_IN_OURS.search(record.getMessage())
        if ended is not None:
            self.code = 2 if ended["kind"] == BadInput.__name__ else 1
            print_error(" ".join(ended["said"].split()))
        return ended is None


class AnnouncedServer(uvicorn.Server):
    """Says where it is once it can be reached."""

    def __init__(self, config: uvicorn.Config, settings: Settings, catalogue: Catalogue) -> None:
        super().__init__(config)
        self.settings = settings
        self.catalogue = catalogue
        self._is_announced = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take the address back, and end."""
        if self._is_announced:  # while the folder is still ours
            withdraw(self.settings.data_dir)
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, write down where we answer, and tell."""
        with training_notice(self.settings.cache_folder):
            await super().startup(sockets)
        if not self.started or not sockets:
            return
        # What packs and models are made of stays until the end; each full collection went through
        # all of it, and nobody was served meanwhile.
        gc.collect()
        gc.freeze()
        host, port = sockets[0].getsockname()[:2]
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        from api.app import app

        await self.prepare()
        app.state.local_access = announce(self.settings.data_dir, address)
        self._is_announced = True
        await self.tell(address)

    async def prepare(self) -> None:
        """Do what has to be done before anybody finds the address; the folder is ours."""

    async def tell(self, address: str) -> None:
        """Print how to use the service."""
        key = await self.first_key()
        OUT.print(f"\nPrefrontal listens on {address}, Ctrl-C ends it")
        OUT.print(f"console: {address}/console, signed in with a key")
        OUT.print(f"packs: {', '.join(pack.name for pack in self.catalogue.packs)}")
        OUT.print(f"data: {self.settings.data_dir.resolve()}")
        if key:
            OUT.print(f"\nkey, shown this once: {key}")
        else:
            OUT.print("\nkeys were made before; for another: prefrontal keys create --user NAME")
        OUT.print("\ntry:" if key else "\ntry, with KEY set to yours:")
        for line in example_calls(address, key, self.catalogue):
            OUT.print(line)
        folder = self.settings.data_dir
        named = "data_dir" in self.settings.model_fields_set
        where = f" --data-dir {shlex.quote(str(folder.resolve()))}" if named else ""
        said = shlex.quote(_something_to_ask(self.catalogue))
        OUT.print("or from a second terminal, in this folder:")
        OUT.print(f"  .venv/bin/prefrontal ask {said}{where}")
        OUT.print("")

    async def first_key(self) -> str | None:
        """Make a key for the owner; None: there are keys already, or others can reach us."""
        database = Database(self.settings.database)
        try:
            keys = SqlKeys(database)
            if await keys.count() or not is_loopback(self.settings.host):
                return None
            return await keys.make(
                Principal(user=OWNER, tenant_id="default", roles=all_roles(self.catalogue))
            )
        finally:
            await database.close()


def all_roles(catalogue: Catalogue) -> tuple[str, ...]:
    """Name every role the catalogue knows, after admin."""
    named = {
        role
        for action in catalogue.actions.values()
        for role in (*action.roles, *action.approvers.roles)
    }
    return (ADMIN, *sorted(named - {ADMIN}))


def example_calls(address: str, key: str | None, catalogue: Catalogue) -> tuple[str, ...]:
    """Write three calls that work as they stand: say something, list approvals, listen."""
    bearer = f"Authorization: Bearer {key}" if key else "Authorization: Bearer $KEY"
    header = shlex.quote(bearer) if key else f'"{bearer}"'
    said = shlex.quote(json.dumps({"text": _something_to_ask(catalogue)}))
    sent = f"-H {header} -H 'Content-Type: application/json' -d {said}"
    return (
        f"  curl -s {address}/v1/messages {sent}",
        f"  curl -s {address}/v1/approvals -H {header}",
        f"  curl -sN {address}/v1/stream -H {header}",
    )


def _something_to_ask(catalogue: Catalogue) -> str:
    harmless = (
        action.examples[0]
        for action in catalogue.actions.values()
        if action.floor == "A" and action.examples
    )
    return next(harmless, "what can you do?")


async def _count_keys(settings: Settings) -> int:
    database = Database(settings.database)
    try:
        return await SqlKeys(database).count()
    finally:
        await database.close()


def _family(host: str, port: int) -> socket.AddressFamily:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError) as error:
        raise BadInput(f"there is no address {host!r}; give one of this machine") from error


def _listen(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise Busy(
            f"cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}; "
            "choose another with --port, or with EXECUTIVE_PORT before make run"
        ) from error


def _hand_over(settings: Settings) -> None:
    """Say in the environment what the application reads there."""
    packs = [str(find_pack(name)) if Path(name).is_dir() else name for name in settings.packs]
    if any("," in name for name in packs):
        raise BadInput("a pack's path with a comma in it cannot be served; rename the folder")
    os.environ["EXECUTIVE_PACKS"] = ",".join(packs)
    os.environ["EXECUTIVE_DATA_DIR"] = str(settings.data_dir.resolve())
    os.environ["EXECUTIVE_HOST"] = settings.host
    os.environ["EXECUTIVE_PORT"] = str(settings.port)
    if settings.public_url is None and settings.port:
        is_any = settings.host in ("0.0.0.0", "::")  # noqa: S104  # compared, and not listened on
        host = "localhost" if is_any else settings.host
        host = f"[{host}]" if ":" in host else host
        os.environ["EXECUTIVE_PUBLIC_URL"] = f"http://{host}:{settings.port}"
