"""The same router with an encoder beside the words: what nobody wrote down is found by meaning."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from state.errors import EncoderUnavailable
from state.policy import IMPLIED
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import load_pack
from tools.embedding.embedder import Vectors
from tools.embedding.minilm import AdaptedMiniLM
from tools.routing.learning.examples import lessons_of
from tools.routing.learning.lexical import LexicalPass
from tools.routing.learning.training import trained_model
from tools.routing.reading import Reader
from tools.routing.router import Router
from tools.routing.wishes.judge import SignJudge

WritePack = Callable[[Path], Path]


class Failing:
    """An encoder whose server answers so many calls and then no more."""

    def __init__(self, encoder: AdaptedMiniLM, calls: int) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self.manner = encoder.manner
        self._encoder, self._left = encoder, calls

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._left -= 1
        if self._left < 0:
            raise EncoderUnavailable("the server does not answer")
        return self._encoder.embed(texts)


@pytest.fixture(scope="module")
def encoder() -> AdaptedMiniLM:
    return AdaptedMiniLM()


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory, write_vessel: WritePack) -> Catalogue:
    return Catalogue.of([load_pack(write_vessel(tmp_path_factory.mktemp("packs") / "boat"))])


@pytest.fixture(scope="module")
def hearing(catalogue: Catalogue, encoder: AdaptedMiniLM) -> Router:
    return Router(catalogue, embedder=encoder)


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
    (stored,) = tmp_path.glob("*.npz")
    second = Router(catalogue, cache=tmp_path, embedder=encoder)
    by_words = Router(catalogue, cache=tmp_path)

    assert [first.route(text) for text in texts] == [second.route(text) for text in texts]
    assert [by_words.route(text) for text in texts] != [first.route(text) for text in texts]
    assert stored in tmp_path.glob("*.npz")


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
    reader = Reader(many)
    trained = trained_model(lessons_of(own, reader), many, reader, LexicalPass(own), None, encoder)

    assert trained.hearing is not None
    assert (trained.hearing.words_weight == 1.5) is words_count_more


def always(router: Router, odds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = replace(router.settling.wishes, by_all=SignJudge(odds, {}))
    monkeypatch.setattr(router, "settling", replace(router.settling, wishes=judged))


def test_what_all_speaks_for_is_offered_and_never_sure(
    hearing: Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "the note on WO-1042 is wrong, he said"
    always(hearing, 9.0, monkeypatch)
    routing = hearing.route(text)
    assert routing.action is not None
    assert IMPLIED in routing.reasons
    assert routing.confidence < 0.5
    always(hearing, -9.0, monkeypatch)
    assert hearing.route(text).action is None


@pytest.mark.parametrize(
    "text", ["don't close WO-1042", '"close WO-1042"', "WO-1042", "how do I close WO-1042?"]
)
def test_however_much_speaks_for_it_nothing_denied_or_quoted_is_offered(
    hearing: Router, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(hearing, 9.0, monkeypatch)
    assert hearing.route(text).action != "close_work_order"


def test_however_little_speaks_for_it_an_order_stays_one(
    hearing: Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(hearing, -9.0, monkeypatch)
    routing = hearing.route("close WO-1042")
    assert routing.action == "close_work_order"
    assert IMPLIED not in routing.reasons


TOLD = "Tom wants to know which work orders are open, give me that"


def test_what_was_told_beside_an_unsure_order_is_offered(hearing: Router) -> None:
    routing = hearing.route(TOLD)
    assert routing.action == "list_work_orders"
    assert IMPLIED in routing.reasons
    assert routing.confidence < 0.5


def test_an_encoder_that_fails_at_what_was_told_leaves_what_is_asked(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    router = copy(hearing)
    router._ranking = replace(hearing._ranking, embedder=Failing(encoder, calls=1))
    router.settling = replace(hearing.settling, ranking=router._ranking)
    always(router, 9.0, monkeypatch)
    assert router.route(TOLD).action != "list_work_orders"


def test_without_vectors_of_its_encoder_all_that_is_seen_is_not_asked(
    hearing: Router, router: Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(router, -9.0, monkeypatch)
    assert router.route("the history of the watermaker").action == "show_equipment_history"
    assert hearing.settling.wishes.hears(AdaptedMiniLM().manner.name)
    assert not hearing.settling.wishes.hears("another")
    assert hearing.seen("...", data_dir=None, roles=()) is None


@pytest.mark.parametrize("many", [False, True], ids=["the text", "the examples"])
def test_where_nobody_hears_how_it_is_said_all_that_is_seen_is_not_asked(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    embed = encoder.manner.embed

    def failing(texts: Sequence[str]) -> Vectors:
        if (len(texts) > 1) is many:
            raise EncoderUnavailable("the server does not answer")
        return embed(texts)

    half_deaf = Failing(encoder, calls=9)
    half_deaf.manner = copy(encoder.manner)
    monkeypatch.setattr(half_deaf.manner, "embed", failing)
    router = copy(hearing)
    router._ranking = replace(hearing._ranking, embedder=half_deaf)
    router.settling = replace(hearing.settling, ranking=router._ranking)
    always(router, -9.0, monkeypatch)
    assert router.route("the history of the watermaker").action == "show_equipment_history"


def test_the_packs_own_examples_are_heard_once_and_counted(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hearing.seen("the history of the watermaker", data_dir=None, roles=())
    asked: list[int] = []
    embed = encoder.manner.embed

    def counted(texts: Sequence[str]) -> Vectors:
        asked.append(len(texts))
        return embed(texts)

    monkeypatch.setattr(encoder.manner, "embed", counted)
    again = hearing.seen("the watermaker was noisy", data_dir=None, roles=())
    assert first is not None
    assert again is not None
    assert asked == [1]
    assert first.own == again.own
    assert first.own.each >= 3
    assert first.own.odds > 0  # a ship's examples sound like wishes
