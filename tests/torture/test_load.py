"""Fifty clients at once, minutes of everything there is to ask: nothing is lost, nothing breaks."""

from collections import Counter, defaultdict
from pathlib import Path

import httpx
import pytest

from evals.benchmarks.load_generator import Plan, Sample, collect_samples
from evals.benchmarks.measurement import MemoryCurve
from state.principal import Principal
from tests.safety.benches import FILE, sql
from tests.torture.serving import own_process
from tests.torture.tally import Tally
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database

CLIENTS = 50
PEOPLE = tuple(
    Principal(
        user=f"user-{number}", tenant_id=f"tenant-{number % 5}", roles=("captain", "engineer")
    )
    for number in range(CLIENTS)
)
SAID = ("read gauge G-1", "label valve V-9", "open valve V-101", "what is the weather like")
QUEUED = "conflict proposed"
"""A yes to what is not asked yet: one person causes 30 questions an hour, what is more waits."""
FLAT = 1.1
"""How much more memory the end may take than the first fifth, by when everything is loaded."""


@pytest.mark.torture
@pytest.mark.parametrize("count", [300], ids=["5 minutes"])
async def test_fifty_clients_lose_nothing_and_meet_no_fault(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    keys = await _keys(data_dir)
    with own_process(data_dir, pack, tmp_path) as (process, address):
        plan = Plan(
            port=httpx.URL(address).port or 0,
            keys=tuple(keys),
            said=SAID,
            seconds=count,
            clients=CLIENTS,
            reads=0.5,
        )
        async with MemoryCurve.of(process.pid) as curve:
            seen = await collect_samples(plan)
        async with httpx.AsyncClient(base_url=address) as client:
            assert (await client.get("/readyz")).status_code == 200
    decided = Counter(
        PEOPLE[each.key].tenant_id for each in seen if each.what == "say" and each.status == 200
    )
    kept = dict(sql(data_dir, "select tenant_id, count(*) from decision group by tenant_id"))
    assert kept == decided  # what was answered is there, and nothing else
    assert sql(data_dir, "select count(*) from decision where standing = 'accepted'") == [(0,)]
    _tell(seen, tally)
    print(curve)
    assert {each.status for each in seen} <= {200, 409, 429, 503}
    assert {each.kind for each in seen if each.status != 200} <= {QUEUED, "too-many", "busy"}
    _start, first_fifth, *_between, end = curve.marks(5)
    assert end < FLAT * first_fifth


def _tell(seen: list[Sample], tally: Tally) -> None:
    groups = defaultdict[tuple[str, int, str], list[float]](list)
    for each in seen:
        groups[each.what, each.status, each.kind].append(each.ms)
    for (what, status, kind), took in sorted(groups.items()):
        tally.add(f"requests under load: {what} {status} {kind}".rstrip(), len(took))
        ordered = sorted(took)
        p50, p95, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.95, 0.99))
        print(
            f"{what} {status} {kind}: {len(took)}, p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms"
        )


async def _keys(data_dir: Path) -> list[str]:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        return [await SqlKeys(database).make(who) for who in PEOPLE]
    finally:
        await database.close()
