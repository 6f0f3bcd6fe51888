"""Write papers as citations and bibliographies."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from state.errors import BadInput
from state.paper import Paper

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
