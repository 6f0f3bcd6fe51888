"""Who is asking."""

from collections.abc import Iterable, Mapping
from typing import Literal

from state.noun import Name, Noun, TenantId

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

    def has_any(self, roles: tuple[str, ...]) -> bool:
        """Tell whether one of `roles` is held; an empty tuple asks for none."""
        return not roles or bool(set(roles) & set(self.roles))


def roles_in_words(roles: Iterable[str]) -> str:
    """Name roles as people do, any of which will do: `chief engineer or captain`."""
    return " or ".join(role.replace("_", " ") for role in roles)
