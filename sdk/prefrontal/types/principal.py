"""Who is asking."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import Field, field_validator

from prefrontal.types.noun import Name, Noun, TenantId

Scope = Literal["read", "ask", "approve"]
"""What a key is good for: to look, to ask for and change things, to answer approvals."""
ACCESS: Mapping[str, tuple[Scope, ...]] = {
    "viewer": ("read",),
    "operator": ("read", "ask"),
    "approver": ("read", "approve"),
    "full": ("read", "ask", "approve"),
}
"""Names of what a key may be good for; within it the roles say what its holder may."""


class Principal(Noun):
    """An authenticated caller of one tenant; only a person may approve."""

    user: Name
    tenant_id: TenantId
    roles: tuple[Name, ...] = ()
    kind: Literal["person", "service"] = "person"
    scopes: tuple[Scope, ...] = ACCESS["full"]
    sources: tuple[Name, ...] = Field(
        default=(), description="sources it sends as, * and ? for any characters; empty: any"
    )
    kept_sources: tuple[Name, ...] = Field(
        default=(), description="sources that other keys of the tenant declare, and it does not"
    )

    @field_validator("sources")
    @classmethod
    def _name_something(cls, sources: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in sources:
            if not pattern.strip("*?"):
                raise ValueError(f"the source {pattern!r} would keep every source from others")
        return sources

    def may_send_as(self, source: str) -> bool:
        """Tell whether its events may name this source, whatever the case of its letters."""
        if self.sources:
            return _is_among(source, self.sources)
        return not _is_among(source, self.kept_sources)

    def has_any(self, roles: tuple[str, ...]) -> bool:
        """Tell whether one of `roles` is held; an empty tuple asks for none."""
        return not roles or bool(set(roles) & set(self.roles))


def _is_among(source: str, patterns: tuple[str, ...]) -> bool:
    folded = source.casefold()
    return any(fnmatchcase(folded, each.casefold().replace("[", "[[]")) for each in patterns)


def roles_in_words(roles: Iterable[str]) -> str:
    """Name roles as people do, any of which will do: `chief engineer or captain`."""
    return " or ".join(role.replace("_", " ") for role in roles)
