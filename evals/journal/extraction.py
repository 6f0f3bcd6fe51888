"""Extraction of a decision from a whole discussion, by rules and with a scripted model on loopback.

Measures the decision's words, rationale, maker, alternatives, links and votes.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

import numpy as np
from pydantic import SecretStr, ValidationError

from evals.loopback.openai_server import Fault, ModelRequest, OpenAIServer, Rule
from evals.runner.measures import Measure, f1_of_columns, mean_of_column, resampled_measure
from state.errors import BadInput
from state.journal import Decision, JournalMessage
from state.noun import Noun
from state.reader import whole
from tools.adapters.chat_model import OpenAIChat
from tools.journal.detection.detector import Detector
from tools.journal.detection.llm_detector import READ_MESSAGES, ModelConfirmer, prompt_of
from tools.journal.extraction.extractor import extract
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

MEASURES = (
    "decision_f1",
    "maker",
    "links_precision",
    "links_recall",
    "votes_f1",
    "cited",
)


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


_SHARE: Final = 5
"""The last fifth of the meetings: their labels are the model's."""
_TENANT: Final = "default"
_MARKER = re.compile(r"^\W*(?:RESOLVED|RESOLUTION|PROPOSED)\W+", re.IGNORECASE)
_HANGS: Final = frozenset({"hang", "stall", "drip", "slow"})
_FAULTS = tuple(one for one in get_args(Fault) if one not in _HANGS)
"""Those that are over at once: waiting for a time limit shows nothing more."""
_LISTS: Final = ("rationale", "pros", "cons", "risks", "assumptions", "alternatives")
_NEVER: Final = 1_000_000
"""Failures until it is left alone: here each question is to meet its fault."""


class Labelled(Noun):
    """A conversation whose last message is labelled."""

    messages: tuple[JournalMessage, ...]
    decides: bool
    decision: str = ""
    """What is decided, word for word; empty: the whole message."""
    maker: str | None = None


def read_labelled_talks(rows: Sequence[Mapping[str, Any]]) -> list[Labelled]:  # JSON lines
    """Take the last fifth of the meetings, of minutes and of discussions; markers are taken off.

    Raises:
        BadInput: a row is neither, or names no meeting.
    """
    try:
        meetings = sorted({(row["date"], row["meeting"]) for row in rows})
        last = set(meetings[-max(1, len(meetings) // _SHARE) :])
        return [_import_one(row) for row in rows if (row["date"], row["meeting"]) in last]
    except (KeyError, TypeError) as error:
        raise BadInput(f"a row needs date, meeting, and a label or gold: {error}") from error


def compare_with_models(
    cases: Sequence[Labelled], threshold: float
) -> Mapping[str, Sequence[Measure]]:
    """Import every conversation with each model, and with rules alone."""
    knowing = {prompt_of(_shown(one)): one for one in cases}
    rules = {
        "competent": Rule(says=lambda asked: _competent(asked, knowing)),
        "lying": Rule(says=_lying),
        "rules alone": None,
    }
    broken = tuple(Rule(fault=fault, times=1) for fault in _FAULTS * len(cases))
    found = {
        name: asyncio.run(_imported(cases, (rule,) if rule else (), threshold))
        for name, rule in rules.items()
    }
    found["broken"] = asyncio.run(_imported(cases, broken, threshold))
    alone = found["rules alone"].kept
    return {name: _figures(cases, one, alone) for name, one in found.items()}


class _Imported(Noun):
    kept: tuple[Decision | None, ...]
    """What the last message of each was taken for, as it stands in the journal afterwards."""
    asked: int
    is_whole: bool


async def _imported(
    cases: Sequence[Labelled], rules: Sequence[Rule], threshold: float
) -> _Imported:
    detector = Detector(threshold)
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder, OpenAIServer(*rules) as server:
        database = Database(f"sqlite:///{Path(folder) / 'journal.sqlite'}")
        model = OpenAIChat(
            "loopback",
            base_url=server.base_url,
            api_key=SecretStr("none"),
            seconds=60,
            failures_in_a_row=_NEVER,
        )
        asking = ModelConfirmer(detector, model, threshold) if rules else None
        search = JournalSearch(JournalStore(database), 0.4)
        journal = Journal(search, detector, _Now(), asking)
        kept = [await _kept(journal, one.messages) for one in cases]
        drift = await journal.store.drift()
        await model.close()
        await database.close()
        return _Imported(kept=tuple(kept), asked=len(server.asked), is_whole=drift.text_is_whole)


async def _kept(journal: Journal, messages: Sequence[JournalMessage]) -> Decision | None:
    done = await journal.take(messages, [], _TENANT)
    last = done.messages[-1]
    if not last.is_decision or last.decision_id is None:
        return None
    return await journal.store.get(last.decision_id, whole(_TENANT))


def _figures(
    cases: Sequence[Labelled], found: _Imported, alone: Sequence[Decision | None]
) -> tuple[Measure, ...]:
    said = np.array([one is not None for one in found.kept], np.float64)
    meant = np.array([one.decides for one in cases], np.float64)
    read = [(one, case) for one, case in zip(found.kept, cases, strict=True) if one]
    right = [(one, case) for one, case in read if case.decides]
    shares = {
        "decision_f1": [overlap(one.decision, _words(case)) for one, case in right],
        "maker": [float(one.decision_maker == case.maker) for one, case in right if case.maker],
        "cited": [float(is_cited(one, case.messages)) for one, case in read],
        "as_rules_alone": [float(one == two) for one, two in zip(found.kept, alone, strict=True)],
    }
    return (
        resampled_measure("f1", f1_of_columns, said, meant),
        *(
            Measure(name=name, value=float(np.mean(values)) if values else None, n=len(values))
            for name, values in shares.items()
        ),
        Measure(name="journal_is_whole", value=float(found.is_whole), n=1),
        Measure(name="questions_asked", value=float(found.asked), n=len(cases)),
    )


def _competent(asked: ModelRequest, knowing: Mapping[str, Labelled]) -> dict[str, Any]:  # JSON
    one = knowing.get(asked.last)
    if one is None or not one.decides:
        return _reading(0.02, "talk")
    quoted = {"message": len(_shown(one)), "words": _words(one)}
    return _reading(0.97, "the label says so", decision=quoted, decision_maker=one.maker)


def _lying(asked: ModelRequest) -> dict[str, Any]:  # JSON
    """Answer in form with anything: words nobody said, numbers of no message, other people."""
    chance = random.Random(asked.last)  # noqa: S311 (a liar, not a secret)
    lies = [
        {"message": chance.choice([-1, 0, 1, 2, 99]), "words": words}
        for words in ("fire everybody", "", " ", "'; DROP TABLE journal_entry; --", "é" * 2_000)
    ]
    return _reading(
        chance.random(),
        "because\nI say so \x00",
        decision=chance.choice(lies),
        decision_maker="mallory",
        **dict.fromkeys(_LISTS, lies[:3]),
    )


def _reading(score: float, explanation: str, **more: Any) -> dict[str, Any]:  # JSON
    nothing: dict[str, Any] = {name: [] for name in _LISTS}
    nothing |= {"decision": None, "decision_maker": None}
    return nothing | {"score": score, "explanation": explanation} | more


def _shown(one: Labelled) -> Sequence[JournalMessage]:
    return one.messages[-READ_MESSAGES - 1 :]


def _import_one(row: Mapping[str, Any]) -> Labelled:  # a JSON object
    if "gold" in row:
        said = [(one["speaker"], one["text"]) for one in row["messages"]]
        last = _MARKER.sub("", said[-1][1])
        gold = row["gold"]
        decision = gold["decision"] if gold["decision"] in last else ""
        said[-1] = (said[-1][0], last)
        return Labelled(
            messages=_messages(row["id"], said),
            decides=True,
            decision=decision,
            maker=gold["proposer"],
        )
    said = [(one["speaker"], one["text"]) for one in row["context"]]
    messages = _messages(row["id"], [*said, ("", row["text_plain"])])
    return Labelled(messages=messages, decides=bool(row["label"]))


def _messages(name: str, said: Iterable[tuple[str, str]]) -> tuple[JournalMessage, ...]:
    return tuple(
        JournalMessage(message_id=f"{name}-{n}", session_id=name, speaker=speaker, content=text)
        for n, (speaker, text) in enumerate(said)
    )


def _words(one: Labelled) -> str:
    return one.decision or one.messages[-1].content


class _Now:
    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)
