"""Whether an action may run, who says so, and what came of it."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.gate.approvals.tool_pins import SqlToolPins
    from tools.gate.declared_tools import SqlDeclaredTools, StoredTool
    from tools.gate.handlers.remote_handlers import ExternalServices
    from tools.gate.ledger.ledger import Ledger, build_executing, build_ledger
    from tools.gate.ledger.maintenance import AuditMonitor
    from tools.gate.ledger.undo import UndoService
    from tools.gate.redaction import Redactor, masked_arguments
    from tools.gate.risk.classifier import Classifier

__all__ = [
    "AuditMonitor",
    "Classifier",
    "ExternalServices",
    "Ledger",
    "Redactor",
    "SqlDeclaredTools",
    "SqlToolPins",
    "StoredTool",
    "UndoService",
    "build_executing",
    "build_ledger",
    "masked_arguments",
]

__getattr__ = lazy_names(
    __name__,
    {
        "approvals.tool_pins": ("SqlToolPins",),
        "declared_tools": ("SqlDeclaredTools", "StoredTool"),
        "handlers.remote_handlers": ("ExternalServices",),
        "ledger.ledger": ("Ledger", "build_executing", "build_ledger"),
        "ledger.maintenance": ("AuditMonitor",),
        "ledger.undo": ("UndoService",),
        "redaction": ("Redactor", "masked_arguments"),
        "risk.classifier": ("Classifier",),
    },
)
