"""Heuristics: which meets an event, how sure it may be, what was learnt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.event import Event
from state.heuristic import Confidence, KnownHeuristic, Sign, Signal
from state.heuristic import Heuristic as LearnedHeuristic
from state.reader import ClosedSessions
from tests.stages import TUNING, event_of
from tools.access.permissions import SessionReaders
from tools.adapters.embedding.embedder import Vectors, unit
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import Pack, load_pack
from tools.catalog.pack_schema import Heuristic
from tools.memory.heuristics import similarity as likeness
from tools.memory.heuristics.matching import LearnedHeuristics, PackHeuristics
from tools.memory.heuristics.rows import confidence_of, weight_of
from tools.memory.heuristics.similarity import TextSimilarity
from tools.nlu.lexicon.antonyms import has_antonyms

# A pack's heuristics: which condition an event meets, and what is then said.

HARBOUR = load_pack(Path(__file__).parents[2] / "harbour")


def with_heuristics(*heuristics: dict[str, Any]) -> PackHeuristics:
    made = tuple(
        Heuristic.model_validate({"id": str(number), "say": "Look.", "confidence": 0.5, **given})
        for number, given in enumerate(heuristics)
    )
    return PackHeuristics([replace(HARBOUR, heuristics=made)])


Matches = Callable[[Event], str | None]


def met(heuristics: PackHeuristics, text: str, **fields: Any) -> str | None:
    found = heuristics.match(event_of(text, **fields))
    return found.heuristic_id if found else None


def test_a_condition_is_met_when_all_its_words_stand_in_the_event():
    shipped = PackHeuristics([HARBOUR])
    assert met(shipped, "The water is HIGH at the weir") == "high_water"
    assert met(shipped, "high waters") == "high_water"
    assert met(shipped, "The water is low") is None


def test_an_entity_speaks_for_the_event_too():
    heuristics = with_heuristics({"condition": "port generator hot"})
    assert met(heuristics, "coolant hot", entities=["port generator"]) == "0"


def test_a_condition_may_ask_for_a_source():
    shipped = PackHeuristics([HARBOUR])
    assert met(shipped, "the buoy drifts", source="radar") == "drifting"
    assert met(shipped, "the buoy drifts", source="rumour") is None


def test_the_surest_condition_wins_and_the_longer_on_a_tie():
    heuristics = with_heuristics(
        {"condition": "water", "confidence": 0.6},
        {"condition": "water high", "confidence": 0.6},
        {"condition": "high", "confidence": 0.5},
    )
    assert met(heuristics, "high water") == "1"


@pytest.mark.parametrize("condition", ["?!", "...", "_"])
def test_a_condition_without_a_word_is_met_by_nothing(condition: str):
    assert met(with_heuristics({"condition": condition}), "anything at all") is None


def test_the_words_name_the_event_and_its_source():
    found = PackHeuristics([HARBOUR]).match(event_of("High water", source="weir"))
    assert found is not None
    assert found.suggested_action == "weir says: High water. Close the gates."
    assert found.confidence == 0.9


def test_an_event_is_never_read_as_a_template():
    found = PackHeuristics([HARBOUR]).match(event_of("{source} high water", source="{text}"))
    assert found is not None
    assert found.suggested_action == "{text} says: {source} high water. Close the gates."


def test_packs_together_share_their_heuristics():
    other: Pack = replace(
        HARBOUR, heuristics=(Heuristic(id="other", condition="fog", say="Fog.", confidence=0.9),)
    )
    both = PackHeuristics([HARBOUR, other])
    assert met(both, "fog") == "other"
    assert met(both, "high water") == "high_water"


# How sure a heuristic may be. Source of every golden value: executive.md §1.9.

LEARNING = TUNING.learning
LEARNED = LearnedHeuristic(
    heuristic_id="h", tenant_id="t", condition="high water", says="Close the gates.", made_at=0
)
GOOD: list[Sign] = ["good"]
BAD: list[Sign] = ["bad"]
AGREED: list[Sign] = ["agreed"]
_SESSIONS = count()


def said(*signs: Sign, session: str | None = None, **fields: object) -> list[Signal]:
    return [
        Signal.model_validate(
            {"sign": sign, "session_id": session or f"s-{next(_SESSIONS)}", **fields}
        )
        for sign in signs
    ]


def usable(signals: list[Signal], heuristic: LearnedHeuristic = LEARNED) -> float:
    return round(confidence_of(heuristic, signals, LEARNING).usable, 3)


def test_the_fifth_good_answer_lets_it_speak_alone():
    goods = said(*GOOD * 5)
    bounds = [usable(goods[:n]) for n in range(1, 6)]
    assert bounds == [0.409, 0.541, 0.624, 0.681, 0.722]
    threshold = TUNING.strategy.heuristic_threshold
    assert [bound >= threshold for bound in bounds] == [False] * 4 + [True]


def test_bad_answers_take_more_than_good_ones_gave():
    goods = said(*GOOD * 8)
    bads = said("bad", "bad", "bad")
    assert [usable(goods + bads[:n]) for n in (1, 2, 3)] == [0.667, 0.574, 0.502]


def test_two_bad_in_a_row_stop_it_until_the_next_good():
    mature = said(*GOOD * 60)
    one = confidence_of(LEARNED, mature + said("bad"), LEARNING)
    two = confidence_of(LEARNED, mature + said("bad", "bad"), LEARNING)
    again = confidence_of(LEARNED, mature + said("bad", "bad", "good"), LEARNING)
    assert (one.blocked, two.blocked, again.blocked) == (False, True, False)
    assert two.usable >= TUNING.strategy.heuristic_threshold  # its confidence alone would not


@pytest.mark.parametrize(
    ("signs", "attribution", "is_doubted"),
    [
        (["bad"], "wrong_answer", True),
        (["bad", "silence", "meh"], None, True),
        (["undone"], None, True),
        (["bad"], "not_wanted", False),
        (["bad"], "bad_timing", False),
        (["bad", "good"], "wrong_answer", False),
    ],
)
def test_a_wrong_answer_is_doubted_until_the_next_good(signs, attribution, is_doubted):
    signals = said(*GOOD * 60) + said(*signs, attribution=attribution)
    found = confidence_of(LEARNED, signals, LEARNING)
    assert (found.doubted, found.blocked) == (is_doubted, False)


def test_three_bad_of_the_last_five_stop_it():
    mixed = said(*GOOD * 20, "bad", "meh", "bad", "meh", "bad")
    assert confidence_of(LEARNED, mixed, LEARNING).blocked
    assert not confidence_of(LEARNED, mixed[:-1], LEARNING).blocked


def test_without_a_person_it_stays_below_every_bar():
    agreed = confidence_of(LEARNED, said(*AGREED * 300), LEARNING)
    assert agreed.lower > LEARNING.without_person
    assert agreed.usable == LEARNING.without_person < TUNING.strategy.heuristic_threshold


def test_the_nth_of_one_kind_from_one_session_counts_less():
    many, few = said(*GOOD * 5, session="one"), said(*GOOD * 5)
    assert usable(many) < usable(few)
    weights = [1 / (1 + 0.25 * n) for n in range(5)]
    a, b = 0.6, 1.4
    for weight in weights:
        a = 0.6 + 0.98 * (a - 0.6) + weight
    assert confidence_of(LEARNED, many, LEARNING).a == pytest.approx(a)
    assert confidence_of(LEARNED, many, LEARNING).b == pytest.approx(b)


@pytest.mark.parametrize(
    ("signal", "weight"),
    [
        (Signal(sign="good"), 1.0),
        (Signal(sign="meh"), 0.1),
        (Signal(sign="bad", attribution="not_wanted"), 1.5),
        (Signal(sign="bad", attribution="wrong_answer"), 1.5),
        (Signal(sign="bad", attribution="bad_timing"), 0.0),
        (Signal(sign="undone"), 1.0),
        (Signal(sign="ignored"), 0.3),
        (Signal(sign="silence"), 0.1),
        (Signal(sign="agreed", strength=0.8), 0.2),
        (Signal(sign="agreed", strength=0.74), 0.0),
    ],
)
def test_each_signal_has_its_weight(signal: Signal, weight: float):
    assert weight_of(signal, LEARNING) == pytest.approx(weight)


def test_a_locked_one_does_not_move():
    locked = LEARNED.model_copy(update={"declared": 0.95, "locked": True, "origin": "pack"})
    found = confidence_of(locked, said(*BAD * 10), LEARNING)
    assert (found.usable, found.blocked) == (0.95, False)


def test_a_floor_and_a_ceiling_hold():
    bounded = LEARNED.model_copy(update={"floor": 0.3, "ceiling": 0.6})
    assert usable(said(*BAD * 10), bounded) == 0.3
    assert usable(said(*GOOD * 20), bounded) == 0.6
    assert usable(said(*GOOD * 500)) == 0.95


def test_a_shipped_one_starts_where_its_pack_put_it_and_moves_from_there():
    shipped = LEARNED.model_copy(update={"declared": 0.75, "origin": "pack"})
    assert usable([], shipped) == 0.75
    assert usable(said("good"), shipped) > 0.75 > usable(said("bad"), shipped)


def test_a_weight_of_its_own_makes_it_learn_faster_or_slower():
    slow = LEARNED.model_copy(update={"weight": 0.5})
    assert usable(said("good"), slow) < usable(said("good"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["good", "meh", "bad", "undone", "ignored", "silence"])))
def test_it_stays_inside_its_bounds_and_a_good_one_never_lowers_it(signs: list[Sign]):
    before = said(*signs)
    after = before + said("good")
    found, more = (confidence_of(LEARNED, each, LEARNING) for each in (before, after))
    assert 0.05 <= found.usable <= more.usable <= 0.95


# Which learned heuristics fit an event, however many there are and whether or not embedded.

_SURE = Confidence(usable=0.7, mean=0.8, lower=0.7, a=4, b=1, blocked=False)


@dataclass
class Letters:
    """Finds texts alike that hold the same letters, and remembers what it was asked for."""

    dimensions: int = 26
    name: str = "letters"
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(tuple(texts))
        letters = [[text.lower().count(chr(97 + at % 26)) for at in range(26)] for text in texts]
        return unit(np.array(letters)[:, : self.dimensions])


def known(condition: str, source: str | None = "house") -> KnownHeuristic:
    one = LearnedHeuristic(
        heuristic_id=condition, tenant_id="default", condition=condition, source=source, made_at=0
    )
    return KnownHeuristic(heuristic=one, confidence=_SURE)


def found(learned: LearnedHeuristics, text: str) -> list[str]:
    return [one.heuristic_id for one in learned.fitting(event_of(text, source="house"))]


def test_the_first_match_embeds_few_and_the_rest_is_embedded_beside_it():
    encoder = Letters()
    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, encoder), Catalogue.of([]))
    doors = [f"Door {chr(97 + at // 26)}{chr(97 + at % 26)} is ajar" for at in range(300)]
    learned.put("default", [known(door) for door in doors])
    assert found(learned, doors[-1])[0] == doors[-1]  # by its words: it has no vector yet
    assert sum(map(len, encoder.asked)) <= 20
    batches = [len(encoder.asked[-1]) for _ in iter(learned.embed, 0)]
    assert max(batches) < 100
    asked = len(encoder.asked)
    assert found(learned, doors[-1])[0] == doors[-1]
    assert encoder.asked[asked:] == [(doors[-1],)]


def test_more_conditions_than_are_kept_are_learnt_to_an_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(likeness, "_KEPT", 100)
    encoder = Letters()
    recalled: list[str] = []

    def recall(texts: Sequence[str]) -> Mapping[str, Vectors]:
        recalled.extend(texts)
        return dict(zip(texts, Letters().embed(texts), strict=True))

    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, encoder, recall), Catalogue.of([]))
    doors = [f"Door {chr(97 + at // 26)}{chr(97 + at % 26)} is ajar" for at in range(300)]
    learned.put("default", [known(door) for door in doors])
    for _ in range(2):
        assert found(learned, doors[0])[0] == doors[0]
        assert found(learned, doors[-1])[0] == doors[-1]
        assert sum(1 for _ in zip(range(50), iter(learned.embed, 0), strict=False)) < 10
        assert len(learned.likeness._vectors) <= 100
    assert len(recalled) <= 100


def test_what_was_embedded_before_is_not_embedded_again():
    encoder, doors = Letters(), [f"Door {chr(97 + at)} stands ajar" for at in range(26)]
    kept = dict(zip(doors, Letters().embed(doors), strict=True))
    sought: list[Sequence[str]] = []

    def recall(texts: Sequence[str]) -> Mapping[str, Vectors]:
        sought.append(texts)
        return {text: kept[text] for text in texts if text in kept}

    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, encoder, recall), Catalogue.of([]))
    learned.put("default", [known(door) for door in (*doors, "The cat is in")])
    for _ in range(2):
        assert len(found(learned, "ajar stands a Door")) == 26  # not one by its words
    assert encoder.asked.count(("The cat is in",)) == 1
    assert [len(texts) for texts in sought] == [27]


def test_what_is_put_again_replaces_itself_and_what_is_out_of_use_fits_nothing():
    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, Letters()), Catalogue.of([]))
    learned.put("default", [known("The door is ajar"), known("The cat is in", source=None)])
    assert found(learned, "The door is ajar") == ["The door is ajar"]
    assert found(learned, "The cat is in") == ["The cat is in"]
    one = known("The door is ajar")
    gone = one.heuristic.model_copy(update={"disabled": "by hand"})
    learned.put("default", [one.model_copy(update={"heuristic": gone})])
    assert found(learned, "The door is ajar") == []
    assert found(learned, "The cat is in") == ["The cat is in"]
    assert learned.has("default")
    assert not learned.has("elsewhere")


def test_vectors_of_a_model_that_is_there_no_more_are_not_compared_with():
    encoder = Letters()
    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, encoder), Catalogue.of([]))
    learned.put("default", [known("The door is ajar")])
    assert found(learned, "The door is ajar") == ["The door is ajar"]
    encoder.dimensions = 20
    assert found(learned, "The door is ajar") == ["The door is ajar"]


def test_what_was_taught_in_a_closed_session_is_for_its_readers_alone():
    rules = (ClosedSessions(names=("board",), users=("ann",)),)
    learned = LearnedHeuristics(
        TextSimilarity(TUNING.learning, Letters()), Catalogue.of([]), SessionReaders(rules)
    )
    one = known("The door is ajar")
    taught = one.confidence.model_copy(update={"taught_in": ("board",), "shared": True})
    learned.put("default", [one.model_copy(update={"confidence": taught})])
    for session, fits in (("board", 1), ("deck", 0)):
        event = event_of("The door is ajar", source="house", session_id=session)
        assert len(learned.fitting(event)) == fits


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The garage door is open", "Garage door is closed now"),
        ("The cat wants in", "The cat wants out"),
        ("The cistern is nearly full", "The cistern is nearly empty"),
        ("The hatch was opened", "Someone has shut the hatch"),
        ("The gate is locked", "The gate is unlocked"),
        ("Shore power is connected", "Shore power is disconnected"),
        ("The pump has started", "The pump has stopped"),
        ("Port engine hot", "Starboard engine hot"),
    ],
)
def test_opposites_are_told_apart_both_ways(text: str, other: str):
    assert has_antonyms(text, other)
    assert has_antonyms(other, text)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The garage door is open", "The garage door has been opened"),
        ("The door opens and closes", "The door closes"),
        ("The washing machine has finished", "The washing machine is done"),
        ("An ion trap", "A union"),
        ("The lamp on the desk", "The lamp"),
        ("", ""),
    ],
)
def test_other_words_for_the_same_are_no_opposites(text: str, other: str):
    assert not has_antonyms(text, other)
