"""Sources that a key declares: kept from the others of its tenant for as long as it is good."""

from typing import Any

from state.principal import Principal
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database


def service(user: str, **given: Any) -> Principal:
    return Principal.model_validate({"user": user, "tenant_id": "aurora", **given})


async def test_what_a_key_declares_is_kept_from_others_while_it_is_good(database: Database) -> None:
    keys = SqlKeys(database)
    mine = await keys.make(service("smoke-head", sources=("smoke-head",)))
    theirs = await keys.make(service("bridge"))
    elsewhere = await keys.make(service("bridge", tenant_id="borealis"))

    async def kept_from(secret: str) -> tuple[str, ...]:
        found = await keys.principal_of(secret)
        assert found is not None
        return found.kept_sources

    assert [await kept_from(each) for each in (mine, theirs, elsewhere)] == [
        (),
        ("smoke-head",),
        (),
    ]
    named = {key.principal.user: key.key_id for key in await keys.list()}
    again = await keys.rotate(named["smoke-head"])
    rotated = await keys.principal_of(again)
    assert rotated is not None
    assert rotated.sources == ("smoke-head",)
    for key in await keys.list():
        if key.is_good and key.principal.sources:
            await keys.revoke(key.key_id)
    assert await kept_from(theirs) == ()
