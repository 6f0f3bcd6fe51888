"""Secrets are covered wherever a decision repeats them, and nothing else is touched."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.offer import Chip, Offer
from state.record import DecisionRecord
from tests.torture.vault import write_vault
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.gate.redaction import Redactor

SECRET = "Zq7-4711"
GIVEN = {"door": "D-1", "code": SECRET}


@pytest.fixture
def covering(tmp_path: Path) -> Redactor:
    pack = write_vault(tmp_path / "vault", "http://127.0.0.1:9")
    return Redactor(Catalogue.of([load_pack(pack)]))


def record(action: str, session_id: str = "default") -> DecisionRecord:
    return DecisionRecord(
        event_id="e", decision_id="d", outcome="executed", spoke=True, output="text",
        action=action, arguments=GIVEN, reason="done", text=f"It is {SECRET} now.",
        elapsed_ms=1.0, session_id=session_id, tenant_id="aurora",
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_a_record_and_its_stages_tell_only_how_long_a_secret_is(covering: Redactor) -> None:
    stages = {
        "policy": {"routing": {"slots": GIVEN, "text": f"to {SECRET}"}, "variants": [GIVEN]},
        "classification": {"action": {"action": "set_code", "arguments": GIVEN}},
    }
    told, kept = covering.decision(record("set_code"), stages)
    assert SECRET not in told.model_dump_json() + str(kept)
    assert told.arguments == {"door": "D-1", "code": "••• (8 characters)"}
    assert kept["policy"]["routing"]["text"] == "to •••"
    assert covering.decision(told, kept) == (told, kept)


def test_a_secret_that_is_also_a_session_s_name_leaves_the_session_alone(
    covering: Redactor,
) -> None:
    told, _kept = covering.decision(record("set_code", session_id=SECRET), {})
    assert told.session_id == SECRET


def test_what_is_no_secret_stays_as_it_is(covering: Redactor) -> None:
    whole = record("show_status")
    assert covering.decision(whole, {"a": SECRET}) == (whole, {"a": SECRET})


def test_a_chip_is_shown_without_its_secret(covering: Redactor) -> None:
    chip = Chip(chip_id="c", action="set_code", arguments=GIVEN, summary="Set", confidence=1.0)
    offer = Offer(
        offer_id="o", decision_id="d", tenant_id="t", session_id="s", chips=(chip,), reason="r"
    )
    assert SECRET not in covering.offer(offer).model_dump_json()
