"""Find whether only open access papers are wanted, or that access does not matter."""

import re
from collections.abc import Iterator

from tools.nlu.search_query.field_matches import FieldMatch
from tools.nlu.search_query.lexicon import PAPERS, any_of
from tools.nlu.search_query.negation import denial_before
from tools.nlu.search_query.negation_scope import OMITS, REFUSES, SAVE, UNDO

_GOLD = "(?:(?:gold|green|fully) )?open[- ]?access"
_OPEN = any_of(
    _GOLD, r"oa\b", "free(?:ly)?(?: (?:to read|available|accessible))?", "paywall-free",
    "non-paywalled",
)  # fmt: skip
_COMPOUNDS = any_of(
    "will", r"radicals?", "energ(?:y|ies)", "trade", "speech", "markets?", "software",
    "fall(?:ing)?",
    "fatty", "space", "electrons?", "surfaces?", "boundary", "choice", "movement", "press", "jazz",
    "rid(?:ing|ers?)", "riders?", "verse", "recall", "association", "convection", "volume", "form",
    "living", "range", "ranging", "roaming", "school", "lunch", "swimming", "probability", "flow",
    "groups?", "algebras?", "product", "carriers?", "testosterone", "water", "floating", "text",
)  # fmt: skip
"""What `free` makes one word with: `only free will papers` says nothing of access."""
_FREE = any_of(
    _GOLD,
    r"\boa\b",
    r"\bfree(?:ly)?[- ](?:to[- ]read|available|accessible|downloadable)",
    r"\bfree (?:full[- ]?texts?|pdfs?|of charge)",
    r"\bfree(?= (?:papers|articles|studies|publications|ones|only)\b)",
    rf"(?<=\bonly )free(?! {_COMPOUNDS}\b)(?= (?:[\w-]+ ){{1,3}}{PAPERS}\b)",
    r"\b(?:only|just) (?:with )?pdfs?\b",
    r"\bpdfs?(?= only\b)",
    r"\b(?:no|w/o|without(?: a| any)?|outside (?:the|a)) paywalls?",
    r"(?:\b(?:is|are|has|have)n't (?:be )?|\b(?:not (?:be )?|nothing |none ))"
    r"(?:paywalled|behind (?:a |the )?paywalls?)",
    r"\b(?:un|non-)paywalled",
    r"\bpaywall[- ]free",
    r"\bpublicly (?:available|accessible)",
    r"\b(?:with|have|has|having) (?:an? )?(?:(?:free|open|full[- ]text|accessible) )?pdfs?",
    r"\bpdfs? (?:(?:is|are) )?(?:available|free|open)",
    r"(?:\bnot|n't) (?:need|require) (?:a |any )?(?:subscription|payment)",
    r"\b(?:with )?full[- ]?text available",
    r"\bwith (?:the )?full[- ]?text\b",
    r"\bfull[- ]?text(?= only)",
    r"\b(?:available|read|download|downloaded|downloadable|access|get)(?: \w+)? for free",
    rf"\b(?:{OMITS}|no|without|not)"
    r"(?: the| any| anything| everything)? (?:paywalled|closed[- ]access)"
    r"(?: papers| articles| ones)?",
    r"\b(?:available|access|accessible|read|readable) without (?:a )?(?:subscription|paying)",
)
_SHUT = any_of(
    "paywalled", "closed(?:[- ]access)?", "subscription(?:[- ]only)?",
    "non-? ?(?:oa|open[- ]access)", "not open[- ]access",
)  # fmt: skip
"""What is not free to read."""
_LEAD = any_of(
    "(?:that|which) (?:is|are)", "that", "which", "only", "just", "must be", "has to be",
    "(?:that )?(?:i|we|you) can(?: all)?", "exclusively", "strictly",
)  # fmt: skip
_WANTED = re.compile(rf"(?:\b{_LEAD} ){{0,3}}{_FREE}(?:[- ]only| ones| only)?(?!\w)")
_MATTERS_NOT = re.compile(
    any_of(
        r"\bnot (?:only|just|necessarily|limited to|restricted to)(?: the)?(?: to)? "
        rf"{_OPEN}(?: ones| papers| articles)?",
        r"\b(?:(?:it |they )?(?:does|do|need)(?: not|n't)(?: have| need)? ?(?:to )?be"
        rf"|no need to be|needn't be) (?:only )?{_OPEN}",
        rf"\bnot {_OPEN}[- ]only\b",
        r"\b(?:(?:also|and|include|including|even) )?(?:the )?"
        r"(?:(?:paywalled|closed|closed[- ]access|subscription|non-?\s?(?:oa|open[- ]access))"
        r"(?: (?:ones|papers|articles))|paywalled|closed[- ]access)"
        r"(?:,? (?:too|as well|also)|,? (?:is|are) (?:fine|ok|okay|welcome)(?: too)?)\b",
        rf"\b(?:also|include|add|allow|even) (?:the )?{_SHUT} (?:ones|papers|articles)(?: too)?\b",
        rf"\b(?:and|plus|with) (?:the )?{_SHUT} (?:ones|papers|articles)(?=\W*$)",
        rf"^\W*(?:(?:and|also|but) )?{_SHUT},? (?:too|as well|also)(?=\W*$)",
        rf"^\W*(?:both )?(?:open|free|{_OPEN}) (?:and|or|as well as) {_SHUT}"
        r"(?: ones| papers)?(?=\W*$)",
        rf"{_OPEN} or (?:not|paywalled|closed|otherwise)",
        rf"\b(?:paywalled|closed access|closed) or {_OPEN}",
        r"\b(?:including|include|even|also|and) (?:the )?(?:paywalled|closed[- ]access"
        r"|subscription)(?: ones| papers| articles)?",
        r"\bpaywall(?:s|ed)?(?: ones)? (?:is|are) (?:fine|ok|okay|no problem|allowed)",
        r"\bpaywall(?:ed)? or not",
        r"\b(?:don't|do not) (?:mind|care about) (?:a |the )?paywalls?",
        rf"\b(?:access|{_OPEN}) (?:doesn't|does not|need not) matter",
        r"\bwith or without (?:a )?paywalls?",
        r"\b(?:regardless of|whatever the) access",
        rf"\b(?:no|not)(?: any)? {_OPEN} (?:is )?(?:required|needed|necessary|requirement)",
        rf"\b(?:no need (?:for|of)|(?:don't|do not) (?:need|require))(?: it)?(?: to be)? {_OPEN}\b",
        r"\b(?:even|also|including|and)(?: (?:if|when|those|papers|(?:the )?ones))?"
        r"(?: (?:they are|that are|it is|it's))?"
        r" behind (?:a |the )?paywalls?",
        rf"{_OPEN} (?:is )?(?:optional|not (?:required|needed|necessary|a must))",
        rf"{_OPEN} (?:is not|isn't) (?:required|needed|necessary|a must)",
        r"\b(?:don't|do not) (?:care (?:about|for|if(?: it's)?)|restrict(?: it| them)? to"
        rf"|insist on) {_OPEN}",
        r"\bclosed[- ]access (?:ones )?(?:is|are) (?:fine|ok|okay)(?: too)?",
        r"\bany access(?: type)?\b",
        rf"\b{UNDO}(?: the| that)? {_OPEN}(?:[- ]only)? "
        "(?:filter|limit|restriction|constraint|requirement|only)",
    )
)
_DENIED = re.compile(
    any_of(
        rf"\b(?:not|no|non-?|none|nothing|without|{OMITS}|{SAVE}|{REFUSES}(?: any)?"
        r"|(?:is|are)n't)[- ]?(?:the )?"
        rf"{_OPEN}(?: ones| pdfs?)?",
        r"\bonly closed[- ]access\b",
        rf"\bclosed[- ]access(?= {PAPERS}\b)",
        r"\bonly paywalled(?: ones)?",
    )
)
_BEHIND = re.compile(
    r"(?:\b(?:that|which) (?:is|are) |\bonly )?\bbehind (?:a |the )?paywall\b(?!s)"
)
"""What is not free to read: no provider can be asked for just that."""
_CLOSED = re.compile(
    rf"\b(?:paywalled|closed[- ]access|subscription[- ]only)(?: {PAPERS}| ones)?(?![\w-])"
)
"""The same; elsewhere than behind what leaves them out, as `apart from`, it may be a topic."""
_PREFERRED = re.compile(
    rf"\b(?:preferabl[ey]|ideally|if possible|prefer)[ ,]+(?:the )?{_OPEN}"
    rf"|{_OPEN}(?: ones)?,? (?:if possible|preferred|preferably)"
)
_TOPIC_BEFORE = re.compile(
    r"\b(?:about|on|of|regarding|concerning|around|into|between|towards?|for) (?:the )?$"
)
_TOPIC_AFTER = re.compile(
    "[- ]"
    + any_of(
        "to [a-z]", "journals?'", "publish",
        "movement", "mandat", "polic", "citation", "advoca", "initiative",
        "model", "fee", "debate", "economics", "repositor", "advantage", "agreement",
        "transformation", "funding", "landscape", "infrastructure",
    )
)  # fmt: skip
_PAPERS_AFTER = re.compile(r"[- ](?:papers|articles|studies|publications|only|ones)")


def access_in(text: str) -> Iterator[FieldMatch]:
    """Find what is said about access; `open access publishing` is a topic and no wish."""
    seen: list[tuple[int, int]] = []
    for pattern, value, rule in (
        (_MATTERS_NOT, False, "matters_not"),
        (_PREFERRED, None, "preferred"),
        (_DENIED, None, "denied"),
        (_WANTED, True, "wanted"),
        (_BEHIND, None, "paywalled_denied"),
        (_CLOSED, None, "paywalled_denied"),
    ):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            if rule == "wanted" and _is_topic(text, match.span()):
                continue
            if pattern is _CLOSED and not denial_before(text, match.start()):
                continue
            seen.append(match.span())
            yield FieldMatch(
                "open_access_only", value, rule, match.span(), is_taken=value is not None
            )


def _is_topic(text: str, span: tuple[int, int]) -> bool:
    before = text[max(0, span[0] - 24) : span[0]]
    is_about = _TOPIC_AFTER.match(text, span[1]) or _TOPIC_BEFORE.search(before)
    if not is_about or _PAPERS_AFTER.match(text, span[1]):
        return False
    return denial_before(text, span[0]) is None  # `none of which is open access` is about none
