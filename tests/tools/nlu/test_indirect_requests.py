"""What a text asks for without an order."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest

from state.errors import BadInput, EncoderUnavailable
from state.policy import IMPLIED
from tests.tools.nlu.closing import act, asked_of
from tests.tools.nlu.failing import Failing
from tests.tools.nlu.filling import Filling
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import AdaptedMiniLM
from tools.nlu.actionability.classifier import (
    ActionabilityClassifier,
    LogisticModel,
    actionability_features,
    delexicalised_ngrams,
    load_classifier,
    probability_of,
    word_ngrams,
)
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import ordered_words

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once

# What follows from what a text tells, though no verb orders it.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("I have finished TSK-101", "complete_task"),
        ("Ana shouldn't have access to DOC-012 any more", "unshare_document"),
        ("we don't want PO-2004 any more", "cancel_purchase_order"),
        ("could TSK-101 come off, it got finished by accident", "reopen_task"),
        (
            "the radio licence was renewed, it is good until 2027-08-31",
            "update_certificate_metadata",
        ),
        # Two things that are named, and what the one is to the other.
        ("1055 is Priya's", "assign_work_order"),
        ("mast light inspection: Tom", "assign_task"),
        # Whom it is left to is the one that the action takes.
        ("let Chiara look at our library", "share_library"),
    ],
)
def test_a_change_that_follows_from_what_is_told_is_offered_and_never_sure(
    both: Router, text: str, action: str
):
    routing = both.route(text)

    assert routing.action == action
    assert IMPLIED in routing.reasons
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "never share the fire plan with Ana",
        "Tom said he closed WO-1042",
        "I already finished TSK-101 yesterday",
        "they finished TSK-101",
        "thinking of giving the fire plan to Ana some day, sharing it might help",
        "ask Ben to assign WO-1042 to Ana",
        "can engineers approve purchase orders?",
    ],
)
def test_the_contrary_of_what_is_denied_or_told_is_not_implied(both: Router, text: str):
    routing = both.route(text)

    assert IMPLIED not in routing.reasons
    assert routing.action is None


@pytest.mark.parametrize(("text", "contrary"), [("WO-1042 was closed", "reopen_work_order")])
def test_what_would_take_back_a_change_that_is_told_as_done_is_not_offered(
    both: Router, text: str, contrary: str
):
    assert both.route(text).action != contrary


def test_what_somebody_wants_to_see_is_offered_and_what_she_said_is_not(both: Router):
    wanted = both.route("the surveyor wants to see the service history of the port generator")
    said = both.route("she said show the service history of the port generator")

    assert (wanted.action, wanted.held) == ("show_equipment_history", "mood")
    assert IMPLIED in wanted.reasons
    assert IMPLIED not in said.reasons


@pytest.mark.parametrize(
    "text",
    [
        "The shipyard people were friendly",
        "Our emergency generator is older than the third officer",
        "I slept like a log",
        "The captain is in a good mood today",
        "We had a great time in Antibes",
        "Science is hard",
        "We had pizza after the reading group",
        "I compared the two papers already",
        "We searched for papers on corals for hours last night",
    ],
)
def test_chat_is_answered_with_no_offer(both: Router, text: str):
    routing = both.route(text)

    assert routing.action is None
    assert all(one.confidence < 0.25 for one in routing.alternatives)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "nobody has looked at the service history of the port generator",
            "show_equipment_history",
        ),
        ("it would be easier if mert@lab.example could see the library", "share_library"),
        ("I haven't seen the abstract of P-2 yet", "show_paper"),
    ],
)
def test_what_is_not_so_or_would_be_good_is_told_too(both: Router, text: str, action: str):
    routing = both.route(text)

    assert routing.action == action
    assert routing.held == "mood" or routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "nobody should close WO-1042",
        "WO-1042 must not be closed",
        "it would be better not to close WO-1042",
        # what wants nothing is left alone
        "Happy birthday to Yusuf by the way!",
        "How sure are you about the things you tell me?",
        "My knees are older than this boat.",
        "Lena tagged the GAT paper this morning.",
        # an order that no action covers names no change
        "turn the deck lights off",
        "pay my electricity bill",
        "play some jazz in the saloon",
    ],
)
def test_a_doing_that_is_denied_implies_nothing(both: Router, text: str):
    assert both.route(text).action is None


# What wants something, where the grammar leaves it open: offered, and never run.


def act_of(router: Router, text: str) -> DialogueAct:
    return router._reader.read(text).act


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("can we have WO-1042 open again?", "reopen_work_order"),
        ("Can my approval of PO-2001 be revoked?", "withdraw_purchase_approval"),
        ("Can Tom and Lena get to see our papers too?", "share_library"),
        ("The teak wash shouldn't be Tom's any more.", "unassign_task"),
    ],
)
def test_a_change_that_is_wished_for_is_offered_and_never_sure(both: Router, text, action):
    routing = both.route(text)
    assert routing.action == action
    assert routing.confidence <= 0.45


@pytest.mark.parametrize(
    "text", ["don't close WO-1042", "he said close WO-1042", "did you already close WO-1042?"]
)
def test_however_it_sounds_what_is_denied_told_or_asked_about_names_no_change(
    both: Router, text: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ActionabilityClassifier, "odds", lambda *_: 0.85)
    assert both.route(text).action != "close_work_order"


def test_an_order_is_never_judged_by_how_it_sounds(both: Router, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ActionabilityClassifier, "odds", lambda *_: -9.0)
    routing = both.route("close WO-1042")
    assert routing.action == "close_work_order"
    assert IMPLIED not in routing.reasons


def test_a_chance_that_decided_is_told_among_the_reasons(both: Router):
    routing = both.route("can we have WO-1042 open again?")
    assert any(reason.startswith("wish:") for reason in routing.reasons)
    assert IMPLIED in routing.reasons


def test_a_shape_says_how_and_not_what(both: Router):
    about_ships = "could the fuel filters be ordered?"
    about_shelves = "could the garden chairs be painted?"
    assert delexicalised_ngrams(about_ships) == delexicalised_ngrams(about_shelves)
    assert {"could", ("could", "the")} <= word_ngrams(about_ships)
    assert not {sign for sign in load_classifier().by_signs.weights if "prefrontal" in sign}
    seen = actionability_features(about_ships, act_of(both, about_ships)).weighed()
    assert {"=could", "could the"} <= set(seen) & set(load_classifier().by_signs.weights)


@pytest.mark.parametrize(
    "text",
    [
        "could the fuel filters be ordered?",
        "sing me a song about the moon",
        'he said "close it", and I doubt that we should: 3, 2, 1!',
        "closing it, closed it, close it " * 40,
        "?",
        "",
    ],
)
def test_the_odds_of_a_text_are_those_of_its_signs_by_name(both: Router, text: str):
    judge, signs = load_classifier().by_signs, actionability_features(text, act_of(both, text))
    assert judge.odds_of(signs) == judge.odds(signs.weighed()) != judge.constant


def test_a_text_of_nothing_has_a_chance_too(both: Router):
    for text in ("?", "1042", "...", "x" * 2000):
        assert 0 <= probability_of(load_classifier().odds(text, act_of(both, text))) <= 1


@pytest.mark.parametrize("content", [None, "", '{"by_signs": {"constant": 0.1', '{"by_signs": {}}'])
def test_what_was_learnt_of_wishes_is_named_where_it_is_damaged(tmp_path: Path, content):
    file = tmp_path / "learnt.json"
    if content is not None:
        file.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"learnt\.json .*install again"):
        load_classifier(file)


# What is to be done, said by a participle, a gerund or a longer frame of a request.


@pytest.mark.parametrize(
    "text",
    [
        "have that closed",
        "get it closed please",
        "get WO-1042 closed by tonight",
        "want WO-1042 closed",
        "would like to have WO-1042 closed",
        "I want to see this closed",
        "WO-1042 needs closing",
        "WO-1042 wants closing",
        "WO-1042 still needs to be closed",
        "WO-1042 has got to be closed",
        "WO-1042 is ready to be closed",
        "how about getting WO-1042 closed",
        "start by closing WO-1042",
        "proceed with closing WO-1042",
        "what I want is to close WO-1042",
        "all I'd like is for you to close WO-1042",
        "we just wanted to ask if you could close WO-1042",
        "make sure WO-1042 is closed before we sail",
        "let WO-1042 be closed",
        "I was hoping you could close WO-1042",
        "we're hoping you'd close WO-1042, could you close WO-1042",
        "I'm asking you to close WO-1042",
        "we are kindly requesting that you close WO-1042",
        "I would appreciate it if you could close WO-1042",
        "we'd love it if you would close WO-1042",
        "I'd be so delighted if you could close WO-1042",
        "we were wondering if you could close WO-1042",
    ],
)
def test_it_is_a_request_of_what_its_verb_asks_for(text: str):
    assert act(text).mood == "request"
    assert asked_of(text) == {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "have you closed WO-1042",
        "have they closed it",
        "want WO-1042 closed?",
        "need it closed?",
        "get the list closed yesterday",
        "I have what they closed",
        "make sure that WO-1042 is not closed",
        "the point wants to be closed by the crew, is it closed",
        "I'm not asking you to close WO-1042",
        "I'm asking you not to close WO-1042",
        "I was hoping you would not close WO-1042",
        "are you able to close WO-1042",
        "Ana needs the list we closed",
        "can I have the points closed",
        "is WO-1042 ready to be closed",
        "points waiting to be closed",
        "the points due to be closed",
        "have that closed?",
        "WO-1042 wants closing?",
        "start by closing WO-1042?",
        "I'm asking you about closing WO-1042",
        "what I want is to talk about closing WO-1042",
        "I'm begging you, WO-1042 was closed",
        "I was hoping you could close WO-1042 that day",
        "I'd rather you stopped closing WO-1042",
        "gonna need a moment before closing WO-1042",
        "WO-1042 isn't ready to be closed",
        "I'd rather you didn't close WO-1042",
    ],
)
def test_what_sounds_like_it_orders_nothing(text: str):
    assert act(text).mood not in ("command", "request") or "close_work_order" not in asked_of(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("WO-1042 needs closing", "wo-1042 needs close"),
        ("have that closed", "have that close"),
        ("close WO-1042", "close wo-1042"),
        ("Ana closed WO-1042", "ana closed wo-1042"),
        ("the closing of WO-1042", "the closing of wo-1042"),
    ],
)
def test_what_is_asked_for_is_ranked_by_its_plain_verb(text: str, words: str):
    said = [word.strip(".,?!") for word in text.lower().split()]

    assert " ".join(ordered_words(said, act(text), {"note"})) == words


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("tag_paper", "get P-3 tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "P-3 has to be tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "make sure P-3 is tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "start by tagging P-3 nlp", "tags", ["nlp"]),
        ("tag_paper", "I was hoping you could tag P-3 nlp", "tags", ["nlp"]),
        ("tag_paper", "P-3 still needs to be tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "tag P-3 as need", "tags", ["need"]),
        ("search_library", "search the library for needs", "query", "needs"),
    ],
)
def test_the_frame_of_an_order_is_no_value(fill: Filling, action, text, slot, value):
    assert fill(action, text).values.get(slot) == value


# All that is seen of a text weighs whether anything is wanted: it offers, and never makes sure.


def always(router: Router, odds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = replace(router.settling.wishes, by_all=LogisticModel(odds, {}))
    monkeypatch.setattr(router, "settling", replace(router.settling, wishes=judged))


def test_what_all_speaks_for_is_offered_and_never_sure(
    hearing: Router, monkeypatch: pytest.MonkeyPatch
):
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
):
    always(hearing, 9.0, monkeypatch)
    assert hearing.route(text).action != "close_work_order"


def test_however_little_speaks_for_it_an_order_stays_one(
    hearing: Router, monkeypatch: pytest.MonkeyPatch
):
    always(hearing, -9.0, monkeypatch)
    routing = hearing.route("close WO-1042")
    assert routing.action == "close_work_order"
    assert IMPLIED not in routing.reasons


TOLD = "Tom wants to know which work orders are open, give me that"


def test_what_was_told_beside_an_unsure_order_is_offered(hearing: Router):
    routing = hearing.route(TOLD)
    assert routing.action == "list_work_orders"
    assert IMPLIED in routing.reasons
    assert routing.held == "mood"


def test_an_encoder_that_fails_at_what_was_told_leaves_what_is_asked(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
):
    router = copy(hearing)
    failing = replace(hearing.settling.ranking, embedder=Failing(encoder, calls=1))
    router.settling = replace(hearing.settling, ranking=failing)
    always(router, 9.0, monkeypatch)
    assert router.route(TOLD).action != "list_work_orders"


def test_without_vectors_of_its_encoder_all_that_is_seen_is_not_asked(
    hearing: Router, router: Router, monkeypatch: pytest.MonkeyPatch
):
    always(router, -9.0, monkeypatch)
    assert router.route("the history of the watermaker").action == "show_equipment_history"


def test_a_judge_hears_the_encoder_that_it_learnt_with_and_no_other(hearing: Router):
    assert hearing.settling.wishes.hears(AdaptedMiniLM().manner.name)
    assert not hearing.settling.wishes.hears("another")


def test_nothing_is_seen_of_a_text_without_words(hearing: Router):
    assert hearing.seen("...", data_dir=None, roles=()) is None


@pytest.mark.parametrize("many", [False, True], ids=["the text", "the examples"])
def test_where_nobody_hears_how_it_is_said_all_that_is_seen_is_not_asked(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch, many: bool
):
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
):
    hearing.route("the watermaker was noisy")  # the packs' own examples, once
    asked = counting(encoder, monkeypatch)

    assert hearing.route("my cat sleeps on the sofa").action is None
    assert asked == []
    hearing.route("the watermaker was noisy")
    assert asked == [1]


def test_the_packs_own_examples_are_heard_once_and_counted(
    hearing: Router, encoder: AdaptedMiniLM, monkeypatch: pytest.MonkeyPatch
):
    first = hearing.seen("the history of the watermaker", data_dir=None, roles=())
    asked = counting(encoder, monkeypatch)
    again = hearing.seen("the watermaker was noisy", data_dir=None, roles=())
    assert first is not None
    assert again is not None
    assert asked == [1]
    assert first.own == again.own
    assert first.own.each >= 3
    assert first.own.odds > 0  # a ship's examples sound like wishes


# When is what a text may come to too unlikely, or too incomplete, to be worth a word?


def test_an_order_without_its_thing_is_asked_back_and_a_remark_is_not(both: Router):
    asked = both.route("close the work order")
    told = both.route("Hugo fixed the satellite dome in ten minutes")

    assert asked.action == "close_work_order"
    assert told.action is None
