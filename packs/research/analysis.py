"""Analyse and compare papers by rules over their abstracts; no model is needed."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from prefrontal.pack import ActionResult, BadInput, Paper

from .papers import authors_of, byline
from .store import Work, listed, reads, texts

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])")
_WORD = re.compile(r"[a-z][a-z0-9+-]{2,}")
CUES: Mapping[str, re.Pattern[str]] = {
    "aim": re.compile(
        r"\b(?:we (?:propose|present|introduce|study|investigate|ask|examine|develop|describe|aim)"
        r"|this (?:paper|article|work|study|survey|review) |our (?:aim|goal|objective)|aims? to"
        r"|in order to|is (?:proposed|presented|introduced))\b",
        re.IGNORECASE,
    ),
    "method": re.compile(
        r"\b(?:we (?:use|used|train|trained|collect|collected|measure|measured|apply|applied"
        r"|analy[sz]ed?|recorded|compared?)|using|based on|trained on|by means of|method|dataset"
        r"|data ?sets?|experiments?|participants|model is|architecture|approach|algorithm)\b",
        re.IGNORECASE,
    ),
    "result": re.compile(
        r"\b(?:results? (?:show|suggest|indicate|demonstrate)|we (?:find|found|show|showed|observe"
        r"|observed|demonstrate|report)|achieves?|achieved|outperforms?|improves?|improved"
        r"|increases?d?|reduces?d?|state[- ]of[- ]the[- ]art|significant(?:ly)?|reveals?)\b",
        re.IGNORECASE,
    ),
    "limits": re.compile(
        r"\b(?:however|limitations?|limited (?:by|to)|only (?:a|one|in)|future work|remains?"
        r"|caution|not (?:clear|yet|known)|unclear|further (?:work|research|studies))\b",
        re.IGNORECASE,
    ),
}
"""Words by which a sentence shows what it is about."""
_ORDER = ("limits", "result", "aim", "method")
_FIGURE = re.compile(
    r"(?:\b[A-Za-z][\w-]* (?:of|by|to) )?\b\d+(?:[.,]\d+)?(?: ?%| percent| points?| BLEU|-fold|x\b)"
)
_STOP_WORDS = (
    "the and for with that this from are was were has have had its their our which these those can"
    " may such been being than then also into over under between more most other some any all each"
    " both not only but how what when where while who will would could should using used use based"
    " show shows shown paper papers study studies results result method methods approach model"
    " models new two one first well very many however because through within across during after"
    " before against about without per via let see they them there here does did done due we"
)
_STOP = frozenset(_STOP_WORDS.split())


def parts_of(abstract: str) -> Mapping[str, list[str]]:
    """Sort the sentences of an abstract; one without a sign of its own is left out."""
    parts: dict[str, list[str]] = {name: [] for name in CUES}
    for sentence in sentences(abstract):
        kind = next((name for name in _ORDER if CUES[name].search(sentence)), None)
        if kind is not None:
            parts[kind].append(sentence)
    return parts


def sentences(text: str) -> list[str]:
    """Cut a text into sentences."""
    return [part.strip() for part in _SENTENCE.split(text.strip()) if part.strip()]


def figures_in(text: str) -> list[str]:
    """Find the numbers with a unit that a result is told in."""
    return list(dict.fromkeys(match[0].strip() for match in _FIGURE.finditer(text)))[:6]


def keywords_of(texts: Iterable[str], most: int = 8) -> list[str]:
    """Name the words that stand out, the most frequent first, ties in the order of the text."""
    counted = Counter(word for text in texts for word in telling_words(text))
    return [word for word, _count in counted.most_common(most)]


def telling_words(text: str) -> list[str]:
    """List the words of a text that carry meaning."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


def overlap(question: str, text: str) -> Sequence[str]:
    """Name the words of a question that a text has too."""
    have = {_stem(word) for word in telling_words(text)}
    return [word for word in dict.fromkeys(telling_words(question)) if _stem(word) in have]


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


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
