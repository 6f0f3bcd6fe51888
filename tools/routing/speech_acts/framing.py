"""Which words of a text are somebody else's: in quotes, forwarded, pasted, or under a label."""

import re
from collections.abc import Iterator

from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set

_QUOTED = re.compile(
    r"'''.{1,1900}?(?:'''|$)"  # a code fence: back ticks are apostrophes in the normal form
    r"|\"[^\"]{1,1000}\"|(?<![\w'])'(?:[^'\n]|'(?=\w)){1,1000}'(?!\w)"
    r"|>{2,}[^<>]{1,1000}(?:<{2,}|$)"
    r"|<([a-z][\w-]{0,20})[^<>]{0,80}>.{0,1900}?(?:</\1>|$)"
    r"|~~[^~]{1,1000}~~",  # struck out
    re.DOTALL,
)
_QUOTED_LINE = re.compile(
    r"^[ \t]*(?:>|\||//|#{1,6}[ \t](?!\d)|\$[ \t](?!\d)|[a-z][\w.@:-]{0,30}[>$%][ \t])[^\n]*",
    re.MULTILINE,
)
"""Quoted, or a comment, a heading, what is typed behind a prompt: `$ …`, `// …`, `ben> …`."""
_SHELL = re.compile(
    r"[ \t]*(?:sudo[ \t]+)?(?:git|grep|echo|curl|wget|npm|pip|docker|kubectl|ssh|chmod|ls|cd|rm|mv"
    r"|python3?)[ \t]+(?:-{1,2}\w|[\"'./~$]|(?:status|log|diff|add|commit|push|pull|checkout|branch"
    r"|rebase|merge|stash|clone|fetch|install|run|exec|get|apply|build|show|reset)\b)"
)
_PASTED_FROM_HERE = re.compile(
    r"^[ \t]*[-_=*]{2,}[ \t]*(?:[a-z]+[ \t]+){0,3}(?:message|forwarded|original|quote|mail|text)"
    r"[^\n]*$"
    r"|^[ \t]*(?:agenda|minutes|protocol|transcript)\b[^\n:]*:?[ \t]*$"
    r"|(?<=:)[ \t]*\n(?=[a-z .]{1,20}:[ \t][^\n]+\n[a-z .]{1,20}:[ \t])"
    r"|^[ \t]*begin (?:forwarded|quoted?|original)[^\n]*$"
    r"|^[ \t]*(?:from|to|sent|date|subject|cc|fwd?|fw|re|aw|wg)[ \t]*:"
    r"|^[ \t]*[a-z][a-z .]{0,20}[ ,(\[]+\d{1,2}[:.]\d\d(?:[ ]?[ap]m)?[)\]]?:?[ \t]*\n",
    re.MULTILINE,
)
_LABEL = re.compile(r"^\W{0,10}(?:\[([^\]\n]{1,60})\]|@([\w.-]{1,60}))")
_OUR_LABELS = word_set(
    "urgent important asap action attention please request task todo prefrontal assistant bot "
    "computer all here channel everyone"
)
"""Labels and names under which a text still speaks to us."""


_ENTERED = re.compile(
    r"(?:.+ )?let .+ (?:say|read|be) \".*"
    r"|.+ (?:should|must|shall|to|has to|may|now|henceforth) (?:say|read|be|become) \".*"
    r"|(?:.+ )?(?:i|we|i'd|we'd)(?: would)? (?:want|need|like|go with) \" (?:as|for|in|on|at|to) .+"
    r"|(?:[\w'-]+ ){0,3}\" as (?:an?|the|our|my|its|one|what|point|item|topic|question)\b.*"
    r"|(?:.+ )?(?:our|my|the)(?: (?!last|final|first|note|sign|mail|message|ticket)"
    r"[\w'-]+){1,3} (?:is|is now|now|becomes|reads) \""
    r"|(?:[\w'-]+ ){1,3}(?:now|needs|need|gets) \""
)
"""Around quotes (`\"`) these say where what is quoted is to be entered: `let note 6 say "…"`."""
_ENTERING = re.compile(r"^[^\"\n]{1,80}(?:\+|=|->|→)(?: ?item)? ?[\"“]")
"""So does a sign: `departure list + "close all portholes"`, `rq = "…"`."""


def is_entered(normal: Normal, quoted: frozenset[int]) -> bool:
    """Tell `our question is "…"` and `"…" as a point on the list` from what another said."""
    said: list[str] = []
    for place, token in enumerate(normal.tokens):
        if place not in quoted:
            said.append(token.text)
        elif said[-1:] != ['"']:
            said.append('"')
    by_words = _ENTERED.fullmatch(" ".join(said))
    return by_words is not None or _ENTERING.match(normal.text) is not None


def foreign_words(normal: Normal) -> frozenset[int]:
    """Name the words of a text that its writer does not say to us himself."""
    spans = list(_foreign_spans(normal.text))
    if not spans:
        return frozenset()
    return frozenset(
        place
        for place, token in enumerate(normal.tokens)
        if any(first <= token.start and token.end <= end for first, end in spans)
    )


def is_for_shell(normal: Normal) -> bool:
    """Tell a command for another program, such as `git status of the pump`."""
    return _SHELL.match(normal.text) is not None


def _foreign_spans(text: str) -> Iterator[tuple[int, int]]:
    if any(mark in text for mark in "\"'<~"):
        yield from (match.span() for match in _QUOTED.finditer(text))
    if any(mark in text for mark in ">|/#$%"):
        yield from (match.span() for match in _QUOTED_LINE.finditer(text))
    pasted = _PASTED_FROM_HERE.search(text) if ":" in text or "\n" in text else None
    if pasted is not None:
        yield pasted.start(), len(text)
    label = _LABEL.match(text) if "[" in text or "@" in text else None
    if label is not None and not _OUR_LABELS.issuperset((label[1] or label[2]).split()):
        yield label.start(), len(text)
