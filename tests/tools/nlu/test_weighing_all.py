"""All that is seen of a text weighs whether anything is wanted: it offers, and never makes sure."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import pytest

from state.errors import EncoderUnavailable
from state.policy import IMPLIED
from tests.tools.nlu.failing import Failing
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.nlu.actionability.classifier import LogisticModel
from tools.nlu.intents.router import Router


def always(router: Router, odds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = replace(router.settling.wishes, by_all=LogisticModel(odds, {}))
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
    assert routing.held == "mood"


def test_an_encoder_that_fails_at_what_was_told_leaves_what_is_asked(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    router = copy(hearing)
    failing = replace(hearing.settling.ranking, embedder=Failing(encoder, calls=1))
    router.settling = replace(hearing.settling, ranking=failing)
    always(router, 9.0, monkeypatch)
    assert router.route(TOLD).action != "list_work_orders"


def test_without_vectors_of_its_encoder_all_that_is_seen_is_not_asked(
    hearing: Router, router: Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(router, -9.0, monkeypatch)
    assert router.route("the history of the watermaker").action == "show_equipment_history"


def test_a_judge_hears_the_encoder_that_it_learnt_with_and_no_other(hearing: Router) -> None:
    assert hearing.settling.wishes.hears(AdaptedMiniLM().manner.name)
    assert not hearing.settling.wishes.hears("another")


def test_nothing_is_seen_of_a_text_without_words(hearing: Router) -> None:
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
    ranking = replace(hearing.settling.ranking, embedder=half_deaf)
    never_heard = replace(hearing.settling.own, cache=None)
    router.settling = replace(hearing.settling, ranking=ranking, own=never_heard)
    always(router, -9.0, monkeypatch)
    assert router.route("the history of the watermaker").action == "show_equipment_history"


def counting(encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give a list that grows by the number of texts each time one hears how texts are said."""
    asked: list[int] = []
    embed = encoder.manner.embed

    def counted(texts: Sequence[str]) -> Vectors:
        asked.append(len(texts))
        return embed(texts)

    monkeypatch.setattr(encoder.manner, "embed", counted)
    return asked


def test_what_is_like_nothing_is_not_heard_for_how_it_is_said(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearing.route("the watermaker was noisy")  # the packs' own examples, once
    asked = counting(encoder, monkeypatch)

    assert hearing.route("my cat sleeps on the sofa").action is None
    assert asked == []
    hearing.route("the watermaker was noisy")
    assert asked == [1]


def test_the_packs_own_examples_are_heard_once_and_counted(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hearing.seen("the history of the watermaker", data_dir=None, roles=())
    asked = counting(encoder, monkeypatch)
    again = hearing.seen("the watermaker was noisy", data_dir=None, roles=())
    assert first is not None
    assert again is not None
    assert asked == [1]
    assert first.own == again.own
    assert first.own.each >= 3
    assert first.own.odds > 0  # a ship's examples sound like wishes
