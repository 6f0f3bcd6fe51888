"""`prefrontal why`: every outcome can be explained, and says what would have changed it."""

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import cli
from graph.presenters.explanation import explain
from graph.presenters.reasons import decision_summary, meaning_of
from state.record import DecisionRecord, DecisionTrace
from tests.cli.conftest import SALIENT, Prefrontal, logs_as_they_were, records, write_shop
from tools.platform.texts import t

Played = Mapping[str, dict[str, Any]]

KEPT = ("--data-dir", "kept")
VERBOSE = ("--verbose",)
NEWEST = '{"text": "the very last", "occurred_at": "2199-01-01T00:00:00Z"}'
STREAM: tuple[Mapping[str, Any], ...] = (
    {"event_id": "dull", "text": "x"},
    {"event_id": "signal", "kind": "signal", "text": "call", "payload": {"busy": "call"}},
    {"event_id": "weak", "text": "x", "salience": {"novelty": 0.3}},
    {"event_id": "late", "text": "Port light is out", "salience": SALIENT},
    {"event_id": "alarm", "text": "Bilge level high", "salience": {"threat": 0.95}},
    {"event_id": "faint", "text": "Bilge level high"},
    {"event_id": "read", "text": "check stock of belts", "user": "b", "role": "engineer"},
    {"event_id": "chips", "text": "add note to WO-1042: x", "user": "b", "role": "engineer"},
    {"event_id": "gated", "text": "close WO-1042", "user": "b", "role": "engineer"},
    {"event_id": "role", "text": "close WO-1042", "user": "c", "role": "cook"},
    {"event_id": "missing", "text": "order oil filters", "user": "b", "role": "engineer"},
    {"event_id": "weather", "text": "how is the weather in Kotor", "user": "b"},
    {"event_id": "quiet", "text": "be quiet", "user": "b", "session_id": "other"},
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, learnt: Path) -> tuple[Path, Played]:
    """Play one event of each kind, once; give the data folder, and the records by event."""
    folder = tmp_path_factory.mktemp("played")
    packs = {"EXECUTIVE_PACKS": str(write_shop(folder / "shop"))}
    runner = CliRunner(env={**packs, "EXECUTIVE_CACHE_DIR": str(learnt)})
    events = "\n".join(map(json.dumps, STREAM))
    kept = folder / KEPT[1]
    with logs_as_they_were():
        words = ["run", "-", "--json", "--data-dir", str(kept)]
        result = runner.invoke(cli, words, input=events)
    assert result.exit_code == 0, result.stderr
    return kept, {record["event_id"]: record for record in records(result)}


@pytest.fixture
def decided(played: tuple[Path, Played], here: Path) -> Played:
    """Lay what was played into the test's folder; give the records by event."""
    kept, found = played
    copytree(kept, here / KEPT[1])
    return found


def test_every_outcome_is_put_into_words(prefrontal: Prefrontal, decided: Played) -> None:
    assert {record["outcome"] for record in decided.values()} >= {
        "passed",
        "silent",
        "spoke",
        "executed",
        "offered",
        "awaiting_approval",
        "refused",
        "rejected",
    }
    for event_id, record in decided.items():
        result = prefrontal("why", event_id, *KEPT)
        assert result.exit_code == 0, result.stderr
        told = result.stdout
        summary = decision_summary(DecisionRecord(**record))
        assert f"{t('why.title.record')}\n  {summary}\n" in told
        before, _title, changes = told.partition(f"{t('decision.instead.title')}\n")
        assert changes.strip(), event_id
        assert t("why.title.arrival") in before


@pytest.mark.parametrize(
    ("event_id", "words"),
    [
        ("dull", t("decision.instead.dull")),
        ("weak", "relevance of at least"),
        ("late", "a break before"),
        ("alarm", t("attention.instead.threat", threat=0.8)),
        ("chips", t("decision.instead.chip")),
        ("gated", "approval by chief"),
        ("role", t("decision.instead.role")),
        ("missing", t("decision.instead.named")),
        ("weather", t("decision.instead.no_match")),
    ],
)
def test_what_would_have_changed_it_is_named(
    prefrontal: Prefrontal,
    decided: Played,
    event_id: str,
    words: str,
) -> None:
    told = prefrontal("why", event_id, *KEPT).stdout
    assert words in told.partition(t("decision.instead.title"))[2]


def test_a_decision_is_found_by_its_id_its_start_and_its_event(
    prefrontal: Prefrontal, decided: Played
) -> None:
    decision_id = decided["gated"]["decision_id"]
    told = {
        prefrontal("why", name, *KEPT).stdout for name in (decision_id, decision_id[:8], "gated")
    }
    assert len(told) == 1
    assert t("why.classification.approvers", who="chief") in told.pop()


def test_the_last_one_is_the_newest(prefrontal: Prefrontal, decided: Played) -> None:
    prefrontal("run", "-", *KEPT, given=NEWEST)
    assert "the very last" in prefrontal("why", "--last", *KEPT).stdout


def test_internals_are_shown_when_asked_for(prefrontal: Prefrontal, decided: Played) -> None:
    short, whole = (prefrontal("why", "gated", *words, *KEPT).stdout for words in ((), VERBOSE))
    for internal in (decided["gated"]["decision_id"], decided["gated"]["action_id"], "class_C"):
        assert internal not in short
        assert internal in whole


def test_json_is_the_trace(prefrontal: Prefrontal, decided: Played) -> None:
    (trace,) = records(prefrontal("why", "gated", "--json", *KEPT))
    assert trace["record"] == decided["gated"]
    assert list(trace["stages"])[:3] == ["arrival", "salience", "relevance"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("why",), 2),
        (("why", "x", "--last"), 2),
        (("why", "nothing", *KEPT), 1),
        (("why", "%", *KEPT), 1),
        (("why", "gated", "--tenant", "other", *KEPT), 1),
        (("why", "--last", "--tenant", "other", *KEPT), 1),
        (("why", "--last", "--data-dir", "elsewhere"), 1),
    ],
)
def test_what_is_not_there_is_a_sentence(
    prefrontal: Prefrontal,
    decided: Played,
    words: tuple[str, ...],
    code: int,
) -> None:
    result = prefrontal(*words)
    assert result.exit_code == code
    assert result.stderr.count("\n") == 1


def test_a_stage_of_another_version_is_shown_as_it_is(prefrontal: Prefrontal, decided: Played):
    (body,) = records(prefrontal("why", "gated", "--json", *KEPT))
    body["stages"]["relevance"] = {"from_the_future": 1}
    body["stages"]["unheard_of"] = "yes"
    sections = {section.title: section.lines for section in explain(DecisionTrace(**body))}
    assert sections[t("why.title.relevance")] == ("from the future: 1",)
    assert sections["unheard_of"] == ("yes",)


def test_the_same_trace_reads_the_same(prefrontal: Prefrontal, decided: Played) -> None:
    (body,) = records(prefrontal("why", "gated", "--json", *KEPT))
    assert explain(DecisionTrace(**body)) == explain(DecisionTrace(**body))


@pytest.mark.parametrize(
    ("reason", "meaning"),
    [
        ("dull", t("decision.reason.dull")),
        ("busy:call", "the person is busy (call)"),
        ("break:menu_closed", "a break came (menu closed)"),
        ("never_heard_of", "never heard of"),
    ],
)
def test_a_reason_code_has_a_meaning(reason: str, meaning: str) -> None:
    assert meaning_of(reason) == meaning
