"""Texts that people confirmed to mean an action: examples for the catalogue."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, func, or_, select

from state.policy import ASKS_NOTHING
from state.query import Example
from tools.catalogue.catalogue import Catalogue
from tools.classification.taint import is_own_words
from tools.routing.words.normalise import fold
from tools.secrecy import HIDDEN
from tools.storage.tables.decisions import decision
from tools.storage.tables.queries import query_log as log

LONGEST = 200
"""Characters; a longer text is a document and teaches the router nothing."""


def find_examples(
    connection: Connection, catalogue: Catalogue, tenant_id: str, *, since: float, min_count: int
) -> list[Example]:
    """Collect texts whose chip was chosen and not undone, or whose approval was given.

    A text that people took to mean several actions goes to the one it meant most often, and to
    none when they are even. What the catalogue knows already, what is denied, told or supposed,
    what is quoted, and what held a secret is left out.

    Args:
        min_count: how often a text has to have meant the action.
    """
    taken: dict[str, Counter[str]] = defaultdict(Counter)
    written: dict[str, str] = {}
    for action, text in _confirmed(connection, tenant_id, since):
        if action in catalogue.actions and _is_fit(text):
            taken[fold(text).strip()][action] += 1
            written.setdefault(fold(text).strip(), " ".join(text.split()))
    known = {
        fold(example).strip() for one in catalogue.actions.values() for example in one.examples
    }
    found = [
        Example(action, written[text], times)
        for text, counts in taken.items()
        for action, times in _clearest(counts)
        if times >= min_count and text not in known
    ]
    return sorted(found, key=lambda one: (one.action, -one.times, one.text))


def by_action(examples: list[Example]) -> Mapping[str, list[str]]:
    """Group texts for the `examples:` of a catalogue."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for one in examples:
        grouped[one.action].append(one.text)
    return dict(grouped)


def _confirmed(connection: Connection, tenant_id: str, since: float) -> Iterator[tuple[str, str]]:
    mood = func.json_extract(decision.c.stages, "$.policy.routing.mood")
    query = (
        select(log.c.chip_chosen, log.c.action_executed, log.c.execution_method, log.c.raw_text)
        .join(decision, decision.c.decision_id == log.c.decision_id)
        .where(
            log.c.tenant_id == tenant_id,
            log.c.at >= since,
            log.c.undo_triggered.is_(False),
            or_(log.c.chip_chosen.is_not(None), log.c.execution_method == "confirmation"),
            or_(mood.is_(None), mood.not_in(sorted(ASKS_NOTHING))),
        )
        .order_by(log.c.at)
    )
    for chosen, executed, method, text in connection.execute(query):
        # An approval outweighs the chip that led to it; a chip whose action did not run counts
        # still: the person said what they meant.
        yield (executed if method == "confirmation" and executed else chosen), text


def _is_fit(text: str) -> bool:
    one_line = len(text) <= LONGEST and text.isprintable()
    return one_line and bool(text.strip()) and HIDDEN not in text and is_own_words(text)


def _clearest(counts: Counter[str]) -> list[tuple[str, int]]:
    best = counts.most_common(2)
    return [] if len(best) == 2 and best[0][1] == best[1][1] else best[:1]
