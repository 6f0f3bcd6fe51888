"""A decision is read out of a discussion, every sentence of it cited and none invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.journal.detection import is_cited
from state.journal import Alternative, Decision, JournalMessage
from tools.journal.conversation import ConversationReader
from tools.journal.detection.detector import Detector
from tools.journal.extraction.extractor import extract

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


def read(*lines: str) -> Decision:
    said = messages(*lines)
    found = extract(said, len(said) - 1, confidence=0.9)
    assert is_cited(found, said)
    return found


def test_an_agreement_takes_the_words_of_the_proposal() -> None:
    found = read(*TALK)
    assert (found.decision, found.decision_maker) == ("go with REST for now", "alice")
    assert found.context == "Should we use REST or GraphQL for the new API?"
    assert found.stakeholders == ("alice", "bob", "carol")


def test_the_option_not_taken_is_an_alternative_with_what_was_said_of_it() -> None:
    assert read(*TALK).alternatives == (
        Alternative(
            option="GraphQL",
            pros=("GraphQL gives us flexible queries.",),
            cons=("GraphQL has a steep learning curve.",),
            why_not_chosen="GraphQL has a steep learning curve.",
        ),
    )


def test_files_issues_and_documents_are_told_apart() -> None:
    found = read(*TALK)
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
def test_the_choice_is_cut_out_of_what_surrounds_it(
    line: str, decision: str, rationale: str
) -> None:
    found = read(line)
    assert (found.decision, found.rationale) == (decision, rationale)


def test_the_proposer_is_the_maker_and_only_votes_since_then_count() -> None:
    found = read(
        "ann: PROPOSED: sell the crane",
        "bo: -1",
        "ann: PROPOSED: sell the old crane in May",
        "bo: +1",
        "cy: +0",
        "chair: RESOLVED: sell the old crane in May",
    )
    assert found.decision_maker == "ann"
    assert found.votes == {"bo": "for", "cy": "abstain"}


def test_every_vote_on_a_proposal_counts_however_many_there_are() -> None:
    proposed, decided = "ann: PROPOSED: sell the crane", "chair: RESOLVED: sell the crane"
    votes = [f"p{number}: +1" for number in range(60)]
    assert len(read(proposed, *votes, decided).votes) == 60
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


def test_reasons_that_end_without_a_mark_are_told_apart() -> None:
    found = read(
        "ann: a bridge needs no crew, because nobody steers",
        "bo: We chose the bridge because the ferry is late so often",
    )
    told = "the ferry is late so often. a bridge needs no crew, because nobody steers"
    assert found.rationale == told


def test_trade_offs_are_sentences_about_what_was_chosen() -> None:
    found = read(
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


def test_a_comment_s_place_is_left_out_of_an_issue_s_address() -> None:
    found = read(
        "a: see https://example.org/x/issues/9#issuecomment-1, then: sail", "a: Decision: go"
    )
    assert found.related_features == ("https://example.org/x/issues/9",)


def test_the_same_words_in_the_same_message_have_the_same_id_in_one_tenant() -> None:
    said = messages("a: Decision: sail")
    one, again = (extract(said, 0, confidence=c).id for c in (0.9, 0.8))
    other = extract(said, 0, confidence=0.9, tenant_id="other").id
    assert one == again != other


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_nothing_is_invented_whatever_is_said(texts: list[str]) -> None:
    said = [
        JournalMessage(
            message_id=str(n), speaker=f"p{n % 2}", content=f"We decided to sail. {text}"
        )
        for n, text in enumerate(texts)
        if "\x00" not in text
    ]
    if said:
        assert is_cited(extract(said, len(said) - 1, confidence=0.9), said)


def test_a_line_that_breaks_after_its_verb_is_told_whole() -> None:
    assert read("ann: We decided to\n use oak for the pier.").decision.startswith("We decided to")
