"""Detection of decisions in labelled messages, and extraction of a decision from a discussion.

The detector beside keywords alone and always-no; by rules the decision's words, maker, links and
votes, and that what is kept is cited.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml
from pydantic import Field, ValidationError

from evals.measures import (
    Measure,
    auc_of_columns,
    f1_of_columns,
    mean_of_column,
    resampled_measure,
    share,
)
from state.errors import BadInput
from state.journal import Decision, JournalMessage
from state.noun import Noun
from tools.journal.detection.context_window import ContextMessage
from tools.journal.detection.detector import Confirmer
from tools.journal.extraction.extractor import extract

OWN = Path(__file__).with_name("conversations.yaml")
MEASURES = ("precision", "recall", "f1", "auc", "false_captures")
KEYWORDS = re.compile(
    "decided|decision:|let's go with|we should|agreed|consensus|choosing|selected|approved"
    "|going with|will use|settled on"
)
"""The specification's twelve; what a keyword scan alone would find."""


class Spoken(Noun):
    """A labelled message after the messages before it."""

    kind: str
    decides: bool
    lines: tuple[tuple[str, str], ...] = Field(min_length=1, description="speaker and text")


class Judged(Noun):
    """What was said of one."""

    case: Spoken
    confidence: float
    is_decision: bool


def own_cases(part: Literal["cases", "styles"] = "cases") -> list[Spoken]:
    """Read what ships: conversations the rules were made with, or other manners of talk."""
    cases = yaml.load(OWN.read_text("utf-8"), yaml.CSafeLoader)[part]
    return [
        Spoken(
            kind=case["kind"],
            decides=case["decides"],
            lines=tuple(_parted(line) for line in case["lines"]),
        )
        for case in cases
    ]


def minutes(rows: Iterable[Mapping[str, Any]], text: str) -> list[Spoken]:  # JSON lines
    """Read rows of {context, speaker, <text>, label, kind}; the speaker's name is left out.

    In minutes the chair alone records resolutions: the name would tell the label.

    Raises:
        BadInput: a row holds something else.
    """
    try:
        return [
            Spoken(
                kind=str(row.get("kind", "")),
                decides=bool(row["label"]),
                lines=(*((one["speaker"], one["text"]) for one in row["context"]), ("", row[text])),
            )
            for row in rows
        ]
    except (KeyError, TypeError) as error:
        raise BadInput(f"a row of minutes needs context, label and {text}: {error}") from error


def requests(rows: Iterable[Mapping[str, Any]]) -> list[Spoken]:  # JSON lines
    """Read rows of {text, intent}: people asking for things, none of which is a decision.

    Raises:
        BadInput: a row has no text.
    """
    try:
        return [
            Spoken(kind=str(row["intent"]), decides=False, lines=(("", row["text"]),))
            for row in rows
        ]
    except KeyError as error:
        raise BadInput(f"a row of requests needs text and intent: {error}") from error


def detect_all(cases: Iterable[Spoken], confirmer: Confirmer) -> Iterator[Judged]:
    """Ask a confirmer about each."""
    for case in cases:
        said = [ContextMessage(speaker, text) for speaker, text in case.lines]
        found = confirmer.confirm(said[-1], said[:-1])
        yield Judged(case=case, confidence=found.confidence, is_decision=found.is_decision)


def by_keywords(cases: Iterable[Spoken]) -> Iterator[Judged]:
    """Take every message that holds one of the keywords."""
    for case in cases:
        has_one = KEYWORDS.search(case.lines[-1][1].lower()) is not None
        yield Judged(case=case, confidence=float(has_one), is_decision=has_one)


def never(cases: Iterable[Spoken]) -> Iterator[Judged]:
    """Take none."""
    for case in cases:
        yield Judged(case=case, confidence=0.0, is_decision=False)


def detection_measures(found: Sequence[Judged]) -> tuple[Measure, ...]:
    """Sum up; false captures are of the messages that are neither decision nor proposal."""
    said = np.array([one.is_decision for one in found], np.float64)
    meant = np.array([one.case.decides for one in found], np.float64)
    scores = np.array([one.confidence for one in found], np.float64)
    talk = [one for one in found if not one.case.decides and one.case.kind != "proposal"]
    return (
        share("precision", float(np.sum(said * meant)), int(np.sum(said))),
        share("recall", float(np.sum(said * meant)), int(np.sum(meant))),
        resampled_measure("f1", f1_of_columns, said, meant),
        resampled_measure("auc", auc_of_columns, scores, meant),
        share("false_captures", sum(one.is_decision for one in talk), len(talk)),
    )


def _parted(line: str) -> tuple[str, str]:
    speaker, _colon, text = line.partition(": ")
    return speaker, text


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


def extraction_measures(found: Sequence[Extracted]) -> tuple[Measure, ...]:
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
