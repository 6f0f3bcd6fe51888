"""Extraction of a decision from a whole discussion, by rules.

Measures the decision's words, maker, links and votes, and that what is kept is cited.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from evals.runner.measures import Measure, mean_of_column, resampled_measure
from state.errors import BadInput
from state.journal import Decision, JournalMessage
from state.noun import Noun
from tools.journal.extraction.extractor import extract


class Extracted(Noun):
    """What was read out of one discussion, beside what should have been."""

    messages: tuple[JournalMessage, ...]
    found: Decision
    decision: str
    maker: str
    links: frozenset[str]
    votes: Mapping[str, str]


def extract_all(rows: Iterable[Mapping[str, Any]]) -> list[Extracted]:  # JSON lines
    """Read rows of {messages, gold}; the last message takes the decision.

    Raises:
        BadInput: a row holds something else.
    """
    try:
        return [_extract_one(row) for row in rows]
    except (KeyError, IndexError, TypeError, ValidationError) as error:
        raise BadInput(f"a row needs messages and gold: {error}") from error


def figures(found: Sequence[Extracted]) -> tuple[Measure, ...]:
    """Average over discussions; one without links counts as right when none is found."""
    columns = {
        "decision_f1": [overlap(one.found.decision, one.decision) for one in found],
        "maker": [float(one.found.decision_maker == one.maker) for one in found],
        "links_precision": [_share(_linked(one), one.links) for one in found],
        "links_recall": [_share(one.links, _linked(one)) for one in found],
        "votes_f1": [_votes(one) for one in found],
        "cited": [float(is_cited(one.found, one.messages)) for one in found],
    }
    return tuple(
        resampled_measure(name, mean_of_column, np.array(values, np.float64))
        for name, values in columns.items()
    )


def is_cited(decision: Decision, messages: Sequence[JournalMessage]) -> bool:
    """Tell whether every field that quotes is made of the parts its evidence names."""
    content = {message.message_id: message.content for message in messages}
    cited = {
        field: [content[span.message_id][span.start : span.end] for span in spans]
        for field, spans in decision.evidence.items()
    }
    trade_offs = decision.trade_offs
    quoted = {
        "decision": [decision.decision],
        "alternatives": [
            text for one in decision.alternatives for text in (one.option, *one.pros, *one.cons)
        ],
        "trade_offs": [
            text
            for texts in (trade_offs.model_dump().values() if trade_offs else ())
            for text in texts
        ],
        "related_code": list(decision.related_code),
        "related_features": list(decision.related_features),
        "related_docs": list(decision.related_docs),
    }
    joined = {"context": decision.context, "rationale": decision.rationale}
    return all(set(texts) <= set(cited.get(field, ())) for field, texts in quoted.items()) and all(
        re.fullmatch(r"\.? ".join(map(re.escape, cited.get(field, ()))), text)
        for field, text in joined.items()
    )


def overlap(said: str, meant: str) -> float:
    """Tell how many words two texts have in common, 0 to 1; their order does not matter."""
    one, two = (Counter(re.findall(r"\w+", text.lower())) for text in (said, meant))
    total = sum(one.values()) + sum(two.values())
    return 2 * sum((one & two).values()) / total if total else 1.0


def _extract_one(row: Mapping[str, Any]) -> Extracted:  # as above
    messages = tuple(
        JournalMessage(message_id=str(number), speaker=one["speaker"], content=one["text"])
        for number, one in enumerate(row["messages"])
    )
    gold = row["gold"]
    return Extracted(
        messages=messages,
        found=extract(messages, len(messages) - 1, confidence=1.0),
        decision=gold["decision"],
        maker=gold["proposer"],
        links=frozenset(gold["github_links"]),
        votes=gold["votes"],
    )


def _linked(one: Extracted) -> frozenset[str]:
    return frozenset(link for link in one.found.related_features if link.startswith("http"))


def _share(these: frozenset[str], those: frozenset[str]) -> float:
    return len(these & those) / len(these) if these else 1.0


def _votes(one: Extracted) -> float:
    said, meant = set(one.found.votes.items()), set(one.votes.items())
    return 2 * len(said & meant) / (len(said) + len(meant)) if said or meant else 1.0
