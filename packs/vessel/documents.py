"""Documents on board: search their text, archive one."""

import re
import sqlite3
from datetime import datetime

from state.action import ActionResult
from state.errors import BadInput, Conflict

from .names import DOCUMENT, find

HITS = 5
MOST_TERMS = 32
LONGEST_TERM = 64

_SMALL = (
    "a an and any are at be by can could do does find for from get give have how i in into is it"
    " list look me my need of on or our please say says search see show that the their there"
    " this to up us was we what when where which who why will with you your document documents"
)
_SMALL_WORDS = frozenset(_SMALL.split())
"""Words that every text has; a query of nothing else is searched as it stands."""

_SEARCH = """
SELECT document.id, document.title, document.kind,
       snippet(document_text, 2, '', '', ' … ', 24) AS excerpt
FROM document_text JOIN document ON document.id = document_text.id
WHERE document_text MATCH ? AND document.state = 'current'
ORDER BY bm25(document_text, 0.0, 4.0, 1.0), document.id LIMIT ?
"""


def search(connection: sqlite3.Connection, query: str) -> ActionResult:
    """Find the current documents whose title or text holds words of `query`, best first.

    Raises:
        BadInput: the query is empty.
    """
    if not query.strip():
        raise BadInput("there is nothing to search for; name a word or two")
    matching = _match(query)
    hits = connection.execute(_SEARCH, (matching, HITS)).fetchall() if matching else []
    if hits:
        found = f"{len(hits)} document{'s' if len(hits) > 1 else ''} found:"
        text = "\n".join([found, *(f"{h['id']} {h['title']}: {h['excerpt']}" for h in hits)])
    else:
        text = "No document on board has these words."
    return ActionResult(text=text, data={"documents": [dict(hit) for hit in hits]})


def archive(
    connection: sqlite3.Connection, document: str, *, author: str, now: datetime
) -> ActionResult:
    """Take a document out of circulation: it stays in the store and is no longer found.

    Raises:
        NotFound: no such document.
        Conflict: it is archived already, or the law wants it on board.
    """
    paper = find(connection, DOCUMENT, document)
    label = f"{paper['id']} ({paper['title']})"
    if paper["state"] == "archived":
        raise Conflict(f"{label} is archived already", "archived")
    if paper["statutory"]:
        raise Conflict(f"{label} has to stay on board and cannot be archived", "current")
    connection.execute(
        "UPDATE document SET state = 'archived', archived_on = ?, archived_by = ? WHERE id = ?",
        (now.date().isoformat(), author, paper["id"]),
    )
    return ActionResult(
        text=f"{label} is archived.",
        data={"document": paper["id"], "title": paper["title"], "state": "archived"},
        changed=(f"{paper['id']}: current -> archived",),
    )


def _match(query: str) -> str:
    """Make an FTS5 query of words alone, each quoted: none can be an operator or a column."""
    words = [word[:LONGEST_TERM] for word in re.findall(r"[^\W_]+", query.casefold())]
    telling = [word for word in words if word not in _SMALL_WORDS] or words
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(telling[:MOST_TERMS]))
