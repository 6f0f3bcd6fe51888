"""Decisions are detected in conversations and read out of them."""

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from evals.journal.detection import Spoken, is_cited, own_cases
from state.journal import Alternative, Decision, JournalMessage
from state.note import DetectedDecision
from tests.openai_server import ModelRequest, OpenAIServer, Rule
from tests.stages import NOW, TUNING
from tools.adapters.chat_model import OpenAIChat
from tools.journal.conversation import ConversationReader, Read, detect_decision, read_conversations
from tools.journal.detection.context_window import READ_CHARACTERS, ContextMessage, read_window
from tools.journal.detection.detector import Detector, features_of, shipped_weights
from tools.journal.detection.llm_detector import MOST_FAILURES, ModelConfirmer
from tools.journal.extraction.extractor import extract
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

# A decision is told from talk about one by the words and by what was said before.

DETECTOR = Detector(TUNING.journal.detection_threshold)


def decides(*lines: str) -> bool:
    said = [ContextMessage(*line.split(": ", 1)) for line in lines]
    return DETECTOR.confirm(said[-1], said[:-1]).is_decision


@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case.lines[-1][1][:40])
def test_our_own_conversations_are_read_as_meant(case: Spoken):
    said = [ContextMessage(speaker, text) for speaker, text in case.lines]
    assert DETECTOR.confirm(said[-1], said[:-1]).is_decision is case.decides


def test_the_same_yes_decides_after_a_proposal_only():
    assert decides("mia: how about the oak table?", "jon: agreed")
    assert not decides("mia: the oak table is heavy", "jon: agreed")


def test_nobody_accepts_their_own_proposal():
    assert not decides("mia: how about the oak table?", "mia: agreed")


def test_a_vote_against_keeps_it_open():
    assert not decides("mia: how about the oak table?", "kim: -1", "jon: agreed")


def test_among_three_one_yes_is_not_enough_and_two_are():
    talk = ("kim: good morning", "mia: how about the oak table?")
    assert not decides(*talk, "jon: +1")
    assert decides(*talk, "jon: +1", "kim: +1")


def test_the_next_item_is_no_decision_though_votes_came_just_before():
    votes = [f"{name}: +1" for name in ("ann", "bo", "cy", "di", "ed", "flo")]
    talk = ["chair: PROPOSED: go with index.html", *votes]
    assert decides(*talk, "chair: rename the manifest jsonld to publication.json, closing #43")
    assert not decides(*talk, "chair: Next is #43 - rename the manifest jsonld, closing #43")


def test_a_marked_decision_ends_what_stood_open():
    window = read_window(
        [
            ContextMessage("a", "PROPOSED: sail"),
            ContextMessage("b", "+1"),
            ContextMessage("a", "RESOLVED: sail"),
        ]
    )
    assert (window.proposals, window.voting, window.taken) == ((), frozenset(), ("sail",))


def test_every_weight_is_of_a_feature_and_told_as_a_reason():
    weights = shipped_weights()
    found = features_of("RESOLVED: sail at noon", "a", read_window([]))
    assert set(found) <= {*weights.words, *weights.setting}
    assert weights.reasons(found) == ("marked_decision +9.0",)


@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=9))
def test_any_text_has_a_confidence(text: str, before: list[str]):
    found = DETECTOR.confirm(
        ContextMessage("a", text), [ContextMessage("b", one) for one in before]
    )
    assert 0 <= found.confidence <= 1


def test_a_very_long_message_is_read_by_its_beginning():
    assert not decides("a: " + "x " * READ_CHARACTERS + "\nDecision: moor here")


@pytest.mark.parametrize(
    "lines",
    [
        ("ann: thoughts on dropping Node 18?", "ben: fine with me", "ann: cool, dropping it"),
        ("ann: blocked on the format question", "ben: use CSV for now", "ann: ok, CSV for now"),
        ("ann: Vite or Webpack?", "ben: Vite builds in 4s", "ann: Vite then. I open the PR."),
        ("ann: We're cutting the export feature so we can hit the date.",),
        ("ann: design review outcome: the sidebar goes",),
        ("ann: Going forward, support answers in English only.",),
        ("clerk: The trustees approved the accounts without amendment.",),
    ],
)
def test_other_manners_of_deciding_are_heard(lines: tuple[str, ...]):
    assert decides(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("ann: thoughts on dropping Node 18?", "ben: not yet", "ann: cool, dropping it"),
        ("ann: maybe we drop the old API", "ben: right, the old API is slow as well"),
        ("ann: We're merging two lists here and the order is lost.",),
        ("ann: Outcome: unknown so far",),
        ("ann: if we move to Kafka we should budget for ops", "ben: +1"),
        ("ann: then we replace the disk and it happens again",),
        ("clerk: The chair said that the budget had been approved in May.",),
    ],
)
def test_what_only_sounds_like_them_is_not(lines: tuple[str, ...]):
    assert not decides(*lines)


@pytest.mark.parametrize(
    "piece", ["ok ", "so, ", "'", "-", ", so ", "ok, ok. ", "a ", "it is ", "X! ", "going ", "x-"]
)
def test_no_text_keeps_the_patterns_searching(piece: str):
    long = piece * (READ_CHARACTERS // len(piece))
    assert DETECTOR.confirm(ContextMessage("a", long), [ContextMessage("b", long)]).confidence < 1


# Did somebody just decide something? The words that count, and those that only sound like it.


def detected_in(text: str) -> DetectedDecision | None:
    return detect_decision(text, TUNING.journal.detection_threshold)


@pytest.mark.parametrize(
    ("text", "decision", "rationale"),
    [
        (
            "We decided to use the starboard generator tonight because the port one runs hot",
            "use the starboard generator tonight",
            "the port one runs hot",
        ),
        ("Let's go with the blue paint.", "go with the blue paint", ""),
        ("We're going with Postgres since everybody knows it", "Postgres", "everybody knows it"),
        ("Decision: moor at berth four.", "moor at berth four", ""),
        ("Resolved: the levy rises to 4 %", "the levy rises to 4 %", ""),
        ("The board has approved the new crane.", "the new crane", ""),
        ("We have agreed on a Friday stand-up in order to plan", "a Friday stand-up", "plan"),
        ("Good morning all. We've decided to dredge in May.", "dredge in May", ""),
    ],
)
def test_a_decision_is_taken_from_the_words_it_was_said_in(text, decision, rationale):
    detected = detected_in(text)
    assert detected is not None
    assert (detected.decision, detected.rationale) == (decision, rationale)
    assert detected.confidence >= TUNING.journal.detection_threshold


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Should we go with the blue paint?",
        "We haven't decided to dredge yet",
        "Maybe we agreed on too much",
        "What if we decided to stay",
        "We decided on the crane last week",
        "Why did we decide to use Postgres?",
        "Did we agree to the levy?",
        "I propose that we agreed on nothing",
        "> We decided to moor at berth four",
        "```\nDecision: moor here\n```",
        "The tide turns at noon",
        "we will decide tomorrow",
    ],
)
def test_talk_about_a_decision_is_none(text: str):
    assert detected_in(text) is None


def test_only_the_beginning_of_a_long_text_is_read():
    assert detected_in("x" * READ_CHARACTERS + " Decision: moor here") is None


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=300))
def test_what_is_detected_stands_in_the_message(text: str):
    detected = detected_in("We decided to " + text)
    if detected is not None:
        spoken = ("We decided to " + text).replace("’", "'")
        assert detected.decision in spoken
        assert detected.rationale in spoken


@settings(deadline=None)
@given(st.text(alphabet=".,; abcW", max_size=60))
def test_a_decision_has_words(text: str):
    detected = detected_in("We decided to " + text)
    assert detected is None or detected.decision


# Conversations are read message by message, each session for itself, and nothing twice.


def read(*lines: str, session_id: str = "s") -> list[Read]:
    messages = [
        JournalMessage(message_id=f"m{n}", session_id=session_id, speaker=speaker, content=content)
        for n, line in enumerate(lines)
        for speaker, content in [line.split(": ", 1)]
    ]
    return list(read_conversations(messages, Detector(TUNING.journal.detection_threshold)))


def decided(found: list[Read]) -> list[str]:
    return [one.decision.decision for one in found if one.decision]


def test_every_message_is_answered_and_those_that_decide_are_read():
    found = read("ann: shall we sail?", "bo: agreed", "ann: the soup is good")
    assert [one.is_decision for one in found] == [False, True, False]
    assert decided(found) == ["sail"]
    assert found[1].decision is not None
    assert found[1].decision_id == found[1].decision.id


def test_what_is_said_again_is_the_same_decision():
    first, again = read("ann: Decision: sail at noon", "bo: RESOLVED: sail at noon")
    assert again.is_decision
    assert (again.decision, again.decision_id) == (None, first.decision_id)


def test_sessions_do_not_hear_each_other():
    messages = [
        JournalMessage(message_id="1", session_id="a", speaker="ann", content="shall we sail?"),
        JournalMessage(message_id="2", session_id="b", speaker="bo", content="agreed"),
    ]
    found = list(read_conversations(messages, Detector(TUNING.journal.detection_threshold)))
    assert [one.is_decision for one in found] == [False, False]


def test_twenty_votes_do_not_push_a_proposal_out_of_sight():
    votes = [f"p{number}: +1" for number in range(20)]
    found = read("ann: PROPOSED: sell the crane in May", *votes, "chair: sell the crane in May")
    assert [one.is_decision for one in found] == [False] * 21 + [True]
    assert found[-1].decision is not None
    assert found[-1].decision.decision_maker == "ann"
    assert len(found[-1].decision.votes) == 20


def test_what_led_to_a_decision_is_no_reason_for_the_next_one():
    first, _vote, _yes, second, _agreed = read(
        "ann: We decided to use Postgres for the bookings because finance needs transactions.",
        "cy: +1",
        "bo: The mails to guests break, since the bookings are in two places.",
        "ann: We decided to use Mailgun for the mails to guests.",
        "bo: thanks",
    )
    assert first.decision is not None
    assert second.decision is not None
    assert "finance" in first.decision.rationale
    assert second.decision.rationale.startswith("The mails to guests break")
    assert "finance" not in second.decision.rationale
    assert second.decision.votes == {}  # the vote was on Postgres


def test_what_was_taken_by_name_and_is_then_told_whole_is_one_decision_with_its_rival():
    *_talk, short, whole = read(
        "jon: I would take MongoDB, it is what we know.",
        "mia: How about Postgres?",
        "jon: ok, agreed",
        "mia: For the bookings we agreed to use Postgres, because finance needs transactions.",
    )
    assert short.decision is not None
    assert whole.decision is not None
    assert (short.decision.decision, whole.decision.decision) == ("Postgres", "use Postgres")
    assert short.decision_id == whole.decision_id == whole.decision.id
    assert [one.option for one in whole.decision.alternatives] == ["MongoDB"]
    assert "For the bookings" in whole.decision.context
    assert whole.decision.rationale == "finance needs transactions"


def test_where_decisions_are_marked_the_others_have_to_be_clear():
    lines = ("ann: let's start with the crane", "bo: +1")
    assert decided(read(*lines))
    assert decided(read("ann: PROPOSED: sell the boat", *lines)) == []
    talk = "cy: what about the crane?"
    clear = read("ann: RESOLVED: sell the boat", talk, "bo: We decided to keep the crane.")
    assert decided(clear) == ["sell the boat", "keep the crane"]


def test_half_a_vote_and_a_vote_in_passing_are_votes():
    votes = ("cy: +1", "di: +0.5", "ed: in that case, +1", "flo: -0.5")
    found = read("ann: PROPOSED: sell the crane in May", *votes, "ann: RESOLVED: sell the crane")
    assert [one.is_decision for one in found] == [False] * 5 + [True]
    assert found[-1].decision is not None
    assert found[-1].decision.votes == {"cy": "for", "di": "abstain", "ed": "for", "flo": "against"}


def test_a_decision_reads_so_much_before_it_and_no_more():
    """What is read for each is bounded in characters: else a long import costs its square."""
    why = "di: The crane is slow because it is old."
    filler = "ed: " + "It rained at the pier. " * 500
    near, far = (
        read(why, *[filler] * times, "ann: RESOLVED: sell the crane\n" + "! " * 20_000)[-1]
        for times in (1, 5)
    )
    assert near.decision is not None
    assert far.decision is not None
    assert near.decision.stakeholders == ("di", "ed", "ann")
    assert far.decision.stakeholders == ("ed", "ann")
    assert "it is old" in near.decision.rationale
    assert "it is old" not in far.decision.rationale


def test_what_says_only_that_something_was_decided_is_what_was_proposed_or_nothing():
    assert decided(read("ann: Shall we release 2.0 on Monday?", "bo: Ship it!")) == [
        "release 2.0 on Monday"
    ]
    for line in ("Ship it!", "We have consensus.", "Resolution accepted"):
        found = read("ann: the build is green", f"bo: {line}")
        assert (decided(found), found[1].is_decision) == ([], False)
    taken = read("cy: we should move to Oslo", "ann: we should", "bo: +1", "dan: +1")
    assert decided(taken) == ["move to Oslo"]
    assert detect_decision("We decided to ship it", 0.7) is None


@pytest.mark.parametrize(
    "talk",
    [
        ("should we leave the co-op? the fees went up", "no, keep it, all others are dearer"),
        ("can we stop using the old kiln?", "nah, it fires better than the new one"),
        ("shall we cancel the May tour?", "No. People have booked already."),
        ("do we drop the fax line?", "rather not, the notary needs it"),
        ("how about we sell the van?", "please don't, I need it on Fridays"),
        ("should we scrap the loyalty cards?", "they stay, half the town has one"),
        ("could we move off Datadog?", "let's not, the dashboards took a year"),
        ("should we paint the hull red?", "never. It fades."),
    ],
)
def test_what_was_asked_and_answered_with_a_no_is_no_decision(talk: tuple[str, str]):
    asked, answer = talk
    for closing in ("right, so decided", "ok, agreed then"):
        assert decided(read(f"ann: {asked}", f"bo: {answer}", f"ann: {closing}")) == []


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (("ann: should we leave the co-op?", "bo: no, keep it", "ann: ok we stay with the co-op"),
         "ok we stay with the co-op"),
        (("ann: should we use Valkey for the cache?", "bo: yes, and keep Redis for sessions",
          "ann: ok, decided"), "use Valkey for the cache"),
        (("ann: should we paint the hull red?", "bo: No objections."), "paint the hull red"),
        (("ann: should we drop the fax line?", "bo: yes", "ann: ok, so decided"),
         "drop the fax line"),
        (("ann: should we paint it red?", "bo: no, let's paint it blue", "ann: ok, agreed"),
         "paint it blue"),
    ],
)  # fmt: skip
def test_what_was_said_against_a_question_or_for_it_is_taken(lines: tuple[str, ...], what: str):
    assert decided(read(*lines))[:1] == [what]


# A decision is read out of a discussion, every sentence of it cited and none invented.

TALK = (
    "alice: Should we use REST or GraphQL for the new API?",
    "bob: GraphQL has a steep learning curve. GraphQL gives us flexible queries.",
    "carol: REST is simpler, see docs/api-design.md and src/api/routes/ in #12.",
    "alice: Based on this, I think we should go with REST for now.",
    "bob: Agreed.",
)


def messages(*lines: str) -> list[JournalMessage]:
    parted = [line.split(": ", 1) for line in lines]
    return [
        JournalMessage(message_id=f"m{number}", session_id="s", speaker=speaker, content=content)
        for number, (speaker, content) in enumerate(parted)
    ]


def extracted(*lines: str) -> Decision:
    said = messages(*lines)
    found = extract(said, len(said) - 1, confidence=0.9)
    assert is_cited(found, said)
    return found


def test_an_agreement_takes_the_words_of_the_proposal():
    found = extracted(*TALK)
    assert (found.decision, found.decision_maker) == ("go with REST for now", "alice")
    assert found.context == "Should we use REST or GraphQL for the new API?"
    assert found.stakeholders == ("alice", "bob", "carol")


def test_the_option_not_taken_is_an_alternative_with_what_was_said_of_it():
    assert extracted(*TALK).alternatives == (
        Alternative(
            option="GraphQL",
            pros=("GraphQL gives us flexible queries.",),
            cons=("GraphQL has a steep learning curve.",),
            why_not_chosen="GraphQL has a steep learning curve.",
        ),
    )


def test_files_issues_and_documents_are_told_apart():
    found = extracted(*TALK)
    assert found.related_code == ("src/api/routes/",)
    assert found.related_features == ("#12",)
    assert found.related_docs == ("docs/api-design.md",)


@pytest.mark.parametrize(
    ("line", "decision", "rationale"),
    [
        (
            "jo: We decided to use Postgres instead of MongoDB because the team knows it.",
            "use Postgres instead of MongoDB",
            "the team knows it",
        ),
        ("jo: RESOLVED: close #12 with no action", "close #12 with no action", ""),
        ("jo: Morning. Let's go with the oak table.", "go with the oak table", ""),
        ("jo: leave other terms as they are", "leave other terms as they are", ""),
        ("jo: minutes of May approved", "minutes of May approved", ""),
    ],
)
def test_the_choice_is_cut_out_of_what_surrounds_it(line: str, decision: str, rationale: str):
    found = extracted(line)
    assert (found.decision, found.rationale) == (decision, rationale)


def test_the_proposer_is_the_maker_and_only_votes_since_then_count():
    found = extracted(
        "ann: PROPOSED: sell the crane",
        "bo: -1",
        "ann: PROPOSED: sell the old crane in May",
        "bo: +1",
        "cy: +0",
        "chair: RESOLVED: sell the old crane in May",
    )
    assert found.decision_maker == "ann"
    assert found.votes == {"bo": "for", "cy": "abstain"}


def test_every_vote_on_a_proposal_counts_however_many_there_are():
    proposed, decided = "ann: PROPOSED: sell the crane", "chair: RESOLVED: sell the crane"
    votes = [f"p{number}: +1" for number in range(60)]
    assert len(extracted(proposed, *votes, decided).votes) == 60
    late = [
        "chair: RESOLVED: moor here",
        "p1: +1",
        "bo: the oak is dry",
        "p2: +1",
        "ann: Let's go with oak",
    ]
    reader = ConversationReader(Detector(0.7))
    taken = [reader.read(one) for one in messages(*votes, *late)]
    assert [dict(one.decision.votes) for one in taken if one.decision][-1] == {"p2": "for"}
    again = ConversationReader(Detector(0.7))
    said = (
        *(proposed, "bo: PROPOSED: paint the quay", "p1: +1", "p2: +1", decided, "p3: +1"),
        *(
            "dan: the crane is rusty",
            "p4: +1",
            "chair: RESOLVED: sell the crane to the yard in May",
        ),
        "chair: RESOLVED: paint the quay",
    )
    whose = [dict(one.votes) for read in map(again.read, messages(*said)) if (one := read.decision)]
    first, of_the_same, of_the_other = (sorted(votes) for votes in whose)
    assert (first, of_the_same) == (["p1", "p2"], ["p4"])  # what the first took is spent
    assert set(of_the_other) >= {"p1", "p2"}  # and what another proposal got is not


def test_reasons_that_end_without_a_mark_are_told_apart():
    found = extracted(
        "ann: a bridge needs no crew, because nobody steers",
        "bo: We chose the bridge because the ferry is late so often",
    )
    told = "the ferry is late so often. a bridge needs no crew, because nobody steers"
    assert found.rationale == told


def test_trade_offs_are_sentences_about_what_was_chosen():
    found = extracted(
        "ann: The ferry is cheaper than the bridge.",
        "bo: There is a risk that the ferry stops in winter.",
        "cy: We assume the ferry sails daily.",
        "ann: the soup is cheaper today",
        "ann: Decision: take the ferry",
    )
    assert found.trade_offs is not None
    assert found.trade_offs.pros == ("The ferry is cheaper than the bridge.",)
    assert found.trade_offs.risks == ("There is a risk that the ferry stops in winter.",)
    assert found.trade_offs.assumptions == ("We assume the ferry sails daily.",)


def test_a_comment_s_place_is_left_out_of_an_issue_s_address():
    found = extracted(
        "a: see https://example.org/x/issues/9#issuecomment-1, then: sail", "a: Decision: go"
    )
    assert found.related_features == ("https://example.org/x/issues/9",)


def test_the_same_words_in_the_same_message_have_the_same_id_in_one_tenant():
    said = messages("a: Decision: sail")
    one, again = (extract(said, 0, confidence=c).id for c in (0.9, 0.8))
    assert one == again != extract(said, 0, confidence=0.9, tenant_id="other").id


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_nothing_is_invented_whatever_is_said(texts: list[str]):
    said = [
        JournalMessage(
            message_id=str(n), speaker=f"p{n % 2}", content=f"We decided to sail. {text}"
        )
        for n, text in enumerate(texts)
        if "\x00" not in text
    ]
    if said:
        assert is_cited(extract(said, len(said) - 1, confidence=0.9), said)


def test_a_line_that_breaks_after_its_verb_is_told_whole():
    assert extracted("ann: We decided to\n use oak for the pier.").decision.startswith(
        "We decided to"
    )


# A model confirms and reads decisions; a liar adds nothing, a broken one changes nothing.

RULES = Detector(0.7)
HARBOUR_TALK = (
    ("ann", "The ferry touched ground again, it is too shallow there."),
    ("bo", "What about dredging the north channel in May?"),
    ("cy", "Dredging is dear. A smaller ferry would do, but it needs a new pier."),
    ("ann", "I can live with that."),
)
NOTHING: dict[str, Any] = {
    "score": 0.0,
    "explanation": "talk",
    "decision": None,
    "rationale": [],
    "pros": [],
    "cons": [],
    "risks": [],
    "assumptions": [],
    "alternatives": [],
    "decision_maker": None,
}
READ = NOTHING | {
    "score": 0.93,
    "explanation": "Ann settles what Bo has proposed.",
    "decision": {"message": 2, "words": "dredging the north channel in May"},
    "rationale": [{"message": 1, "words": "The ferry touched ground again"}],
    "cons": [{"message": 3, "words": "Dredging is dear"}],
    "alternatives": [{"message": 3, "words": "A smaller ferry"}],
    "decision_maker": "Bo",
}


class _Standing:
    def now(self) -> datetime:
        return NOW


def messages_of(*said: tuple[str, str]) -> list[JournalMessage]:
    return [
        JournalMessage(message_id=f"m{number}", speaker=speaker, content=text)
        for number, (speaker, text) in enumerate(said, 1)
    ]


def competent(asked: ModelRequest) -> dict[str, Any]:
    return READ if "Does message 4 take" in asked.last else NOTHING


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
async def journal(server: OpenAIServer, data_dir: Path) -> AsyncIterator[Journal]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    model = OpenAIChat("test", base_url=server.base_url, api_key=SecretStr("none"), seconds=60)
    search = JournalSearch(JournalStore(database), 0.4)
    yield Journal(search, RULES, _Standing(), ModelConfirmer(RULES, model, 0.7))
    await model.close()
    await database.close()


async def taken(journal: Journal, *said: tuple[str, str]) -> list[Decision]:
    done = await journal.take(messages_of(*said), [], "default")
    return [one.decision for one in done.messages if one.decision is not None]


def by_rules(*said: tuple[str, str]) -> list[Decision]:
    found = read_conversations(messages_of(*said), RULES)
    return [one.decision for one in found if one.decision is not None]


async def test_what_rules_are_not_sure_of_a_model_confirms_and_reads(
    server: OpenAIServer, journal: Journal
):
    assert by_rules(*HARBOUR_TALK) == []
    server.rules.append(Rule(says=competent))
    (made,) = await taken(journal, *HARBOUR_TALK)
    assert made.decision == "dredging the north channel in May"
    assert (made.rationale, made.decision_maker) == ("The ferry touched ground again", "bo")
    assert [one.option for one in made.alternatives] == ["A smaller ferry"]
    assert made.trade_offs is not None
    assert made.trade_offs.cons == ("Dredging is dear",)
    content = {one.message_id: one.content for one in messages_of(*HARBOUR_TALK)}
    for spans in made.evidence.values():
        assert all(content[one.message_id][one.start : one.end] for one in spans)
    [said] = made.evidence["decision"]
    assert content[said.message_id][said.start : said.end] == made.decision


async def test_a_model_says_that_it_was_only_talk(server: OpenAIServer, journal: Journal):
    said = (("ann", "We are going with the oak table, I dreamt."),)
    assert len(by_rules(*said)) == 1
    server.rules.append(Rule(says=NOTHING))
    assert await taken(journal, *said) == []


async def test_nothing_that_a_liar_invents_is_kept(server: OpenAIServer, journal: Journal):
    said = (("bo", "How about the oak table?"), ("ann", "We decided to take the oak table."))
    lie = NOTHING | {
        "score": 1.0,
        "decision": {"message": 2, "words": "fire everybody"},
        "rationale": [{"message": 9, "words": "because"}, {"message": 1, "words": "the elm table"}],
        "alternatives": [{"message": -1, "words": "oak"}, {"message": 1, "words": "  "}],
        "decision_maker": "mallory",
    }
    server.rules.append(Rule(says=lie))
    (made,) = await taken(journal, *said)
    (expected,) = by_rules(*said)
    assert made.model_copy(update={"confidence": expected.confidence}) == expected


@pytest.mark.parametrize("fault", ["garbage", "server_error", "half_json", "half_body", "refusal"])
async def test_without_an_answer_in_form_the_rules_decide(
    server: OpenAIServer, journal: Journal, fault: Any
):
    server.rules.append(Rule(fault=fault))
    said = (("ann", "We decided to take the oak table."),)
    assert await taken(journal, *said) == by_rules(*said)


async def test_a_model_that_keeps_failing_is_left_alone(server: OpenAIServer, journal: Journal):
    server.rules.append(Rule(fault="server_error"))
    said = [("ann", f"We decided to paint door {number}.") for number in range(20)]
    assert await taken(journal, *said) == by_rules(*said)
    assert MOST_FAILURES <= len(server.asked) < 10


async def test_a_model_is_shown_five_messages_before_and_no_plain_talk(
    server: OpenAIServer, journal: Journal
):
    server.rules.append(Rule(says=NOTHING))
    said = [("ann", f"Soup number {number} is good.") for number in range(9)]
    await taken(journal, *said, ("bo", "We decided to have the soup."))
    [asked] = server.asked
    assert "[6] bo:" in asked.last
    assert "Soup number 3" not in asked.last
