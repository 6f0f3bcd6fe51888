import pytest

from state.action import Action
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.lexicon.normalization import normalise
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


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_an_imperative_is_a_command(text: str) -> None:
    assert act(text).mood == "command"


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_a_polite_imperative_is_a_request(text: str) -> None:
    assert act(text).mood == "request"


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_what_is_denied_or_taken_back_is_negated(text: str) -> None:
    assert act(text).mood == "negated"


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_a_question_is_no_command(text: str) -> None:
    assert act(text).mood == "question"


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_what_is_told_or_done_already_is_reported(text: str) -> None:
    assert act(text).mood == "reported"


@pytest.mark.parametrize(
    "text",
    [
        "if the filter is changed, close WO-1042",
        "close WO-1042 if the filter is changed",
        "close WO-1042 once the filter is changed",
        "maybe close WO-1042",
        "we should close WO-1042",
        "what if I close WO-1042",
        "I'll close WO-1042 tomorrow",
        "I'm thinking of closing WO-1042",
    ],
)
def test_what_is_supposed_is_hypothetical(text: str) -> None:
    assert act(text).mood == "hypothetical"


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
def test_the_denial_of_a_part_keeps_the_rest(text: str, clause: str) -> None:
    assert act(text).mood == "command"
    assert kept(text) == [clause]


def test_two_requests_are_counted() -> None:
    assert len(act("show the stock and close WO-1042").asking) == 2


@pytest.mark.parametrize("text", ["", "   ", "👍", "...", "?!"])
def test_a_text_without_words_asks_nothing(text: str) -> None:
    assert act(text).ask is None


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_what_is_wanted_done_is_a_request(text: str) -> None:
    assert act(text).mood in ("command", "request")


@pytest.mark.parametrize(
    "text",
    [
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
)
def test_what_only_uses_the_words_of_an_order_is_none(text: str) -> None:
    assert act(text).mood not in ("command", "request")
