"""Sources that a key declares: kept from the others of its tenant for as long as it is good."""

from time import time
from typing import Any

import pytest
from sqlalchemy import update

from state.principal import Principal
from tools.access.api_keys import SqlKeys, TokenPrincipal
from tools.storage.database import Database
from tools.storage.tables.decisions import api_key


def service(user: str, **given: Any) -> Principal:
    return Principal.model_validate({"user": user, "tenant_id": "aurora", **given})


async def test_what_a_key_declares_is_kept_from_others_while_it_is_good(database: Database):
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


# People of signed tokens: whom a name belongs to while somebody is known by it.


@pytest.fixture
def keys(database: Database) -> SqlKeys:
    async def read(token: str) -> TokenPrincipal:
        subject, user, tenant, issuer = token.rstrip(".").split("-")
        return TokenPrincipal(Principal(user=user, tenant_id=tenant), issuer, subject, time() + 600)

    return SqlKeys(database, read)


async def test_who_goes_by_anothers_name_or_by_two_is_nobody_until_that_is_forgotten(
    keys: SqlKeys, database: Database
):
    async def is_let_in(who: str) -> bool:
        return await keys.principal_of(f"{who}..") is not None

    assert await is_let_in("s1-ann-aurora-a")
    assert not await is_let_in("s2-ann-aurora-a")  # another has the name
    assert not await is_let_in("s1-bob-aurora-a")  # one person would be four eyes
    assert await is_let_in("s1-ann-aurora-a")
    assert await is_let_in("s2-ann-borealis-a")
    assert await is_let_in("s2-ann-aurora-b")  # the deployment trusts both to name its people
    forgotten = update(api_key).values(expires_at=1.0)
    await database.write(lambda connection: connection.execute(forgotten).rowcount)
    assert await is_let_in("s1-bob-aurora-a")
