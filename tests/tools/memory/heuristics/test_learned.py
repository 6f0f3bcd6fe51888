"""Which learned heuristics fit an event, however many there are and whether or not embedded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from state.heuristic import Confidence, Heuristic, KnownHeuristic
from state.reader import ClosedSessions
from tests.stages import TUNING, event_of
from tools.access.permissions import SessionReaders
from tools.adapters.embedding.embedder import Vectors, unit
from tools.catalog.action_catalog import Catalogue
from tools.memory.heuristics import similarity as likeness
from tools.memory.heuristics.matching import LearnedHeuristics
from tools.memory.heuristics.similarity import TextSimilarity

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
    one = Heuristic(
        heuristic_id=condition, tenant_id="default", condition=condition, source=source, made_at=0
    )
    return KnownHeuristic(heuristic=one, confidence=_SURE)


def found(learned: LearnedHeuristics, text: str) -> list[str]:
    return [one.heuristic_id for one in learned.fitting(event_of(text, source="house"))]


def test_the_first_match_embeds_few_and_the_rest_is_embedded_beside_it() -> None:
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


def test_more_conditions_than_are_kept_are_learnt_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


def test_what_was_embedded_before_is_not_embedded_again() -> None:
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


def test_what_is_put_again_replaces_itself_and_what_is_out_of_use_fits_nothing() -> None:
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


def test_vectors_of_a_model_that_is_there_no_more_are_not_compared_with() -> None:
    encoder = Letters()
    learned = LearnedHeuristics(TextSimilarity(TUNING.learning, encoder), Catalogue.of([]))
    learned.put("default", [known("The door is ajar")])
    assert found(learned, "The door is ajar") == ["The door is ajar"]
    encoder.dimensions = 20
    assert found(learned, "The door is ajar") == ["The door is ajar"]


def test_what_was_taught_in_a_closed_session_is_for_its_readers_alone() -> None:
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
