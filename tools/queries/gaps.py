"""Where prediction and people part: the report that a release phase is left or kept by."""

from collections import defaultdict

from sqlalchemy import Connection, case, func, select

from state.query import Gap, Gaps
from state.reader import Reader
from tools.catalogue.catalogue import Catalogue
from tools.queries.collisions import collision_named
from tools.storage.readable import readable_in
from tools.storage.tables.queries import query_log as log

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
