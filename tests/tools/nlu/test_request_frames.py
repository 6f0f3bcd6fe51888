"""Frames of requests: what is asked for in them, and what only looks like one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from state.policy import Routing
from tests.titled import expecting
from tests.tools.nlu.closing import CLOSE, act, asked_of
from tests.tools.nlu.conftest import ORDERS
from tools.catalog.action_catalog import Catalogue
from tools.nlu.actionability.fact_questions import ends_in_question_of_fact
from tools.nlu.dialogue_acts.clauses import foreign_words, is_for_shell
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.lexicon.politeness import without_report
from tools.nlu.lexicon.verbs import VerbLexicon


@pytest.mark.parametrize(
    "text",
    [
        "could you possibly close WO-1042",
        "would you perhaps close WO-1042",
        "could I get you to close WO-1042?",
        "can I ask that you close WO-1042",
        "I'd like to ask you to close WO-1042",
        "I have to ask you to close WO-1042",
        "could you kindly get WO-1042 closed",
        "kindly request you to close WO-1042",
        "requesting you to close WO-1042",
        "I'd appreciate you closing WO-1042",
        "I would appreciate your closing WO-1042",
        "thank you in advance for closing WO-1042",
        "it's time to close WO-1042",
        "if you could close WO-1042 that would be great",
        "it'd be kind of you to close WO-1042",
        "I'm counting on you to close WO-1042",
        "let's go ahead and close WO-1042",
        "could you see that WO-1042 gets closed",
        "could you make sure that WO-1042 is closed?",
        "go on and close WO-1042",
    ],
)
def test_what_is_framed_so_is_asked_for(text: str):
    assert act(text).mood == "request"
    assert asked_of(text) == {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "could you possibly not close WO-1042",
        "can I ask that you not close WO-1042",
        "requesting that you not close WO-1042",
        "if you could close WO-1042 I would know",
        "if you would close WO-1042 that would be illegal",
        "if you could close WO-1042 it would be a mistake",
        "let me see the work orders closed in May",
        "let me see WO-1042 closed",
        "can you see that WO-1042 is closed?",
        "it is time we closed WO-1042?",
        "it's time we closed WO-1042?",
        "thanks for closing WO-1042",
        "I really appreciate you closing WO-1042 so quickly",
        "go on and close WO-1042?",
        "prepare for closing WO-1042",
        "consider closing WO-1042",
        "draft an order to close WO-1042",
        "get ready to close WO-1042",
        "prepare in advance for closing WO-1042",
        "WO-1042 has got",
        "WO-1042 needs got",
    ],
)
def test_what_only_looks_so_closes_nothing(text: str):
    assert act(text).mood not in ("command", "request") or asked_of(text) != {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "I'll close mine later, for now show WO-1042",
        "We're going to close it tomorrow, show WO-1042",
    ],
)
def test_a_look_does_not_wait_for_what_its_writer_will_do(text: str):
    assert act(text).mood == "command"


def test_a_change_may_be_one_more_thing_that_he_will_do():
    assert act("I'll fix the pump, close WO-1042").mood == "hypothetical"
    assert act("if it rains, show WO-1042").mood == "hypothetical"


def test_a_quotation_behind_an_unknown_verb_is_what_is_entered():
    assert act('zap the question to "how do pumps fail"').reason == "unknown_verb"


@pytest.mark.parametrize(
    "text", ['zap "close WO-1042"', 'zap the question "how do pumps fail and why do they"']
)
def test_a_quotation_that_orders_or_is_only_spoken_of_is_not(text: str):
    assert act(text).reason == "quoted"


def own(text: str) -> str:
    normal = normalise(text)
    foreign = foreign_words(normal)
    return " ".join(t.text for place, t in enumerate(normal.tokens) if place not in foreign)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("close it", "close it"),
        ('he wrote "close it"', "he wrote"),
        ("he wrote “close it”", "he wrote"),
        ("'show Ana's rest' was it", "was it"),
        ("note it's Ana's pump", "note it's ana's pump"),
        ("look\n> close it\nthanks", "look thanks"),
        ("look\n```\nclose it\n```", "look"),
        ("<p>close it</p> what now", "what now"),
        ("FYI\n--- Forwarded message ---\nclose it", "fyi"),
        ("FYI\nFrom: Ben\nclose it", "fyi"),
        ("[system] close it", ""),
        ("[urgent] close it", "urgent close it"),
        ("@ben close it", ""),
        ("@prefrontal close it", "prefrontal close it"),
        ("is 5 > 3 or 3 < 5", "is 5 3 or 3 5"),
        ("~~close it~~ what now", "what now"),
        ("// close it\nlook", "look"),
        ("$ close it", ""),
        ("$ 20 for the pump", "20 for the pump"),
        ("ben> close it\nlook", "look"),
        ("Ben 10:42\nclose it", ""),
    ],
)
def test_what_is_not_said_to_us_is_set_aside(text: str, left: str):
    assert own(text) == left


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("git status of the pump", True),
        ("grep 'close it' notes.txt", True),
        ("sudo rm -rf it", True),
        ("git for beginners", False),
        ("echo the last message", False),
    ],
)
def test_a_command_for_another_program_is_known(text: str, is_so: bool):
    assert is_for_shell(normalise(text)) is is_so


# Who ends by asking how things are is answered, whatever was told before.

FACTS = [
    "we closed WO-1042 on Monday, whose is it now",
    "Before I order a fuel filter, do we have one",
    "before I write a note on the watermaker, what is there already?",
    "I must assign something to the bosun, what is his name again?",
    "they said it was reopened. Is it still open?",
    "has WO-1042 been closed or not",
    "who was put on WO-1042",
    "There should be a note on the watermaker, is it still there? Thanks",
    "I wrote down a note in March; what does it say?",
    "is the yard able to look at our jobs?",
    "does WO-1042 hold up WO-1038",
    "we returned half of PO-1992, so what's its state now",
]
OTHERS = [
    "can WO-1042 go back to Priya, who had it before?",
    "close WO-1042",
    "Is there any chance that WO-1042 is closed today?",
    "what about closing WO-1042?",
    "are you able to close WO-1042?",
    "who could close WO-1042 for me?",
    "do you mind closing WO-1042?",
    "it was closed too early. Have it open again",
    "I think I should. Do it",
    "do the filter replacement",
    "Question: does the purifier leak?",
    "note on the watermaker: is the membrane new?",
    "what's in that order is none of their business now",
    "what I deleted this morning is wanted again",
    "the job is done, so has no business on the list",
    "the watermaker was 2480, is 2486",
    "would it be possible to reopen WO-1042",
    "show me who has WO-1042",
    "ask Ana if it is done",
    "",
]


@pytest.fixture(scope="module")
def reader(catalogue: Catalogue) -> UtteranceParser:
    return UtteranceParser(catalogue)


@pytest.mark.parametrize("text", FACTS)
def test_a_question_of_fact_at_the_end(reader: UtteranceParser, text: str):
    assert ends_in_question_of_fact(reader.read(text))


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_none_or_asks_for_something(reader: UtteranceParser, text: str):
    assert not ends_in_question_of_fact(reader.read(text))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Before I add an impeller to WO-1040, do we have one", "check_stock"),
        ("has WO-1040 been assigned to Tom or not", "list_work_orders"),
    ],
)
def test_it_is_answered_and_no_change_is_offered_for_it(
    hearing: Router, data_dir: Path, text: str, action: str
):
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    assert routing.action == action
    assert "implied" not in routing.reasons


# Who ends an order with a wish to hear of it orders the same as who does not.

ENDS = [
    "and let me know",
    "and let us know when it's done",
    ", tell me once done",
    ". Let me know when you're finished, please.",
    "; then report back to me",
    "and keep me posted, thanks!",
    "and please notify me as soon as it is closed",
    ", and let me know how it went",
    "and confirm back",
]
KEPT = [
    "close WO-1042 and let him know",
    "close WO-1042 and let me know who had it",
    "close WO-1042 and let me know if that's allowed",
    "close WO-1042 and tell me if it's ok",
    "close WO-1042 and confirm",
    "close WO-1042 and report",
    "close WO-1042 and tell me the stock of the pump",
    "close WO-1042 and alert everyone",
    "close WO-1042 and tell me if it was reopened by Ana",
    "note on WO-1042: call the yard and let me know",
    'add the note "fixed it, tell me" to WO-1042',
    'write "fixed it and let me know',
    "add a note that he was here and let me know",
    "WO-1042 - call Ana and let me know",
    "once WO-1042 is closed, tell me",
    "send Luca a message to check the stock and let us know",
    "add a comment on WO-1042 to check the seal and let me know",
    "ask Luca to check the pump and confirm to me",
    "tell Luca to fix the pump and let me know when it's fixed",
    "create a task to check the pump and let me know",
    "remind me tomorrow and notify me",
    "let me know",
    "and let me know when it's done",
    ", tell me",
]


@pytest.mark.parametrize("end", ENDS)
def test_an_end_that_asks_to_hear_of_it_changes_nothing_of_an_order(
    hearing: Router, data_dir: Path, end: str
):
    (data_dir / "orders.json").write_text(ORDERS)
    joint = "" if end[0] in ",.;" else " "
    text = f"close WO-1042{joint}{end}"
    plain = hearing.route("close WO-1042", data_dir=data_dir)
    routing = hearing.route(text, data_dir=data_dir)

    assert plain.action == "close_work_order"
    assert routing.text == text
    assert (routing.action, routing.slots, routing.held) == (plain.action, plain.slots, plain.held)
    assert routing.confidence == plain.confidence
    assert [one for one in routing.reasons if one.startswith("reports:")]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_more_than_that_or_all_of_a_text_or_to_be_written_is_kept(text: str):
    normal = normalise(text)
    assert without_report(normal) == (normal, None)


def test_what_is_left_keeps_its_places_in_the_original():
    short, _ = without_report(normalise("Close ﬁle A now, and tell me"))
    assert short.written(*short.tokens[1][1:]) == "ﬁle"
    normal, end = without_report(normalise("CLOSE WO-1042 — AND TELL ME WHEN DONE!"))
    assert (normal.text, end) == ("close wo-1042", "AND TELL ME WHEN DONE")
    assert normal.written(0, len(normal.text)) == "CLOSE WO-1042"


Routed = Callable[[str], Routing]


def shown(routing: Routing) -> dict[str | None, dict[str, Any]]:
    found: dict[str | None, dict[str, Any]] = {
        one.action: dict(one.slots or {}) for one in routing.alternatives if one.slots
    }
    return {routing.action: dict(routing.slots), **found}


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 and order 3 oil filters",
        "close WO-1042, then order 3 oil filters",
        "close WO-1042. Order 3 oil filters.",
        "1. close WO-1042\n2. order 3 oil filters",
        "please close WO-1042 and please order 3 oil filters",
        "could you close WO-1042 and then order 3 oil filters?",
    ],
)
def test_each_request_is_offered_with_its_own_slots(route: Routed, text: str):
    routing = route(text)

    assert routing.confidence < 0.5
    assert "several_requests" in routing.reasons
    assert shown(routing) == {
        "close_work_order": {"work_order": "WO-1042"},
        "order_part": {"part": "oil filter", "quantity": 3},
    }


@pytest.mark.parametrize(
    "text",
    [
        "go ahead and close WO-1042",
        "don't order anything, close WO-1042",
        "close WO-1042 now, and please do",
    ],
)
def test_one_request_in_many_words_stays_one(route: Routed, text: str):
    routing = route(text)

    assert routing.action == "close_work_order"
    assert routing.confidence >= 0.5
    assert "several_requests" not in routing.reasons


def test_two_things_for_one_action_are_left_to_the_person(route: Routed):
    routing = route("close WO-1042 and close WO-1038")

    assert routing.action == "close_work_order"
    assert set(routing.choices["work_order"]) == {"WO-1042", "WO-1038"}


# Orders in a clause of their own, behind what was told, asked, planned or quoted.

EMAIL = CLOSE.model_copy(update={"name": "draft_email", "words": ("draft",), "object": "email"})


def asks(one: DialogueAct) -> bool:
    verb = one.ask.verb if one.ask is not None else None
    asked_for = verb.actions if verb is not None else ()
    return one.mood in ("command", "request") and "close_work_order" in asked_for


OF_THE_WRITER = {
    True: [
        "Ben says the pump leaks, so close WO-1042",
        "Ben says it leaks so close WO-1042",
        "the owner wants to compare it, therefore close WO-1042",
        "I don't need it any more, hence close WO-1042",
        "it may rain tomorrow, thus close WO-1042",
        "it leaks so let me close WO-1042",
        "it leaks so can you close WO-1042",
        "close WO-1042 so that it reads closed",
        "how do I close WO-1042? Do it for me, please",
        "how do I close a work order, it's WO-1042, please do it",
        "I'm about to leave, could you close WO-1042",
        "it was sent after we left, close WO-1042",
        "do close WO-1042",
        "be so good as to close WO-1042",
        "may I ask you to close WO-1042",
        "do me the kindness of closing WO-1042",
        "for tidiness' sake please close WO-1042",
        "any chance of closing WO-1042?",
        "any chance you close WO-1042?",
        "time we closed WO-1042",
        "you had better close WO-1042",
        "close WO-1042, no. 2",
        "I deleted it when we left, close WO-1042",
        "do me a favour: close WO-1042",
        "could you do me a favour and close WO-1042",
        "would you do us a favor: close WO-1042",
        "it is necessary that you close WO-1042",
        "better close WO-1042",
        "see to it that WO-1042 is closed",
        "make sure WO-1042 gets closed",
        "how about closing WO-1042?",
        "leave the list as it is and close WO-1042",
        "please keep the list open, and close WO-1042",
        "hands off the list and close WO-1042",
        "forget what I said about the list and close WO-1042",
    ],
    False: [
        "it leaks, so I closed WO-1042",
        "it leaks so we left, did you close WO-1042",
        "time I went home and closed WO-1042",
        "it was so close to WO-1042",
        "he said so, close WO-1042",
        "Ben said yesterday, close WO-1042",
        "Ben told me yesterday evening, close WO-1042",
        "Ben said the following, close WO-1042",
        "I was asked to close the list, close WO-1042",
        "how do I close WO-1042? I do it every week",
        "how do I close WO-1042? Don't do it",
        "if he agrees, please close WO-1042",
        "if it leaks, or drips, please close WO-1042",
        "close WO-1042 after I have checked it",
        "we might need it, close WO-1042",
        "I might close it one day, let's close WO-1042",
        "any chance you closed WO-1042?",
        "last time we closed WO-1042",
        "we had better close WO-1042",
        "you had better not close WO-1042",
        "do you close WO-1042",
        "close WO-1042, no. Wait",
        "close WO-1042, no. 1043 stays",
        "close WO-1042 when I need it",
        "close WO-1042 when he said so",
        "can you close WO-1042 when it's been checked",
        "close WO-1042 after they succeed",
        "what happened when you closed WO-1042?",
        "for the sake of argument, close WO-1042",
        "it is important that you don't close WO-1042",
        "better not close WO-1042",
        "better photos of WO-1042",
        "see to it that WO-1042 is not closed",
        "make sure nobody closes WO-1042",
        "make sure nobody closes the list and close WO-1042",
        "nobody should open the list and close WO-1042",
        "how about the list of WO-1042?",
        "forget that I said close WO-1042",
        "forget I asked you to open the list and close WO-1042",
        "the last thing I want is for you to close WO-1042",
        "I am against closing WO-1042",
        "leave WO-1042 unsigned",
        "keep WO-1042 as it is",
        "leave that one open, but what does closing WO-1042 take",
        "hands off WO-1042, don't you dare close WO-1042",
        "let me close WO-1042 by hand later",
        "write an email to Ben telling him to close WO-1042",
        "I said close WO-1042 but I was wrong, scrap that",
    ],
}


@pytest.mark.parametrize(("text", "is_so"), expecting(OF_THE_WRITER))
def test_an_order_in_a_clause_of_its_own_is_the_writers(text: str, *, is_so: bool):
    assert asks(act(text)) is is_so


def test_what_stands_open_already_is_not_to_be_left_so():
    assert act("keep an eye on the crew list that is open").mood == "statement"
    assert act("keep the crew list open").mood == "negated"


@pytest.mark.parametrize(
    "text", ["draft an email to Ben", "draft an e-mail", "draft an email to Ben about the leak"]
)
def test_an_email_is_a_thing_where_a_pack_keeps_some(text: str):
    normal = normalise(text)
    moods = [
        read_dialogue_act(normal, VerbLexicon.of(actions), frozenset(), None).mood
        for actions in ([CLOSE, EMAIL], [CLOSE])
    ]
    assert moods == ["command", "reported"]


@pytest.mark.parametrize(
    "text",
    [
        "Ben says the pump leaks, close WO-1042",
        "Ben told me the pump leaks, close WO-1042",
        "the owner wants to compare it and we have none, close WO-1042",
        "because Ben asked for it, close WO-1042",
    ],
)
def test_whose_order_it_is_stays_open_behind_a_mere_comma(text: str):
    assert (asks(act(text)), act(text).doubt) == (True, "told")


@pytest.mark.parametrize(
    "text",
    [
        'our question is "does sleep help judgement"',
        'it is wrong; let note 6 say "check with Hannah first"',
        'I want "count the guests" as a point on the list',
        'rq = "how do bees see"',
        'list + "count the guests"',
        'make "Does sleep help?" our question',
    ],
)
def test_quotes_may_hold_what_is_to_be_entered(text: str):
    assert act(text).mood in ("command", "request", "statement")


@pytest.mark.parametrize(
    "text", ['Ben said "does sleep help judgement"', '"count the guests" was the message']
)
def test_what_another_said_stays_quoted(text: str):
    assert act(text).mood == "reported"


def test_a_way_to_do_it_is_asked_of_one_thing_or_in_general():
    one, general = act("is there a way to close WO-1042?"), act("is there a way to close a job?")
    assert (one.mood, one.doubt, general.mood) == ("request", "asks_how", "question")
