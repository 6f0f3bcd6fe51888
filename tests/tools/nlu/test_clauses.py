"""Clauses that only look like another kind: purposes, parts, labels, what can be done."""

import pytest

from tests.tools.nlu.closing import LEXICON, act
from tools.nlu.dialogue_acts import connectives as conditions
from tools.nlu.dialogue_acts import connectives as excluding
from tools.nlu.dialogue_acts import connectives as joints
from tools.nlu.dialogue_acts.clauses import cut_clauses
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Phrases, normalise


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("close WO-1042 so I don't lose it", "imperative"),
        ("close WO-1042, so the crew can't add to it", "imperative"),
        ("could you close the ones that don't have parts", "request"),
        ("can you close the jobs which aren't ours", "request"),
        ("don't do the briefing at 10:30, close WO-1042", "imperative"),
        ("close up the papers that took so long", "imperative"),
        ("close nothing but the urgent ones", "imperative"),
        ("close none except WO-1042", "imperative"),
    ],
)
def test_an_order_stays_one_beside_what_only_looks_like_a_denial(text: str, reason: str) -> None:
    assert act(text).reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "I told you that I don't want you to close it",
        "close it, so no, don't",
        "never do this: close WO-1042",
        "closing it took ages",
        "close nothing",
        "close WO-1042 haha just kidding",
        "no more work orders please",
    ],
)
def test_what_denies_or_takes_back_still_does(text: str) -> None:
    assert act(text).mood in ("negated", "reported")


def test_no_kidding_affirms_what_it_stands_behind() -> None:
    assert act("note on WO-1042 that the crew was upset, no kidding").reason != "cancelled"
    assert act("note on WO-1042 that the crew was upset, just kidding").reason == "cancelled"


@pytest.mark.parametrize(
    "text",
    [
        "WO-1042 can be closed, I checked it yesterday",
        "that job may now be closed, Ben signed it off",
        "the job can be closed",
    ],
)
def test_that_a_thing_can_be_done_outweighs_what_was_done_before(text: str) -> None:
    found = act(text)

    assert (found.mood, found.reason) == ("statement", "may_be")


@pytest.mark.parametrize("text", ["I can be closed about it", "those who can be closed are closed"])
def test_who_can_be_so_is_another_thing(text: str) -> None:
    assert act(text).reason != "may_be"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rq = how do bees see", "how do bees see"),
        ("rq := how do bees see", "how do bees see"),
        ("note 3 -> the pump is noisy", "the pump is noisy"),
        ("WO-1042 -> close", None),  # an order
        ("show x=5", None),
    ],
)
def test_a_sign_between_spaces_parts_a_label_from_what_is_told(text: str, told: str | None) -> None:
    words = [token.text for token in normalise(text).tokens]
    first = act(text).cut.content_first

    assert (" ".join(words[first:]) if first is not None else None) == told


class _Everything(frozenset[str]):
    def __contains__(self, word: object) -> bool:
        return True


_BEFORE = ("close all", "it leaks", "close nothing")
_BEHIND = (
    "",
    "close it",
    "please close it",
    "i closed it",
    "lena can close it",
    "we don't lose it",
    "the crew closes it",
    "that it leaks",
    "than wo-1042",
    "from wo-1042",
    "for wo-1042",
    "as lena closes it",
    "you're done close it",
    "after lena closed it",
    "case it leaks",
    "anything leaks",
    "moment i say so",
    "to the list",
)


def _words_of_rules() -> set[str]:
    words = set(FUNCTION_WORDS)
    for module in (joints, conditions, excluding):
        for value in vars(module).values():
            if isinstance(value, Phrases):
                words |= value.words()
            elif isinstance(value, frozenset):
                words |= {
                    word for one in value for word in ([one] if isinstance(one, str) else one)
                }
    return words


def test_no_clause_is_missed_for_the_words_that_may_begin_one() -> None:
    texts = [
        normalise(f"{before} {word} {behind}")
        for word in sorted(_words_of_rules())
        for before in _BEFORE
        for behind in _BEHIND
    ]
    found = [cut_clauses(text, LEXICON) for text in texts]

    with pytest.MonkeyPatch.context() as patched:
        for module, words in (
            (joints, "_JOINING"),
            (conditions, "BINDING"),
            (excluding, "LEAVING"),
        ):
            patched.setattr(module, words, _Everything())
        assert [cut_clauses(text, LEXICON) for text in texts] == found
