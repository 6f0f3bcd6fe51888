"""Reports on the router from the query log.

Where predictions and people disagree, and confirmed texts that can become examples.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, case, func, or_, select

from state.policy import ASKS_NOTHING
from state.query import Example, Gap, Gaps
from state.reader import Reader
from tools.catalog import Catalogue
from tools.nlu import is_own_words
from tools.nlu.lexicon.normalization import fold
from tools.observability.query_row import collision_named
from tools.platform.redaction import MASK
from tools.storage import readable_in
from tools.storage.tables.decisions import decision
from tools.storage.tables.observability import query_log as log

MOST_EXAMPLES = 5
MOST_GAPS = 200

Pair = tuple[str | None, str, str]
"""Predicted, done, and how we know."""


def find_gaps(connection: Connection, catalogue: Catalogue, reader: Reader, since: float) -> Gaps:
    """Compare what was predicted with what people did: elsewhere, or by taking a chip.

    What was observed outweighs the chip; a query of which we know neither says nothing.
    """
    done = func.coalesce(log.c.action_observed, log.c.chip_chosen)
    by = case((log.c.action_observed.is_not(None), "observed"), else_="chip")
    known = (readable_in(log, reader), log.c.at >= since, done.is_not(None))
    pairs: dict[Pair, int] = {
        (predicted, did, how): count
        for predicted, did, how, count in connection.execute(
            select(log.c.predicted_action, done, by, func.count())
            .where(*known)
            .group_by(log.c.predicted_action, done, by)
        )
    }
    total = sum(pairs.values())
    apart = {pair: count for pair, count in pairs.items() if pair[0] != pair[1]}
    examples: dict[Pair, list[str]] = defaultdict(list)
    texts = (
        select(log.c.predicted_action, done, by, log.c.raw_text)
        .where(*known, log.c.predicted_action.is_distinct_from(done))
        .order_by(log.c.at.desc())
        .limit(MOST_GAPS * MOST_EXAMPLES)
    )
    for predicted, did, how, text in connection.execute(texts):
        found = examples[predicted, did, how]
        if len(found) < MOST_EXAMPLES and text not in found:
            found.append(text)
    frequent = sorted(apart, key=lambda pair: (-apart[pair], str(pair)))
    return Gaps(
        known=total,
        agreed=total - sum(apart.values()),
        gaps=tuple(
            Gap(
                predicted=pair[0],
                done=pair[1],
                by="observed" if pair[2] == "observed" else "chip",
                collision=collision_named(pair[0], pair[1], catalogue),
                count=apart[pair],
                share=apart[pair] / total,
                examples=tuple(examples[pair]),
            )
            for pair in frequent[:MOST_GAPS]
        ),
    )


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
    return one_line and bool(text.strip()) and MASK not in text and is_own_words(text)


def _clearest(counts: Counter[str]) -> list[tuple[str, int]]:
    best = counts.most_common(2)
    return [] if len(best) == 2 and best[0][1] == best[1][1] else best[:1]
