"""Analyse and compare papers by what their abstracts say; no model is needed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from state.action import ActionResult
from state.errors import BadInput
from state.paper import Paper

from .effects import reads
from .extracting import figures_in, keywords_of, overlap, parts_of, sentences
from .papers import authors_of, byline
from .work import Work, listed, texts

MOST_COMPARED = 8
_TITLES = {"aim": "Aim", "method": "Method", "result": "Findings", "limits": "Limits"}


@reads
def analyse_paper(work: Work, *, paper: str) -> ActionResult:
    """Take a paper apart, and say what it has to do with the research question."""
    one = work.paper(paper)
    found = _analysed(one)
    data: dict[str, Any] = found._asdict()  # JSON values
    lines = [f"{one.title} [{paper}]", byline(one)]
    if one.abstract is None:
        lines.append("Its providers tell no abstract; this is all that can be said by rules.")
    for name, title in _TITLES.items():
        said = found.parts[name]
        lines += [f"{title}: {' '.join(said)}"] if said else []
    if found.figures:
        lines.append(f"Figures: {', '.join(found.figures)}")
    lines.append(f"Keywords: {', '.join(found.keywords) or 'none'}")
    question = _question(work)
    if question is not None:
        shared = overlap(question, f"{one.title} {one.abstract or ''}")
        told = f"shares {', '.join(shared)}" if shared else "shares no word"
        lines.append(f"With the research question “{question}” it {told}.")
        data |= {"question": question, "shared": list(shared)}
    return ActionResult(text="\n".join(lines), data={**data, "listed": listed([paper])})


@reads
def compare_papers(work: Work, *, papers: Sequence[str]) -> ActionResult:
    """Set papers side by side: when, how well received, what after, what shared."""
    ids = list(dict.fromkeys(papers))
    if not 1 < len(ids) <= MOST_COMPARED:
        raise BadInput(f"name 2 to {MOST_COMPARED} papers to compare, such as P-1 and P-2")
    found = [(paper_id, work.paper(paper_id)) for paper_id in ids]
    keywords = {
        paper_id: keywords_of([one.title, one.abstract or ""], 15) for paper_id, one in found
    }
    shared = [word for word in keywords[ids[0]] if all(word in own for own in keywords.values())]
    lines = []
    for paper_id, one in found:
        own = [word for word in keywords[paper_id] if word not in shared][:6]
        aim = _analysed(one).parts["aim"]
        first = (aim or sentences(one.abstract or ""))[:1]
        lines.append(f"{one.title} [{paper_id}]: {byline(one)}")
        lines += [f"  {first[0]}"] if first else []
        lines.append(f"  its own: {', '.join(own) or 'nothing'}")
    lines.append(f"In common: {', '.join(shared) or 'no keyword'}.")
    lines.append(_in_order([one for _id, one in found]))
    return ActionResult(
        text="\n".join(lines),
        data={"listed": listed(ids), "shared": texts(shared)},
    )


@reads
def extract_keywords(work: Work, *, papers: Sequence[str] = ()) -> ActionResult:
    """Name what the papers are about; without any, those that were listed last."""
    listed = work.memory.listed.get("paper")
    ids = list(papers) or list(listed.values if listed else ())
    if not ids:
        raise BadInput("say of which papers, or search first")
    found = [work.paper(one) for one in ids]
    words = keywords_of([f"{one.title} {one.abstract or ''}" for one in found], 12)
    head = f"{len(found)} papers" if len(found) > 1 else found[0].title
    return ActionResult(text=f"{head}: {', '.join(words)}", data={"keywords": texts(words)})


class _Analysis(NamedTuple):
    """What the words of a paper tell."""

    parts: Mapping[str, list[str]]
    figures: list[str]
    keywords: list[str]


def _analysed(paper: Paper) -> _Analysis:
    abstract = paper.abstract or ""
    keywords = keywords_of([paper.title, abstract])
    return _Analysis(parts_of(abstract), figures_in(abstract), keywords)


def _question(work: Work) -> str | None:
    for name in ("research_question", "research_topic"):
        if name in work.memory.facts:
            return work.memory.facts[name].value
    return None


def _in_order(papers: Sequence[Paper]) -> str:
    dated = sorted((one for one in papers if one.year), key=lambda one: one.year or 0)
    parts = []
    if dated:
        parts.append(f"Newest: {authors_of(dated[-1])} {dated[-1].year}.")
    cited = [one for one in papers if one.citations is not None]
    if cited:
        most = max(cited, key=lambda one: one.citations or 0)
        parts.append(f"Most cited: {most.title} ({most.citations}).")
    return " ".join(parts)
