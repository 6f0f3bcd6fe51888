"""What wants something, where the grammar leaves it open: offered, and never run."""

from pathlib import Path

import pytest

from state.errors import BadInput
from state.policy import IMPLIED
from tools.nlu.actionability.classifier import (
    ActionabilityClassifier,
    actionability_features,
    delexicalised_ngrams,
    load_classifier,
    probability_of,
    word_ngrams,
)
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct
from tools.nlu.intents.router import Router


def act_of(router: Router, text: str) -> DialogueAct:
    return router._reader.read(text).act


pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("can we have WO-1042 open again?", "reopen_work_order"),
        ("Can my approval of PO-2001 be revoked?", "withdraw_purchase_approval"),
        ("Can Tom and Lena get to see our papers too?", "share_library"),
        ("The teak wash shouldn't be Tom's any more.", "unassign_task"),
    ],
)
def test_a_change_that_is_wished_for_is_offered_and_never_sure(
    both: Router, text: str, action: str
) -> None:
    routing = both.route(text)
    assert routing.action == action
    assert routing.confidence <= 0.45


@pytest.mark.parametrize(
    "text",
    [
        "Happy birthday to Yusuf by the way!",
        "How sure are you about the things you tell me?",
        "My knees are older than this boat.",
        "Lena tagged the GAT paper this morning.",
    ],
)
def test_what_wants_nothing_is_left_alone(both: Router, text: str) -> None:
    assert both.route(text).action is None


@pytest.mark.parametrize(
    "text", ["don't close WO-1042", "he said close WO-1042", "did you already close WO-1042?"]
)
def test_however_it_sounds_what_is_denied_told_or_asked_about_names_no_change(
    both: Router, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ActionabilityClassifier, "odds", lambda *_: 0.85)
    assert both.route(text).action != "close_work_order"


def test_an_order_is_never_judged_by_how_it_sounds(
    both: Router, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ActionabilityClassifier, "odds", lambda *_: -9.0)
    routing = both.route("close WO-1042")
    assert routing.action == "close_work_order"
    assert IMPLIED not in routing.reasons


def test_a_chance_that_decided_is_told_among_the_reasons(both: Router) -> None:
    routing = both.route("can we have WO-1042 open again?")
    assert any(reason.startswith("wish:") for reason in routing.reasons)
    assert IMPLIED in routing.reasons


def test_a_shape_says_how_and_not_what(both: Router) -> None:
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
def test_the_odds_of_a_text_are_those_of_its_signs_by_name(both: Router, text: str) -> None:
    judge, signs = load_classifier().by_signs, actionability_features(text, act_of(both, text))
    assert judge.odds_of(signs) == judge.odds(signs.weighed()) != judge.constant


def test_a_text_of_nothing_has_a_chance_too(both: Router) -> None:
    for text in ("?", "1042", "...", "x" * 2000):
        assert 0 <= probability_of(load_classifier().odds(text, act_of(both, text))) <= 1


@pytest.mark.parametrize("content", [None, "", '{"by_signs": {"constant": 0.1', '{"by_signs": {}}'])
def test_what_was_learnt_of_wishes_is_named_where_it_is_damaged(
    tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "learnt.json"
    if content is not None:
        file.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"learnt\.json .*install again"):
        load_classifier(file)
