"""May somebody read a session? Answered here alone, for the journal and for our own records."""

from collections.abc import Iterable
from dataclasses import dataclass

from state.errors import Forbidden
from state.principal import Principal
from state.reader import ClosedSessions, Reader


@dataclass(frozen=True)
class Readers:
    """Which sessions of a deployment are closed, and to whom; without rules none is.

    Where several rules name a session, its readers are those whom each of them lets in.
    """

    rules: tuple[ClosedSessions, ...] = ()

    def of(self, principal: Principal) -> Reader:
        """Tell what a caller may read."""
        shut = (one for one in self.rules if not _lets_in(one, principal.user, principal.roles))
        may_answer = principal.kind == "person" and "approve" in principal.scopes
        decides = principal.roles if may_answer else ()
        return _reader(principal.tenant_id, shut).model_copy(update={"decides": decides})

    def heard_in(
        self, tenant_id: str, session_id: str, user: str | None, roles: tuple[str, ...]
    ) -> Reader:
        """Tell what may be told to somebody in a session, where its other readers hear it too.

        That is what each of them may read, and who asks as well: an answer in the open may draw
        on nothing that is closed, whoever asks.
        """
        here = self._over(tenant_id, session_id)
        shut = (one for one in self.rules if one not in here or not _lets_in(one, user, roles))
        return _reader(tenant_id, shut)

    def kept_for(self, reader: Reader) -> tuple[str, ...]:
        """Name the closed sessions that a reader may read, as patterns: others are barred there."""
        names = (name for one in self.rules for name in one.names)
        return tuple(name for name in dict.fromkeys(names) if name not in reader.closed)

    def may_tell(self, tenant_id: str, said_in: str, told_in: str) -> bool:
        """Tell whether whoever reads the one session may read the other one's words too."""
        return self._over(tenant_id, said_in) <= self._over(tenant_id, told_in)

    def are_alike(self, tenant_id: str, one: str, other: str) -> bool:
        """Tell whether two sessions have the same readers, for all that the rules say."""
        return self._over(tenant_id, one) == self._over(tenant_id, other)

    def demand(self, principal: Principal, sessions: Iterable[str]) -> None:
        """Let a caller name sessions that are open to them, whether these exist or not.

        Raises:
            Forbidden: one is closed to them.
        """
        reader = self.of(principal)
        for one in sessions:
            if not reader.may_read(one):
                raise Forbidden(f"the session {one!r} is kept for its readers; you are none")

    def _over(self, tenant_id: str, session_id: str) -> set[ClosedSessions]:
        return {one for one in self.rules if one.names_session(tenant_id, session_id)}


def _reader(tenant_id: str, shut: Iterable[ClosedSessions]) -> Reader:
    names = (name for one in shut if one.tenant in (None, tenant_id) for name in one.names)
    return Reader(tenant_id=tenant_id, closed=tuple(dict.fromkeys(names)))


def _lets_in(rule: ClosedSessions, user: str | None, roles: tuple[str, ...]) -> bool:
    return user in rule.users or bool(set(roles) & set(rule.roles))
