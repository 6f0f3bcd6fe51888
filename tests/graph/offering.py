"""What a test of answers in words has offered first."""

from tests.graph.harbour import Harbour

NOTE = "write in the log: barge moored"
WRITTEN = ["note_in_log barge moored"]
NOTHING_WAITS = "Nothing here is waiting for your yes or no."


async def offered(harbour: Harbour) -> str:
    """Have one chip offered."""
    record = await harbour.says(NOTE)
    assert record.outcome == "offered"
    assert record.offer_id is not None
    assert len((await harbour.executive.offers.get(record.offer_id, "default")).chips) == 1
    return record.offer_id
