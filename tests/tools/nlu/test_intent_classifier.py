"""What the classifier learns, and how sure it may be."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from evals.robustness.external_labels import pack_from_labels
from state.action import Action, Approvers
from state.policy import Routing
from tests.tools.nlu.failing import Failing
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack, packs_named
from tools.nlu.actionability.classifier import load_classifier
from tools.nlu.actionability.evidence import PackExampleReader, PackExampleStats
from tools.nlu.intent_classifier import cross_validation as fitting
from tools.nlu.intent_classifier.calibration import (
    BELONGS_PRIORS,
    RIGHT_PRIORS,
    CalibrationFeatures,
    Calibrator,
    PassScores,
    fit_weights,
    likenesses,
)
from tools.nlu.intent_classifier.cross_validation import (
    FittedModels,
    TrainingMaterial,
    TrainingPart,
    fitting_pool,
)
from tools.nlu.intent_classifier.features import Vocabulary
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.linear_models import ClassProximity, SentenceVectors, fit_meaning
from tools.nlu.intent_classifier.training import trained_model
from tools.nlu.intent_classifier.training_examples import collect_examples, training_set_of
from tools.nlu.intents.explanation import advice_on
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser

# What few held-out examples may teach: little, and never nonsense.

_HEARING = Calibrator(0.75, 2.0, 0.7, (0.0,) * 6, (1.0,) * 6, BELONGS_PRIORS[0], RIGHT_PRIORS[0])


def test_three_examples_leave_the_weights_near_the_prior():
    prior = RIGHT_PRIORS[0]
    rows = [(1.0, margin, 1.5, 0.5, 0.9, 1.0) for margin in (8.0, 5.0, 2.0)]
    fitted = fit_weights(prior, rows, [True, True, False], [1.0] * 3)
    assert float(np.abs(np.array(fitted) - np.array(prior)).max()) < 1.0


def test_many_examples_move_them():
    generator = np.random.default_rng(3)
    likeness = generator.normal(size=400)
    rows = [(1.0, float(one), 0.5, 1.0) for one in likeness]
    fitted = fit_weights(BELONGS_PRIORS[1], rows, [one < 0 for one in likeness], [1.0] * 400)
    assert fitted[1] < 0 < BELONGS_PRIORS[1][1]


def test_the_likeness_that_tells_counts_more():
    generator = np.random.default_rng(5)
    alike = generator.normal(size=(400, 6))
    rows = [(1.0, *one, 0.5, 1.0) for one in alike.tolist()]
    fitted = fit_weights(BELONGS_PRIORS[0], rows, (alike[:, 4] > 0).tolist(), [1.0] * 400)
    assert fitted[5] > 2 * max(*fitted[1:5], fitted[6])


@settings(max_examples=100, deadline=None)
@given(
    margin=st.floats(-4, 8),
    likeness=st.floats(-5, 3),
    more=st.floats(0, 3),
    lexical=st.floats(0, 0.85),
    known=st.floats(0, 1),
    which=st.integers(0, 5),
)
def test_more_likeness_never_makes_less_sure(
    margin: float, likeness: float, more: float, lexical: float, known: float, which: int
):
    alike = [likeness] * 6
    less = CalibrationFeatures(margin, tuple(alike), lexical, 0.0, known)
    alike[which] += more
    greater = CalibrationFeatures(margin, tuple(alike), lexical, 0.0, known)
    for is_less, is_more in zip(_HEARING.sureness(less), _HEARING.sureness(greater), strict=True):
        assert is_less <= is_more


def test_what_is_sure_in_ordinary_traffic_may_not_be_sure_at_worst():
    plain, odd = (CalibrationFeatures(8.0, (alike,) * 6, 0.5, 1.0, 1.0) for alike in (1.0, -1.0))
    assert _HEARING.sureness(odd).confidence > 0.8
    sure = (_HEARING.sureness(plain).is_at_worst, _HEARING.sureness(odd).is_at_worst)
    assert sure == (True, False)


def test_what_is_as_near_to_two_actions_is_nearer_to_any():
    of_one, of_two = (_of_any(scores) for scores in ([4.0, -9.0, -9.0], [4.0, 4.0, -9.0]))
    assert of_one == pytest.approx(4.0, abs=1e-4)
    assert of_two == pytest.approx(4.0 + np.log(2), abs=1e-4)


def test_near_any_action_does_not_depend_on_where_scores_begin():
    assert _of_any([104.0, 101.0, 90.0]) == pytest.approx(
        _of_any([4.0, 1.0, -10.0]) + 100, abs=1e-3
    )


def _of_any(scores: list[float]) -> float:
    words = np.zeros(len(scores) + 1, np.float32)
    lexical = np.zeros(len(scores), np.float32)
    heard = PassScores(words, lexical, 1.0, np.array(scores, np.float32))
    return likenesses(0, heard, ClassProximity(0.8, 0.9, 0, 0.0, 0.0), 1.0)[4]


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.just(1.0),
            *[st.floats(-8, 8)] * 2,
            st.floats(-5, 3),
            st.floats(0, 1),
            st.floats(0, 1),
        ),
        min_size=1,
        max_size=30,
    ),
    seed=st.integers(0, 99),
)
def test_the_fit_is_never_worse_than_the_prior(rows: list[tuple[float, ...]], seed: int):
    is_so = (np.random.default_rng(seed).random(len(rows)) < 0.5).tolist()
    prior = RIGHT_PRIORS[0]
    fitted = fit_weights(prior, rows, is_so, [1.0] * len(rows))
    assert _loss(fitted, rows, is_so) <= _loss(prior, rows, is_so) + 1e-6


def _loss(weights: tuple[float, ...], rows: list[tuple[float, ...]], is_so: list[bool]) -> float:
    odds = np.array(rows) @ np.array(weights)
    return float((np.logaddexp(0, odds) - np.array(is_so) * odds).sum())


# Fits run beside each other, and nobody can tell by what they learn.


@pytest.fixture(scope="module")
def material() -> TrainingMaterial:
    catalogue = Catalogue.of(packs_named(["companion"]))
    lessons = training_set_of(
        collect_examples(list(catalogue.actions.values())), UtteranceParser(catalogue)
    )
    rows = np.random.default_rng(4).normal(size=(len(lessons.labels), 48)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    learnt = Vocabulary.of([text.words for text in lessons.texts])
    return TrainingMaterial(lessons, learnt, SentenceVectors(rows, rows))


def _parts(material: TrainingMaterial) -> list[TrainingPart]:
    """One that learns all, and three that do without every second, third and fourth text."""
    places = np.arange(len(material.lessons.labels))
    return [
        TrainingPart(places, 40),
        *(TrainingPart(places[places % each > 0], 20) for each in (2, 3, 4)),
    ]


def _bits(models: FittedModels) -> bytes:
    assert models.meaning is not None
    return models.words.weights.tobytes() + models.meaning.weights.tobytes()


def test_the_number_of_fits_at_once_changes_no_bit(
    material: TrainingMaterial, monkeypatch: pytest.MonkeyPatch
):
    parts = _parts(material)
    with fitting_pool():
        alone = [_bits(material.fit(part)) for part in parts]
    assert len(set(alone)) == len(parts)
    for processors in (1, 2, 64):
        monkeypatch.setattr(fitting, "thread_count", lambda most, had=processors: min(most, had))
        with fitting_pool() as pool:
            assert [_bits(models) for models in pool.map(material.fit, parts)] == alone


def test_each_fit_has_one_thread_of_the_algebra_and_afterwards_all_are_back(
    material: TrainingMaterial, monkeypatch: pytest.MonkeyPatch
):
    seen: list[int] = []

    def looked(*args: object, **named: object) -> object:
        seen.extend(pool["num_threads"] for pool in threadpool_info())
        return fit_meaning(*args, **named)  # type: ignore[arg-type]  # handed on as given

    def fit_all() -> None:
        with fitting_pool() as pool:
            list(pool.map(material.fit, _parts(material)))

    monkeypatch.setattr(fitting, "fit_meaning", looked)
    before = [pool["num_threads"] for pool in threadpool_info()]
    twice = [Thread(target=fit_all) for _ in range(2)]  # two packs learnt at the same time
    for thread in twice:
        thread.start()
    for thread in twice:
        thread.join()
    assert set(seen) == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_a_fit_that_fails_is_told(material: TrainingMaterial):
    beyond = TrainingPart(np.array([len(material.lessons.labels)]), 1)
    with fitting_pool() as pool, pytest.raises(IndexError):
        list(pool.map(material.fit, [*_parts(material), beyond]))


# The classifier on sentence vectors, on made-up ones.

CLASSES, DIMENSIONS = 12, 384


def _examples(each: int, *, spread: float = 0.6) -> tuple[npt.NDArray[np.float32], list[int]]:
    generator = np.random.default_rng(7)
    middles = generator.normal(size=(CLASSES, DIMENSIONS))
    labels = [place for place in range(CLASSES) for _ in range(each)]
    rows = middles[labels] + spread * 4 * generator.normal(size=(len(labels), DIMENSIONS))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32), labels


def _as_said(rows: npt.NDArray[np.float32]) -> SentenceVectors:
    """Let nothing be named: each text is the same both ways."""
    return SentenceVectors(rows, rows)


def test_unseen_sentences_find_the_class_of_their_like():
    rows, labels = _examples(20)
    seen = np.arange(len(labels)) % 4 != 0
    meaning = fit_meaning(_as_said(rows[seen]), np.array(labels)[seen], classes=CLASSES)

    unseen = np.flatnonzero(~seen)
    right = sum(int(meaning.scores(rows[place]).argmax()) == labels[place] for place in unseen)

    assert right / len(unseen) > 0.9


def test_a_class_without_examples_never_wins():
    rows, labels = _examples(6)
    kept = np.array(labels) != 3
    meaning = fit_meaning(_as_said(rows[kept]), np.array(labels)[kept], classes=CLASSES)

    assert all(int(meaning.scores(row).argmax()) != 3 for row in rows)
    assert meaning.nearness(rows[0], 3).place is None


@pytest.mark.parametrize("place", [0, 17, 40])
def test_the_nearest_example_of_a_class_is_named_by_its_place(place: int):
    rows, labels = _examples(5)
    order = np.random.default_rng(0).permutation(len(labels))  # as a catalogue is not sorted
    shuffled, given = rows[order], np.array(labels)[order]
    meaning = fit_meaning(_as_said(shuffled), given, classes=CLASSES)

    near = meaning.nearness(shuffled[place], int(given[place]))

    assert near.place == place
    assert near.nearest == pytest.approx(1.0, abs=1e-3)


def test_a_class_said_in_many_ways_expects_less_likeness():
    tight, labels = _examples(8, spread=0.2)
    wide, _same = _examples(8, spread=0.8)
    is_wide = np.array(labels) % 2 == 1
    rows = np.where(is_wide[:, None], wide, tight)
    meaning = fit_meaning(_as_said(rows), np.array(labels), classes=CLASSES)

    usual = meaning.usual_middles
    assert usual[1::2].max() < usual[::2].min()
    near = meaning.nearness(rows[0], 0)
    assert near.middle_beyond == pytest.approx(near.middle - float(usual[0]))
    assert near.nearest_beyond > 0  # it is its own nearest


def test_lone_examples_expect_what_is_usual_for_all():
    rows, labels = _examples(6)
    kept = [place for place, label in enumerate(labels) if label != 3 or place % 6 == 0]
    meaning = fit_meaning(_as_said(rows[kept]), np.array(labels)[kept], classes=CLASSES)
    others = np.delete(meaning.usual_nearest, 3)
    assert others.min() <= meaning.usual_nearest[3] <= others.max()

    alone = fit_meaning(
        _as_said(rows[:: len(rows) // CLASSES]), np.arange(CLASSES), classes=CLASSES
    )
    assert np.isfinite(alone.usual_middles).all()


_HASH = """
import sys
sys.path.insert(0, sys.argv[1])
import hashlib
import numpy as np
from threadpoolctl import threadpool_limits
from tools.nlu.intent_classifier.linear_models import SentenceVectors as Vectors, fit_meaning
rows = np.random.default_rng(3).normal(size=(900, 384)).astype(np.float32)
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
with threadpool_limits(1):
    meaning = fit_meaning(Vectors(rows, rows), np.arange(900) % 90, classes=90)
scores = b"".join(meaning.scores(row).tobytes() for row in rows[:50])
print(hashlib.sha256(meaning.weights.tobytes() + scores).hexdigest())
"""


def test_the_number_of_threads_changes_no_bit():
    root = str(Path(__file__).parents[3])
    hashes = {
        subprocess.run(
            [sys.executable, "-c", _HASH, root],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "4")
    }
    assert len(hashes) == 1


# Confidence on a catalogue that nobody has seen: what is stated is how often it is so.

ACTIONS, FOREIGN, EXAMPLES, ASKED = 24, 8, 8, 12
LETTERS = np.array(list("bcdfghklmnprstvz"))


@dataclass
class World:
    """Messages of words that say nothing, each with a vector near what it means."""

    name = "world"
    manner = None
    dimensions = 384
    vectors: dict[str, Vectors] = field(default_factory=dict)
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(11))

    def message(self, middle: Vectors, spread: float) -> str:
        words = ("".join(self.chance.choice(LETTERS, 9)) for _word in range(4))
        text = f"show me {' '.join(words)}"
        vector = middle + spread * self.chance.normal(size=self.dimensions)
        self.vectors[text] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return text

    def embed(self, texts: Sequence[str]) -> Vectors:
        far = np.zeros(self.dimensions, np.float32)
        return np.stack([self.vectors.get(text, far) for text in texts])


@dataclass(frozen=True)
class Asked:
    wanted: str | None
    routing: Routing

    @property
    def is_right(self) -> bool:
        return self.wanted is not None and self.routing.action == self.wanted


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    world = World()
    # Domains of four meanings each, which are nearer to each other than to the rest.
    domains = world.chance.normal(size=((ACTIONS + FOREIGN) // 4, world.dimensions))
    middles = [
        domains[place // 4] + 0.55 * world.chance.normal(size=world.dimensions)
        for place in range(ACTIONS + FOREIGN)
    ]
    spreads = world.chance.uniform(1.8, 2.4, size=ACTIONS + FOREIGN)
    # Foreign meanings are of domains that have actions, and of domains that have none.
    order = world.chance.permutation(ACTIONS + FOREIGN)
    known, foreign = order[:ACTIONS], order[ACTIONS:]
    rows = [
        {"text": world.message(middles[place], spreads[place]), "intent": f"action{place}"}
        for place in known
        for _example in range(EXAMPLES)
    ]
    folder = tmp_path_factory.mktemp("packs") / "world"
    pack_from_labels(rows, folder, split=None)
    router = Router(Catalogue.of([load_pack(folder)]), embedder=world)
    wanted = [f"action{place}" for place in known] + [None] * FOREIGN
    return [
        Asked(name, router.route(world.message(middles[place], spreads[place])))
        for name, place in zip(wanted, (*known, *foreign), strict=True)
        for _message in range(ASKED)
    ]


def test_the_right_one_is_found_and_not_always(asked: list[Asked]):
    right = np.mean([one.is_right for one in asked if one.wanted is not None])
    assert 0.7 < right < 0.99


def test_stated_confidence_is_how_often_it_is_right(asked: list[Asked]):
    covered = [one for one in asked if one.wanted is not None]
    stated = np.array([one.routing.confidence for one in covered])
    right = np.array([one.is_right for one in covered], float)
    assert abs(stated.mean() - right.mean()) < 0.1
    sure = stated >= 0.9
    assert sure.mean() > 0.3
    assert right[sure].mean() > 0.93


def test_what_no_action_covers_is_not_done(asked: list[Asked]):
    def runs(one: Asked) -> bool:
        return one.routing.held is None and one.routing.confidence >= 0.8

    foreign = [runs(one) for one in asked if one.wanted is None]
    wrong = [runs(one) and not one.is_right for one in asked if one.wanted is not None]
    assert np.mean(foreign) < 0.15
    assert np.mean(wrong) < 0.03


# What a pack's own examples tell about what is said to it.

ASKS = ["could we have the teak oiled?", "any chance of more rope", "is there oil left?"]
TELLS = ["my name is Jason", "I lost my keys yesterday", "we had a great trip, thanks"]


class Manner:
    """Hears what no judge has learnt to hear, so that the words alone tell."""

    name, dimensions = "another", 2
    asked = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        return np.zeros((len(texts), 2), np.float32)


def heard(
    *, cache: Path | None = None, manner: Manner | None = None, **packs: Sequence[Sequence[str]]
) -> dict[str, PackExampleStats]:
    actions = [
        Action(
            name=f"{pack}_{place}",
            pack=pack,
            summary="Do it",
            verb="show",
            object="thing",
            effect="read",
            handler="none:none",
            examples=tuple(examples),
        )
        for pack, listed in packs.items()
        for place, examples in enumerate(listed)
    ]
    catalogue = Catalogue(
        packs=(), actions={one.name: one for one in actions}, entities={}, version="x"
    )
    own = PackExampleReader(catalogue, UtteranceParser(catalogue), cache)
    return dict(own.heard(load_classifier(), manner or Manner()))


def test_a_pack_that_is_told_things_sounds_less_like_wishes():
    found = heard(ship=[ASKS * 20], chat=[TELLS * 20])
    assert found["ship"].odds > PackExampleStats().odds > found["chat"].odds + 1


def test_examples_are_counted_an_action():
    found = heard(ship=[ASKS, ASKS[:1]], bare=[[], []])
    assert found["ship"].each == 2
    assert found["bare"] == PackExampleStats()


def test_a_few_examples_tell_little():
    found = heard(few=[TELLS], many=[TELLS * 30])
    assert found["many"].odds < found["few"].odds < PackExampleStats().odds
    assert found["many"].odds == pytest.approx(heard(other=[TELLS * 40])["other"].odds, abs=0.1)


def test_what_was_heard_is_kept_for_the_next_start(tmp_path: Path):
    first = heard(cache=tmp_path, ship=[ASKS])
    again = Manner()

    assert heard(cache=tmp_path, manner=again, ship=[ASKS]) == first
    assert again.asked == 0


def test_other_examples_or_another_encoder_are_heard_anew(tmp_path: Path):
    heard(cache=tmp_path, ship=[ASKS])
    other, another = Manner(), Manner()
    another.name = "yet another"

    heard(cache=tmp_path, manner=other, ship=[TELLS])
    heard(cache=tmp_path, manner=another, ship=[ASKS])

    assert (other.asked, another.asked) == (len(TELLS), len(ASKS))


def test_a_damaged_file_is_heard_anew(tmp_path: Path):
    first = heard(cache=tmp_path, ship=[ASKS])
    for file in tmp_path.iterdir():
        file.write_text("{", "utf-8")

    assert heard(cache=tmp_path, ship=[ASKS]) == first


# What the author of a pack is told that is no fault.


def told_of(summary: str, slots: dict[str, str], examples: tuple[str, ...] = ()) -> list[str]:
    """Give the advice on one action."""
    action = Action.model_validate(
        {
            "name": "move",
            "pack": "p",
            "summary": summary,
            "verb": "update",
            "object": "booking",
            "slots": {name: {"type": type_} for name, type_ in slots.items()},
            "effect": "write",
            "handler": "h:move",
            "examples": examples,
        }
    )
    other = action.model_copy(update={"name": "other", "slots": {}, "examples": ("shift it!",)})
    return list(advice_on({"move": action, "other": other}))


def test_an_example_of_two_actions_is_told():
    assert told_of("Move it", {}, ("Shift it",)) == [
        "'shift it!' is an example of move and of other: of neither can it be sure"
    ]
    assert told_of("Move it", {}, ("move it",)) == []


def test_two_slots_of_one_kind_that_no_side_tells_apart_are_told():
    rooms = {"old": "room", "new": "room"}
    assert told_of("Move from {old} to {new}", rooms) == []
    assert told_of("Move into {new} from {old}", rooms) == []
    (told,) = told_of("Move {old}, {new}", rooms)
    assert told.startswith("move: nothing tells old from new")
    assert told_of("Move {old}, {new}", {"old": "room", "new": "person"}) == []


def test_two_days_that_no_side_tells_apart_are_told():
    days = {"arrival": "date", "departure": "date"}
    assert told_of("Book from {arrival} to {departure}", days) == []
    assert len(told_of("Book {arrival}, {departure}", days)) == 1
    assert told_of("Show {since}, {until}", {"since": "date", "until": "date"}) == []
    assert told_of("Set {issued}, {expires}", {"issued": "date", "expires": "date"}) == []


def test_a_yes_to_oneself_is_told():
    close = Action.model_validate(
        {
            "name": "close",
            "pack": "p",
            "summary": "Close",
            "verb": "close",
            "object": "shop",
            "effect": "destructive",
            "handler": "h:close",
            "examples": ("close the shop",),
        }
    )
    assert close.floor == "C"
    (told,) = advice_on({"close": close})
    assert told.startswith("close: whoever may ask for it may also say yes to it")
    for approvers in ({"roles": ("boss",)}, {"four_eyes": True}):
        other = close.model_copy(update={"approvers": Approvers.model_validate(approvers)})
        assert list(advice_on({"close": other})) == []
    assert list(advice_on({"close": close.model_copy(update={"effect": "read"})})) == []
    assert list(advice_on({"close": close.model_copy(update={"roles": ("player",)})})) == []


def test_a_pack_without_an_action_is_told():
    assert list(advice_on({})) == ["there is no action yet: nothing that is said comes to anything"]


# The same router with an encoder beside the words: what nobody wrote down is found by meaning.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("what repairs has the watermaker had in the past", "show_equipment_history"),
        ("the bow thruster is making a funny noise, what could it be", "diagnose_fault"),
        ("put together papers for the auditors", "generate_audit_pack"),
        ("could you jot down on WO-1038 that the seal drips", "add_note_to_work_order"),
    ],
)
def test_words_that_no_example_has_are_found_by_meaning(
    hearing: Router, router: Router, text: str, action: str
):
    found, by_words = hearing.route(text), router.route(text)

    assert found.action == action
    assert found.confidence > max(0.4, by_words.confidence)


@pytest.mark.parametrize("text", ["book me a massage", "how was your weekend", "paint the hull"])
def test_what_no_action_covers_is_never_done(hearing: Router, text: str):
    assert hearing.route(text).confidence < 0.3


@pytest.mark.parametrize(
    "text", ["do not close WO-1042", "how do I close WO-1042", "he said close WO-1042"]
)
def test_meaning_does_not_undo_the_guard(hearing: Router, text: str):
    routing = hearing.route(text)

    assert routing.action != "close_work_order"
    assert all(one.confidence < 0.5 for one in routing.alternatives)


def test_an_example_inside_a_sentence_is_not_said_again(hearing: Router):
    routing = hearing.route("someone needs to compile the ISM audit pack")

    assert (routing.action, routing.held) == ("generate_audit_pack", "mood")


def test_what_was_learnt_with_an_encoder_is_kept(
    catalogue: Catalogue, encoder: AdaptedMiniLM, tmp_path: Path
):
    texts = ("show generator history", "put together papers for the auditors", "paint the hull")
    first = Router(catalogue, cache=tmp_path, embedder=encoder)
    stored = _written(tmp_path)
    second = Router(catalogue, cache=tmp_path, embedder=encoder)
    by_words = Router(catalogue, cache=tmp_path)

    assert [first.route(text) for text in texts] == [second.route(text) for text in texts]
    assert [by_words.route(text) for text in texts] != [first.route(text) for text in texts]
    assert _written(tmp_path) == stored


def test_what_the_words_learnt_beside_an_encoder_is_what_they_learn_alone(
    catalogue: Catalogue, encoder: AdaptedMiniLM, tmp_path: Path
):
    beside, alone = tmp_path / "beside", tmp_path / "alone"
    Router(catalogue, cache=beside, embedder=encoder)
    Router(catalogue, cache=alone)
    (file,) = alone.glob("router-*.npz")

    assert len(_written(beside)) == 2
    assert (beside / file.name).read_bytes() == file.read_bytes()


def test_an_encoder_that_never_answers_leaves_the_words(
    catalogue: Catalogue, encoder: AdaptedMiniLM, router: Router
):
    text = "close out WO-1042"

    assert Router(catalogue, embedder=Failing(encoder, 0)).route(text) == router.route(text)


def test_an_encoder_that_stops_answering_leaves_the_words(
    catalogue: Catalogue, encoder: AdaptedMiniLM, router: Router
):
    stopped = Router(catalogue, embedder=Failing(encoder, 1))
    left, plain = stopped.route("close out WO-1042"), router.route("close out WO-1042")

    # Learnt beside an encoder, the words' own chances differ in the fifth digit.
    assert left.confidence == pytest.approx(plain.confidence, abs=1e-3)
    assert left == plain.model_copy(update={"confidence": left.confidence})


def test_the_nearest_example_is_named_with_its_cosine(hearing: Router):
    (near,) = [one for one in hearing.route("close out WO-1042").reasons if one.startswith("near:")]

    example, cosine = near.removeprefix("near:").rsplit(" ", 1)
    assert "close" in example
    assert 0.5 < float(cosine) <= 1.0


@pytest.mark.parametrize(("count", "words_count_more"), [(39, False), (40, True)])
def test_of_many_examples_the_words_count_more(
    catalogue: Catalogue, encoder: AdaptedMiniLM, count: int, *, words_count_more: bool
):
    actions = {
        name: action.model_copy(
            update={"examples": tuple(f"{action.examples[0]} {n}" for n in range(count))}
        )
        for name, action in list(catalogue.actions.items())[:5]
    }
    many, own = replace(catalogue, actions=MappingProxyType(actions)), list(actions.values())
    reader = UtteranceParser(many)
    trained = trained_model(
        training_set_of(collect_examples(own), reader), reader, LexicalPass(own), None, encoder
    )

    assert trained.hearing is not None
    assert (trained.hearing.words_weight == 1.5) is words_count_more


def _written(folder: Path) -> dict[str, int]:
    """Give when each model was written: which was learnt anew was written anew."""
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("router-*.npz")}
