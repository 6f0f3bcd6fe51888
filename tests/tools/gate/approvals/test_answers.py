"""One strict parser for every form of an answer: whatever is not exactly one of them is none."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.approval import ApprovalAnswer
from tests.tools.gate.approvals.made import PAY, standing_of
from tools.gate.approvals.answer_formats import read_answer
from tools.gate.redaction import masked_arguments

STANDING = standing_of(supplier="Kongsberg", amount=1_250, pin="hunter2", invoices=["I-1"])
ARGS = dict(STANDING.arguments)
SHOWN = masked_arguments(PAY, ARGS)
HASH = STANDING.digest
OTHER = {**ARGS, "amount": 2_000}


def read(reply: Any) -> ApprovalAnswer | None:
    return read_answer(reply, STANDING, PAY)


def decision_of(reply: Any) -> str | None:
    answer = read(reply)
    return answer.decision if answer else None


APPROVES: list[Any] = [
    {"decision": "approve", "digest": HASH},
    {"decision": "approve", "payload_hash": HASH, "approval_id": "action-1", "typed": "1,250.00"},
    [{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}}],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": SHOWN}}],
    [{"type": "accept", "args": None, "payload_hash": HASH}],
    {"decisions": [{"type": "approve", "payload_hash": HASH}]},
    {"decisions": [{"type": "approve", "action": {"name": "pay_supplier", "args": ARGS}}]},
    {"type": "approve", "payload_hash": HASH},
    {"approved": True, "payload_hash": HASH},
    {"approved": True, "payload_hash": HASH, "typed": "1,250.00"},
    [
        {
            "interruptId": "action-1",
            "status": "resolved",
            "payload": {"approved": True, "payload_hash": HASH},
        }
    ],
]
EDITS: list[Any] = [
    {"decision": "edit", "digest": HASH, "arguments": OTHER},
    {"decision": "edit", "payload_hash": HASH, "edited_args": OTHER},
    [{"type": "edit", "args": {"action": "pay_supplier", "args": OTHER}}],
    [{"type": "edit", "args": {"action": "pay_supplier", "args": {**SHOWN, "amount": "2000"}}}],
    {"decisions": [{"type": "edit", "edited_action": {"name": "pay_supplier", "args": OTHER}}]},
    {"type": "edit", "edited_action": {"name": "pay_supplier", "args": OTHER}},
    {"approved": True, "payload_hash": HASH, "editedArgs": OTHER},
]
REJECTS: list[Any] = [
    {"decision": "reject", "digest": HASH},
    {"decision": "reject", "reason": "no", "standing": {"same": "arguments", "minutes": 5}},
    [{"type": "ignore", "args": None}],
    {"decisions": [{"type": "reject"}]},
    {"type": "reject", "message": "not now"},
    {"approved": False},
    {"approved": False, "reason": "not now"},
    [{"interruptId": "action-1", "status": "cancelled"}],
]
RESPONDS: list[Any] = [
    {"decision": "respond", "message": "ask the agent first"},
    [{"type": "response", "args": "ask the agent first"}],
    {"decisions": [{"type": "respond", "message": "ask the agent first"}]},
    {"type": "respond", "message": "ask the agent first"},
]
BARE: list[Any] = [  # a yes to nobody knows what
    [{"type": "accept", "args": None}],
    {"decisions": [{"type": "approve"}]},
    {"type": "approve"},
    {"approved": True},
    [{"interruptId": "1", "status": "resolved", "payload": {"approved": True}}],
    {"decision": "approve"},
]
NONE: list[Any] = [
    *(True, False, None, "yes", "approve", HASH, 1, 1.0, [], {}, [[]], [True], ["accept"]),
    [[{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}}]],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}}] * 2,
    {"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}},
    [{"type": "accept", "args": {"action": "pay_supplier", "args": OTHER}}],
    [{"type": "accept", "args": {"action": "other", "args": ARGS}}],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS, "x": 1}}],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}, "id": 1}],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": {}}}],
    [{"type": "accept", "args": {"action": "pay_supplier"}}],
    [{"type": "accept", "args": {"action": "pay_supplier", "args": ARGS}, "payload_hash": "0"}],
    [{"type": "Accept", "args": {"action": "pay_supplier", "args": ARGS}}],
    [{"type": "edit", "args": {"action": "other", "args": OTHER}}],
    [{"type": "edit", "args": {"action": "pay_supplier", "args": [OTHER]}}],
    [{"type": "edit", "args": None}],
    [{"type": "response", "args": ""}],
    [{"type": "response", "args": ["a"]}],
    [{"type": "ignore", "args": "x"}],
    {"decisions": []},
    {"decisions": [{"type": "approve", "payload_hash": HASH}] * 2},
    {"decisions": [{"type": "approve", "payload_hash": HASH}, {"type": "reject"}]},
    {"decisions": {"type": "approve", "payload_hash": HASH}},
    {"decisions": [{"type": "approve", "payload_hash": HASH}], "x": 1},
    {"decisions": [[{"type": "approve", "payload_hash": HASH}]]},
    {"type": "approve", "payload_hash": HASH, "message": "and more"},
    {"type": "approve", "payload_hash": HASH.upper() + "0"},
    {"type": "approve", "payload_hash": HASH, "action": {"name": "pay_supplier", "args": OTHER}},
    {"type": "approve", "payload_hash": [HASH]},
    {"approved": "true", "payload_hash": HASH},
    {"approved": 1, "payload_hash": HASH},
    {"approved": True, "payload_hash": "0" * 64},
    {"approved": True, "payload_hash": "0" * 64, "editedArgs": ARGS},
    {"approved": True, "editedArgs": OTHER},
    [{"interruptId": "action-2", "status": "cancelled"}],
    [
        {
            "interruptId": "action-2",
            "status": "resolved",
            "payload": {"approved": True, "payload_hash": HASH},
        }
    ],
    {"approved": False, "editedArgs": ARGS},
    {"approved": True, "payload_hash": HASH, "decision": "approve"},
    [{"status": "resolved", "payload": True}],
    [{"status": "done", "payload": {"approved": True, "payload_hash": HASH}}],
    [{"status": "cancelled", "payload": {"approved": True, "payload_hash": HASH}}],
    {"decision": "approve", "digest": HASH, "payload_hash": HASH},
    {"decision": "approve", "digest": HASH, "decided_by": "boss"},
    {"decision": "approve", "digest": HASH, "approval_id": "action-2"},
    {"decision": "approve", "digest": HASH, "arguments": ARGS},
    {"decision": ["approve"], "digest": HASH},
    {"decision": "approve", "digest": True},
    {"decision": "edit", "digest": HASH},
    {"decision": "edit", "arguments": OTHER},
    {"decision": "reject", "standing": {"same": "everything"}},
    {"answered": True},
    float("nan"),
    {"decision": "approve", "digest": HASH, "reason": float("inf")},
    pytest.param(object(), id="no JSON at all"),
]


@pytest.mark.parametrize("reply", APPROVES)
def test_a_yes_with_its_evidence_is_one(reply: Any):
    answer = read(reply)
    assert answer is not None
    assert (answer.decision, answer.digest) == ("approve", HASH)


@pytest.mark.parametrize("reply", EDITS)
def test_an_edit_carries_all_arguments_and_secrets_come_back_as_they_were(reply: Any):
    answer = read(reply)
    assert answer is not None
    assert (answer.decision, answer.arguments) == ("edit", OTHER)


@pytest.mark.parametrize("reply", REJECTS)
def test_a_no_needs_no_evidence(reply: Any):
    assert decision_of(reply) == "reject"


@pytest.mark.parametrize("reply", RESPONDS)
def test_words_instead_of_an_answer_are_kept(reply: Any):
    answer = read(reply)
    assert answer is not None
    assert (answer.decision, answer.reason) == ("respond", "ask the agent first")


@pytest.mark.parametrize("reply", [*BARE, *NONE], ids=repr)
def test_whatever_else_is_no_answer(reply: Any):
    assert decision_of(reply) is None


def test_a_yes_to_another_digest_is_told_from_none():
    answer = read({"decision": "approve", "digest": "0" * 64})
    assert answer is not None
    assert answer.digest == "0" * 64


def nested(depth: int) -> Any:
    made: Any = {"type": "approve", "payload_hash": HASH}
    for _level in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize("depth", [1, 2, 50, 5_000])
def test_nested_lists_are_no_answer(depth: int):
    assert decision_of(nested(depth)) is None


WORDS = st.sampled_from(
    (
        *("approve", "accept", "edit", "reject", "ignore", "response", "respond", "resolved"),
        *("yes", "true", "pay_supplier", "action-1", "", HASH[:63], HASH.upper(), "0" * 64),
    )
)
KEYS = st.sampled_from(
    (
        *("decision", "digest", "payload_hash", "type", "args", "action", "name", "approved"),
        *("decisions", "edited_action", "editedArgs", "status", "payload", "interruptId"),
        *("arguments", "approval_id", "message", "reason", "resume", "x"),
    )
)
LEAVES = st.one_of(
    WORDS, st.booleans(), st.none(), st.integers(-3, 3), st.just(OTHER), st.text(max_size=5)
)
MALFORMED = st.recursive(
    LEAVES,
    lambda parts: st.one_of(st.lists(parts, max_size=3), st.dictionaries(KEYS, parts, max_size=4)),
    max_leaves=12,
)


def never_approves(reply: Any) -> None:
    # None of these holds the digest or the arguments, so none of them can be evidence.
    answer = read(reply)
    assert answer is None or answer.digest != HASH or answer.decision != "approve"


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(MALFORMED)
def test_500_malformed_answers_never_approve(reply: Any):
    never_approves(reply)


@pytest.mark.torture
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(MALFORMED)
def test_10_000_malformed_answers_never_approve(reply: Any):
    never_approves(reply)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(APPROVES), KEYS, LEAVES)
def test_a_yes_with_one_thing_too_many_is_none_or_still_exactly_that(
    reply: Any, key: str, value: Any
):
    inner = reply[0] if isinstance(reply, list) else reply
    if key in inner:
        return
    changed = {**inner, key: value}
    answer = read([changed] if isinstance(reply, list) else changed)
    assert answer is None or answer.digest == HASH
    assert answer is None or answer.arguments is None or answer.decision == "edit"
