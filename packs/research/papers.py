"""Papers: store them under a short id, show them, and format citations and bibliographies."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import JsonValue

from prefrontal.pack import ActionResult, BadInput, NotFound, Paper

from .store import PAPER, Work, listed, number_of, reads

MOST_AUTHORS = 3


def keep(work: Work, papers: Iterable[Paper]) -> list[str]:
    """Keep papers and give their ids; one that is known by any of its ids keeps its number."""
    return [f"{PAPER}{_kept(work, paper)}" for paper in papers]


def _kept(work: Work, paper: Paper) -> int:
    keys = [paper.paper_id, *(f"{kind}:{value}" for kind, value in paper.ids.items())]
    marks = ", ".join("?" * len(keys))
    known = work.row(f"SELECT paper FROM paper_key WHERE key IN ({marks}) ORDER BY paper", *keys)  # noqa: S608  # question marks
    body = paper.model_dump_json()
    if known is None:
        number = work.run(
            "INSERT INTO paper (title, body, seen_at) VALUES (?, ?, ?)", paper.title, body, work.now
        )
    else:
        number = int(known["paper"])
        work.run(
            "UPDATE paper SET title = ?, body = ?, seen_at = ? WHERE number = ?",
            paper.title,
            body,
            work.now,
            number,
        )
    for key in keys:
        work.run("INSERT OR IGNORE INTO paper_key VALUES (?, ?)", key, number)
    return number


def line(number: int, paper_id: str, paper: Paper) -> str:
    """Write a paper as one entry of a list."""
    return f"{number}. {paper.title} — {byline(paper)} [{paper_id}]"


def byline(paper: Paper) -> str:
    """Say who wrote it, when, where, and how it was received."""
    parts = [authors_of(paper) or "unknown authors"]
    if paper.year is not None:
        parts.append(str(paper.year))
    if paper.venue:
        parts.append(paper.venue)
    if paper.citations is not None:
        parts.append(f"{paper.citations} citation" + "s" * (paper.citations != 1))
    if paper.open_access:
        parts.append("open access")
    return ", ".join(parts)


def authors_of(paper: Paper) -> str:
    """Name the authors, the first three of many."""
    if len(paper.authors) > MOST_AUTHORS:
        return f"{', '.join(paper.authors[:MOST_AUTHORS])} et al."
    return ", ".join(paper.authors)


def listing(ids: Sequence[str], papers: Sequence[Paper]) -> str:
    """Write a numbered list."""
    pairs = zip(ids, papers, strict=True)
    return "\n".join(line(place, paper_id, one) for place, (paper_id, one) in enumerate(pairs, 1))


def data_of(paper_id: str, paper: Paper) -> dict[str, JsonValue]:
    """Lay a paper out for programs; its abstract is shown with the paper alone."""
    told = paper.model_dump(mode="json", exclude_none=True, exclude={"abstract"})
    return {"id": paper_id, **told}


_TEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}
MOST_IN_APA = 20


def cited(paper: Paper, style: str) -> str:
    """Write one citation: apa, mla, bibtex or ris."""
    match style:
        case "apa":
            return _apa(paper)
        case "mla":
            return _mla(paper)
        case "bibtex" | "ris":
            return bibliography([paper], style).strip()
    raise BadInput(f"there is no style {style}; take apa, mla, bibtex or ris")


def bibliography(papers: Sequence[Paper], form: str) -> str:
    """Write a bibliography: bibtex, ris, csl or text."""
    writers: Mapping[str, Callable[[Sequence[Paper]], str]] = {
        "bibtex": _bibtex,
        "ris": lambda them: "\n".join(map(_ris, them)),
        "csl": lambda them: json.dumps([_csl(one) for one in them], ensure_ascii=False, indent=2),
        "text": lambda them: "\n".join(map(_apa, them)),
    }
    if form not in writers:
        raise BadInput(f"there is no format {form}; take {', '.join(writers)}")
    return f"{writers[form](papers)}\n"


def _apa(paper: Paper) -> str:
    names = [_inverted(name) for name in paper.authors[:MOST_IN_APA]]
    if len(names) > 1:
        names[-1] = f"& {names[-1]}"
    author = ", ".join(names) or paper.title
    title = f" {paper.title}." if names else ""
    venue = f" {paper.venue}." if paper.venue else ""
    doi = f" https://doi.org/{paper.doi}" if paper.doi else ""
    return f"{author} ({paper.year or 'n.d.'}).{title}{venue}{doi}"


def _mla(paper: Paper) -> str:
    first = _last_first(paper.authors[0]) if paper.authors else ""
    more = ", et al" if len(paper.authors) > 2 else ""
    second = f", and {paper.authors[1]}" if len(paper.authors) == 2 else ""
    author = f"{first}{second}{more}. " if first else ""
    parts = [str(part) for part in (paper.venue, paper.year) if part]
    doi = f", https://doi.org/{paper.doi}" if paper.doi else ""
    return f"{author}“{paper.title}.” {', '.join(parts)}{doi}."


def _bibtex(papers: Sequence[Paper]) -> str:
    """Give every entry a key of its own."""
    taken: dict[str, int] = {}
    entries = []
    for paper in papers:
        key = _key(paper)
        taken[key] = taken.get(key, 0) + 1
        suffix = "" if taken[key] == 1 else chr(ord("a") + taken[key] - 1)
        fields = {
            "title": paper.title,
            "author": " and ".join(paper.authors) or None,
            "year": str(paper.year) if paper.year else None,
            "journal": paper.venue,
            "doi": paper.doi,
            "url": paper.open_access_url or paper.url,
        }
        raw = ("doi", "url")
        lines = [
            f"  {name} = {{{value if name in raw else _tex(value)}}}"
            for name, value in fields.items()
            if value
        ]
        entries.append(f"@article{{{key}{suffix},\n" + ",\n".join(lines) + "\n}")
    return "\n\n".join(entries)


def _ris(paper: Paper) -> str:
    lines = ["TY  - JOUR", *(f"AU  - {_last_first(name)}" for name in paper.authors)]
    lines.append(f"TI  - {paper.title}")
    lines += [f"PY  - {paper.year}"] if paper.year else []
    lines += [f"JO  - {paper.venue}"] if paper.venue else []
    lines += [f"DO  - {paper.doi}"] if paper.doi else []
    return "\n".join([*lines, "ER  - "])


def _csl(paper: Paper) -> dict[str, object]:
    known: dict[str, object] = {
        "id": paper.paper_id,
        "type": "article-journal",
        "title": paper.title,
        "author": [_parts(name) for name in paper.authors],
    }
    if paper.year:
        known["issued"] = {"date-parts": [[paper.year]]}
    more = {"container-title": paper.venue, "DOI": paper.doi, "URL": paper.url}
    return known | {name: value for name, value in more.items() if value}


def _parts(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"family": family, "given": given} if given else {"literal": name}


def _last_first(name: str) -> str:
    given, _, family = name.rpartition(" ")
    return f"{family}, {given}" if given else family


def _inverted(name: str) -> str:
    given, _, family = name.rpartition(" ")
    initials = " ".join(f"{part[0]}." for part in given.split() if part[0].isalpha())
    return f"{family}, {initials}" if initials else family


def _key(paper: Paper) -> str:
    family = paper.authors[0].split()[-1] if paper.authors else "anonymous"
    word = next((w for w in re.findall(r"\w+", paper.title.lower()) if len(w) > 3), "paper")
    plain = unicodedata.normalize("NFKD", f"{family}{paper.year or ''}{word}")
    return re.sub(r"[^A-Za-z0-9]", "", plain).lower() or "paper"


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)


@reads
def show_paper(work: Work, *, paper: str) -> ActionResult:
    """Tell everything that is known of a paper."""
    one = work.paper(paper)
    number = number_of(paper, PAPER)
    lines = [f"{one.title} [{paper}]", byline(one)]
    if one.abstract:
        lines.append(one.abstract)
    lines += [f"DOI {one.doi}"] if one.doi else []
    link = one.open_access_url or one.url
    lines += [link] if link else []
    shelved = work.row("SELECT status, rating FROM library WHERE paper = ?", number)
    if shelved is not None:
        tags = [row["name"] for row in work.rows("SELECT name FROM tag WHERE paper = ?", number)]
        rated = f", rated {shelved['rating']} of 5" if shelved["rating"] else ""
        tagged = f", tagged {', '.join(tags)}" if tags else ""
        lines.append(f"In the library: {shelved['status']}{rated}{tagged}.")
    notes = work.row("SELECT count(*) FROM note WHERE paper = ? AND is_deleted = 0", number)
    if notes is not None and notes[0]:
        lines.append(f"{notes[0]} note(s).")
    return ActionResult(
        text="\n".join(lines), data={"listed": listed([paper]), "paper": data_of(paper, one)}
    )


@reads
def list_results(work: Work) -> ActionResult:
    """List again what was listed last in this conversation.

    Raises:
        NotFound: nothing was listed yet.
    """
    kept = work.memory.listed.get("paper")
    if kept is None:
        raise NotFound("search in this conversation", "with results; search first")
    if not kept.values:
        return ActionResult(text="The last list is empty: nothing was found.")
    ids = [one for one in kept.values if number_of(one, PAPER) > 0]
    papers = [work.paper(one) for one in ids]
    return ActionResult(
        text=f"The last list:\n{listing(ids, papers)}", data={"listed": listed(ids)}
    )


@reads
def show_citation(work: Work, *, paper: str, style: str = "apa") -> ActionResult:
    """Write a paper as a citation."""
    return ActionResult(
        text=cited(work.paper(paper), style), data={"listed": listed([paper]), "style": style}
    )
