"""Everything that can go wrong by name.

AgentError
├── BadInput                  what was sent cannot be read or used
│   ├── InvalidArguments      an action's arguments do not fit its slots
│   └── DigestMismatch        an answer to something else than what stands in the ledger
├── NotFound                  no such decision, approval, offer, action or pack (or not yours)
├── Forbidden                 known, but not with these roles
│   ├── NeedsApproval         not alone: it is asked for, and approved by others
│   ├── RefusedBeforehand     somebody has said no to this beforehand; nobody is asked
│   └── RejectedLately        a person has just rejected the same call; nobody is asked again
├── Conflict                  too late: decided, expired or chosen already
│   └── AlreadyAsked          the same question of the same person waits for its answer
├── Unreachable               another service did not answer, or was not allowed to be asked
│   └── LookupFailed          a pack could not say what exists; a name of it cannot be checked
├── PackFaults                a pack cannot be loaded; every fault with file, line and field
├── Busy                      the store or the folder is held by somebody else
├── ModelUnavailable          no model, or it did not answer in time
├── EncoderUnavailable        no sentence encoder: missing, not the right one, or no answer
└── IndexUnavailable          no vector index: its library, its files or its process failed
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class AgentError(Exception):
    """The root: a sentence that says what happened, to which one, and what to do next."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let it pass from one process to another with all that it knows."""
        return _as_it_was, (type(self), self.args, vars(self))


class BadInput(AgentError):
    """Say what could not be read and how to put it right."""


class InvalidArguments(BadInput):
    """The arguments of `action` do not fit; `faults` names each slot and what is wrong."""

    def __init__(self, action: str, faults: Sequence[str]) -> None:
        self.action = action
        self.faults = tuple(faults)
        super().__init__(f"{action}: {'; '.join(faults)}")


class DigestMismatch(BadInput):
    """The digest sent is not that of `action_id` as it stands."""

    def __init__(self, action_id: str) -> None:
        self.action_id = action_id
        super().__init__(
            f"the digest is not that of approval {action_id}; read it again, answer what it shows"
        )


_LISTED = frozenset(
    {"action", "approval", "heuristic", "key", "link", "offer", "refusal", "reminder", "tool"}
)
"""Kinds that a command and a route list; whatever else a pack names, nobody may list."""


class NotFound(AgentError):
    """Nothing of this kind and id is visible to the caller."""

    def __init__(self, kind: str, identifier: str) -> None:
        self.kind = kind
        self.identifier = identifier
        hint = f"; list the {kind}s to see which exist" if kind in _LISTED else ""
        super().__init__(f"no {kind} {identifier!r}{hint}")


class Forbidden(AgentError):
    """The caller is known and may not do this."""


class NeedsApproval(Forbidden):
    """Nobody changes `what` alone; it is asked for, and approved."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"{what} is shipped or locked: changing it needs an approval")


class RefusedBeforehand(Forbidden):
    """A standing refusal covers `action`; reason code `standing_refusal`."""

    code = "standing_refusal"

    def __init__(self, action: str, reason: str, refusal_id: str) -> None:
        self.action = action
        self.refusal_id = refusal_id
        because = f" ({reason})" if reason else ""
        super().__init__(f"{action} was rejected by an auto-reject rule{because}; nobody was asked")


class RejectedLately(Forbidden):
    """A person has just rejected the same call of the same agent; reason code `rejected_lately`."""

    code = "rejected_lately"


class Conflict(AgentError):
    """It was decided, expired or used already; `standing` says what it is now."""

    def __init__(self, sentence: str, standing: str) -> None:
        self.standing = standing
        super().__init__(sentence)


class AlreadyAsked(Conflict):
    """The same question of the same person is open; reason code `already_asked`."""

    code = "already_asked"

    def __init__(self, sentence: str, standing: str, action_id: str) -> None:
        self.action_id = action_id
        super().__init__(sentence, standing)


class Unreachable(AgentError):
    """Another service did not answer in time or in form, or its address is not allowed."""


class NeverCalled(Unreachable):
    """A pack's function could not be found or does not take what it is given: nothing ran."""

    def __init__(self, reference: str, cause: str) -> None:
        self.reference = reference
        super().__init__(f"{reference} could not be called ({cause}), so nothing was done")


class LookupFailed(Unreachable):
    """A pack's lookup of an entity type broke; reason code `lookup_failed`."""

    code = "lookup_failed"

    def __init__(self, pack: str, entity_type: str, cause: str) -> None:
        self.pack = pack
        self.entity_type = entity_type
        self.cause = cause
        super().__init__(
            f"no {entity_type.replace('_', ' ')} can be looked up now ({cause}), "
            "so nothing is done and nobody is asked; ask again later"
        )


@dataclass(frozen=True)
class PackFault:
    """One fault of a pack: where it is and what would mend it. `line` counts from 1."""

    file: Path
    line: int | None
    field: str
    problem: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return ": ".join(filter(None, (place, self.field, self.problem)))


class PackFaults(AgentError):
    """A pack cannot be loaded; nothing of it was."""

    def __init__(self, pack: str, faults: Sequence[PackFault]) -> None:
        self.pack = pack
        self.faults = tuple(faults)
        lines = "\n".join(f"  {fault}" for fault in faults)
        super().__init__(f"pack {pack} has {len(faults)} fault(s):\n{lines}")


class Busy(AgentError):
    """The store or the folder is held by another process; try again or stop the other one."""


class ModelUnavailable(AgentError):
    """No model is configured, or it did not answer in time or in form."""


class EncoderUnavailable(AgentError):
    """Texts cannot be embedded: the model is missing, is not the right one, or did not answer."""


class IndexUnavailable(AgentError):
    """The vector index cannot be asked; the tables hold all that it holds."""


def _as_it_was(
    kind: type[AgentError], args: tuple[object, ...], known: dict[str, object]
) -> AgentError:
    error = kind.__new__(kind, *args)  # not by __init__, which takes parts and makes the sentence
    vars(error).update(known)
    return error
