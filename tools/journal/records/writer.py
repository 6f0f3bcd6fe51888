"""Write a decision as Markdown, in MADR's form or Nygard's."""

from collections.abc import Iterator, Sequence
from typing import Literal

import yaml

from state.journal import Decision, DecisionStatus

Shape = Literal["madr", "nygard"]

_STATUS = {
    DecisionStatus.ACTIVE: "accepted",
    DecisionStatus.REVISITED: "accepted",
    DecisionStatus.SUPERSEDED: "superseded",
    DecisionStatus.PROPOSED: "proposed",
    DecisionStatus.REJECTED: "rejected",
    DecisionStatus.UNKNOWN: "status unknown",
}


def as_markdown(decision: Decision, shape: Shape = "madr") -> str:
    """Write a decision as a record; the same decision gives the same bytes."""
    lines = _madr(decision) if shape == "madr" else _nygard(decision)
    return "\n".join(lines).rstrip() + "\n"


def file_name(decision: Decision) -> str:
    """Name a record's file by its date and title."""
    day = f"{decision.timestamp:%Y-%m-%d}-" if decision.timestamp else ""
    words = "".join(c if c.isalnum() else " " for c in decision.title.lower()).split()
    return f"{day}{'-'.join(words)[:60].strip('-') or 'decision'}-{decision.id[-6:]}.md"


def status_words(decision: Decision) -> str:
    """Say where it stands, with its successor."""
    words = _STATUS[decision.status]
    if decision.status is DecisionStatus.SUPERSEDED and decision.superseded_by:
        return f"{words} by {decision.superseded_by}"
    return words


def _written(decision: Decision) -> str:
    return status_words(decision).removeprefix("status ")


def _madr(decision: Decision) -> Iterator[str]:
    front: dict[str, object] = {"id": decision.id, "status": _written(decision)}
    if decision.timestamp:
        front["date"] = decision.timestamp.date()
    if decision.decision_maker:
        front["decision-makers"] = [decision.decision_maker]
    others = [name for name in decision.stakeholders if name != decision.decision_maker]
    if others:
        front["consulted"] = others
    if decision.supersedes:
        front["supersedes"] = decision.supersedes
    if decision.tags:
        front["tags"] = list(decision.tags)
    yield "---"
    yield yaml.safe_dump(front, allow_unicode=True, sort_keys=False).rstrip()
    yield "---"
    yield ""
    yield f"# {decision.title}"
    yield from _section("Context and Problem Statement", decision.context)
    yield from _listed("Considered Options", [one.option for one in decision.alternatives])
    yield from _section("Decision Outcome", decision.decision)
    yield from _section("Rationale", decision.rationale)
    if decision.trade_offs:
        yield from _listed("Positive Consequences", decision.trade_offs.pros)
        yield from _listed("Negative Consequences", decision.trade_offs.cons)
        yield from _listed("Risks", decision.trade_offs.risks)
        yield from _listed("Assumptions", decision.trade_offs.assumptions)
    weighed = [one for one in decision.alternatives if one.pros or one.cons]
    if weighed:
        yield from ("", "## Pros and Cons of the Options")
    for one in weighed:
        said = [*(f"Good, because {text}" for text in one.pros)]
        said += [f"Bad, because {text}" for text in one.cons]
        yield from _listed(one.option, said, level=3)
    yield from _more(decision)


def _nygard(decision: Decision) -> Iterator[str]:
    yield f"# {decision.title}"
    if decision.timestamp:
        yield from ("", f"Date: {decision.timestamp:%Y-%m-%d}")
    standing = _written(decision)
    yield from _section("Status", standing[:1].upper() + standing[1:])
    yield from _section("Context", decision.context)
    yield from _section("Decision", decision.decision)
    yield from _section("Rationale", decision.rationale)
    trade_offs = decision.trade_offs
    if trade_offs:
        said = [*(f"Good, because {text}" for text in trade_offs.pros)]
        said += [f"Bad, because {text}" for text in (*trade_offs.cons, *trade_offs.risks)]
        yield from _listed("Consequences", said)
    yield from _more(decision)


def _more(decision: Decision) -> Iterator[str]:
    links = [*decision.related_features, *decision.related_code, *decision.related_docs]
    votes = [f"{name}: {vote}" for name, vote in decision.votes.items()]
    yield from _listed("Links", links)
    yield from _listed("Votes", votes)
    yield from _section("Notes", decision.notes)


def _section(heading: str, text: str) -> Iterator[str]:
    if text:
        yield from ("", f"## {heading}", "", text)


def _listed(heading: str, items: Sequence[str], *, level: int = 2) -> Iterator[str]:
    found = [" ".join(item.split()) for item in items]
    if found:
        yield from ("", f"{'#' * level} {heading}", "", *(f"* {item}" for item in found))
