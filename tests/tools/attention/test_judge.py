"""Events are judged by what is at stake; the lines that the judge learns from are in form."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from evals.training.attention_data import (
    FOLDER,
    HELD_OUT,
    parse_line,
    read_domain,
    read_events,
    read_situations,
)
from evals.training.attention_training import measured
from state.errors import EncoderUnavailable
from state.event import Event
from state.salience import SalienceVector
from state.session import Session
from state.tuning import SalienceTuning
from tests.stages import NOW, TUNING
from tools.adapters.embedding.minilm_weights import JUDGE
from tools.adapters.embedding.reader import MiniLMReader
from tools.attention.judge import LABELS, LEVELS, EventJudge
from tools.attention.salience import SalienceScorer
from tools.attention.situations import Situation, Situations
from tools.memory.heuristics.matching import PackHeuristics

pytestmark = pytest.mark.xdist_group("hearing")

FILES = sorted(FOLDER.glob("*.tsv"))
PAIRS = (
    ("nursery", "smoke from the tumble dryer, children asleep upstairs", "the dryer is done"),
    ("door", "Back door forced open, nobody home", "Back door locked by Nora"),
    ("bank", "Card charged 940 euros in a country you are not in", "Card statement is online"),
    ("phone", "The school is on the line, your son had a fall", "The school posted its menu"),
    ("ward", "Bed 4: heart rate 28 and falling", "Bed 4: heart rate 71"),
    ("db", "disk full in 3 minutes, writes will fail", "disk 41 % full"),
    ("game", "Boss winds up, you have 3 health left and no potion", "A bard sings in the inn"),
)


@pytest.fixture(scope="module")
def judge(learnt_once: Path) -> EventJudge:
    return EventJudge(MiniLMReader(learnt_once, weights=JUDGE))


@pytest.mark.parametrize(("source", "grave", "harmless"), PAIRS)
def test_what_is_grave_stands_above_what_is_not(
    judge: EventJudge, source: str, grave: str, harmless: str
):
    first, second = judge.judge(source, grave), judge.judge(source, harmless)
    assert first is not None
    assert second is not None
    assert first.now > second.now
    assert sum(first.levels.values()) == pytest.approx(1, abs=1e-3)


def test_the_same_event_is_judged_alike_by_every_process(learnt_once: Path) -> None:
    first, second = (
        EventJudge(MiniLMReader(learnt_once, weights=JUDGE)).judge("co", "CO 240 ppm")
        for _ in range(2)
    )
    assert first == second


class Missing:
    def label(self, text: str) -> tuple[Mapping[str, object], Sequence[tuple[int, int]]]:
        raise EncoderUnavailable("judge", "it is missing")


def test_without_its_files_the_words_have_to_do() -> None:
    scorer = SalienceScorer(
        PackHeuristics(()),
        TUNING.salience,
        judge=EventJudge(Missing()),  # type: ignore[arg-type]
    )
    assert scorer.judge is not None
    assert scorer.judge.judge("mill", "Fire in the mill") is None
    assert scorer.is_blocking


class Says:
    """Judges every event so."""

    def __init__(self, **best: str) -> None:
        self.best = {"level": "now", "harm": "life", "state": "raised", "reality": "real", **best}

    def label(self, text: str) -> tuple[Mapping[str, object], Sequence[tuple[int, int]]]:
        shares = {
            head: np.array([0.9 if one == self.best[head] else 0.02 for one in labels], np.float32)
            for head, labels in LABELS.items()
        }
        return shares, ()


@pytest.mark.parametrize(
    ("best", "is_alarm"),
    [
        ({}, True),
        ({"harm": "comfort"}, False),
        ({"state": "resolved"}, False),
        ({"reality": "test"}, False),
        ({"level": "quiet"}, False),
    ],
)
def test_only_what_is_real_and_grave_is_a_threat(best: Mapping[str, str], is_alarm: bool):
    judge = EventJudge(Says(**best))  # type: ignore[arg-type]
    scorer = SalienceScorer(PackHeuristics(()), TUNING.salience, judge=judge)
    event = Event(event_id="e", source="hall", text="the lamp hums oddly", occurred_at=NOW)
    threat = scorer.score(event, Session(tenant_id="t", session_id="s")).vector.threat
    assert (threat >= TUNING.relevance.threat) is is_alarm


@pytest.mark.parametrize("text", ["smoke alarm", "fire detected", "carbon monoxide alarm"])
def test_a_plain_alarm_of_few_words_is_never_overruled(text: str) -> None:
    judge = EventJudge(Says(level="quiet"))  # type: ignore[arg-type]
    scorer = SalienceScorer(PackHeuristics(()), TUNING.salience, judge=judge)
    event = Event(event_id="e", source="hall", text=text, occurred_at=NOW)
    assert scorer.score(event, Session(tenant_id="t", session_id="s")).vector.threat >= 0.7


class OfDay:
    """Finds every moment like one in which a word is wanted, or like one in which none is."""

    has_own = False

    def __init__(self, wanted: float) -> None:
        self.wanted = wanted

    def judge(self, text: str, goals: Sequence[str]) -> Situation:
        adds = SalienceVector(goal_relevance=1.0)
        return Situation(wanted=self.wanted, kind="any", like=text, adds=adds, goal_match=0.0)


@pytest.mark.parametrize(("harm", "counts"), [("none", True), ("comfort", True), ("life", False)])
def test_described_situations_count_where_nothing_is_at_stake(harm: str, counts: bool):
    judge = EventJudge(Says(harm=harm, level="later"))  # type: ignore[arg-type]
    event = Event(event_id="e", source="scene", text="she compares two kettles", occurred_at=NOW)
    session = Session(tenant_id="t", session_id="s")
    high, low = (
        SalienceScorer(
            PackHeuristics(()),
            TUNING.salience,
            situations=cast(Situations, OfDay(one)),
            judge=judge,
        ).score(event, session)
        for one in (0.9, 0.1)
    )
    assert (high.vector.goal_relevance > low.vector.goal_relevance) is counts


def test_a_harm_without_its_gravity_is_refused() -> None:
    given = {**TUNING.salience.model_dump(), "gravity": {"life": 1.0}}
    with pytest.raises(ValueError, match="gravity needs a value"):
        SalienceTuning.model_validate(given)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_line_has_known_labels_and_every_grave_one_a_twin(file: Path) -> None:
    rows = list(read_domain(file))
    assert file.read_text("utf-8").startswith("#")
    assert len(rows) >= 70
    is_scene = all(row.source == "scene" for row in rows)
    has_few = is_scene or file.stem.startswith(("series_", "digest_"))
    assert has_few or sum(row.is_twin for row in rows) >= 20
    for before, row in pairwise(rows):
        assert not row.is_twin or (before.level == "now" and row.level != "now")
        assert row.level != "now" or row.reality == "real"


def test_many_domains_use_every_label_and_some_only_measure() -> None:
    rows = read_events()
    domains = {row.domain for row in rows}
    assert len(domains) >= 100
    assert domains > HELD_OUT
    for head, labels in LABELS.items():
        assert {getattr(row, head) for row in rows} == set(labels)
    assert {row.level for row in read_situations()} == {"now", "quiet"}


def test_the_guide_names_every_label() -> None:
    guide = (FOLDER / "GUIDE.md").read_text("utf-8")
    for labels in LABELS.values():
        assert all(re.search(rf"`{label}`", guide) for label in labels)


@pytest.mark.parametrize(
    "line",
    [
        "soon\tlife\traised\treal\tco\tCO 240 ppm",
        "now\tdeath\traised\treal\tco\tCO 240 ppm",
        "now\tlife\tup\treal\tco\tCO 240 ppm",
        "now\tlife\traised\tmaybe\tco\tCO 240 ppm",
        "now\tlife\traised\treal\t\tCO 240 ppm",
        "now\tlife\traised\treal\tCO 240 ppm",
    ],
)
def test_a_line_out_of_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"unknown label|not enough values"):
        parse_line(line, "home")


def test_figures_tell_grave_from_twin() -> None:
    lines = (
        "now\tlife\traised\treal\tco\tCO 240 ppm",
        "~quiet\tlife\tsteady\treal\tco\tCO 0 ppm",
        "later\tmoney\traised\treal\tshop\tPrices rise in May",
        "quiet\tnone\tsteady\treal\tlamp\tlamp on",
    )
    rows = [parse_line(line, "home") for line in lines]
    odds = {head: np.zeros((4, len(own))) for head, own in LABELS.items()}
    odds["level"][:, LEVELS.index("now")] = [2, -2, -3, -3]
    truth = {
        head: np.array([list(own).index(getattr(row, head)) for row in rows])
        for head, own in LABELS.items()
    }
    figures = measured(rows, odds, truth, 1.0)
    assert figures["auc"] == 1
    assert figures["auc_against"] == {"twin": 1, "later": 1, "quiet": 1}
    assert figures["told_from"]["0.5"] == {"twin": 0, "now": 1, "later": 0, "quiet": 0}
