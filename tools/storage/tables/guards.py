"""What the database itself forbids: the ledger's rows stay what they were, whoever writes."""

FROZEN = (
    "action_id", "tenant_id", "decision_id", "action", "pack", "execution_class", "arguments",
    "digest", "summary", "requester", "requester_roles", "approver_roles", "quorum", "four_eyes",
    "proposed_at", "schema_hash", "policy_version", "target_versions", "preview", "raised",
    "phase", "origin", "editor", "undo_of",
)  # fmt: skip
"""The columns of an action that never change; the ledger seals a hash over them, too."""

GUARDS = (
    (
        "CREATE TRIGGER ledger_action_is_frozen BEFORE UPDATE OF "
        f"{', '.join(FROZEN)} ON ledger_action "
        "BEGIN SELECT RAISE(ABORT, 'a ledger action never changes'); END"
    ),
    (
        "CREATE TRIGGER ledger_action_has_ended BEFORE UPDATE OF state ON ledger_action "
        "WHEN OLD.state IN ('succeeded','failed','rejected','expired','superseded','stale') "
        "BEGIN SELECT RAISE(ABORT, 'an ended ledger action never moves'); END"
    ),
    (
        "CREATE TRIGGER ledger_action_stays BEFORE DELETE ON ledger_action "
        "BEGIN SELECT RAISE(ABORT, 'a ledger action is never deleted'); END"
    ),
    *(
        f"CREATE TRIGGER {table}_stays_on_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
        for table in ("ledger_approval", "ledger_entry", "mcp_tool_acceptance")
        for change in ("UPDATE", "DELETE")
    ),
)
"""SQLite's triggers, as they stand after the newest revision."""
