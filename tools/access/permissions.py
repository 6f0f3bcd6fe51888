"""What a caller may send as and read: attribution of events to tenant, user and source.

Readers of sessions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from state.errors import Forbidden
from state.event import Event
from state.noun import LONGEST_NAME
from state.principal import Principal
from state.reader import ClosedSessions, Reader
from state.talk import TalkRequest
from tools.platform.texts import t
from tools.platform.unicode_safety import looks_of
from tools.ports import Catalogue


def imitates_any(source: str, patterns: Iterable[str]) -> bool:
    """Tell whether a source can be taken for one that patterns name, `*` and `?` for any."""
    looks = looks_of(source)
    return any(
        fnmatchcase(look, pattern.replace("[", "[[]"))
        for each in patterns
        for look, pattern in zip(looks, looks_of(each), strict=True)
    )


SPEAKS_FOR_OTHERS = ("admin", "integrator")
"""Roles of bridges, held by a service's key: their events name the user who spoke.

Never by a person's: who may answer approvals must not also choose in whose name they are asked.
"""

_VISITORS = "visitors:"
VISITORS_TENANT = "default"
"""Where somebody without a key is, at the one door that lets them in."""


def attribute_event(event: Event, caller: Principal) -> Event:
    """Put the caller and its tenant on an event, with a user, role and source that it may name.

    Raises:
        Forbidden: it names another tenant, a user or role the caller is not, or a source that is
            not its own or that other keys declare.
    """
    if "tenant_id" in event.model_fields_set and event.tenant_id != caller.tenant_id:
        raise Forbidden(t("problem.access.tenant"))
    speaker = {"user": event.user, "role": event.role}
    own = {"user": caller.user, "role": event.role or ",".join(caller.roles) or None}
    if caller.kind == "service" and caller.has_any(SPEAKS_FOR_OTHERS):
        if event.user is None and event.kind in ("message", "proposal"):
            speaker = own
    elif event.user not in (None, caller.user):
        raise Forbidden(t("problem.access.user"))
    elif not set(event.roles) <= set(caller.roles):
        raise Forbidden(t("problem.access.role"))
    else:
        speaker = own
    relayed = caller.kind == "service"
    update = {"tenant_id": caller.tenant_id, "relayed": relayed, **speaker}
    update |= {"source": _source(event, caller), "sender": caller.user, "variant": None}
    return event.model_copy(update=update)


def _source(event: Event, caller: Principal) -> str:
    """Name where an event comes from: the one source of its key, where it names none itself."""
    source = event.source
    if "source" not in event.model_fields_set and len(caller.sources) == 1:
        source = caller.sources[0]
    is_imitation = not caller.sources and imitates_any(source, caller.kept_sources)
    if not set(source) & set("*?") and caller.may_send_as(source) and not is_imitation:
        return source
    if caller.sources:
        raise Forbidden(t("problem.access.sources", sources=" or ".join(caller.sources)))
    raise Forbidden(t("problem.access.kept_source", source=source))


def as_visitor(event: Event) -> Event:
    """Take every name off an event that somebody without a key sends: they may be anybody.

    What they tell is told among visitors alone: nobody else's session hears their alarms.
    """
    session_id = f"{_VISITORS}{event.session_id}"[:LONGEST_NAME]
    nobody = {"tenant_id": VISITORS_TENANT, "user": None, "role": None, "session_id": session_id}
    return event.model_copy(update=nobody | {"sender": _VISITORS, "variant": None})


@dataclass(frozen=True)
class SessionReaders:
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
                raise Forbidden(t("problem.access.session", one=one))

    def _over(self, tenant_id: str, session_id: str) -> set[ClosedSessions]:
        return {one for one in self.rules if one.names_session(tenant_id, session_id)}


def _reader(tenant_id: str, shut: Iterable[ClosedSessions]) -> Reader:
    names = (name for one in shut if one.tenant in (None, tenant_id) for name in one.names)
    return Reader(tenant_id=tenant_id, closed=tuple(dict.fromkeys(names)))


def _lets_in(rule: ClosedSessions, user: str | None, roles: tuple[str, ...]) -> bool:
    return user in rule.users or bool(set(roles) & set(rule.roles))


def require_reporter(event: Event, caller: Principal, catalogue: Catalogue) -> None:
    """Let pass what a caller may tell of; a message is the caller's own, and anybody may speak.

    Any other event may sound an alarm or hush a session for all in it. Sensors have no roles, and
    bridges theirs; a service that has others has been given those for something else.

    Raises:
        Forbidden: it is not the caller's to tell.
    """
    if event.is_addressed or may_change(catalogue, caller.roles):
        return
    if caller.kind == "person" or (caller.roles and not caller.has_any(SPEAKS_FOR_OTHERS)):
        raise Forbidden(t("dialogue.refused.event"))


def may_control(request: TalkRequest, catalogue: Catalogue, roles: Sequence[str]) -> bool:
    """Tell whether these roles may ask for that; what was missed anybody may hear.

    A session has no owner and no list of listeners: who may change nothing at all hushes it for
    nobody.
    """
    if request.kind in ("prompt", "unclear", "reminders", "goals"):
        return True
    return may_change(catalogue, roles)


def may_move(event: Event, catalogue: Catalogue) -> bool:
    """Tell whether a signal or a reaction counts; a signal in nobody's name is the place's."""
    is_place = event.kind == "signal" and event.user is None
    return is_place or may_change(catalogue, event.roles)


def may_change(catalogue: Catalogue, roles: Sequence[str]) -> bool:
    """Tell whether these roles may change anything at all in the packs that are loaded.

    Those that only read, or are known nowhere, may not; where packs change nothing, anybody may.
    """
    changing = [name for name, action in catalogue.actions.items() if action.floor != "A"]
    return not changing or any(catalogue.may_ask(name, tuple(roles)) for name in changing)
