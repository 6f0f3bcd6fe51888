-- The store of one vessel. Names are keys because people use names; ids are WO-, TSK-, PO-, DOC-, HO-,
-- CRT- (certificates), CHK- (checklists), CR- (compliance reports), EXP- (exports), SHR- (what was shared).
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

-- unit_cents: the price when it was ordered; NULL in what version 1 ordered
CREATE TABLE purchase_order (
    id TEXT PRIMARY KEY, part TEXT NOT NULL REFERENCES part (number),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    state TEXT NOT NULL CHECK (state IN ('requested', 'ordered', 'received', 'cancelled')),
    ordered_on TEXT NOT NULL, ordered_by TEXT NOT NULL,
    work_order TEXT REFERENCES work_order (id),
    unit_cents INTEGER, approved_by TEXT, received_on TEXT
) STRICT;

CREATE TABLE task (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, assignee TEXT REFERENCES crew (name),
    due TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'done', 'cancelled')),
    done_by TEXT
) STRICT;

CREATE TABLE document (
    id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, also TEXT NOT NULL,
    text TEXT NOT NULL, statutory INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('current', 'archived')),
    archived_on TEXT, archived_by TEXT, filed_on TEXT, filed_by TEXT
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
    state TEXT NOT NULL CHECK (state IN ('open', 'signed')), signed_by TEXT
) STRICT;

CREATE TABLE handover_item (
    id INTEGER PRIMARY KEY, handover TEXT NOT NULL REFERENCES handover (id),
    author TEXT NOT NULL, equipment TEXT REFERENCES equipment (name), text TEXT NOT NULL,
    written_at TEXT
) STRICT;

CREATE TABLE equipment_note (
    id INTEGER PRIMARY KEY, equipment TEXT NOT NULL REFERENCES equipment (name),
    written_at TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL
) STRICT;

-- parts taken from stock for a job
CREATE TABLE work_order_part (
    id INTEGER PRIMARY KEY, work_order TEXT NOT NULL REFERENCES work_order (id),
    part TEXT NOT NULL REFERENCES part (number), quantity INTEGER NOT NULL CHECK (quantity > 0),
    added_on TEXT NOT NULL, added_by TEXT NOT NULL
) STRICT;

-- a photo or a document laid to something; photos are named, their files live elsewhere
CREATE TABLE attachment (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('photo', 'document')),
    container TEXT NOT NULL CHECK (container IN ('work_order', 'handover', 'checklist')),
    target TEXT NOT NULL, title TEXT NOT NULL, document TEXT REFERENCES document (id),
    added_on TEXT NOT NULL, added_by TEXT NOT NULL
) STRICT;

-- expires is NULL where a certificate has no end; document: the paper itself, once uploaded
CREATE TABLE certificate (
    id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, also TEXT NOT NULL, kind TEXT NOT NULL,
    number TEXT NOT NULL, authority TEXT NOT NULL, issued TEXT NOT NULL, expires TEXT,
    document TEXT REFERENCES document (id)
) STRICT;

-- one day of one person; periods such as `22:00-24:00 00:00-06:00`, empty when only the sum is known
CREATE TABLE rest_day (
    id INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES crew (name), day TEXT NOT NULL,
    hours REAL NOT NULL CHECK (hours BETWEEN 0 AND 24), periods TEXT NOT NULL,
    logged_by TEXT NOT NULL, logged_on TEXT NOT NULL, UNIQUE (person, day)
) STRICT;

CREATE TABLE compliance_report (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, period TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('submitted', 'withdrawn')),
    submitted_on TEXT NOT NULL, submitted_by TEXT NOT NULL, recipient TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;

CREATE TABLE checklist (
    id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, also TEXT NOT NULL, used_for TEXT NOT NULL
) STRICT;

CREATE TABLE checklist_item (
    id INTEGER PRIMARY KEY, checklist TEXT NOT NULL REFERENCES checklist (id),
    place INTEGER NOT NULL, text TEXT NOT NULL, done_by TEXT, done_at TEXT
) STRICT;

CREATE TABLE shipyard (
    name TEXT PRIMARY KEY, also TEXT NOT NULL, place TEXT NOT NULL, email TEXT NOT NULL
) STRICT;

-- what was sent to whom; nothing of it can be unsent, only closed to further reading
CREATE TABLE share (
    id TEXT PRIMARY KEY, what TEXT NOT NULL CHECK (what IN ('document', 'work_order')),
    target TEXT NOT NULL, recipient TEXT NOT NULL, email TEXT NOT NULL,
    shared_on TEXT NOT NULL, shared_by TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('shared', 'withdrawn'))
) STRICT;

CREATE TABLE export (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, made_on TEXT NOT NULL, made_by TEXT NOT NULL,
    entries INTEGER NOT NULL, content TEXT NOT NULL
) STRICT;

-- what a handler has done, by the key it was called with, and every row it changed
CREATE TABLE effect (
    idempotency_key TEXT PRIMARY KEY, action TEXT NOT NULL, asked TEXT NOT NULL,
    result TEXT NOT NULL, at TEXT NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE effect_row (
    id INTEGER PRIMARY KEY, effect TEXT NOT NULL REFERENCES effect (idempotency_key),
    table_name TEXT NOT NULL, row_key TEXT NOT NULL, before TEXT, after TEXT
) STRICT;

CREATE INDEX equipment_history_of ON equipment_history (equipment, day);
CREATE INDEX work_order_of ON work_order (equipment, state);
CREATE INDEX work_order_note_of ON work_order_note (work_order, written_at);
CREATE INDEX purchase_order_of ON purchase_order (part, state);
CREATE INDEX handover_item_of ON handover_item (handover);
CREATE INDEX effect_row_of ON effect_row (table_name, row_key);
CREATE INDEX effect_row_by ON effect_row (effect);
CREATE INDEX checklist_item_of ON checklist_item (checklist, place);
CREATE INDEX attachment_to ON attachment (container, target);
CREATE INDEX work_order_part_of ON work_order_part (work_order);
