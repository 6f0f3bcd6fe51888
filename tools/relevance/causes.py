"""Causes: what was told and explains what follows from it. Source: executive.md §1.3, step 6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state.attention import OpenCause
from state.event import Event
from tools.catalogue.attention_file import Inhibition
from tools.salience.conditions import meets, words_of


@dataclass(frozen=True)
class CauseMatches:
    """What an event has to do with causes, each named by its rule and the keys it shares."""

    opens: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    hidden_by: str | None = None


@dataclass(frozen=True)
class Causes:
    """The packs' rules about causes."""

    rules: Sequence[Inhibition] = ()

    def match(self, event: Event, open_causes: Mapping[str, OpenCause], now: float) -> CauseMatches:
        """Find the causes that an event is, ends, or is explained by; `now` since 1970."""
        if not self.rules or event.is_addressed:
            return CauseMatches()
        said = words_of(f"{event.text} {' '.join(entity.value for entity in event.entities)}")
        opens: list[str] = []
        ends: list[str] = []
        hidden_by: str | None = None
        for rule in self.rules:
            name = _named(rule, event)
            if rule.ends and meets(rule.ends, said):
                ends.append(name)
            elif rule.source in (None, event.source) and meets(rule.cause, said):
                opens.append(name)
            elif any(meets(condition, said) for condition in rule.hides):
                cause = open_causes.get(name)
                if hidden_by is None and cause is not None and cause.at <= now < cause.until:
                    hidden_by = name
        return CauseMatches(tuple(opens), tuple(ends), hidden_by)

    def after(
        self,
        open_causes: Mapping[str, OpenCause],
        event: Event,
        matches: CauseMatches,
        *,
        now: float,
        told: bool,
    ) -> dict[str, OpenCause]:
        """Return the open causes after an event; only one that was told explains anything."""
        kept = {
            name: cause
            for name, cause in open_causes.items()
            if now < cause.until and name not in matches.ends
        }
        if told:
            lives = {rule.id: rule.minutes * 60 for rule in self.rules}
            for name in matches.opens:
                rule = name.partition("|")[0]
                kept[name] = OpenCause(
                    rule=rule,
                    decision_id=event.decision_id,
                    text=event.text[:200],
                    at=now,
                    until=now + lives[rule],
                )
        return kept


def _named(rule: Inhibition, event: Event) -> str:
    entity = event.entities[0].value if event.entities else ""
    shared = {"source": event.source, "entity": entity}
    return "|".join((rule.id, *(shared[key] for key in rule.equal)))
