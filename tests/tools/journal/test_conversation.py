"""Conversations are read message by message, each session for itself, and nothing twice."""

import pytest

from state.journal import JournalMessage
from tests.stages import TUNING
from tools.journal.conversation import Read, detect_decision, read_conversations
from tools.journal.detection.detector import Detector


def read(*lines: str, session_id: str = "s") -> list[Read]:
    messages = [
        JournalMessage(message_id=f"m{n}", session_id=session_id, speaker=speaker, content=content)
        for n, line in enumerate(lines)
        for speaker, content in [line.split(": ", 1)]
    ]
    return list(read_conversations(messages, Detector(TUNING.journal.detection_threshold)))


def decided(found: list[Read]) -> list[str]:
    return [one.decision.decision for one in found if one.decision]


def test_every_message_is_answered_and_those_that_decide_are_read() -> None:
    found = read("ann: shall we sail?", "bo: agreed", "ann: the soup is good")
    assert [one.is_decision for one in found] == [False, True, False]
    assert decided(found) == ["sail"]
    assert found[1].decision is not None
    assert found[1].decision_id == found[1].decision.id


def test_what_is_said_again_is_the_same_decision() -> None:
    first, again = read("ann: Decision: sail at noon", "bo: RESOLVED: sail at noon")
    assert again.is_decision
    assert (again.decision, again.decision_id) == (None, first.decision_id)


def test_sessions_do_not_hear_each_other() -> None:
    messages = [
        JournalMessage(message_id="1", session_id="a", speaker="ann", content="shall we sail?"),
        JournalMessage(message_id="2", session_id="b", speaker="bo", content="agreed"),
    ]
    found = list(read_conversations(messages, Detector(TUNING.journal.detection_threshold)))
    assert [one.is_decision for one in found] == [False, False]


def test_twenty_votes_do_not_push_a_proposal_out_of_sight() -> None:
    votes = [f"p{number}: +1" for number in range(20)]
    found = read("ann: PROPOSED: sell the crane in May", *votes, "chair: sell the crane in May")
    assert [one.is_decision for one in found] == [False] * 21 + [True]
    assert found[-1].decision is not None
    assert found[-1].decision.decision_maker == "ann"
    assert len(found[-1].decision.votes) == 20


def test_what_led_to_a_decision_is_no_reason_for_the_next_one() -> None:
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


def test_what_was_taken_by_name_and_is_then_told_whole_is_one_decision_with_its_rival() -> None:
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


def test_where_decisions_are_marked_the_others_have_to_be_clear() -> None:
    lines = ("ann: let's start with the crane", "bo: +1")
    assert decided(read(*lines))
    assert decided(read("ann: PROPOSED: sell the boat", *lines)) == []
    talk = "cy: what about the crane?"
    clear = read("ann: RESOLVED: sell the boat", talk, "bo: We decided to keep the crane.")
    assert decided(clear) == ["sell the boat", "keep the crane"]


def test_half_a_vote_and_a_vote_in_passing_are_votes() -> None:
    votes = ("cy: +1", "di: +0.5", "ed: in that case, +1", "flo: -0.5")
    found = read("ann: PROPOSED: sell the crane in May", *votes, "ann: RESOLVED: sell the crane")
    assert [one.is_decision for one in found] == [False] * 5 + [True]
    assert found[-1].decision is not None
    assert found[-1].decision.votes == {
        "cy": "for",
        "di": "abstain",
        "ed": "for",
        "flo": "against",
    }


def test_a_decision_reads_so_much_before_it_and_no_more() -> None:
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


def test_what_says_only_that_something_was_decided_is_what_was_proposed_or_nothing() -> None:
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
def test_what_was_asked_and_answered_with_a_no_is_no_decision(talk: tuple[str, str]) -> None:
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
def test_what_was_said_against_a_question_or_for_it_is_taken(
    lines: tuple[str, ...], what: str
) -> None:
    assert decided(read(*lines))[:1] == [what]
