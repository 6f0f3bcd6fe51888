-- What the companion keeps for its people. Notes are N-, places PL- by their number, which none gets twice.

CREATE TABLE note (
    number INTEGER PRIMARY KEY, author TEXT NOT NULL, text TEXT NOT NULL, written_at TEXT NOT NULL,
    is_deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE place (
    number INTEGER PRIMARY KEY, author TEXT NOT NULL, name TEXT NOT NULL, spot TEXT NOT NULL,
    saved_at TEXT NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

-- idempotency: what was done once is told again
CREATE TABLE effect (
    idempotency_key TEXT PRIMARY KEY, action TEXT NOT NULL, result TEXT NOT NULL,
    done_at TEXT NOT NULL
) STRICT
