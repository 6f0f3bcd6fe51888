"""Grants: what a person allows in advance, how it runs out, and what never runs under one."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal

from state.agent_call import AgentCall
from state.approval import LedgerAction
from state.errors import AgentError, BadInput, Conflict, DigestMismatch, Forbidden, NotFound
from state.event import Event
from state.grant import ArgumentPattern, Grant, GrantTuning, NewGrant
from state.principal import Principal
from state.proposal import Origin, Proposal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    ENGINEER,
    ROBOT,
    STRANGER,
    TUNING,
    no,
    opened_ledger,
    sql,
    yes,
)
from tests.safety.valves import effects, write_valves
from tests.tools.gate.ledger.helpers import audited
from tests.tools.gate.ledger.till import BOSS, CLERK, MANY, opened_till
from tools.access.api_keys import SqlKeys
from tools.gate.approvals.grants import fits
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.operator_controls import set_aside
from tools.gate.ledger.rows import Policies
from tools.storage.decision_rows import accept_event

_NUMBERS = count(1)
AGENT = "tug-agent"
ANY = ArgumentPattern(any=True)
VALVES = {"valve": ANY}


@dataclass
class Asking:
    """An agent that calls, and the person who allows it."""

    ledger: Ledger
    requester: Principal = ENGINEER
    granter: Principal = CAPTAIN

    async def calls(
        self,
        action: str = "open_valve",
        *,
        agent: str = AGENT,
        requester: Principal | None = None,
        origin: Origin = "agent",
        said: dict[str, Any] | None = None,
        tainted: bool = False,
        **arguments: Any,
    ) -> LedgerAction:
        """Propose a call whose event was accepted; `said`: other arguments than the event has."""
        who = requester or self.requester
        event = Event(
            event_id=f"call-{next(_NUMBERS)}",
            kind="proposal",
            source="agents",
            text=action,
            tenant_id=who.tenant_id,
            user=who.user,
            role=",".join(who.roles),
            sender=agent,
            call=AgentCall(action=action, arguments=arguments, tainted=tainted),
        )
        database = self.ledger.database
        await database.write(lambda connection: accept_event(connection, event, database))
        asked = Proposal(
            decision_id=event.decision_id,
            requester=who,
            action=action,
            arguments=said or arguments,
            at_least="C",
            origin=origin,
        )
        return await self.ledger.propose(asked)

    async def grants(self, seen: LedgerAction, arguments: Any = None, **given: Any) -> Grant:
        """Make a grant from an action as it was shown."""
        wanted = {
            "action_id": seen.action_id,
            "digest": seen.digest,
            "arguments": VALVES if arguments is None else arguments,
            "minutes": 60,
            "uses": 3,
        }
        who = given.pop("who", self.granter)
        return await self.ledger.grants.add(NewGrant.model_validate(wanted | given), who)


@pytest.fixture
def asking(ledger: Ledger) -> Asking:
    return Asking(ledger)


@pytest.fixture
async def granted(asking: Asking) -> Grant:
    return await asking.grants(await asking.calls(valve="V-1"))


def state_of(frozen: LedgerAction) -> tuple[str, str | None]:
    return frozen.state, frozen.decided_by


async def test_a_covered_call_runs_without_asking_and_its_entries_name_the_grant(
    asking: Asking, granted: Grant, data_dir: Path, pack: Path
):
    allowed = await asking.calls(valve="V-2")
    assert (*state_of(allowed), allowed.grant_id) == ("approved", "ingrid", granted.grant_id)
    done = await asking.ledger.execute(allowed.action_id)
    assert (done.state, done.executed_now) == ("succeeded", True)
    assert len(effects(data_dir)) == 1
    entries = sql(
        data_dir,
        "select event, actor, json_extract(body, '$.grant') from ledger_entry where action_id = ?",
        (allowed.action_id,),
    )
    assert entries == [
        ("proposed granted", "amir", None),
        ("yes", "ingrid", granted.grant_id),
        ("approved", "ingrid", granted.grant_id),
        ("started", "executor", None),
        ("succeeded", "executor", None),
    ]
    assert sql(
        data_dir,
        "select approver, method from ledger_approval where action_id = ?",
        (allowed.action_id,),
    ) == [("ingrid", "grant")]
    [left] = await asking.ledger.grants.list(CAPTAIN)
    assert left.uses_left == 2
    assert (await audited(data_dir, pack)).faults == ()


_TURNS = {"valve": ArgumentPattern(equals="V-1"), "turns": ArgumentPattern(at_most=5)}


@pytest.mark.parametrize(
    ("patterns", "arguments", "covered"),
    [
        ({"valve": ArgumentPattern(equals="V-1")}, {"valve": "V-1"}, True),
        ({"valve": ArgumentPattern(equals="V-1")}, {"valve": "V-2"}, False),
        ({"valve": ArgumentPattern(equals="V-1")}, {"valve": "V-1", "turns": 1}, False),
        ({"valve": ArgumentPattern(equals="V-1")}, {"valve": "V-1", "turns": None}, True),
        ({"valve": ArgumentPattern(one_of=("V-1", "V-2"))}, {"valve": "V-2"}, True),
        ({"valve": ArgumentPattern(one_of=("V-1", "V-2"))}, {"valve": "V-3"}, False),
        ({"valve": ArgumentPattern(one_of=("V-1", "V-2"))}, {"valve": ["V-1"]}, False),
        (_TURNS, {"valve": "V-1", "turns": 5}, True),
        (_TURNS, {"valve": "V-1", "turns": 5.0}, True),
        (_TURNS, {"valve": "V-1", "turns": 0}, True),
        (_TURNS, {"valve": "V-1", "turns": 5.01}, False),
        (_TURNS, {"valve": "V-1", "turns": -5}, False),
        (_TURNS, {"valve": "V-1", "turns": True}, False),
        (_TURNS, {"valve": "V-1", "turns": "5"}, False),
        (_TURNS, {"valve": "V-1"}, False),
        ({"valve": ANY, "turns": ANY}, {"valve": "V-9", "turns": 99}, True),
        ({"valve": ANY, "turns": ANY}, {"valve": "V-9"}, True),
        ({"valve": ANY}, {"valve": "V-9", "note": ""}, False),
        ({"turns": ArgumentPattern(equals=20)}, {"turns": 20.0}, True),
        ({"turns": ArgumentPattern(equals=1)}, {"turns": True}, False),
        ({}, {}, True),
        ({}, {"valve": "V-1"}, False),
    ],
)
def test_what_fits_a_pattern(
    patterns: dict[str, ArgumentPattern], arguments: dict[str, Any], covered: bool
):
    assert fits(patterns, arguments) is covered


@pytest.mark.parametrize(
    "call",
    [
        {"agent": "barge-agent"},
        {"requester": CAPTAIN},
        {"requester": Principal(user="amir", tenant_id="borealis", roles=("engineer",))},
        {"tainted": True},
        {"origin": "routed"},
        {"origin": "model"},
        {"turns": 3},
        {"said": {"valve": "V-7"}},
        {"action": "buy_pump", "valve": None, "count": 2},
    ],
    ids=str,
)
async def test_what_a_grant_does_not_cover_is_asked(
    asking: Asking, granted: Grant, call: dict[str, Any]
):
    wanted = {name: value for name, value in ({"valve": "V-2"} | call).items() if value is not None}
    frozen = await asking.calls(**wanted)
    assert (frozen.state, frozen.grant_id) == ("pending", None)
    [left] = await asking.ledger.grants.list(CAPTAIN)
    assert left.uses_left == granted.uses


async def test_of_eight_racing_calls_as_many_run_as_were_granted(asking: Asking, data_dir: Path):
    await asking.grants(await asking.calls(valve="V-1"), uses=3)
    asked = await asyncio.gather(*(asking.calls(valve=f"V-{n}") for n in range(10, 18)))
    await asyncio.gather(*(asking.ledger.execute(each.action_id) for each in asked))
    assert sorted(each.state for each in asked) == ["approved"] * 3 + ["pending"] * 5
    assert len(effects(data_dir)) == 3


async def test_an_action_that_changed_since_it_was_shown_is_asked(
    asking: Asking, granted: Grant, data_dir: Path, tmp_path: Path
):
    other = write_valves(tmp_path, ("{turns} turns", "{turns} full turns"))
    async with opened_ledger(data_dir, other) as ledger:
        assert (await Asking(ledger).calls(valve="V-2")).state == "pending"
    assert (await asking.calls(valve="V-3")).state == "approved"


async def test_an_action_that_its_pack_keeps_from_grants_is_asked(
    asking: Asking, granted: Grant, data_dir: Path, tmp_path: Path
):
    allowed = await asking.calls(valve="V-2")
    strict = '"handlers:open_valve"\n    grantable: false'
    other = write_valves(tmp_path, ('"handlers:open_valve"', strict))
    async with opened_ledger(data_dir, other) as ledger:
        assert (await ledger.execute(allowed.action_id)).state == "stale"
        seen = await Asking(ledger).calls(valve="V-3")
        assert seen.state == "pending"
        with pytest.raises(Forbidden, match="never"):
            await Asking(ledger).grants(seen)
    assert effects(data_dir) == []


async def test_two_processes_share_the_uses_of_a_grant(asking: Asking, data_dir: Path, pack: Path):
    await asking.grants(await asking.calls(valve="V-1"), uses=3)
    async with opened_ledger(data_dir, pack) as other:
        calls = [
            each.calls(valve=f"V-{number}")
            for number, each in enumerate((asking, Asking(other)) * 4, start=10)
        ]
        asked = await asyncio.gather(*calls)
        await asyncio.gather(*(other.execute(each.action_id) for each in asked))
    assert sorted(each.state for each in asked) == ["approved"] * 3 + ["pending"] * 5
    assert len(effects(data_dir)) == 3


@pytest.mark.parametrize("end", ["revoked", "expired"])
async def test_what_has_not_begun_is_stale_when_its_grant_ends(
    asking: Asking, data_dir: Path, monkeypatch: pytest.MonkeyPatch, end: str
):
    granted = await asking.grants(await asking.calls(valve="V-1"), minutes=5)
    allowed = await asking.calls(valve="V-2")
    if end == "revoked":
        assert (await asking.ledger.grants.revoke(granted.grant_id, CAPTAIN)).revoked_by == "ingrid"
    else:
        later = literal(granted.until.timestamp() + 1)
        monkeypatch.setattr(asking.ledger.database, "now", lambda: later)
    outcome = await asking.ledger.execute(allowed.action_id)
    assert (outcome.state, outcome.reason) == (
        "stale",
        "the grant that allowed it was revoked or has expired; ask again",
    )
    assert effects(data_dir) == []
    assert (await asking.calls(valve="V-3")).state == "pending"
    assert await asking.ledger.grants.list(CAPTAIN) == []


async def test_the_last_use_runs_though_none_is_left(asking: Asking, data_dir: Path):
    await asking.grants(await asking.calls(valve="V-1"), uses=1)
    allowed = await asking.calls(valve="V-2")
    assert (await asking.calls(valve="V-3")).state == "pending"
    assert (await asking.ledger.execute(allowed.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1


async def test_a_granter_without_the_role_allows_nothing_more(
    asking: Asking, granted: Grant, data_dir: Path
):
    allowed = await asking.calls(valve="V-2")
    keys = SqlKeys(asking.ledger.database)
    await keys.make(CAPTAIN.model_copy(update={"roles": ("cook",)}))
    assert (await asking.ledger.execute(allowed.action_id)).state == "stale"
    assert (await asking.calls(valve="V-3")).state == "pending"
    assert effects(data_dir) == []


async def test_a_refusal_beats_a_grant_and_a_freeze_asks(asking: Asking, granted: Grant):
    await asking.ledger.freezing.freeze("drill")
    assert (await asking.calls(valve="V-2")).state == "pending"


# What another hand can write.

_FREE = "drop trigger approval_grant_is_frozen"


@pytest.mark.parametrize(
    "change",
    [
        "update approval_grant set uses = 99, uses_left = 99",
        "update approval_grant set arguments = replace(arguments, 'valve', 'note')",
        "update approval_grant set agent = 'barge-agent'",
        "update approval_grant set granted_by = 'amir'",
        "update approval_grant set until = until + 9e9",
    ],
)
async def test_a_grant_that_another_hand_changed_covers_nothing(
    asking: Asking, granted: Grant, data_dir: Path, change: str
):
    allowed = await asking.calls(valve="V-2")
    sql(data_dir, _FREE)
    sql(data_dir, change)
    for agent in (AGENT, "barge-agent"):
        number = 30 + len(agent)
        assert (await asking.calls(valve=f"V-{number}", agent=agent)).state == "pending"
    assert (await asking.ledger.execute(allowed.action_id)).state == "stale"
    assert effects(data_dir) == []


async def test_uses_that_another_hand_gave_back_are_counted_in_the_chain(
    asking: Asking, data_dir: Path
):
    await asking.grants(await asking.calls(valve="V-1"), uses=1)
    assert (await asking.calls(valve="V-2")).state == "approved"
    sql(data_dir, "update approval_grant set uses_left = 1")
    assert (await asking.calls(valve="V-3")).state == "pending"


async def test_a_revocation_that_another_hand_took_back_stands(
    asking: Asking, granted: Grant, data_dir: Path
):
    allowed = await asking.calls(valve="V-2")
    await asking.ledger.grants.revoke(granted.grant_id, CAPTAIN)
    sql(data_dir, "update approval_grant set revoked_at = null, revoked_by = null")
    assert (await asking.calls(valve="V-3")).state == "pending"
    assert (await asking.ledger.execute(allowed.action_id)).state == "stale"


async def test_a_grant_that_nobody_made_covers_nothing(
    asking: Asking, granted: Grant, data_dir: Path
):
    columns = "tenant_id, action, pack, schema_hash, arguments, requester, agent, raised, currency"
    rest = "granted_by, action_id, digest, created_at, until, uses, amount, uses_left, amount_left"
    await asking.ledger.grants.revoke(granted.grant_id, CAPTAIN)
    sql(
        data_dir,
        f"insert into approval_grant (grant_id, {columns}, {rest}) "
        f"select 'forged', {columns}, {rest} from approval_grant",
    )
    assert (await asking.calls(valve="V-2")).state == "pending"


async def test_a_yes_of_the_requester_is_not_read_out_of_a_granted_proposal(
    asking: Asking, granted: Grant, data_dir: Path
):
    allowed = await asking.calls(valve="V-2")
    keys = SqlKeys(asking.ledger.database)
    await keys.make(CAPTAIN.model_copy(update={"roles": ("cook",)}))
    sql(
        data_dir,
        "insert into ledger_approval values (?, 'amir', 'approve', ?, 'chip', 1.0)",
        (allowed.action_id, allowed.digest),
    )
    assert (await asking.ledger.execute(allowed.action_id)).state == "stale"
    assert effects(data_dir) == []


async def test_a_restored_ledger_has_no_live_grant(asking: Asking, granted: Grant):
    database = asking.ledger.database
    await database.write(lambda connection: set_aside(connection, database, "yesterday"))
    await asking.ledger.freezing.thaw("ingrid", "looked")
    assert (await asking.calls(valve="V-2")).state == "pending"


# Who may grant what.


@pytest.mark.parametrize(
    ("who", "error"),
    [(COOK, Forbidden), (ROBOT, Forbidden), (STRANGER, NotFound)],
)
async def test_only_who_may_approve_may_grant(
    asking: Asking, who: Principal, error: type[AgentError]
):
    seen = await asking.calls(valve="V-1")
    with pytest.raises(error):
        await asking.grants(seen, who=who)


@pytest.mark.parametrize(
    ("action", "arguments", "said"),
    [
        ("flood_hold", {"hold": "H-1"}, "more than one person"),
        ("shift_ballast", {"tonnes": 20}, "more than one person"),
    ],
)
async def test_what_needs_several_people_cannot_be_granted(
    asking: Asking, action: str, arguments: dict[str, Any], said: str
):
    seen = await asking.calls(action, **arguments)
    with pytest.raises(Forbidden, match=said):
        await asking.grants(seen, dict.fromkeys(arguments, ANY))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"digest": "0" * 64}, DigestMismatch),
        ({"arguments": {"valve": ArgumentPattern(equals="V-2")}}, BadInput),
        ({"arguments": {}}, BadInput),
        ({"arguments": VALVES | {"colour": ANY}}, BadInput),
        ({"arguments": {"valve": ArgumentPattern(at_most=3)}}, BadInput),
        ({"uses": 101}, BadInput),
        ({"amount": 10.0}, BadInput),
        ({"action_id": "nobody's"}, NotFound),
    ],
)
async def test_what_is_no_grant_is_refused(
    asking: Asking, given: dict[str, Any], error: type[AgentError]
):
    seen = await asking.calls(valve="V-1")
    with pytest.raises(error):
        await asking.grants(seen, **given)


async def test_what_was_rejected_tainted_or_asked_in_words_starts_no_grant(asking: Asking):
    refused = await asking.calls(valve="V-1")
    await asking.ledger.decide(refused.action_id, no(refused), CAPTAIN)
    with pytest.raises(Conflict):
        await asking.grants(refused)
    with pytest.raises(Forbidden, match="untrusted"):
        await asking.grants(await asking.calls(valve="V-2", tainted=True))
    spoken = Proposal(
        decision_id="spoken",
        requester=ENGINEER,
        action="open_valve",
        arguments={"valve": "V-3"},
        at_least="C",
    )
    with pytest.raises(Forbidden, match="typed call"):
        await asking.grants(await asking.ledger.propose(spoken))


async def test_a_grant_may_start_from_what_was_approved_and_done(asking: Asking):
    seen = await asking.calls(valve="V-1")
    await asking.ledger.decide(seen.action_id, yes(seen), CAPTAIN)
    await asking.ledger.execute(seen.action_id)
    await asking.grants(seen)
    assert (await asking.calls(valve="V-2")).state == "approved"


def _with_rules(ledger: Ledger, rules: GrantTuning) -> Asking:
    policies = Policies(TUNING, rules)
    grants = replace(ledger.grants, policies=policies)
    proposing = replace(ledger.proposing, grants=grants)
    return Asking(replace(ledger, grants=grants, proposing=proposing))


async def test_policy_names_what_is_never_granted(asking: Asking, granted: Grant, ledger: Ledger):
    strict = _with_rules(ledger, GrantTuning(never=("open_valve",), longest_days=1))
    assert (await strict.calls(valve="V-2")).state == "pending"
    with pytest.raises(Forbidden, match="never"):
        await strict.grants(await strict.calls(valve="V-3"))


async def test_policy_says_how_long_and_how_often(ledger: Ledger):
    strict = _with_rules(ledger, GrantTuning(longest_days=0.5, most_uses=2))
    seen = await strict.calls(valve="V-1")
    with pytest.raises(BadInput, match=r"0\.5 days"):
        await strict.grants(seen, uses=1, minutes=721)
    with pytest.raises(BadInput, match="2 calls"):
        await strict.grants(seen, uses=3)


async def test_who_may_not_see_a_grant_cannot_revoke_it(asking: Asking, granted: Grant):
    for who in (COOK, STRANGER):
        with pytest.raises(NotFound):
            await asking.ledger.grants.revoke(granted.grant_id, who)
        assert await asking.ledger.grants.list(who) == []
    with pytest.raises(Forbidden):
        await asking.ledger.grants.revoke(granted.grant_id, ROBOT)
    await asking.ledger.grants.revoke(granted.grant_id, CAPTAIN)
    with pytest.raises(Conflict):
        await asking.ledger.grants.revoke(granted.grant_id, CAPTAIN)


# Money.

_PAY: dict[str, Any] = {
    "invoice": ANY,
    "amount": ArgumentPattern(at_most=100),
    "payee": ArgumentPattern(equals="Ada"),
}


@pytest.fixture
async def paying(data_dir: Path, tmp_path: Path) -> AsyncIterator[Asking]:
    async with opened_till(data_dir, tmp_path, MANY) as till:
        yield Asking(till, CLERK, BOSS)


async def test_an_amount_runs_out_and_what_is_beyond_it_is_asked(paying: Asking):
    first = await paying.calls("pay", invoice="I-1", amount=40.1, payee="Ada")
    await paying.grants(first, _PAY, uses=None, amount=100.0)
    states = [
        (await paying.calls("pay", invoice=f"I-{n}", amount=40.1, payee="Ada")).state
        for n in range(2, 5)
    ]
    assert states == ["approved", "approved", "pending"]
    last = await paying.calls("pay", invoice="I-9", amount=19.8, payee="Ada")
    assert last.state == "approved"  # to the cent
    [left] = await paying.ledger.grants.list(BOSS)
    assert left.amount_left == 0.0


async def test_racing_payments_never_pass_the_amount(paying: Asking):
    first = await paying.calls("pay", invoice="I-1", amount=30, payee="Ada")
    await paying.grants(first, _PAY, uses=5, amount=100.0)
    asked = await asyncio.gather(
        *(paying.calls("pay", invoice=f"I-{n}", amount=30, payee="Ada") for n in range(2, 10))
    )
    assert sorted(each.state for each in asked) == ["approved"] * 3 + ["pending"] * 5


async def test_what_must_be_typed_is_asked_whatever_was_granted(paying: Asking):
    wide = _PAY | {"amount": ANY}
    first = await paying.calls("pay", invoice="I-1", amount=600, payee="Ada")
    await paying.grants(first, wide)
    assert (await paying.calls("pay", invoice="I-2", amount=600, payee="Ada")).state == "approved"
    large = await paying.calls("pay", invoice="I-3", amount=9_000, payee="Ada")
    assert large.state == "pending"
    with pytest.raises(Forbidden, match="typed"):
        await paying.grants(large, wide)


async def test_what_is_raised_for_more_than_was_seen_is_asked(paying: Asking):
    first = await paying.calls("pay", invoice="I-1", amount=40, payee="Ada")
    await paying.grants(first, _PAY | {"amount": ANY})
    assert "amount" not in first.raised
    more = await paying.calls("pay", invoice="I-2", amount=900, payee="Ada")
    assert ("amount" in more.raised, more.state) == (True, "pending")
