"""Technologies that a question is narrowed to: "decisions about Kafka", "records using Redis"."""

import re
from collections.abc import Iterator

_NOUN = r"(?:decisions?|records?|adrs?|anything|everything|something)"
_LINK = re.compile(
    r"\b(?:about|on|regarding|concerning|involving|around|mentioning|using|with|for|related to"
    r"|to do with|(?:(?<=that )|(?<=which )|(?<=decisions )|(?<=records )|(?<=adrs ))"
    r"(?:use|uses|used|mention|mentions|involve|involves|name|names|concern|concerns))\s+",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:decided?|agreed?|settled?)(?: \w+thing)? (?:about|on|regarding|concerning|around)\s+",
    re.IGNORECASE,
)
_WHERE = re.compile(
    rf"\b{_NOUN} (?:where|in which|that have)\s+(?P<what>[^,;?!]{{1,60}}?)\s+"
    r"(?:is|are|was|were|has been|played)(?: \w+){0,2}? (?:involved|used|mentioned|named|part)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"(?P<what>(?:[\w.+#/-]+\s+){1,3})(?:decisions?|records|adrs)\b", re.IGNORECASE
)
_HEAD = re.compile(rf"\b{_NOUN}\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?:\b(?:not|never|nor|no longer|other than|except)|n[’']t)(?: \w+)?\s*$", re.IGNORECASE
)
_ELSE = re.compile(r"\b(?:to(?! do with)|or|than|instead)\b", re.IGNORECASE)
"""Between the decisions and the link: then it is no longer they that are about the thing."""
_END = re.compile(
    r"[?!;:()\"“”]|\.(?=\s|$)|\s(?:in|by|for|since|from|of|that|which|where|who|with|using|before"
    r"|after|during|until|made|taken|on|to|as|at|when|was|were|is|are|while|because|instead)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", re.IGNORECASE)
_GIVEN = re.compile(
    r"\btech(?:nology|nologies)?\s*[:=]\s*(?P<names>[\w.+#/-]+(?:,[\w.+#/-]+)*)", re.IGNORECASE
)
_MOST_WORDS = 4


def given_in(text: str) -> tuple[tuple[str, ...], str]:
    """Read "tech:redis": the names, and the text with the label taken off.

    What is given like that needs no likeness to a name.
    """
    found = _GIVEN.search(text)
    if found is None:
        return (), text
    names = tuple(name.strip(".") for name in found["names"].split(","))
    return names, f"{text[: found.start()]}{found['names']}{text[found.end() :]}"


def may_be_named(text: str) -> tuple[tuple[str, ...], ...]:
    """List what decisions are asked for by: each of a group has to be a name for it to count.

    Whether something is one is told by how the records write it (see naming.py): that
    "decisions about Kafka" names a thing and "decisions about caching" does not, no grammar knows.
    """
    found = (*_after_links(text), *_before_decisions(text))
    return tuple(dict.fromkeys(group for group in found if group))


def _after_links(text: str) -> Iterator[tuple[str, ...]]:
    for found in _WHERE.finditer(text):
        yield _listed(found["what"])
    links = [*_DECIDED.finditer(text)]
    if head := _HEAD.search(text):
        links += [
            link
            for link in _LINK.finditer(text, head.end())
            if not _ELSE.search(text, head.end(), link.start())
        ]
    for link in links:
        if not _NOT.search(text[: link.start()]):
            yield _listed(_END.split(text[link.end() :], maxsplit=1)[0])


def _before_decisions(text: str) -> Iterator[tuple[str, ...]]:
    for found in _OF_THEM.finditer(text):
        words = found["what"].split()
        for place in range(len(words)):
            if place == 0 or words[place - 1].lower() not in ("and", "or"):
                yield (" ".join(words[place:]),)


def _listed(phrase: str) -> tuple[str, ...]:
    if _ELSE.search(phrase):
        return ()
    names = [part.strip(" .'’") for part in _BETWEEN.split(phrase) if part.strip(" .'’")]
    return tuple(names) if all(len(one.split()) <= _MOST_WORDS for one in names) else ()
