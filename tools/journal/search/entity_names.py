"""Decide from how the records spell a word whether it is a proper name, and of a person."""

import re
from collections.abc import Iterator, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    column,
    false,
    literal,
    literal_column,
    or_,
    select,
    table,
    true,
)

from state.reader import Reader
from tools.journal.extraction.attributes import fold_name
from tools.journal.search.query import STOP_WORDS, is_calendar
from tools.journal.supersession.rules import choice_in_title
from tools.storage import readable_in
from tools.storage.query_filters import readable
from tools.storage.tables.journal import journal_entry, journal_person

MOST_READ = 60
"""Records that are looked at to see how they write one name."""
_MOST_MATCHED = 5_000
"""Among how many of all tenants they are looked for."""
_KINDS = ("sql", "db", "js")
"""Ends that people leave out of names: PostgreSQL, MongoDB, Vue.js."""
_SHORTEST = 5
_TOKEN = re.compile(r"[^\W_]+")
_OPENS = re.compile(r"(?:^|[.!?:;>*|\n(]|\n\s*\d+)\W*$")
_ODD = re.compile(r"[^\W_][A-Z]|[^\W\d_]\d|[.+#]\w|\w[+#]")
"""Looks like a name wherever it stands: gRPC, S3, Node.js, C#."""
_ABBREVIATION = re.compile(r"(?:[a-z]\.)+[a-z]?")
"""No name: e.g, i.e."""
_IN_GLOB = re.compile(r"([*?\[])")
_text = table("journal_text", column("rowid"))


def names_condition(name: str) -> ColumnElement[bool]:
    """Write the condition that an entry names something, in whichever of its spellings.

    A name that is a common word too, or has signs, has to stand there just as it is given.
    """
    rows = _said_in(name)
    if rows is None:
        return false()
    return and_(journal_entry.c.entry_id.in_(rows), _as_given(name))


def _said_in(name: str) -> Select[tuple[int]] | None:
    phrases = [_TOKEN.findall(one) for one in spellings(name)]
    match = " OR ".join(f'"{" ".join(tokens)}"' for tokens in phrases if tokens)
    is_said = literal_column("journal_text").op("MATCH")(match)
    return select(_text.c.rowid).where(is_said) if match else None


def _as_given(name: str) -> ColumnElement[bool]:
    if not _is_exact(name):
        return true()
    entry = journal_entry.c
    parts = (entry.title, entry.decision, entry.reasons, entry.details)
    whole: ColumnElement[str] = literal(" ")
    for part in parts:
        whole = whole + part + " "
    written = _IN_GLOB.sub(r"[\1]", name)
    return whole.op("GLOB")(f"*[^A-Za-z0-9_]{written}[^A-Za-z0-9_+#]*")


def spellings(name: str) -> tuple[str, ...]:
    """List how else a name may be written: postgres, PostgreSQL; Node.js, nodejs."""
    plain = name.lower()
    found = {plain: None, plain.replace(".", ""): None}
    base = next((plain.removesuffix(kind) for kind in _KINDS if plain.endswith(kind)), "")
    base = base.rstrip(".")
    if len(base) >= _SHORTEST:
        found |= dict.fromkeys((base, f"{base}s"))
    elif not base and len(plain) >= _SHORTEST and plain.isalpha():
        found |= dict.fromkeys(f"{plain}{kind}" for kind in _KINDS)
        found |= {f"{plain.removesuffix('s')}{_KINDS[0]}": None}
    return tuple(found)


def are_names(connection: Connection, names: Sequence[str], asked: str, reader: Reader) -> bool:
    """Tell whether every one of these is written as a name in what one may read."""
    return bool(names) and all(_is_name(connection, one, asked, reader) for one in names)


def _is_name(connection: Connection, name: str, asked: str, reader: Reader) -> bool:
    words = name.split()
    if any(is_calendar(word) for word in words) or not any(map(str.isalpha, name)):
        return False
    if _ABBREVIATION.fullmatch(name):
        return False
    if words[0].lower() in STOP_WORDS and name == name.lower():
        return False
    if is_person(connection, name, reader):
        return False
    texts = list(_texts(connection, name, reader))
    ways = [_way(written, start, text) for text, start, written in _occurrences(name, texts)]
    named, plain = ways.count("name"), ways.count("word")
    by_asker = _is_capital(name) and any(word[:1].islower() for word in asked.split()[1:])
    if named > plain or (by_asker and ways and (named > 0 or plain == 0)):
        return True
    return not named and any(
        choice_in_title(text.partition("\n")[0]) == name.lower() for text in texts
    )


def _texts(connection: Connection, name: str, reader: Reader) -> Iterator[str]:
    entry = journal_entry.c
    rows = _said_in(name)
    if rows is None:
        return
    some = rows.limit(_MOST_MATCHED).subquery()
    query = (
        select(entry.title, entry.decision, entry.reasons, entry.details)
        .join(some, some.c.rowid == entry.entry_id)
        .where(
            literal_column("+journal_entry.tenant_id") == reader.tenant_id,
            readable(entry.session_id, reader),
            _as_given(name),
        )
        .limit(MOST_READ)
    )
    for row in connection.execute(query):
        yield "\n".join(row)


def _occurrences(name: str, texts: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    ways = "|".join(r"\s+".join(re.escape(word) for word in one.split()) for one in spellings(name))
    pattern = re.compile(rf"(?<![\w@.#])(?:{ways})(?![\w+#])", re.IGNORECASE)
    for text in texts:
        for found in pattern.finditer(text):
            yield text, found.start(), found.group()


def _way(written: str, start: int, text: str) -> str:
    """Tell how it is written there: as a name, as a word, or where nobody can tell."""
    if _ODD.search(written):
        return "name"
    if written[:1].islower():
        return "word"
    line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0]
    others = [word for word in line.split() if word[:1].isalpha() and word not in written]
    is_heading = sum(word[0].islower() for word in others) <= len(others) / 2
    if is_heading or _OPENS.search(text[max(0, start - 20) : start]):
        return "unknown"
    return "name"


def _is_capital(name: str) -> bool:
    return bool(_ODD.search(name)) or all(not word[:1].islower() for word in name.split())


def _is_exact(name: str) -> bool:
    return len(name) <= 2 or name.lower() in STOP_WORDS or bool(re.search(r"[+#]", name))


def is_person(connection: Connection, name: str, reader: Reader) -> bool:
    """Tell whether somebody of this name took part in what one may read."""
    person = journal_person.c
    who = fold_name(name)
    query = (
        select(person.entry_id)
        .join(journal_entry, journal_entry.c.entry_id == person.entry_id)
        .where(
            or_(person.name == who, person.name.startswith(f"{who} ", autoescape=True)),
            readable_in(journal_entry, reader),
        )
        .limit(1)
    )
    return connection.execute(query).first() is not None
