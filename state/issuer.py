"""Who may vouch for callers with signed tokens, and how those are read."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from state.noun import Name, Noun, TenantId
from state.principal import ACCESS, Scope

Algorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]
"""Signatures by a key pair; none with a shared secret, which would let a reader sign."""


class Issuer(Noun):
    """One issuer of OpenID Connect or OAuth 2.0 access tokens (RFC 9068)."""

    issuer: str = Field(min_length=1, description="exactly as `iss` has it")
    audience: str = Field(min_length=1, description="what `aud` must name: this service")
    jwks: str = Field(description="its public keys: an http(s) URL, or a file")
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "ES256"), min_length=1)
    tenant: TenantId | None = Field(default=None, description="of everybody; or `tenant_claim`")
    tenant_claim: str | None = None
    user_claim: str = "sub"
    roles_claim: str = Field(default="roles", description="a list, or words; dots lead inside")
    roles: Mapping[str, Name] | None = Field(
        default=None, description="its name of a role to ours; others are none; unset: as they are"
    )
    access: Literal["viewer", "operator", "approver", "full"] = "full"
    leeway_seconds: float = Field(default=30.0, ge=0, le=300)
    known_hours: float = Field(
        default=8.0, ge=0, le=720, description="its roles count for a yes after the token ended"
    )

    @model_validator(mode="after")
    def _has_a_tenant(self) -> "Issuer":
        if (self.tenant is None) == (self.tenant_claim is None):
            raise ValueError("name either the tenant of everybody or the claim that tells it")
        return self

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What its tokens are good for."""
        return ACCESS[self.access]
