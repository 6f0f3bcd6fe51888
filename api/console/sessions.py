"""Sign-in sessions of the console: short, in memory, with signed cookies."""

import hmac
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple

from itsdangerous import BadSignature, Signer
from pydantic import SecretStr

IDLE_SECONDS = 30 * 60.0
"""A session nobody used for so long is over."""
LONGEST_SECONDS = 8 * 3_600.0
"""A session lasts a watch, however much it is used."""
WARNED_SECONDS = 4 * 60.0
"""Before either end the page says so, with time enough to go on. Source: WCAG 2.2.1."""
MOST_SESSIONS = 1_000
"""The one that was used least lately goes when there are more."""
MOST_OF_A_KEY = 10
"""The oldest of the same key goes when there are more: nobody signs others out by signing in."""
MOST_STREAMS = 12
"""Pages of one session that may listen at once."""


Ending = Literal["not yet", "unused", "lasted"]
"""Which end is near: nobody did anything, or it has lasted as long as any may."""


class TimeLeft(NamedTuple):
    """How long a session has yet."""

    ending: Ending
    seconds: float


@dataclass
class Session:
    """One person signed in at one browser.

    The key stays in memory so that every click is let in by the same door as a request of the
    API: one that was revoked, or has lost a role, is so here at once too.
    """

    key: SecretStr
    began: float
    seen: float
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    streams: int = 0

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count a page that listens."""
        self.streams += 1
        try:
            yield
        finally:
            self.streams -= 1

    @property
    def mark(self) -> str:
        """Name the session to its own pages; it opens nothing."""
        return _hash(self.csrf)[:16]

    def ends(self, now: float) -> TimeLeft:
        """Tell which end is near: `lasted` where only the key helps."""
        unused, lasted = IDLE_SECONDS - (now - self.seen), LONGEST_SECONDS - (now - self.began)
        seconds = min(unused, lasted)
        if seconds > WARNED_SECONDS:
            return TimeLeft("not yet", seconds)
        return TimeLeft("lasted" if lasted <= WARNED_SECONDS else "unused", seconds)

    def token(self) -> str:
        """Make what a form of this session carries, another each time."""
        once = secrets.token_urlsafe(12)
        return f"{once}.{self._signed(once)}"

    def takes(self, token: str) -> bool:
        """Tell whether a form was given out to this session."""
        once, _dot, signed = token.partition(".")
        return hmac.compare_digest(signed.encode(), self._signed(once).encode())

    def _signed(self, once: str) -> str:
        return hmac.new(self.csrf.encode(), once.encode(), sha256).hexdigest()


@dataclass
class Sessions:
    """The sessions of this process; they end with it, and everybody signs in again."""

    seconds: Callable[[], float] = time.monotonic
    _signer: Signer = field(default_factory=lambda: _signer("session"), repr=False)
    _door: Signer = field(default_factory=lambda: _signer("door"), repr=False)
    _open: dict[str, Session] = field(default_factory=dict, repr=False)

    def begin(self, key: str) -> str:
        """Open a session for who holds a key that was found good; return the cookie's value."""
        now = self.seconds()
        self._forget(now, key)
        name = secrets.token_urlsafe(32)
        self._open[_hash(name)] = Session(SecretStr(key), began=now, seen=now)
        return self._signer.sign(name).decode()

    def find(self, cookie: str, *, touch: bool = True) -> Session | None:
        """Find the session of a cookie; None: it is none, or it is over.

        Args:
            touch: the person is there, so the session goes on.
        """
        found = self._named(cookie)
        session = self._open.get(found)
        if session is None:
            return None
        now = self.seconds()
        if _is_over(session, now):
            del self._open[found]
            return None
        if touch:
            session.seen = now
        return session

    def renew(self, session: Session, key: str) -> bool:
        """Let a session last anew for who shows its key once more; False: it is another."""
        same = hmac.compare_digest(key.encode(), session.key.get_secret_value().encode())
        if same:
            session.began = session.seen = self.seconds()
        return same

    def end(self, cookie: str) -> None:
        """End a session; a cookie that has none ends nothing."""
        self._open.pop(self._named(cookie), None)

    def ticket(self) -> str:
        """Make what a sign-in form carries twice, in a cookie and in the form."""
        return self._door.sign(secrets.token_urlsafe(16)).decode()

    def is_ticket(self, given: str, cookie: str) -> bool:
        """Tell whether a sign-in form was given out here, to this browser."""
        same = hmac.compare_digest(given.encode(), cookie.encode())
        return same and self._door.validate(given.encode())

    def _named(self, cookie: str) -> str:
        try:
            return _hash(self._signer.unsign(cookie.encode()).decode())
        except BadSignature:
            return ""

    def _forget(self, now: float, key: str) -> None:
        for name in [name for name, one in self._open.items() if _is_over(one, now)]:
            del self._open[name]
        same = [name for name, one in self._open.items() if one.key.get_secret_value() == key]
        for name in same[: max(0, len(same) - MOST_OF_A_KEY + 1)]:  # as they were begun
            del self._open[name]
        while len(self._open) >= MOST_SESSIONS:
            del self._open[min(self._open, key=lambda name: self._open[name].seen)]


def _is_over(session: Session, now: float) -> bool:
    return now - session.seen > IDLE_SECONDS or now - session.began > LONGEST_SECONDS


def _signer(salt: str) -> Signer:
    return Signer(secrets.token_bytes(32), salt=salt, digest_method=sha256)


def _hash(name: str) -> str:
    return sha256(name.encode()).hexdigest()
