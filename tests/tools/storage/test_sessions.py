"""Where conversations stand in a pack, however many there are."""

from sqlalchemy import Connection

from state.memory import PackMemory
from state.session import Session
from tools.storage.database import Database
from tools.storage.sessions import save_session, stages_of


async def test_all_that_have_a_stage_in_the_pack_are_told(database: Database) -> None:
    def kept(number: int) -> Session:
        memory = {"research": PackMemory(stage="writing" if number % 3 else None)}
        memory["research_too"] = PackMemory(stage="elsewhere")
        tenant = "aurora" if number % 2 else "borealis"
        return Session(tenant_id=tenant, session_id=f"channel-{number}", memory=memory)

    def keep(connection: Connection) -> None:
        for number in range(600):
            save_session(connection, kept(number), at=number)
        save_session(connection, Session(tenant_id="aurora", session_id="new"), at=1.0)

    await database.write(keep)
    told = await database.read(lambda one: stages_of(one, "aurora", "research"))
    assert told == {f"channel-{n}": "writing" for n in range(600) if n % 2 and n % 3}
    assert len(told) == 200
    assert await database.read(lambda one: stages_of(one, "aurora", "shelf")) == {}
