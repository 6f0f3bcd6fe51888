"""`prefrontal keys`: made once, listed, rotated, revoked; never shown again."""

import asyncio
import json
from pathlib import Path

import pytest

from state.principal import Principal
from tests.cli.conftest import Prefrontal
from tools.access.api_keys import SqlKeys
from tools.storage.database import Database


def test_a_key_is_printed_once_and_works(prefrontal: Prefrontal, here: Path) -> None:
    made = prefrontal(
        "keys", "create", "--user", "marta", "--role", "chief", "--role", "captain", "--days", "30"
    )
    secret = made.stdout.strip()
    assert secret.startswith("pf_")

    async def whose() -> Principal | None:
        database = Database(f"sqlite:///{here / 'data' / 'prefrontal.sqlite'}")
        try:
            return await SqlKeys(database).principal_of(secret)
        finally:
            await database.close()

    assert asyncio.run(whose()) == Principal(
        user="marta", tenant_id="default", roles=("chief", "captain")
    )
    assert secret.encode() not in (here / "data" / "prefrontal.sqlite").read_bytes()


def test_a_key_may_be_bound_to_sources(prefrontal: Prefrontal, here: Path) -> None:
    given = ("--user", "smoke", "--kind", "service", "--source", "smoke-1", "--source", "smoke-9*")
    made = json.loads(prefrontal("keys", "create", *given, "--json").stdout)
    assert made["sources"] == ["smoke-1", "smoke-9*"]
    assert "as smoke-1, smoke-9*" in prefrontal("keys", "list").stdout
    assert prefrontal("keys", "create", "--user", "any", "--source", "*").exit_code != 0


def test_keys_are_listed_rotated_and_revoked(prefrontal: Prefrontal, here: Path) -> None:
    old = prefrontal("keys", "create", "--user", "ann", "--access", "viewer").stdout.strip()
    [listed] = [
        json.loads(line) for line in prefrontal("keys", "list", "--json").stdout.split("\n")[:1]
    ]
    new = prefrontal("keys", "rotate", listed["key_id"]).stdout.strip()

    async def whose(secret: str) -> Principal | None:
        database = Database(f"sqlite:///{here / 'data' / 'prefrontal.sqlite'}")
        try:
            return await SqlKeys(database).principal_of(secret)
        finally:
            await database.close()

    assert asyncio.run(whose(old)) is None
    viewer = asyncio.run(whose(new))
    assert viewer is not None
    assert (viewer.user, viewer.scopes) == ("ann", ("read",))
    assert prefrontal("keys", "rotate", listed["key_id"]).exit_code == 1  # it is over
    lines = prefrontal("keys", "list").stdout.splitlines()
    assert [line.split()[-1] for line in lines] == ["over", "good"]
    assert prefrontal("keys", "revoke", lines[1].split()[0]).exit_code == 0
    assert asyncio.run(whose(new)) is None
    assert new not in prefrontal("keys", "list", "--json").stdout


@pytest.mark.parametrize(("role", "is_warned"), [("chief", False), ("nonsense", True)])
def test_a_role_that_no_pack_knows_is_told(prefrontal: Prefrontal, role, is_warned) -> None:
    made = prefrontal("keys", "create", "--user", "marta", "--role", role)
    assert (made.exit_code, made.stdout.startswith("pf_")) == (0, True)
    assert (f"no loaded pack knows the role {role}" in made.stderr) is is_warned


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--user", ""),
        ("--user", "x", "--days", "-1"),
        ("--user", "x", "--days", "nan"),
        ("--user", "x", "--kind", "robot"),
        ("--user", "x", "--tenant", "a/b"),
    ],
)
def test_a_key_for_nobody_is_wrong_use(prefrontal: Prefrontal, here: Path, words) -> None:
    assert prefrontal("keys", "create", *words).exit_code == 2
    assert list(here.iterdir()) == []
