"""The channels of a project that is years old."""

from sqlalchemy import Connection

from packs.research.store import writing
from state.memory import PackMemory
from state.session import Session
from tests.packs.research.conversation import Talk
from tools.storage.sessions import save_session


async def test_a_channel_that_was_not_used_lately_is_found_by_its_stage(talk: Talk) -> None:
    with writing(talk.harbour.data_dir / "packs" / "default") as store:
        for number in range(300):
            row = (f"c-{number}", f"channel {number}", f"2026-01-01T{number:05}")
            store.execute("INSERT INTO channel VALUES (?, ?, ?)", row)

    def keep(connection: Connection) -> None:
        for number in range(300):
            memory = {"research": PackMemory(stage="writing" if number < 2 else "analyzing")}
            session = Session(tenant_id="default", session_id=f"c-{number}", memory=memory)
            save_session(connection, session, at=number)

    await talk.harbour.executive._box.database.write(keep)
    found = (await talk.says("which channels are in writing?")).text or ""
    assert [line.split(":")[0] for line in found.splitlines()] == ["channel 1", "channel 0"]
    assert "… and 270 more" in ((await talk.says("list the channels")).text or "")
