"""Detection of decisions in labelled messages: the detector beside keywords alone and always-no."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml
from pydantic import Field

from evals.runner.measures import Measure, auc_of_columns, f1_of_columns, resampled_measure, share
from state.errors import BadInput
from state.noun import Noun
from tools.journal.detection.context_window import ContextMessage
from tools.journal.detection.detector import Confirmer

OWN = Path(__file__).with_name("conversations.yaml")
MEASURES = ("precision", "recall", "f1", "auc", "false_captures")
KEYWORDS = (
    "decided",
    "decision:",
    "let's go with",
    "we should",
    "agreed",
    "consensus",
    "choosing",
    "selected",
    "approved",
    "going with",
    "will use",
    "settled on",
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
        text = case.lines[-1][1].lower()
        has_one = any(word in text for word in KEYWORDS)
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
