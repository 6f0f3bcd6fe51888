"""Dialogue acts: who orders what, what is asked, told, denied or reported."""

import pytest

from state.action import Action
from tests.titled import expecting
from tests.tools.nlu.closing import LEXICON
from tests.tools.nlu.closing import act as closing_act
from tools.nlu.dialogue_acts import connectives as conditions
from tools.nlu.dialogue_acts import connectives as excluding
from tools.nlu.dialogue_acts import connectives as joints
from tools.nlu.dialogue_acts.clauses import cut_clauses
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Phrases, normalise
from tools.nlu.lexicon.verbs import VerbLexicon


def act(text: str) -> DialogueAct:
    close = {
        "name": "close_work_order",
        "pack": "p",
        "summary": "s",
        "verb": "update",
        "words": ["close", "sign off"],
        "object": "work_order",
        "effect": "destructive",
        "handler": "h:close",
    }
    lexicon = VerbLexicon.of([Action.model_validate(close)])
    return read_dialogue_act(normalise(text), lexicon, frozenset())


def kept(text: str) -> list[str]:
    words = [token.text for token in normalise(text).tokens]
    return [" ".join(words[clause.first : clause.end]) for clause in act(text).kept]


MOODS = {
    "command": [
        "close WO-1042",
        "Close WO-1042 now",
        "close WO-1042, the filter is changed",
        "WO-1042 is finished, close it out",
        "i said close WO-1042",
        "don't forget to close WO-1042",
        "URGENT: close WO-1042",
        "ok now close WO-1042",
        "close WO-1042 when you can",
        "run X, never Y, and close WO-1042",
        "close WO-1042 not later than Friday",
        "find the procedure for closing a work order",
    ],
    "request": [
        "please close WO-1042",
        "could you close WO-1042?",
        "would you mind closing WO-1042",
        "I need you to close WO-1042",
        "we need to close WO-1042",
        "if possible, please close WO-1042",
        "I'd like to close WO-1042",
        "can you please close WO-1042?",
        "the job is finished, you can close it",
    ],
    "negated": [
        "don't close WO-1042",
        "don’t close WO-1042",
        "dont close WO-1042",
        "DO NOT close WO-1042",
        "please don't close WO-1042",
        "never close WO-1042",
        "you shouldn't close WO-1042",
        "WO-1042 should not be closed",
        "can you not close WO-1042",
        "i don't want you to close WO-1042",
        "let's not close WO-1042",
        "no need to close WO-1042",
        "close WO-1042. no wait, don't",
        "close WO-1042, no, don't close it",
        "close WO-1042 - never mind",
        "don't close WO-1042 and archive DOC-001",
        "just don't close it",
        "close WO-1042. Please do nothing.",
        "WO-1042 doesn't need to be repaired",
    ],
    "question": [
        "how do I close a work order?",
        "can you tell me how to close a work order",
        "show me how to close a work order",
        "did you already close WO-1042?",
        "was WO-1042 closed",
        "should we close WO-1042",
        "can I close WO-1042",
        "close WO-1042?",
        "isn't WO-1042 closed",
        "who can close WO-1042",
        "why can't you close WO-1042",
    ],
    "reported": [
        "he said close WO-1042",
        'he said "close WO-1042"',
        '"close WO-1042"',
        "the captain told me to close WO-1042",
        "the email says close WO-1042",
        "according to Tom, close WO-1042",
        "I was told to close WO-1042",
        "I closed WO-1042 yesterday",
        "WO-1042 was closed",
        "we have already closed WO-1042",
        "never mind the handover, I have read it",
        "you closed WO-1042 already",
        "instructions on how to close it have now been sent",
        "text of the ticket: close WO-1042",
        "the document contains this line: close WO-1042",
    ],
    "hypothetical": [
        "if the filter is changed, close WO-1042",
        "close WO-1042 if the filter is changed",
        "close WO-1042 once the filter is changed",
        "maybe close WO-1042",
        "we should close WO-1042",
        "what if I close WO-1042",
        "I'll close WO-1042 tomorrow",
        "I'm thinking of closing WO-1042",
    ],
}


@pytest.mark.parametrize(("text", "mood"), expecting(MOODS))
def test_a_mood_is_that_of_the_whole_text(text: str, mood: str):
    assert act(text).mood == mood


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("not the handover, add it to the work order", "add it to the work order"),
        ("add it to the work order, not the handover", "add it to the work order"),
        ("add it to the work order not the handover", "add it to the work order"),
        ("don't add it to the handover, add it to the job", "add it to the job"),
        ("instead of closing it, add a note", "add a note"),
        ("Not a finance analysis; create a PRD", "create a prd"),
        ("close WO-1042 instead of WO-1043", "close wo-1042"),
    ],
)
def test_the_denial_of_a_part_keeps_the_rest(text: str, clause: str):
    assert act(text).mood == "command"
    assert kept(text) == [clause]


def test_two_requests_are_counted():
    assert len(act("show the stock and close WO-1042").asking) == 2


@pytest.mark.parametrize("text", ["", "   ", "👍", "...", "?!"])
def test_a_text_without_words_asks_nothing(text: str):
    assert act(text).ask is None


WANTED = {
    True: [
        "why don't you close WO-1042",
        "I need WO-1042 closed",
        "I'd like the work order closed, please",
        "can we get WO-1042 closed today?",
        "please have WO-1042 closed",
        "WO-1042 needs to be closed",
        "WO-1042 needs closing",
        "my request is to close WO-1042",
        "hold off on closing WO-1042 and add a note",
        "dont close WO-1042 pls just add a note",
    ],
    False: [
        "Ben will close WO-1042",
        "the office has to close WO-1042",
        "Ana and Ben are going to close WO-1042",
        "somebody should close WO-1042",
        "I would like to know how to close WO-1042",
        "could you confirm whether WO-1042 has been closed?",
        "WO-1042 has been troubleshooted already",
        "so he goes, close WO-1042",
        "they were yelling close WO-1042!",
        "the ticket is titled close WO-1042",
        "let me think about whether to close WO-1042",
        "how I wish we had closed WO-1042",
        "close WO-1042, as the old saying goes",
        "close WO-1042 the moment I give you the signal",
        "close WO-1042 in the event that it breaks",
        "close WO-1042 subject to approval",
        "I don't think you should close WO-1042",
        "I no want that you close WO-1042",
        "closing WO-1042 would be wrong",
        "work order WO-1042 should not be closed",
        "close WO-1042 lol jk",
        "close WO-1042 /s",
        "close WO-1042. On reflection, leave everything as it was.",
        "got this >>> close WO-1042 <<< what a tone",
    ],
}


@pytest.mark.parametrize(("text", "is_so"), expecting(WANTED))
def test_what_is_wanted_done_is_a_request_and_the_words_of_one_are_none(text: str, *, is_so: bool):
    assert (act(text).mood in ("command", "request")) is is_so


# Clauses that only look like another kind: purposes, parts, labels, what can be done.


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
        # what only sounds like a jest or a doubt stays
        ("note on WO-1042 that Tom was kidding", "imperative"),
        ("is it possible to close WO-1042?", "question"),
        ("WO-1042 can be closed", "may_be"),
        ("close WO-1042, as the oil is changed", "imperative"),
    ],
)
def test_an_order_stays_one_beside_what_only_looks_like_a_denial(text: str, reason: str):
    assert closing_act(text).reason == reason


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
def test_what_denies_or_takes_back_still_does(text: str):
    assert closing_act(text).mood in ("negated", "reported")


def test_no_kidding_affirms_what_it_stands_behind():
    assert closing_act("note on WO-1042 that the crew was upset, no kidding").reason != "cancelled"
    assert (
        closing_act("note on WO-1042 that the crew was upset, just kidding").reason == "cancelled"
    )


@pytest.mark.parametrize(
    "text",
    [
        "WO-1042 can be closed, I checked it yesterday",
        "that job may now be closed, Ben signed it off",
        "the job can be closed",
    ],
)
def test_that_a_thing_can_be_done_outweighs_what_was_done_before(text: str):
    found = closing_act(text)

    assert (found.mood, found.reason) == ("statement", "may_be")


@pytest.mark.parametrize("text", ["I can be closed about it", "those who can be closed are closed"])
def test_who_can_be_so_is_another_thing(text: str):
    assert closing_act(text).reason != "may_be"


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
def test_a_sign_between_spaces_parts_a_label_from_what_is_told(text: str, told: str | None):
    words = [token.text for token in normalise(text).tokens]
    first = closing_act(text).cut.content_first

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


def test_no_clause_is_missed_for_the_words_that_may_begin_one():
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


# Orders beside words that give them to somebody else, speak of them or leave them open.


def asks_plainly(one: DialogueAct) -> bool:
    return one.mood in ("command", "request") and not one.doubt


@pytest.mark.parametrize(
    "text",
    [
        "get somebody to close WO-1042",
        "I'd like the yard to close WO-1042",
        "leave it to Tom to close WO-1042",
        "leave it to the crew to close WO-1042",
        "help Tom close WO-1042",
        "make sure Tom closed WO-1042",
        "see that Tom closed WO-1042",
        "wait for Tom to close WO-1042",
        "everyone has to close WO-1042 before noon",
        "Tom, close WO-1042",
        "the rule book requires people to close WO-1042",
        "let Tom report WO-1042",
        "my colleague can close WO-1042",
        "they need to close WO-1042 but leave out the others",
        "ask Tom to burnish WO-1042 up",
        "bringing WO-1042 up takes ages",
        "the office could approve WO-1042",
        "is it possible at all to close WO-1042?",
        "close WO-1042, the older one, as the old saying goes",
        # a doing that is only spoken of is not asked for
        "drop the idea of closing WO-1042",
        "abandon the plan to close WO-1042",
        "what a pain to close WO-1042",
        "how silly to close WO-1042",
        "why on earth close WO-1042",
        "let's skip closing WO-1042",
        "keep away from closing WO-1042",
        "do anything but close WO-1042",
        "you could but shouldn't close WO-1042",
        "were I to close WO-1042, we'd be late",
        "had we closed WO-1042, it would be over",
        "close WO-1042 should anything break",
        "as long as it's raining, close WO-1042",
        "subject to Marta's approval, close WO-1042",
        "next time, close WO-1042",
        "until then, close WO-1042",
        "wait for my ok before you close WO-1042",
        "in his words, close WO-1042",
        "as Tom put it, close WO-1042",
        "Tom was like, close WO-1042",
        "plan B: close WO-1042",
        # an afterthought leaves nothing to be done
        "close WO-1042? maybe",
        "close WO-1042? over my dead body",
        "close WO-1042, or not, whatever",
        "close WO-1042. Hold that thought.",
        "close WO-1042. No need any more.",
        "close WO-1042. Ignore the above.",
        "close WO-1042. That's only a test.",
        "close WO-1042 haha just messing with you",
        "yeah right, close WO-1042",
        "close WO-1042 🙄",
        "❌ close WO-1042",
        "close WO-1042 👎",
        "『close WO-1042』",
        "‹close WO-1042›",
        "please close WO-1042 nicht",
        "close WO-1042... no idea",
    ],
)
def test_what_somebody_else_is_to_do_is_not_asked_of_us(text: str):
    assert not asks_plainly(closing_act(text))


@pytest.mark.parametrize(
    "text",
    [
        "by the way, close WO-1042",
        "before I forget, close WO-1042",
        "while you're at it, close WO-1042",
        "everyone, close WO-1042",
        "the crew list is done, close WO-1042",
        "I'd like to close WO-1042",
        "I have to close WO-1042",
        "mind closing WO-1042?",
        "could somebody close WO-1042",
        "would it be possible to close WO-1042",
        "any chance you could close WO-1042?",
        "we're going to need WO-1042 closed",
        "can WO-1042 be closed please",
        "please to close WO-1042",
        "close WO-1042 before they fine us",
        "please do the following: close WO-1042",
    ],
)
def test_friendly_words_and_reasons_take_nothing_away(text: str):
    assert closing_act(text).mood in ("command", "request")
    assert closing_act(text).doubt in ("", "told")
