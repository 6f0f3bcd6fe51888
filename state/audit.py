"""What a check of the ledger found."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from state.noun import Noun

FaultKind = Literal[
    "edited",
    "inserted",
    "reordered",
    "deleted",
    "truncated",
    "replaced",
    "unnumbered",
    "row",
    "vote",
    "orphan",
]
"""What was done to the ledger past the product. `row`: an action is not what its entries tell;
`vote`: a yes that no entry knows; `orphan`: an entry whose action is gone."""


class LedgerFault(Noun):
    """One thing that is not as the ledger left it."""

    tenant_id: str
    kind: FaultKind
    says: str
    number: int | None = Field(default=None, description="of the entry in its tenant's chain")
    action_id: str | None = None

    def __str__(self) -> str:
        return f"{self.tenant_id}: {self.says}"


class LedgerAudit(Noun):
    """The result of one check."""

    entries: int = 0
    actions: int = 0
    seconds: float = 0.0
    heads: Mapping[str, int] = Field(
        default_factory=dict, description="tenant to the number of its last entry"
    )
    faults: tuple[LedgerFault, ...] = ()
