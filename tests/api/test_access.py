"""What a key or a token is good for: every route, and a yes given with a token of another's."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import time
from typing import Any, cast

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from fastapi import FastAPI

from api.app import create_app
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import ACCESS, Principal
from tests.api.conftest import PRINCIPALS, assert_problem
from tests.api.keyed_routes import KEYED
from tests.api.memory_executive import MemoryExecutive
from tests.safety.benches import sql
from tests.safety.shared import data_dir, fresh, pack  # noqa: F401 - fixtures
from tests.serving import serving

NEEDED = {"GET": "read", "HEAD": "read"}
SIGNING = ec.generate_private_key(ec.SECP256R1())


@pytest.mark.parametrize("access", [name for name in ACCESS if name != "full"])
async def test_a_key_does_what_it_is_good_for_on_every_route(executive: MemoryExecutive, access):
    holder = PRINCIPALS["captain"].model_copy(update={"scopes": ACCESS[access]})
    executive.keys.principals["k"] = holder
    app = create_app(cast("Executive", executive))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app, raise_app_exceptions=False),
        base_url="http://prefrontal.test",
        headers={"Authorization": "Bearer k"},
    ) as client:
        for method, path in KEYED:
            if path == "/v1/stream":
                continue
            is_answer = path.startswith(
                ("/v1/approvals", "/v1/refusals", "/v1/grants", "/v1/tools")
            )
            needed = NEEDED.get(method, "approve" if is_answer else "ask")
            answer = await client.request(method, path, json={} if method == "POST" else None)
            if needed in ACCESS[access]:
                assert "this key allows only" not in answer.text, (method, path)
            else:
                refused = assert_problem(answer, 403, "forbidden")
                assert refused["detail"].endswith(f"needs {needed}"), (method, path)


def _token(user: str, *roles: str) -> str:
    now = int(time())
    claims = {
        "iss": "https://login.test",
        "aud": "prefrontal",
        "sub": user,
        "iat": now,
        "exp": now + 60,
        "roles": roles,
    }
    return jwt.encode(claims, SIGNING, "ES256", {"kid": "one"})


@asynccontextmanager
async def _trusting(
    folder: Path,
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
) -> AsyncIterator[tuple[Executive, httpx.AsyncClient]]:
    """Open an Executive that believes an issuer whose public keys are read over HTTP."""
    drawn = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(SIGNING.public_key())) | {"kid": "one"}
    issuing = FastAPI()
    issuing.get("/keys")(lambda: {"keys": [drawn]})
    async with serving(issuing) as place:
        named: dict[str, Any] = {
            "issuer": "https://login.test",
            "audience": "prefrontal",
            "jwks": f"{place}/keys",
            "tenant": "aurora",
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in named.items()]
        (folder / "oidc.toml").write_text("\n".join(["[[issuer]]", *lines]), "utf-8")
        settings = Settings(
            data_dir=data_dir,
            packs=(str(pack),),
            oidc_file=folder / "oidc.toml",
            allowed_private_hosts=(place.removeprefix("http://"),),
        )
        async with (
            open_executive(settings) as executive,
            httpx.AsyncClient(
                transport=httpx.ASGITransport(create_app(executive)), base_url="http://127.0.0.1"
            ) as client,
        ):
            yield executive, client


async def test_a_token_of_anothers_asks_and_approves_and_its_roles_are_read_again(
    tmp_path: Path,
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with _trusting(tmp_path, data_dir, pack) as (executive, client):
        amir = {"Authorization": f"Bearer {_token('amir', 'engineer')}"}
        ingrid = {"Authorization": f"Bearer {_token('ingrid', 'captain')}"}
        said = {"text": "open valve V-101"}
        asked = (await client.post("/v1/messages", json=said, headers=amir)).json()["approval"]
        assert asked["requester"] == "amir"
        way = f"/v1/approvals/{asked['action_id']}"
        yes = {"decision": "approve", "digest": asked["digest"]}
        cook = {"Authorization": f"Bearer {_token('marta', 'cook')}"}
        assert (await client.post(way, json=yes, headers=cook)).status_code == 403
        assert (await client.post(way, json=yes, headers=ingrid)).json()["state"] == "succeeded"

        again = {"text": "open valve V-7", "session_id": "s-2"}
        asked = (await client.post("/v1/messages", json=again, headers=amir)).json()["approval"]
        fired = {"Authorization": f"Bearer {_token('amir', 'cook')}"}
        await client.get("/v1/decisions", headers=fired)  # who asked may no more
        yes = {"decision": "approve", "digest": asked["digest"]}
        late = await client.post(f"/v1/approvals/{asked['action_id']}", json=yes, headers=ingrid)
        assert late.json()["state"] != "succeeded", late.text
        assert_problem(
            await client.get("/v1/decisions", headers={"Authorization": "Bearer a.b.c"}),
            401,
            "unauthenticated",
        )
        assert await executive.keys.count() == 0
        assert await executive.keys.list() == []
        rows = sql(data_dir, "select user, secret_sha256 from api_key order by user")
        assert [user for user, _secret in rows] == ["amir", "ingrid", "marta"]
        assert all(str(secret).startswith("oidc:") for _user, secret in rows)
        assert isinstance(await executive.keys.principal_of(_token("x")), Principal)
