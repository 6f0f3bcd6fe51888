"""People of signed tokens: whom a name belongs to while somebody is known by it."""

from time import time

import pytest
from sqlalchemy import update

from state.principal import Principal
from tools.storage.credentials import SqlKeys, TokenPrincipal
from tools.storage.database import Database
from tools.storage.tables.decisions import api_key


@pytest.fixture
def keys(database: Database) -> SqlKeys:
    async def read(token: str) -> TokenPrincipal:
        subject, user, tenant, issuer = token.rstrip(".").split("-")
        principal = Principal(user=user, tenant_id=tenant)
        return TokenPrincipal(principal, issuer, subject, time() + 600)

    return SqlKeys(database, read)


async def test_who_goes_by_anothers_name_or_by_two_is_nobody_until_that_is_forgotten(
    keys: SqlKeys, database: Database
) -> None:
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
