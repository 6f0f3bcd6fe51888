-- The store of one research project. Papers are P-, notes N-, exports X- and shares S- by their number.

-- body: the paper as state.paper.Paper in JSON
CREATE TABLE paper (
    number INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, seen_at TEXT NOT NULL
) STRICT;

-- every id that a provider knows a paper by leads to the same one
CREATE TABLE paper_key (
    key TEXT PRIMARY KEY, paper INTEGER NOT NULL REFERENCES paper (number)
) STRICT;

CREATE TABLE library (
    paper INTEGER PRIMARY KEY REFERENCES paper (number), added_by TEXT NOT NULL,
    added_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('to read', 'reading', 'read')),
    rating INTEGER CHECK (rating BETWEEN 1 AND 5)
) STRICT;

CREATE TABLE tag (
    paper INTEGER NOT NULL REFERENCES library (paper) ON DELETE CASCADE, name TEXT NOT NULL,
    PRIMARY KEY (paper, name)
) STRICT;

-- paper: what it is about, if it is about one
CREATE TABLE note (
    number INTEGER PRIMARY KEY, paper INTEGER REFERENCES paper (number), author TEXT NOT NULL,
    text TEXT NOT NULL, written_at TEXT NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE channel (
    session_id TEXT PRIMARY KEY, name TEXT NOT NULL, active_at TEXT NOT NULL
) STRICT;

CREATE TABLE export (
    number INTEGER PRIMARY KEY, file TEXT NOT NULL, papers INTEGER NOT NULL,
    made_by TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;

CREATE TABLE share (
    number INTEGER PRIMARY KEY, recipient TEXT NOT NULL, shared_by TEXT NOT NULL,
    shared_at TEXT NOT NULL, is_withdrawn INTEGER NOT NULL DEFAULT 0
) STRICT;

-- what was done for one idempotency key, so that it is done once
CREATE TABLE effect (
    idempotency_key TEXT PRIMARY KEY, action TEXT NOT NULL, result TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
