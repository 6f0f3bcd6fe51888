-- The store of one vessel. Names are keys because people use names; ids are WO-, TSK-, PO-, DOC-, HO-.
-- `also` columns hold a JSON list of the other names people use.

CREATE TABLE crew (
    name TEXT PRIMARY KEY, role TEXT NOT NULL, on_watch INTEGER NOT NULL, also TEXT NOT NULL
) STRICT;

CREATE TABLE family (name TEXT PRIMARY KEY, also TEXT NOT NULL) STRICT;

CREATE TABLE symptom (name TEXT PRIMARY KEY, also TEXT NOT NULL) STRICT;

-- hours: running hours now, serviced_at: those at the last service, interval: between two services
CREATE TABLE equipment (
    name TEXT PRIMARY KEY, family TEXT NOT NULL, also TEXT NOT NULL, maker TEXT NOT NULL,
    model TEXT NOT NULL, serial TEXT NOT NULL, location TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'standby', 'stopped', 'degraded')),
    hours INTEGER NOT NULL, interval INTEGER NOT NULL, serviced_at INTEGER NOT NULL
) STRICT;

CREATE TABLE equipment_history (
    id INTEGER PRIMARY KEY, equipment TEXT NOT NULL REFERENCES equipment (name),
    day TEXT NOT NULL, author TEXT NOT NULL, what TEXT NOT NULL
) STRICT;

CREATE TABLE work_order (
    id TEXT PRIMARY KEY, title TEXT NOT NULL,
    equipment TEXT NOT NULL REFERENCES equipment (name), also TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('open', 'in_progress', 'waiting_for_parts', 'closed', 'cancelled')),
    priority TEXT NOT NULL CHECK (priority IN ('routine', 'urgent', 'safety')),
    assignee TEXT REFERENCES crew (name), opened TEXT NOT NULL, due TEXT NOT NULL,
    closed TEXT, closed_by TEXT
) STRICT;

CREATE TABLE work_order_note (
    id INTEGER PRIMARY KEY, work_order TEXT NOT NULL REFERENCES work_order (id),
    written_at TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL
) STRICT;

-- fits: an equipment, a family or a place on board
CREATE TABLE part (
    number TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, also TEXT NOT NULL, fits TEXT NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0), minimum INTEGER NOT NULL,
    location TEXT NOT NULL, supplier TEXT NOT NULL, price_cents INTEGER NOT NULL,
    discontinued INTEGER NOT NULL
) STRICT;

CREATE TABLE purchase_order (
    id TEXT PRIMARY KEY, part TEXT NOT NULL REFERENCES part (number),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    state TEXT NOT NULL CHECK (state IN ('ordered', 'received', 'cancelled')),
    ordered_on TEXT NOT NULL, ordered_by TEXT NOT NULL,
    work_order TEXT REFERENCES work_order (id)
) STRICT;

CREATE TABLE task (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, assignee TEXT REFERENCES crew (name),
    due TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'done'))
) STRICT;

CREATE TABLE document (
    id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, also TEXT NOT NULL,
    text TEXT NOT NULL, statutory INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('current', 'archived')),
    archived_on TEXT, archived_by TEXT
) STRICT;

CREATE VIRTUAL TABLE document_text USING fts5(
    id UNINDEXED, title, text, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- applies and symptoms: JSON lists; applies names equipment or families
CREATE TABLE fault (
    code TEXT PRIMARY KEY, title TEXT NOT NULL, applies TEXT NOT NULL,
    symptoms TEXT NOT NULL, severity TEXT NOT NULL
) STRICT;

-- rank 1 is the likeliest
CREATE TABLE fault_cause (
    fault TEXT NOT NULL REFERENCES fault (code), rank INTEGER NOT NULL, cause TEXT NOT NULL,
    test TEXT NOT NULL, remedy TEXT NOT NULL, part TEXT REFERENCES part (number),
    PRIMARY KEY (fault, rank)
) STRICT;

-- cleared is NULL while the alarm stands
CREATE TABLE alarm (
    id INTEGER PRIMARY KEY, fault TEXT NOT NULL REFERENCES fault (code),
    equipment TEXT NOT NULL REFERENCES equipment (name), raised TEXT NOT NULL, cleared TEXT
) STRICT;

CREATE TABLE handover (
    id TEXT PRIMARY KEY, day TEXT NOT NULL, watch TEXT NOT NULL, officer TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'signed'))
) STRICT;

CREATE TABLE handover_item (
    id INTEGER PRIMARY KEY, handover TEXT NOT NULL REFERENCES handover (id),
    author TEXT NOT NULL, equipment TEXT REFERENCES equipment (name), text TEXT NOT NULL,
    written_at TEXT
) STRICT;

CREATE INDEX equipment_history_of ON equipment_history (equipment, day);
CREATE INDEX work_order_of ON work_order (equipment, state);
CREATE INDEX work_order_note_of ON work_order_note (work_order, written_at);
CREATE INDEX purchase_order_of ON purchase_order (part, state);
CREATE INDEX handover_item_of ON handover_item (handover);
