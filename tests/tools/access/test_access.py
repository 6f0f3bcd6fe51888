"""Tokens, the header that carries a key, and whose words an event is."""

import base64
import json
import re
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from api.http.local_access import PREFIX, LocalAccess
from state.errors import Forbidden
from state.issuer import Issuer
from state.principal import ACCESS, Principal
from tests.stages import event_of
from tools.access.api_keys import _LONGEST, _is_plausible
from tools.access.credentials import (
    AGAIN_SECONDS,
    KEYS_SECONDS,
    JwtVerifier,
    bearer_credentials,
)
from tools.access.permissions import as_visitor, attribute_event

# Tokens that others sign: whose word counts, for whom, and what is nobody's.

NAMED: dict[str, Any] = {
    "issuer": "https://login.test/realm",
    "audience": "prefrontal",
    "jwks": "keys.json",
    "tenant": "aurora",
    "roles_claim": "realm_access.roles",
    "roles": {"ship-captain": "captain"},
}
ISSUER = Issuer.model_validate(NAMED)
NOW = int(time.time())
DAY = 86_400
"""Longer than any run of the tests: the library reads the real clock, and these words are old."""
CLAIMS: dict[str, Any] = {
    "iss": ISSUER.issuer,
    "aud": ["other", "prefrontal"],
    "sub": "u-17",
    "iat": NOW,
    "exp": NOW + DAY,
    "realm_access": {"roles": ["ship-captain", "offline_access"]},
}


@cache
def _key(name: str) -> Any:
    if name == "rsa":
        return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    return ec.generate_private_key(ec.SECP256R1())


class World:
    """Issuers' key sets, how often they were read, and the time."""

    def __init__(self) -> None:
        self.now = float(NOW)
        self.reads = 0
        self.names = ["rsa"]
        self.is_down = False

    async def __call__(self, issuer: Issuer) -> Mapping[str, Any]:
        self.reads += 1
        if self.is_down:
            raise OSError
        to_jwk: dict[str, Any] = {
            "rsa": jwt.algorithms.RSAAlgorithm,
            "ec": jwt.algorithms.ECAlgorithm,
        }
        drawn = [
            json.loads(to_jwk[name].to_jwk(_key(name).public_key())) | {"kid": name}
            for name in self.names
        ]
        return {"keys": drawn}


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def tokens(world: World) -> JwtVerifier:
    return JwtVerifier({ISSUER.issuer: ISSUER}, world, seconds=lambda: world.now)


def _signed(algorithm: str = "RS256", kid: str = "rsa", **claims: Any) -> str:
    told = {name: value for name, value in (CLAIMS | claims).items() if value is not None}
    key = _key("ec" if algorithm.startswith("ES") else "rsa")
    return jwt.encode(told, key, algorithm=algorithm, headers={"kid": kid})


async def test_a_token_stands_for_its_person_with_the_roles_that_mean_something(
    tokens: JwtVerifier,
):
    known = await tokens(_signed())
    assert known is not None
    assert known.principal == Principal(user="u-17", tenant_id="aurora", roles=("captain",))
    assert known.until == CLAIMS["exp"] + 8 * 3_600


@pytest.mark.parametrize("depth", [900, 1_100, 2_900])
async def test_a_token_of_nested_json_is_nobody(tokens: JwtVerifier, depth: int):
    deep = "[" * depth + "]" * depth

    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    named = '{"iss": ' + deep + "}"
    header, claims = part('{"alg": "RS256", "kid": "rsa"}'), part(json.dumps(CLAIMS))
    for token in (
        f"{part(deep)}.{claims}.{claims}",
        f"{header}.{part(deep)}.{claims}",
        f"{header}.{part(named)}.{claims}",
    ):
        assert await tokens(token) is None
    access = LocalAccess(b"a" * 32)
    for told in (deep, named.replace("iss", "caller")):
        claims = base64.urlsafe_b64encode(told.encode()).decode()
        assert access.caller(f"{PREFIX}{claims}.{access._signature(claims)}", ()) is None


async def test_claims_name_tenant_user_and_what_it_is_good_for(world: World):
    issuer = Issuer.model_validate(
        {
            "issuer": ISSUER.issuer,
            "audience": "prefrontal",
            "jwks": "x",
            "tenant_claim": "org.id",
            "user_claim": "preferred_username",
            "roles_claim": "scope",
            "access": "viewer",
        }
    )
    tokens = JwtVerifier({issuer.issuer: issuer}, world)
    told: dict[str, Any] = {
        "org": {"id": "north"},
        "preferred_username": "ann",
        "scope": "engineer captain",
    }
    known = await tokens(_signed(**told))
    assert known is not None
    assert (known.principal.tenant_id, known.principal.user) == ("north", "ann")
    assert (known.principal.roles, known.principal.scopes) == (
        ("engineer", "captain"),
        ACCESS["viewer"],
    )
    assert await tokens(_signed(preferred_username="ann")) is None  # of no tenant
    assert await tokens(_signed(**told | {"org": {"id": "a/b"}})) is None


@pytest.mark.parametrize(
    ("claimed", "roles"),
    [
        (["x,captain", "cook"], ("cook",)),  # an event has its roles with commas between them
        ({"captain": True}, ()),
        ([["captain"], 5], ()),
        (7, ()),
    ],
)
async def test_what_is_no_name_of_a_role_is_none(world: World, claimed, roles):
    issuer = ISSUER.model_copy(update={"roles": None})
    known = await JwtVerifier({issuer.issuer: issuer}, world)(
        _signed(realm_access={"roles": claimed})
    )
    assert known is not None
    assert known.principal.roles == roles


async def test_an_address_that_nobody_has_verified_is_nobodys(world: World):
    issuer = ISSUER.model_copy(update={"user_claim": "email"})
    tokens = JwtVerifier({issuer.issuer: issuer}, world)
    for told in ({}, {"email_verified": False}, {"email_verified": "true"}):
        assert await tokens(_signed(email="ann@ship.test", **told)) is None
    assert await tokens(_signed(email="ann@ship.test", email_verified=True)) is not None


@pytest.mark.parametrize(
    "client",
    [
        {"client_id": "u-17"},
        {"azp": "u-17"},
        {"gty": "client-credentials"},
        {"sub": "abc@clients"},
        {"preferred_username": "service-account-bot"},
    ],
)
async def test_the_token_of_a_program_is_a_services(tokens: JwtVerifier, client: dict[str, Any]):
    known = await tokens(_signed(**client))
    assert known is not None
    assert known.principal.kind == "service"


def _unsigned(**header: str) -> str:
    parts = [{"alg": "none", "kid": "rsa", **header}, CLAIMS]
    return ".".join([*(_part(one) for one in parts), ""])


def _typed(typ: Any) -> str:
    """Write what anybody can: a header that the library lets through, and no signature."""
    return f"{_part({'alg': 'RS256', 'kid': 'rsa', 'typ': typ})}.{_part(CLAIMS)}.AA"


def _part(value: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _with_public_key_as_secret() -> str:
    import hashlib
    import hmac

    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    pem = _key("rsa").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    head = f"{_part({'alg': 'HS256', 'kid': 'rsa'})}.{_part(CLAIMS)}"
    mac = hmac.new(pem, head.encode(), hashlib.sha256).digest()
    return f"{head}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(lambda: _signed(exp=NOW - 31), id="over"),
        pytest.param(lambda: _signed(nbf=NOW + DAY), id="not yet"),
        pytest.param(lambda: _signed(iat=NOW + DAY), id="of tomorrow"),
        pytest.param(lambda: _signed(exp=None), id="without an end"),
        pytest.param(lambda: _signed(aud="another"), id="for another service"),
        pytest.param(lambda: _signed(aud=None), id="for anybody"),
        pytest.param(lambda: _signed(iss="https://evil.test"), id="of another issuer"),
        pytest.param(lambda: _signed(sub=None), id="of nobody"),
        pytest.param(lambda: _signed("RS512"), id="an algorithm that is not allowed"),
        pytest.param(lambda: _signed("ES256"), id="another key under that name"),
        pytest.param(lambda: _signed(kid="unknown"), id="a key nobody has"),
        pytest.param(lambda: _signed()[:-6] + "AAAAAA", id="changed"),
        pytest.param(
            lambda: jwt.encode(CLAIMS, _key("rsa"), "RS256", {"typ": "logout+jwt", "kid": "rsa"}),
            id="another kind of token",
        ),
        pytest.param(lambda: _typed(5), id="of a kind that is a number"),
        pytest.param(lambda: _typed(None), id="of a kind that is null"),
        pytest.param(lambda: _typed([]), id="of a kind that is a list"),
        pytest.param(lambda: _signed(exp=float("inf")), id="for ever"),
        pytest.param(_unsigned, id="unsigned"),
        pytest.param(_with_public_key_as_secret, id="the public key as a secret"),
        pytest.param(lambda: "a.b.c", id="no token"),
        pytest.param(lambda: _signed(sub="x" * 5_000), id="a name that is none"),
    ],
)
async def test_whatever_is_odd_is_nobody(tokens: JwtVerifier, token: Any):
    assert await tokens(token()) is None
    assert await tokens(_signed()) is not None  # and that did no harm


async def test_keys_are_read_seldom_and_change_in_time(tokens: JwtVerifier, world: World):
    for _number in range(5):
        assert await tokens(_signed())
        assert await tokens(_signed(kid="made-up")) is None
    assert world.reads == 1
    world.names = ["rsa", "ec"]
    assert await tokens(_signed("ES256", "ec")) is None
    world.now += AGAIN_SECONDS
    assert await tokens(_signed("ES256", "ec"))  # the issuer has a new key
    assert world.reads == 2
    world.names, world.now = ["ec"], world.now + KEYS_SECONDS
    assert await tokens(_signed()) is None  # and gave the old one up
    world.is_down, world.now = True, world.now + KEYS_SECONDS
    assert await tokens(_signed("ES256", "ec"))  # what is known holds while it cannot be asked


# Whose words an event is, and as which source it may come.


def service(user: str, **given: Any) -> Principal:
    return Principal(user=user, tenant_id="default", kind="service", **given)


HEAD = service("smoke-head", sources=("smoke-*", "Heat"))
BRIDGE = service("bridge", kept_sources=("smoke-*", "Heat"))


@pytest.mark.parametrize(
    ("caller", "source", "is_let"),
    [
        (HEAD, "smoke-galley", True),
        (HEAD, "HEAT", True),
        (HEAD, "bilge", False),
        (HEAD, "smoke-*", False),  # a pattern is no source
        (BRIDGE, "bilge", True),
        (BRIDGE, "Smoke-Galley", False),
        (BRIDGE, "heat", False),
    ],
)
def test_a_source_is_sent_by_the_keys_that_declare_it(
    caller: Principal, source: str, *, is_let: bool
):
    if is_let:
        sent = attribute_event(event_of(source=source), caller)
        assert (sent.source, sent.sender) == (source, caller.user)
    else:
        with pytest.raises(Forbidden, match="source"):
            attribute_event(event_of(source=source), caller)


KEPT = service("bridge", kept_sources=("smoke-bound", "laundry-*", "cabin-?", "hall[1]", "zone 2"))


@pytest.mark.parametrize(
    ("source", "is_let"),
    [
        ("smoke-bound ", False),
        ("\u2003smoke-bound", False),
        ("smoke\u200a-bound", False),  # a hair space
        ("\uff53moke-bound", False),  # full width
        ("\U0001d42cmoke-bound", False),  # mathematical bold
        ("sm\u043eke-bound", False),  # Cyrillic
        ("SM\u039fKE-BOUND", False),  # a Greek capital
        ("smo\u200bke-bound", False),
        ("smoke-bound\ufe0f", False),
        ("\u3164smoke-bound", False),
        ("smoke\u2011bound", False),
        ("smoke\u2014bound", False),
        ("srnoke-bound", False),
        ("sm0ke-bound", False),
        ("Iaundry-4", False),
        ("l\u0430undry-4", False),
        ("c\u0430bin-m", False),
        ("hall[1]", False),
        ("zone\u00a02", False),
        ("smoke-bound-2", True),
        ("smoke", True),
        ("cabin-12", True),
        ("hall1", True),
        ("küche-ö", True),
        ("датчик", True),
    ],
)
def test_no_name_passes_for_a_source_that_another_key_declares(source: str, *, is_let: bool):
    if is_let:
        assert attribute_event(event_of(source=source), KEPT).source == source
    else:
        with pytest.raises(Forbidden, match=re.escape(f"{source!r} is reserved for keys")):
            attribute_event(event_of(source=source), KEPT)


def test_a_key_that_declares_a_source_sends_as_it_whatever_its_letters():
    for source in ("датчик", "hall[1]", "smoke–1"):
        sensor = service("sensor", sources=(source,))
        assert attribute_event(event_of(source=source), sensor).source == source


def test_a_key_of_one_source_need_not_name_it():
    event = event_of().model_copy()
    event.model_fields_set.discard("source")
    assert attribute_event(event, service("bilge", sources=("bilge-1",))).source == "bilge-1"


def test_nobody_chooses_the_identity_of_an_event():
    forged = event_of(sender="smoke-head", variant="0" * 32)
    sent, told = attribute_event(forged, BRIDGE), as_visitor(forged)
    assert len({forged.decision_id, sent.decision_id, told.decision_id}) == 3
    assert (sent.sender, sent.variant, told.variant) == ("bridge", None, None)


# One reading of the header that carries a key.


@pytest.mark.parametrize("header", ["Bearer pf_k", "bearer pf_k", "BEARER   pf_k "])
def test_a_bearer_is_read_whatever_its_case(header: str):
    assert bearer_credentials([header]) == "pf_k"


@pytest.mark.parametrize(
    "headers",
    [[], ["Bearer pf_k", "Bearer pf_k"], ["Bearer"], ["Bearer  "], ["Basic pf_k"], ["pf_k"]],
)
def test_none_two_and_another_scheme_are_none(headers: list[str]):
    assert bearer_credentials(headers) is None


@pytest.mark.parametrize("secret", ["pf_\x1f", "caf\xe9", "pf_\x00", "x" * (_LONGEST + 1)])
def test_what_cannot_be_a_key_is_not_looked_up(secret: str):
    assert _is_plausible("x" * _LONGEST)
    assert not _is_plausible(secret)
