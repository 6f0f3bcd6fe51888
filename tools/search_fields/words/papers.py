"""What papers are called, and what may be said of them: kinds, praise, numbers of them."""

from tools.search_fields.words.pieces import any_of

_WHOSE = any_of("research", "journal", "conference", "scientific", "academic", "scholarly")
_ANY = ("papers?", "articles?", "stud(?:y|ies)", "publications?")
_UNPUBLISHED = ("preprints?", "manuscripts?", "dissertations?", "thes[ie]s")
ANY_PAPERS = rf"(?:{_WHOSE} )?{any_of(*_ANY)}"
"""What papers of whatever kind are called."""
PAPERS = rf"(?:{_WHOSE} )?{any_of(*_ANY, *_UNPUBLISHED)}"
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
OWN_KIND = any_of(*_UNPUBLISHED, KINDS)
"""A kind of papers that is denied for itself, and not for its year."""

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
