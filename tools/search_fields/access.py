"""Whether only papers that are free to read are wanted, or that it does not matter."""

import re
from collections.abc import Iterator

from tools.search_fields.passage import Found

_OPEN = (
    r"(?:(?:gold |green |fully )?open[- ]?access|oa\b|free(?:ly)?(?: to read| available"
    r"| accessible)?|paywall-free|non-paywalled)"
)
_FREE = (
    r"(?:gold |green |fully )?open[- ]access|\boa\b|\bfree(?:ly)?[- ](?:to[- ]read|available"
    r"|accessible|downloadable)"
    r"|\bfree (?:full[- ]?texts?|pdfs?|(?:of charge))|\bfree(?= (?:papers|articles|studies"
    r"|publications))|\bfree(?= ones| only)"
    r"|\b(?:no|without(?: a| any)?|outside (?:the|a)) paywalls?|\bnot (?:be )?(?:paywalled"
    r"|behind (?:a |the )?paywalls?)"
    r"|\b(?:un|non-)paywalled|\bpaywall[- ]free|\bpublicly (?:available|accessible)"
    r"|\b(?:with|have|has|having) (?:an? )?(?:free |open |full[- ]text |accessible )?pdfs?"
    r"|\bpdfs? available"
    r"|\b(?:with )?full[- ]text available|\b(?:available|read|download|downloaded|access"
    r"|get)(?: \w+)? for free"
    r"|\b(?:skip|exclude|excluding|no|without|leave out|omit|avoid|not)(?: the"
    r"| any)? paywalled|\bavailable without (?:a )?subscription"
)
_LEAD = (
    r"(?:\b(?:(?:that|which) (?:is|are)|that|which|only|just|must be|has to be|(?:that )?(?:i|we"
    r"|you) can(?: all)?|exclusively|strictly) )*"
)
_WANTED = re.compile(rf"{_LEAD}(?:{_FREE})(?:[- ]only| ones| only)?(?!\w)")
_MATTERS_NOT = re.compile(
    rf"\bnot (?:only|just|necessarily|limited to"
    rf"|restricted to)(?: the)?(?: to)? {_OPEN}(?: ones| papers| articles)?"
    rf"|\b(?:(?:it |they )?(?:does|do|need)(?: not|n't)(?: have| need)? ?(?:to )?be"
    rf"|no need to be|needn't be) (?:only )?{_OPEN}"
    rf"|{_OPEN} or (?:not|paywalled|closed|otherwise)|\b(?:paywalled|closed access"
    rf"|closed) or {_OPEN}"
    r"|\b(?:including|include|even|also|and) (?:the )?(?:paywalled|closed[- ]access"
    r"|subscription)(?: ones| papers| articles)?"
    r"|\bpaywall(?:s|ed)?(?: ones)? (?:is|are) (?:fine|ok|okay|no problem|allowed)"
    rf"|\bwith or without (?:a )?paywalls?|\b(?:regardless of|whatever the) access"
    rf"|{_OPEN} (?:is )?(?:optional|not (?:required|needed|necessary|a must))"
    rf"|\b(?:drop|remove|lift|forget|ignore|without|no|clear|turn off|switch off)(?: the"
    rf"| that)? {_OPEN}(?:[- ]only)? (?:filter|limit|restriction|constraint|requirement|only)"
)
_DENIED = re.compile(
    rf"\b(?:not|no|non-?|exclude|excluding|except(?: for)?"
    rf"|other than)[- ]?(?:the )?{_OPEN}(?: ones)?|\bclosed[- ]access\b"
    rf"|\bonly paywalled(?: ones)?"
)
_PREFERRED = re.compile(
    rf"\b(?:preferabl[ey]|ideally|if possible|prefer)[ ,]+(?:the )?{_OPEN}"
    rf"|{_OPEN}(?: ones)?,? (?:if possible|preferred|preferably)"
)
_TOPIC_BEFORE = re.compile(
    r"\b(?:about|on|of|regarding|concerning|around|into|between|towards?|for) (?:the )?$"
)
_TOPIC_AFTER = re.compile(
    r"[- ](?:to [a-z]|publish|movement|mandat|polic|citation|advoca|initiative|model|fee|debate"
    r"|economics|repositor|advantage|"
    r"agreement|transformation|funding|landscape|infrastructure|journal business)"
)


def access_in(text: str) -> Iterator[Found]:
    """Find what is said about access; `open access publishing` is a topic and no wish."""
    seen: list[tuple[int, int]] = []
    for pattern, value, rule in (
        (_MATTERS_NOT, False, "matters_not"),
        (_PREFERRED, None, "preferred"),
        (_DENIED, None, "denied"),
        (_WANTED, True, "wanted"),
    ):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            if rule == "wanted" and _is_topic(text, match.span()):
                continue
            seen.append(match.span())
            yield Found("open_access_only", value, rule, match.span(), is_taken=value is not None)


def _is_topic(text: str, span: tuple[int, int]) -> bool:
    before = text[max(0, span[0] - 24) : span[0]]
    return bool(_TOPIC_AFTER.match(text, span[1]) or _TOPIC_BEFORE.search(before)) and not re.match(
        r"[- ](?:papers|articles|studies|publications|only|ones)", text[span[1] :]
    )
