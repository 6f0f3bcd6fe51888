"""How a command reaches the service: over HTTP beside a running one, else in this process.

In order: the service that `--url` or PREFRONTAL_URL names, the latter unless the command line names
a data folder; the one that runs on the data folder, found by the address it wrote there; else the
same API in this process, called without a network.
A command has one implementation for all three, and prints the same.

Who calls: at a named service the holder of `--key` or PREFRONTAL_KEY. On a data folder whoever
`--as` names, by the local access of api/http/local_access.py; where a command takes no `--as`,
the owner of the folder, who may read and ask and never approves. Beside a running service
PREFRONTAL_KEY is used instead unless `--as` is given.

No route of the API does these, so they work on the data folder itself: serve, run, route, demo,
doctor, keys, backup, webhooks, pack, log, evals; ledger, whose heads tell of a store that was cut
short until an Executive starts on it; of queries quality, harm and training; of memory about,
recent and forget; journal watch, and journal import of exported decisions. `in_folder` refuses a
named service.
"""

import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.cli.terminal import OUT, print_json, print_note, printable
from api.http.local_access import EVERY_ROLE, LocalAccess
from state.errors import AgentError, BadInput, Busy, Forbidden
from state.noun import Noun
from state.principal import ACCESS, Principal
from tools.platform.process_resources import ADDRESS_FILE, ADDRESS_KEY_FILE, gc_paused

if TYPE_CHECKING:
    import httpx

    from api.cli.in_process import InProcess
    from graph.settings import Settings
    from prefrontal.client import Client

OWNER = "owner"
"""The user that the owner of a data folder is where nobody is named."""
IN_PROCESS = "http://localhost"
_SIGNED = "signed"
"""Stands for a key where each request is signed."""
_INDEX_SECONDS = 10.0


class NothingYet(AgentError):
    """No service runs on a data folder, and it holds no database."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"no service runs here and nothing is kept in {folder}; start one with "
            "`prefrontal serve`, or name another folder with --data-dir"
        )


@dataclass(frozen=True)
class Service:
    """The service that a command was given, with the options that every command shares."""

    url: str | None
    key: str | None
    packs: list[str] | None
    data_dir: Path | None
    tenant: str
    as_json: bool

    @property
    def settings(self) -> "Settings":
        """Read the settings of this machine."""
        from api.cli.options import read_settings

        return read_settings(self.packs, self.data_dir)

    def in_folder(self) -> "Settings":
        """Return the settings for work on the data folder itself.

        Raises:
            BadInput: a service is named on the command line or in PREFRONTAL_URL.
        """
        if self.url:
            raise BadInput("no service does this: it works on a data folder; leave --url out")
        return self.settings

    @contextmanager
    def reading(self, *, makes_folder: bool = False) -> "Iterator[Client]":
        """Open the service to read everything that the folder's owner or the key may.

        Raises:
            NothingYet: no service runs, and the folder holds no database.
        """
        caller = self.owner("viewer")
        opening = self._opened(caller, uses_key=True, makes_folder=makes_folder, is_reading=True)
        with opening as client:
            yield client

    @contextmanager
    def acting(
        self,
        speaker: str | None,
        unnamed: Principal | None = None,
        *,
        access: str = "operator",
    ) -> "Iterator[Client]":
        """Open the service to act as `speaker` (USER:ROLE), else as the key's holder.

        Args:
            unnamed: who acts on a data folder where nobody is named; None: somebody must be.
            access: what a person named with --as may do by this: one of ACCESS.

        Raises:
            NothingYet: a viewer asks, no service runs, and the folder holds no database.
            BadInput: nobody is named and has to be; or somebody is, where the key says who acts.
        """
        caller = self.caller(speaker, access) or unnamed
        makes_folder = access != "viewer"
        with self._opened(caller, uses_key=speaker is None, makes_folder=makes_folder) as client:
            yield client

    def caller(self, speaker: str | None, access: str = "full") -> Principal | None:
        """Read --as, with the rights of `access`; None: nobody is named."""
        from api.cli.options import read_speaker

        if speaker is None:
            return None
        return read_speaker(speaker, self.tenant).model_copy(update={"scopes": ACCESS[access]})

    def named_caller(self, speaker: str | None) -> Principal:
        """Read --as. Raises BadInput where nobody is named."""
        return _demanded(self.caller(speaker))

    def owner(self, access: str) -> Principal:
        """Name the owner of the folder, as a viewer or an operator with every role."""
        return _demanded(self.caller(OWNER, access)).model_copy(update={"roles": (EVERY_ROLE,)})

    def acts_as_owner(self) -> bool:
        """Tell whether requests are signed for the folder's owner, where no key says who acts."""
        return not self.url and not (self.key and running_address(self._folder()))

    def require_running(self) -> None:
        """Demand a service in a process of its own.

        Raises:
            AgentError: none is named, and none runs on the data folder.
        """
        if not self.url and running_address(self._folder()) is None:
            raise AgentError("no service runs on this data folder; start one: prefrontal serve")

    def show(self, found: Noun, draw: Callable[[Any], object]) -> None:  # of that noun
        """Print one answer: as a line of JSON where --json asks for that, else drawn."""
        if self.as_json:
            print_json(found.model_dump(mode="json"))
        else:
            OUT.print(draw(found))

    def show_each(
        self,
        found: Sequence[Noun],
        draw: Callable[[Any], object],  # as above
        none: str,
    ) -> None:
        """Print each of several answers; `none` is printed where there is none and no --json."""
        for one in found:
            self.show(one, draw)
        if not found and not self.as_json:
            OUT.print(none)

    def show_list(self, found: Sequence[Noun], lines: Iterable[str]) -> None:
        """Print answers as one list of JSON where --json asks for that, else as lines."""
        if self.as_json:
            print_json([one.model_dump(mode="json") for one in found])
            return
        for line in lines:
            OUT.print(printable(line))

    @contextmanager
    def _opened(
        self,
        caller: Principal | None,
        *,
        uses_key: bool,
        makes_folder: bool,
        is_reading: bool = False,
    ) -> "Iterator[Client]":
        if self.url:
            if not uses_key:
                raise BadInput(_key_says_who(caller))
            with _with_key(self.url, _checked(self.key)) as client:
                yield client
            return
        if address := running_address(folder := self._folder()):
            if self.packs:
                print_note(f"the service at {address} has its own packs; --pack has no effect")
            if uses_key and self.key:
                opening = _with_key(address, _checked(self.key))
            else:
                caller = _demanded(caller)
                opening = _with_tokens(address, _local_access(folder, address), caller)
            with opening as client:
                yield client
            return
        caller = _demanded(caller)
        from prefrontal.client import Client

        with self._in_process(makes_folder=makes_folder, is_reading=is_reading) as here:
            signing = _signing(here.access, caller, here)
            with Client(IN_PROCESS, _SIGNED, attempts=1, transport=signing) as client:
                here.note_unknown_roles(caller)
                yield client

    @contextmanager
    def _in_process(self, **how: bool) -> "Iterator[InProcess]":
        with ExitStack() as stack:
            with gc_paused():
                from api.cli.in_process import InProcess

                opened = stack.enter_context(InProcess(self.settings, **how))
            yield opened

    def endpoint(
        self, caller: Principal, *, uses_key: bool
    ) -> tuple[str, Callable[[], str]] | None:
        """Find a running service and what makes the token of a request to it; None: none runs.

        Args:
            caller: who acts where no key says it.
            uses_key: the key counts; false: a caller was named on the command line.

        Raises:
            BadInput: somebody is named where the key says who acts.
            AgentError: nothing answers at the address, or a stranger.
        """
        if self.url and not uses_key:
            raise BadInput(_key_says_who(caller))
        address = self.url or running_address(folder := self._folder())
        if address is None:
            return None
        if self.packs:
            print_note(f"the service at {address} has its own packs; --pack has no effect")
        if self.url or (uses_key and self.key):
            key = _checked(self.key)
            return address, lambda: key
        access = _local_access(folder, address)
        with _answering(address):
            if not _is_ours(address):
                raise _stranger(address)
        return address, partial(access.token, caller)

    def _folder(self) -> Path:
        """Find the data folder; the settings are read only where `.env` may name it."""
        if self.data_dir is not None:
            return self.data_dir
        if named := os.environ.get("EXECUTIVE_DATA_DIR"):
            return Path(named)
        return self.settings.data_dir if Path(".env").exists() else Path("data")


@contextmanager
def _with_key(url: str, key: str) -> "Iterator[Client]":
    from prefrontal.client import Client

    with _answering(url), Client(url, key) as client:
        yield client


@contextmanager
def _with_tokens(url: str, access: LocalAccess, caller: Principal) -> "Iterator[Client]":
    """Open the service of a data folder; nothing is signed for a stranger at its address."""
    import httpx

    from prefrontal.client import Client

    sending = _signing(access, caller, httpx.HTTPTransport(trust_env=False))
    with _answering(url):
        if not _is_ours(url):
            raise _stranger(url)
        with Client(url, _SIGNED, transport=sending) as client:
            yield client


def _signing(
    access: LocalAccess, caller: Principal, sending: "httpx.BaseTransport"
) -> "httpx.BaseTransport":
    """Send each request with a token of its own."""
    import httpx

    class Signing(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            request.headers["Authorization"] = f"Bearer {access.token(caller)}"
            return sending.handle_request(request)

        def close(self) -> None:
            sending.close()

    return Signing()


@contextmanager
def _answering(url: str) -> "Iterator[None]":
    """Say in a sentence that nothing answers at an address, or something else than a service."""
    import httpx

    try:
        yield
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise BadInput("--url takes the address of a service: http://127.0.0.1:8765") from error
    except httpx.TransportError as error:
        raise AgentError(f"no service answers at {url}: {error}") from error
    except (ValueError, LookupError, TypeError) as error:  # an answer of another shape
        with suppress(httpx.HTTPError):
            if not _is_ours(url):
                raise _stranger(url) from error
        raise


def _is_ours(url: str) -> bool:
    """Tell whether a Prefrontal service answers, by the index that it gives to anybody."""
    import httpx

    with httpx.Client(base_url=url, timeout=_INDEX_SECONDS, trust_env=False) as http:
        answer = http.get("/")
    with suppress(ValueError):
        told = answer.json()
        # One that sheds load gives a problem of ours in place of the index.
        return isinstance(told, dict) and (
            told.get("name") == "Prefrontal" or ":prefrontal:" in str(told.get("type"))
        )
    return False


def _stranger(url: str) -> AgentError:
    return AgentError(
        f"what answers at {url} is no Prefrontal service; name the service with PREFRONTAL_URL, or "
        "stop what listens there and start it again: prefrontal serve"
    )


def _demanded(caller: Principal | None) -> Principal:
    if caller is None:
        raise BadInput("say who you are: --as USER:ROLE, such as --as ben:engineer")
    return caller


def _checked(key: str | None) -> str:
    if not key or not key.isascii() or not key.strip():
        raise BadInput("PREFRONTAL_KEY holds no key; set it to a key of the service")
    return key


def _key_says_who(caller: Principal | None) -> str:
    role = " ".join(f"--role {one}" for one in caller.roles) if caller else ""
    return (
        "at a service the key says who acts: leave --as out, and create a key for that person: "
        f"prefrontal keys create --user {caller.user if caller else 'ann'} {role or '--role ROLE'}"
    )


def announce(folder: Path, address: str) -> LocalAccess:
    """Write down where the service of a folder answers, and a fresh secret for its owner alone."""
    access = LocalAccess(secrets.token_bytes(32))
    withdraw(folder)
    for name, text in ((ADDRESS_KEY_FILE, access.secret.hex()), (ADDRESS_FILE, address)):
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)
    return access


def withdraw(folder: Path) -> None:
    """Remove what `announce` wrote."""
    for name in (ADDRESS_FILE, ADDRESS_KEY_FILE):
        (folder / name).unlink(missing_ok=True)


def running_address(folder: Path) -> str | None:
    """Return where the service of a folder answers; None: no process works on it.

    A killed service leaves its address behind, but not its lock on the folder.

    Raises:
        Busy: a process works on it that wrote no address.
        Forbidden: the address was written by another user, or stands in another place.
    """
    if not _is_locked(folder / "lock"):
        return None
    with suppress(OSError, UnicodeDecodeError):
        if address := _own_text(folder / ADDRESS_FILE).strip():
            return address
    raise Busy(
        f"a process works on {folder}, and no service answers there yet: one that is still "
        "starting answers soon, so wait and try again; or name another folder with --data-dir"
    )


def _own_text(file: Path) -> str:
    """Read a file that this user wrote here: nobody else decides where a key is sent.

    Raises:
        OSError: it cannot be read.
        Forbidden: a link, or another user's.
    """
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
        raise Forbidden(
            f"{file} is a link or belongs to another user; name the service with PREFRONTAL_URL"
        )
    return file.read_text(encoding="utf-8")


def _is_locked(file: Path) -> bool:
    from filelock import FileLock, Timeout

    if not file.exists():
        return False
    if sys.platform == "win32":
        lock = FileLock(file)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        return False
    import fcntl

    with file.open("rb") as opened:
        try:  # shared: those who look at the same time do not see each other
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _local_access(folder: Path, address: str) -> LocalAccess:
    try:
        return LocalAccess(bytes.fromhex(_own_text(folder / ADDRESS_KEY_FILE)))
    except (OSError, ValueError) as error:
        raise Forbidden(
            f"{folder / ADDRESS_KEY_FILE} cannot be read: only the folder's owner acts without a "
            f"key at {address}; set PREFRONTAL_KEY to a key of that service"
        ) from error


def without_none(**fields: Any) -> dict[str, Any]:  # JSON values
    """Leave out the fields that were not given."""
    return {name: value for name, value in fields.items() if value is not None}
