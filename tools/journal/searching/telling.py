"""A decision on record as a line of an answer, with whose words it is."""

import re

from state.journal import DecisionStatus
from state.note import NotedDecision
from tools.journal.own_actions import REFUSED

_LONGEST = 300
_BECAUSE = re.compile(r"^\s*because\s+", re.IGNORECASE)


def told(note: NotedDecision) -> str:
    """Say what was decided, why, by whom, and whether it still stands."""
    day = f"{note.decided_at:%Y-%m-%d}: " if note.decided_at else ""
    ending = f". {note.ending}" if note.ending and note.ending != REFUSED else ""
    reason = _BECAUSE.sub("", note.rationale)
    why = f", because {_cut(reason)}" if reason else ""
    by = ", ".join(_people(note))
    return f"{day}{_cut(note.decision)}{ending}{why}{f' ({by})' if by else ''}{_quoted(note)}"


def _people(note: NotedDecision) -> list[str]:
    brought = [f"imported by {note.imported_by}"] if note.imported_by else []
    if note.origin != "action":
        said = [f"said by {note.decision_maker}"] if note.decision_maker else []
        read = [f"read from {note.source}"] if note.source else []
        return [*said, *read, *brought, *_standing(note)]
    refused = note.status is DecisionStatus.REJECTED and not note.ending.startswith(
        "It was allowed"
    )
    verb = "refused by" if refused else "allowed by"
    asked = [f"asked by {note.asked_by}"] if note.asked_by else []
    same = note.decision_maker == note.asked_by
    decided = [] if same or not note.decision_maker else [f"{verb} {note.decision_maker}"]
    return [*asked, *decided, *brought, *_standing(note)]


def _standing(note: NotedDecision) -> list[str]:
    if note.status is DecisionStatus.SUPERSEDED:
        by = f" by: {note.successor}" if note.successor else ""
        return [f"{'taken back' if note.origin == 'action' else 'superseded'}{by}"]
    if note.status is DecisionStatus.UNKNOWN:
        return ["status unknown"]
    is_said = note.origin != "action" and note.status is not DecisionStatus.ACTIVE
    return [note.status.value] if is_said else []


def _quoted(note: NotedDecision) -> str:
    return f": “{_cut(note.quote)}”" if note.quote else ""


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST].rsplit(' ', 1)[0]} …"
