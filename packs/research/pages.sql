-- what a conversation searched for last, and the pages it was shown; paper: around which one
CREATE TABLE search_pages (
    session_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('words', 'like', 'citing', 'cited')),
    paper TEXT, about TEXT NOT NULL, search TEXT NOT NULL, pages TEXT NOT NULL,
    shown INTEGER NOT NULL
) STRICT
