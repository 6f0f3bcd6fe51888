"""The same router with an encoder beside the words: what nobody wrote down is found by meaning."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.tools.nlu.failing import Failing
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.catalog.action_catalog import Catalogue
from tools.nlu.intent_classifier.lexical_model import LexicalPass
from tools.nlu.intent_classifier.training import trained_model
from tools.nlu.intent_classifier.training_examples import collect_examples, training_set_of
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser


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
) -> None:
    found, by_words = hearing.route(text), router.route(text)

    assert found.action == action
    assert found.confidence > max(0.4, by_words.confidence)


@pytest.mark.parametrize("text", ["book me a massage", "how was your weekend", "paint the hull"])
def test_what_no_action_covers_is_never_done(hearing: Router, text: str) -> None:
    assert hearing.route(text).confidence < 0.3


@pytest.mark.parametrize(
    "text", ["do not close WO-1042", "how do I close WO-1042", "he said close WO-1042"]
)
def test_meaning_does_not_undo_the_guard(hearing: Router, text: str) -> None:
    routing = hearing.route(text)

    assert routing.action != "close_work_order"
    assert all(one.confidence < 0.5 for one in routing.alternatives)


def test_an_example_inside_a_sentence_is_not_said_again(hearing: Router) -> None:
    routing = hearing.route("someone needs to compile the ISM audit pack")

    assert (routing.action, routing.held) == ("generate_audit_pack", "mood")


def test_what_was_learnt_with_an_encoder_is_kept(
    catalogue: Catalogue, encoder: AdaptedMiniLM, tmp_path: Path
) -> None:
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
) -> None:
    beside, alone = tmp_path / "beside", tmp_path / "alone"
    Router(catalogue, cache=beside, embedder=encoder)
    Router(catalogue, cache=alone)
    (file,) = alone.glob("router-*.npz")

    assert len(_written(beside)) == 2
    assert (beside / file.name).read_bytes() == file.read_bytes()


def test_an_encoder_that_never_answers_leaves_the_words(
    catalogue: Catalogue, encoder: AdaptedMiniLM, router: Router
) -> None:
    text = "close out WO-1042"

    assert Router(catalogue, embedder=Failing(encoder, 0)).route(text) == router.route(text)


def test_an_encoder_that_stops_answering_leaves_the_words(
    catalogue: Catalogue, encoder: AdaptedMiniLM, router: Router
) -> None:
    stopped = Router(catalogue, embedder=Failing(encoder, 1))
    left, plain = stopped.route("close out WO-1042"), router.route("close out WO-1042")

    # Learnt beside an encoder, the words' own chances differ in the fifth digit.
    assert left.confidence == pytest.approx(plain.confidence, abs=1e-3)
    assert left == plain.model_copy(update={"confidence": left.confidence})


def test_the_nearest_example_is_named_with_its_cosine(hearing: Router) -> None:
    (near,) = [one for one in hearing.route("close out WO-1042").reasons if one.startswith("near:")]

    example, cosine = near.removeprefix("near:").rsplit(" ", 1)
    assert "close" in example
    assert 0.5 < float(cosine) <= 1.0


@pytest.mark.parametrize(("count", "words_count_more"), [(39, False), (40, True)])
def test_of_many_examples_the_words_count_more(
    catalogue: Catalogue, encoder: AdaptedMiniLM, count: int, *, words_count_more: bool
) -> None:
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
