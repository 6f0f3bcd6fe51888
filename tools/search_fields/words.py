"""The words that several of the grammar's rules share, as pieces of regular expressions.

Every repetition is bounded or reads each word in one way only: a text of nothing but `more` is
read as fast as any other.
"""


def any_of(*alternatives: str) -> str:
    """Join alternatives into one piece."""
    return f"(?:{'|'.join(alternatives)})"


PAPERS = any_of("research", "journal", "conference", "scientific", "academic", "scholarly")
PAPERS = rf"(?:{PAPERS} )?" + any_of(
    "papers?", "articles?", "stud(?:y|ies)", "publications?", "preprints?", "manuscripts?",
    "dissertations?", "thes[ie]s",
)  # fmt: skip
"""What a search for papers gives, under its common names."""

_METHOD = any_of(
    "case", "cohort", "field", "clinical", "empirical", "longitudinal", "observational",
    "experimental", "qualitative", "quantitative", r"randomi[sz]ed", "controlled", "comparative",
    "theoretical", "pilot", "review", "research", "survey", "technical", "systematic",
    "literature", "scoping", "narrative", "critical", "umbrella", "short", "book", "modelling",
)  # fmt: skip
_KIND = any_of(
    "reviews?", "surveys?", "overviews?", r"meta-?\s?analys[ei]s", "reports?", "trials?", "books?",
    "textbooks?", "chapters?", "monographs?", "handbooks?", "editorials?", "commentar(?:y|ies)",
    "essays?", "tutorials?", "rcts?",
)  # fmt: skip
KINDS = any_of(
    rf"(?:{_METHOD} ){{0,2}}{_KIND}",
    rf"(?:{_METHOD} ){{1,2}}(?:studies|study|papers|articles|publications)",
)
"""What narrows papers down to one kind of them; it stays a word of the topic."""

RESULTS = any_of(
    PAPERS, "results?", "hits", "ones", "entries", "items", "references", "sources", "works",
    "of (?:them|these|those)",
)  # fmt: skip
"""The same, where a number stands before it."""

_PRAISE = (
    "most", "very", "highly", "really", "the", "of", "other", "more", "additional", "further",
    "different", "recent", "new(?:er|est)?", "latest", "open[- ]access", "oa",
    "free(?:ly)?(?: available)?", "relevant", "good", "best", "great", "top", "key", "seminal",
    "important", "influential", "interesting", "cited", "peer[- ]reviewed", "related", "similar",
    "published", "landmark", "foundational", "high[- ]impact", "suitable", "useful", "old(?:er)?",
    "such",
)  # fmt: skip
PRAISE = any_of(*_PRAISE) + "(?:,? and|,)?"
"""A word that may stand between a number or a command and the papers."""

PRAISED = rf"(?:{PRAISE} ){{0,6}}"
DESCRIBED = rf"{PRAISED}{RESULTS}\b"
"""`recent open access papers`."""

MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
    ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"),
    ("october", "oct"), ("november", "nov"), ("december", "dec"),
)  # fmt: skip
_MONTH_NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
MONTH = any_of(*sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r"\b\.?"


def month_number(name: str) -> int:
    """Give the number of a month that MONTH matched."""
    return _MONTH_NUMBERS[name.strip().rstrip(".")]


END = r"(?=\s*(?:[,.](?!\d)|[;:!?)]|$))"
"""Nothing more is said of it, nor does a number go on."""

UNITS = any_of(
    "m", "km", "cm", "mm", "nm", "um", "kg", "g", "mg", "s", "ms", "hz", "khz", "mhz", "ghz", "v",
    "kv", "w", "kw", "mw", "k", "c", "f", "kb", "mb", "gb", "tb", "bc", "bce", "ev", "kev", "mev",
    "gev", "psi", "bar", "usd", "eur",
)  # fmt: skip
"""Behind a number they make it a measure, and neither a year nor a count."""
