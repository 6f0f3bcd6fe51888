"""Requests made of our own OpenAPI document, fitting and not: each is answered as it says there."""

import asyncio
from pathlib import Path

import pytest
import requests

from state.principal import Principal
from tests.architecture.source import ROOT
from tests.safety.benches import FILE
from tests.torture.serving import own_process
from tests.torture.tally import Tally
from tools.access.api_keys import SqlKeys
from tools.storage.database import Database

PERSON = Principal(user="ingrid", tenant_id="aurora", roles=("captain", "engineer", "admin"))
EACH_WAY = 50
"""Requests of an operation that fit the document, and as many that do not."""
LIMITS = {
    "tenant_events_per_second = 200.0": "tenant_events_per_second = 100000.0",
    "tenant_burst = 5000": "tenant_burst = 100000",
}
"""Beyond them a tenant is told to wait; what is looked at here is what else it is told."""
SAID = ("open valve V-101", "open valve V-7", "label valve V-9", "read gauge G-1")


@pytest.mark.torture
@pytest.mark.filterwarnings("ignore:Overriding standard format")  # hypothesis-jsonschema's own
def test_every_request_the_document_allows_or_not_is_answered_as_it_says(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally
):
    from tests.torture.schema_cases import try_all  # its library takes a while

    key = asyncio.run(_key(data_dir))
    faults = []
    with (
        own_process(data_dir, pack, tmp_path, _policy(tmp_path)) as (process, address),
        requests.Session() as session,
    ):
        session.headers["Authorization"] = f"Bearer {key}"
        for fault in try_all(session, address, _ids(session, address), EACH_WAY):
            tally.add("requests made of the OpenAPI document")
            if fault is not None:
                faults.append(fault)
        assert session.get(f"{address}/readyz").status_code == 200
        assert process.poll() is None
    assert tally.counts.total() >= 5_000
    assert not faults, "\n\n".join([f"{len(faults)} faults", *faults[:20]])


def _ids(session: requests.Session, address: str) -> list[str]:
    """Have one of everything asked and done, and give the ids of it."""
    found = ["valves"]
    for number, text in enumerate(SAID):
        said = {"text": text, "session_id": f"s-{number}"}
        made = session.post(f"{address}/v1/messages", json=said).json()
        found.append(made["decision_id"])
        found += [made[name] for name in ("action_id", "offer_id") if made.get(name)]
    assert len(found) >= 7
    return found


def _policy(folder: Path) -> Path:
    policy = (ROOT / "policy.toml").read_text("utf-8")
    for line, wider in LIMITS.items():
        assert line in policy
        policy = policy.replace(line, wider)
    file = folder / "policy.toml"
    file.write_text(policy, "utf-8")
    return file


async def _key(data_dir: Path) -> str:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        return await SqlKeys(database).make(PERSON)
    finally:
        await database.close()
