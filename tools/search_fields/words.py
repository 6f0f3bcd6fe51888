"""The words that several of the grammar's rules share, as pieces of regular expressions."""

PAPERS = (
    r"(?:(?:research|journal|conference|scientific|academic|scholarly) )?"
    r"(?:papers?|articles?|stud(?:y|ies)|publications?|preprints?|manuscripts?|"
    r"dissertations?|thes[ie]s)"
)
"""What a search for papers gives, under its common names."""

RESULTS = (
    rf"(?:{PAPERS}|results?|hits|ones|entries|items|references|sources|works|of (?:them|these"
    rf"|those))"
)
"""The same, where a number stands before it."""

PRAISE = (
    r"(?:(?:most|very|highly|really|the|of|other|more|additional|further|different) )*"
    r"(?:recent|new(?:er|est)?|latest|open[- ]access|oa|free(?:ly available)?|relevant|good|best|"
    r"great|top|key|seminal|important|influential|interesting|cited|peer[- ]reviewed|related|"
    r"similar|published|landmark|foundational|high[- ]impact|suitable|useful|other|more|"
    r"additional|further|different|old(?:er)?|such)(?:,? and|,)?"
)
"""What may stand between a number or a command and the papers."""

DESCRIBED = rf"(?:{PRAISE} )*{RESULTS}\b"
"""`recent open access papers`."""

MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
    ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"),
    ("october", "oct"), ("november", "nov"), ("december", "dec"),
)  # fmt: skip
MONTH_NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"

END = r"(?=\s*(?:[,.;:!?)]|$))"
"""Nothing more is said of it."""
