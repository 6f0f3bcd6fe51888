"""Each entry is sealed with the one before it, by a key that is not in the database."""

import asyncio
import hmac
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from state.errors import BadInput
from tests.safety.benches import CAPTAIN, FILE, opened_ledger, proposal, yes
from tests.tools.gate.ledger.auditing import audited
from tools.gate.ledger.hash_chain import seal_message
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.rows import record_entry
from tools.platform.serialization import canonical_json
from tools.storage.seal_key import KEY_FILE, Seal


async def test_what_is_rolled_back_leaves_no_gap(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack) as ledger:
        shown = await ledger.propose(proposal())

        def fail(connection: Any) -> None:
            _note(connection, ledger=ledger, action_id=shown.action_id)
            raise OSError("not this time")

        with pytest.raises(OSError, match="not this time"):
            await ledger.database.write(fail)
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    report = await audited(data_dir, pack)
    assert (report.faults, report.heads) == ((), {"aurora": 3})


async def test_two_who_write_continue_one_chain(data_dir: Path, pack: Path) -> None:
    async with opened_ledger(data_dir, pack) as one, opened_ledger(data_dir, pack) as two:
        shown = await one.propose(proposal())
        await asyncio.gather(
            *(
                each.database.write(partial(_note, ledger=each, action_id=shown.action_id))
                for each in (one, two) * 20
            )
        )
        assert one.database.seal.key == two.database.seal.key
    report = await audited(data_dir, pack)
    assert (report.faults, report.heads) == ((), {"aurora": 41})


async def test_the_key_stands_beside_the_database_for_its_owner_alone(
    busy: Path, pack: Path
) -> None:
    key = busy / KEY_FILE
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_bytes()) == 32
    assert key.read_bytes() not in (busy / FILE).read_bytes()
    assert key.read_bytes().hex().encode() not in (busy / FILE).read_bytes()


def test_what_is_sealed_is_canonical_json() -> None:
    action, actor, body = "é\u2028\U0001f600", 'in\n"grid\\\x7f', '{"reason":"a\\u0000b"}'
    at = 1_700_000_000.125
    sealed = seal_message("aurora", 7, "ab", action, at, actor, "yes", body)
    assert sealed == rfc8785.dumps(
        {
            "tenant": "aurora",
            "number": 7,
            "previous": "ab",
            "action": action,
            "at": at,
            "actor": actor,
            "event": "yes",
            "body": body,
        }
    )
    assert b'"at":12,' in seal_message("aurora", 1, "", "a", 12.0, "b", "c", "{}")


def test_the_seal_is_an_hmac() -> None:
    key = b"k" * 32
    assert Seal(key).over(b"message") == hmac.new(key, b"message", "sha256").hexdigest()


@pytest.mark.parametrize("text", ["", "no hex", "ab" * 31])
def test_a_key_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        Seal.of_hex(text)
    (tmp_path / KEY_FILE).write_bytes(text.encode())
    with pytest.raises(BadInput):
        Seal.kept_in(tmp_path / KEY_FILE)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
)


@given(json_values)
def test_the_quick_writer_writes_what_the_standard_asks_for(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


def _note(connection: Any, *, ledger: Ledger, action_id: str) -> None:
    record_entry(
        connection,
        ledger.database,
        tenant_id="aurora",
        action_id=action_id,
        actor="test",
        event="noted",
    )
