"""Documents on board: search their text, open one."""

import re

from pydantic import JsonValue

from state.action import ActionResult
from state.errors import BadInput

from .effects import reads
from .listed import listed
from .names import DOCUMENT
from .unit_of_work import UnitOfWork

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


@reads
def search_documents(unit: UnitOfWork, *, query: str) -> ActionResult:
    """Find the current documents whose title or text holds words of `query`, best first.

    Raises:
        BadInput: the query is empty.
    """
    if not query.strip():
        raise BadInput("there is nothing to search for; name a word or two")
    matching = _match(query)
    hits = unit.rows(_SEARCH, matching, HITS) if matching else []
    if hits:
        found = f"{len(hits)} document{'s' if len(hits) > 1 else ''} found:"
        text = "\n".join([found, *(f"{h['id']} {h['title']}: {h['excerpt']}" for h in hits)])
    else:
        text = "No document on board has these words."
    data: dict[str, JsonValue] = {"documents": [dict(hit) for hit in hits]}
    return ActionResult(text=text, data={**data, **listed(DOCUMENT, hits)})


@reads
def open_document(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Tell the whole text of one document, archived or not.

    Raises:
        NotFound: no such document.
    """
    paper = unit.find(DOCUMENT, document)
    kept = "archived" if paper["state"] == "archived" else "current"
    head = f"{paper['id']} {paper['title']}, {paper['kind']}, {kept}"
    data = {column: paper[column] for column in ("id", "title", "kind", "state", "text")}
    return ActionResult(
        text=f"{head}:\n{paper['text'].strip()}",
        data={"document": data, **listed(DOCUMENT, [paper])},
    )


def _match(query: str) -> str:
    """Make an FTS5 query of words alone, each quoted: none can be an operator or a column."""
    words = [word[:LONGEST_TERM] for word in re.findall(r"[^\W_]+", query.casefold())]
    telling = [word for word in words if word not in _SMALL_WORDS] or words
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(telling[:MOST_TERMS]))
