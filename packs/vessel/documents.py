"""Documents: search and open, upload, archive and share, and the reverse of each."""

import re

from pydantic import JsonValue

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .effects import changes, listed, reads
from .formatting import checked_text
from .names import CREW, DOCUMENT
from .unit_of_work import UnitOfWork

LONGEST_TITLE = 120


@changes
def upload_document(unit: UnitOfWork, *, title: str, text: str | None = None) -> ActionResult:
    """Put a document on board under a title of its own; what it says can be searched.

    Raises:
        BadInput: no title, or title or text too long.
        Conflict: there is a document of that title.
    """
    number = file_document(unit, title, text or title, "upload")
    return ActionResult(
        text=f"{number} ({title.strip()}) is on board.",
        data={"document": number, "title": title.strip()},
        undo={"document": number},
    )


@changes
def remove_upload(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Take away a document that was uploaded here and that nothing refers to yet.

    Raises:
        NotFound: no such document.
        Conflict: it came with the vessel, is a certificate's paper, is shared or is attached.
    """
    paper = unit.find(DOCUMENT, document)
    label = f"{paper['id']} ({paper['title']})"
    if paper["filed_by"] is None:
        raise Conflict(f"{label} came with the vessel; archive it instead", paper["state"])
    for table, column in (
        ("certificate", "document"),
        ("attachment", "document"),
        ("share", "target"),
    ):
        if unit.row(f"SELECT 1 FROM {table} WHERE {column} = ?", paper["id"]):  # noqa: S608  # names of ours
            raise Conflict(f"{label} is in use ({table}); it stays", "in use")
    unit.delete("document_text", paper["id"])
    unit.delete("document", paper["id"])
    return ActionResult(text=f"{label} is taken away.", changed=(f"{paper['id']}: removed",))


@changes
def archive_document(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Take a document out of circulation: it stays in the store and is no longer found.

    Raises:
        NotFound: no such document.
        Conflict: it is archived already, or the law wants it on board.
    """
    paper = unit.find(DOCUMENT, document)
    label = f"{paper['id']} ({paper['title']})"
    if paper["state"] == "archived":
        raise Conflict(f"{label} is archived already", "archived")
    if paper["statutory"]:
        raise Conflict(f"{label} has to stay on board and cannot be archived", "current")
    unit.update(
        "document", paper["id"], state="archived", archived_on=unit.day, archived_by=unit.user
    )
    return ActionResult(
        text=f"{label} is archived.",
        data={"document": paper["id"], "title": paper["title"], "state": "archived"},
        changed=(f"{paper['id']}: current -> archived",),
        undo={"document": paper["title"]},
    )


@changes
def restore_document(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Bring a document back from the archive: it is found again.

    Raises:
        NotFound: no such document.
        Conflict: it is not archived.
    """
    paper = unit.find(DOCUMENT, document)
    label = f"{paper['id']} ({paper['title']})"
    if paper["state"] != "archived":
        raise Conflict(f"{label} is not archived", "current")
    unit.update("document", paper["id"], state="current", archived_on=None, archived_by=None)
    return ActionResult(
        text=f"{label} is back from the archive.",
        data={"document": paper["id"], "title": paper["title"], "state": "current"},
        changed=(f"{paper['id']}: archived -> current",),
        undo={"document": paper["title"]},
    )


@changes
def share_document(unit: UnitOfWork, *, document: str, recipient: str) -> ActionResult:
    """Let a member of the crew read a document.

    Raises:
        NotFound: no such document or crew member.
        Conflict: it is archived, or shared with them already.
    """
    paper = unit.find(DOCUMENT, document)
    person = str(unit.find(CREW, recipient)["name"])
    label = f"{paper['id']} ({paper['title']})"
    if paper["state"] == "archived":
        raise Conflict(f"{label} is archived; restore it first", "archived")
    email = address_of(person)
    unit.recipients.append(email)
    open_share(unit, "document", paper["id"], person, email)
    return ActionResult(
        text=f"{label} is shared with {person}.",
        data={"document": paper["id"], "recipient": person, "email": email},
        undo={"document": paper["title"], "recipient": person},
    )


@changes
def unshare_document(unit: UnitOfWork, *, document: str, recipient: str) -> ActionResult:
    """Stop sharing a document with a member of the crew.

    Raises:
        NotFound: no such document or crew member, or it is not shared with them.
    """
    paper = unit.find(DOCUMENT, document)
    person = str(unit.find(CREW, recipient)["name"])
    shared = unit.row(
        "SELECT * FROM share WHERE what = 'document' AND target = ? AND recipient = ?"
        " AND state = 'shared'",
        paper["id"],
        person,
    )
    if shared is None:
        raise NotFound("share", f"{paper['id']} with {person}")
    unit.recipients.append(str(shared["email"]))
    unit.update("share", shared["id"], state="withdrawn")
    return ActionResult(
        text=f"{paper['id']} ({paper['title']}) is no longer shared with {person}.",
        data={"document": paper["id"], "recipient": person},
    )


def file_document(unit: UnitOfWork, title: str, text: str, kind: str) -> str:
    """Put a document on board and into the search; returns its id.

    Raises:
        BadInput: no title, or title or text too long.
        Conflict: there is a document of that title.
    """
    name, words = checked_text(title, "title"), checked_text(text, "text")
    if len(name) > LONGEST_TITLE:
        raise BadInput(f"the title is longer than {LONGEST_TITLE} characters; shorten it")
    if unit.row("SELECT 1 FROM document WHERE lower(title) = lower(?)", name):
        raise Conflict(f"there is a document called {name}; choose another title", "taken")
    number = unit.next_id("document", "DOC-")
    unit.insert(
        "document",
        id=number,
        title=name,
        kind=kind,
        also="[]",
        text=words,
        statutory=0,
        state="current",
        archived_on=None,
        archived_by=None,
        filed_on=unit.day,
        filed_by=unit.user,
    )
    unit.insert("document_text", id=number, title=name, text=words)
    return number


def open_share(unit: UnitOfWork, what: str, target: str, recipient: str, email: str) -> str:
    """Enter that something is shared with somebody; returns the id of the entry.

    Raises:
        Conflict: it is shared with them already.
    """
    there = (
        "SELECT 1 FROM share WHERE what = ? AND target = ? AND recipient = ? AND state = 'shared'"
    )
    if unit.row(there, what, target, recipient):
        raise Conflict(f"{target} is shared with {recipient} already", "shared")
    number = unit.next_id("share", "SHR-")
    unit.insert(
        "share",
        id=number,
        what=what,
        target=target,
        recipient=recipient,
        email=email,
        shared_on=unit.day,
        shared_by=unit.user,
        state="shared",
    )
    return number


def address_of(person: str) -> str:
    """Return the address on board of a member of the crew."""
    return f"{person.split(maxsplit=1)[0].lower()}@alcyone.example"


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
