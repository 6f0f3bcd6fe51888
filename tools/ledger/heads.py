"""The head of every chain, kept outside the database: a copy cut short shows against it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from state.audit import LedgerFault
from state.errors import BadInput
from tools.ledger.chain import Head, head_of
from tools.ledger.verifying import fetch

HEAD_FILE = "ledger.head"
_AT = "select hash from ledger_entry where tenant_id = ? and number = ?"


@dataclass(frozen=True)
class HeadFile:
    """ledger.head: tenant to the number and the hash of its last entry."""

    path: Path

    def read(self) -> dict[str, Head] | None:
        """Read what was written last; None: there is no such file.

        Raises:
            BadInput: it does not hold heads.
        """
        try:
            told = json.loads(self.path.read_text("utf-8"))
            return {
                tenant: Head(int(head["number"]), str(head["hash"]))
                for tenant, head in told["tenants"].items()
            }
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadInput(f"{self.path} holds no heads; restore it from a backup") from error

    def write(self, heads: Mapping[str, Head]) -> None:
        """Write heads down, all or nothing."""
        told = {
            tenant: {"number": head.number, "hash": head.hash}
            for tenant, head in sorted(heads.items())
        }
        fresh = self.path.with_name(f".{self.path.name}.new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"tenants": told}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)


def check_heads(connection: Connection, heads: Mapping[str, Head]) -> list[LedgerFault]:
    """Hold the chains against the heads that were written down: none may be shorter or other."""
    return [
        fault
        for tenant, head in heads.items()
        if (fault := _fault(connection, tenant, head)) is not None
    ]


def _fault(connection: Connection, tenant: str, head: Head) -> LedgerFault | None:
    last = head_of(connection, tenant) or Head(0, "")
    if last.number < head.number:
        says = (
            f"the chain ends at entry {last.number}, and {HEAD_FILE} knows entry {head.number}: "
            "it was cut short, or the database is an older copy"
        )
        return LedgerFault(tenant_id=tenant, kind="truncated", number=last.number, says=says)
    rows = fetch(connection, _AT, (tenant, head.number))
    found = rows[0][0] if rows else None
    if found in (head.hash, None):  # none: retention removed it, what comes after is anchored
        return None
    says = f"entry {head.number} is another one than {HEAD_FILE} knows"
    return LedgerFault(tenant_id=tenant, kind="replaced", number=head.number, says=says)
