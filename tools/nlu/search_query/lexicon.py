"""Word lists and pieces of regular expressions that the rules of a search query share.

Names of papers, order verbs, months, amounts, function words. Every repetition is bounded or reads
each word in one way only, so that matching time stays linear.
"""

from tools.nlu.lexicon.closed_classes import CARDINALS, NUMBER_VALUES, TENS


def any_of(*alternatives: str) -> str:
    """Join alternatives into one piece."""
    return f"(?:{'|'.join(alternatives)})"


def at_once(piece: str, *, group: str) -> str:
    """Make a piece atomic: it matches in its first way or not at all.

    Args:
        group: a name that no other part of the pattern has.

    That is what `(?>...)` and `(?:...)*+` say, which Python before 3.11.5 reads wrongly where
    a piece can be read in several ways (gh-106052). A lookahead never tries a second way either.
    """
    return f"(?=(?P<{group}>{piece}))(?P={group})"


END = r"(?=\s*(?:[,.](?!\d)|[;:!?)]|$))"
"""Nothing more is said of it, nor does a number go on."""

UNITS = any_of(
    "m", "km", "cm", "mm", "nm", "um", "kg", "g", "mg", "s", "ms", "hz", "khz", "mhz", "ghz", "v",
    "kv", "w", "kw", "mw", "k", "c", "f", "kb", "mb", "gb", "tb", "bc", "bce", "ev", "kev", "mev",
    "gev", "psi", "bar", "usd", "eur",
)  # fmt: skip
"""Behind a number they make it a measure, and neither a year nor a count."""


PLEASE = any_of("please", "pls", "plz", "kindly")


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


_VAGUE = {
    "single": 1, "couple": 2, "pair": 2, "few": 3, "handful": 5, "half a dozen": 6, "half-dozen": 6,
    "half dozen": 6, "several": 7, "dozen": 12, "hundred": 100,
}  # fmt: skip
"""What a vague amount means here; docs/reference/search-fields.md lists it for people."""


DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![,\d])|\d{1,4})"
"""A number in digits; a comma before three of them parts thousands: 1,000."""
_WORD = any_of(
    rf"{any_of(*TENS)}(?:[- ]{any_of(*CARDINALS[:9])})?",
    *sorted(CARDINALS, key=len, reverse=True),
)
AMOUNT = any_of(
    DIGITS, "(?:a |two |three )?dozen", "half[- ](?:a )?dozen",
    "(?:a )?(?:couple|pair|handful)(?: of)?", "(?:a )?few", "several", "(?:a )?single",
    "(?:a |one )?hundred", _WORD,
)  # fmt: skip
"""An amount, as a piece of a regular expression."""

WHOLE_AND_HALF = rf"(?:{AMOUNT}(?:\.5| and a half)?|half)"


def amount_of(text: str) -> float:
    """Read what AMOUNT or WHOLE_AND_HALF matched."""
    words, half = text.strip(), 0.0
    for ending in (" and a half", ".5"):
        if words.endswith(ending):
            words, half = words.removesuffix(ending), 0.5
    if words == "half":
        return 0.5
    digits = words.replace(",", "")
    if digits.isdigit():
        return int(digits) + half
    words = words.removesuffix(" of").removeprefix("a ")
    if words in _VAGUE:
        return _VAGUE[words] + half
    if words.endswith((" dozen", " hundred")):
        times, unit = words.rsplit(" ", 1)
        return NUMBER_VALUES[times] * _VAGUE[unit] + half
    return sum(NUMBER_VALUES[part] for part in words.replace("-", " ").split()) + half


FUNCTION_WORDS = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "for", "from", "to", "by", "with",
        "without", "about", "into", "onto", "over", "under", "between", "among", "during",
        "within", "through", "and", "or", "but", "nor", "so", "as", "than", "that", "which",
        "who", "whom", "whose", "this", "these", "those", "it", "its", "they", "them",
        "their", "there", "here", "he", "she", "his", "her", "we", "us", "our", "i", "me",
        "my", "you", "your", "is", "are", "was", "were", "be", "been", "being", "am", "do",
        "does", "did", "has", "have", "had", "having", "can", "could", "may", "might",
        "would", "shall", "should", "must", "not", "no", "any", "some", "all", "each",
        "every", "either", "both", "such", "only", "just", "also", "too", "very", "much",
        "many", "more", "most", "what", "when", "where", "how", "why", "if", "then", "please",
        "thanks", "thank", "hi", "hello", "hey", "ok", "okay", "yes", "ones", "using", "via",
        "vs", "versus", "regarding", "concerning", "related", "i'm", "i'd", "i've", "let's",
        "what's", "that's", "it's", "there's", "don't", "doesn't", "didn't", "isn't",
        "aren't", "say", "said", "after", "before", "since", "until", "below", "above",
        "like", "anything", "something", "whether", "ideally", "preferably",
    }
)  # fmt: skip
"""Words that no search is about."""

NEVER_IN_NAMES = frozenset(
    {
        "a", "an", "the", "on", "about", "in", "at", "of", "for", "from", "since", "before",
        "after", "until", "with", "without", "using", "and", "or", "to", "that", "which",
        "who", "is", "are", "was", "were", "between", "during", "published", "please", "only",
        "open", "oa", "top", "most", "sorted", "over", "last", "past", "this", "these",
        "those", "recent", "new", "if", "when", "where", "by", "as", "via", "any", "all",
        "not", "but", "it", "its", "my", "our", "your", "their", "his", "her", "someone",
        "somebody", "anyone", "anybody", "everyone", "nobody", "other", "others", "than", "except",
    }
)  # fmt: skip
"""Words at which the name of a person ends."""

NEVER_NAMES = frozenset(
    {
        "date", "year", "years", "country", "countries", "region", "relevance", "topic",
        "topics", "citation", "citations", "gender", "age", "author", "authors", "women",
        "men", "people", "researchers", "scientists", "default", "impact", "importance",
        "venue", "journal", "field", "subject", "method", "title", "type", "number", "month",
        "now", "email", "hand", "chance", "means", "way", "design", "state", "sector",
        "species", "city", "language", "one", "two", "using",
    }
)  # fmt: skip
"""What papers are sorted, grouped or done by, and nobody is called."""

FRAME_WORDS = frozenset(
    {
        "a", "an", "the", "some", "any", "all", "more", "other", "few", "of", "good", "great",
        "best", "nice", "relevant", "interesting", "useful", "such", "these", "those", "my",
        "our", "your", "to", "for", "me", "us", "you", "we", "i", "they", "it", "be", "is",
        "are", "was", "were", "am", "there", "here", "that", "which", "who", "what",
        "whatever", "how", "please", "pls", "plz", "kindly", "maybe", "perhaps", "just",
        "only", "also", "so", "then", "now", "and", "or", "but", "ok", "okay", "well", "hi",
        "hello", "hey", "dear", "yes", "can", "could", "would", "will", "should", "might",
        "may", "do", "does", "did", "have", "has", "had", "been", "being", "got", "let",
        "let's", "lets", "go", "i'd", "i'm", "i've", "we'd", "we're", "we've", "you're",
        "what's", "there's", "who's", "that's", "don't", "doesn't", "isn't", "aren't", "can't",
        "couldn't", "won't", "wouldn't", "haven't", "hasn't", "want", "need",
        "like", "love", "wish", "hope", "try", "trying", "able", "mind", "help", "interested",
        "curious", "after", "hunting", "find", "finding", "found", "search", "searching",
        "searched", "look", "looking", "show", "showing", "give", "giving", "get", "getting",
        "gimme", "lemme", "grab", "fetch", "list", "listing", "pull", "bring", "dig", "gather",
        "collect", "retrieve", "locate", "recommend", "suggest", "display", "send", "provide",
        "see", "read", "reading", "tell", "know", "knows", "up", "out", "through", "into", "in",
        "down",
        "sth", "u", "around", "over", "at", "with", "from", "on", "about", "as", "new",
        "recent", "latest", "newest", "old", "kind", "thank", "thanks", "quick", "quickly",
        "query", "database", "academic", "scholarly", "scientific", "scholar", "online",
        "anything", "something", "everything",
    }
)  # fmt: skip
"""Words of which a request is made up to the papers it is for."""


_READ = "read"
SHOW = any_of("show", "list", "display", "give", "get", "fetch", "bring")
"""What every search does."""
FIND_SOME = any_of(
    SHOW, "find", "gimme", "grab", "recommend", "suggest", "retrieve", "locate", "collect",
    "gather", "pull", "provide",
)  # fmt: skip
"""What a number of papers may stand behind: whoever runs or reads three of them asks for none."""
FIND = any_of(
    FIND_SOME, "look", "dig", _READ, "see", "run", "do", "scan", "hunt(?: down)?",
)  # fmt: skip
"""What a request for papers begins with."""

_TO_ANYTHING_COUNTED = ("add", "print", "send")
_COUNTED = (
    "re-?order", "order", "buy", "purchase", "book", "reserve", "issue", "create", "return",
    "receive", "ship", "stock", "dispatch",
)  # fmt: skip
_TO_ANYTHING = (
    "archive", "delete", "draft", "e-?mail", "mail", "mark", "note", "open", "put", "remind",
    "remove", "save", "share", "tag", "tell", "translate", "upload", "write",
)  # fmt: skip
_TO_PAPERS = (
    "store", "export", "keep", "forward", "label", "cite", "summari[sz]e", "compare", "contrast",
    "download", "import", "bookmark", "file", "copy", "attach", "explain", "analy[sz]e",
    "describe", "rate", "pin", "star", "outline",
)  # fmt: skip
_TO_OTHERS = (
    "close", "re-?open", "(?:re)?schedule", "cancel", "(?:re)?assign", "(?:re)?start", "stop",
    "pause", "resume", "play", "turn (?:on|off|up|down)", "switch (?:on|off)", "call", "phone",
    "message", "text", "ping", "check", "count", "update", "rename", "move", "approve", "reject",
    "complete", "finish", "log", "reply to", "calculate", "convert", "set up", "raise", "reset",
    "lock", "unlock", "pay", "invoice", "plan", "arrange", "confirm", "ask", "inform", "notify",
    "warn", "take", "make", "record", "register", "look up",
)  # fmt: skip
WITH_PAPERS = any_of(*_TO_ANYTHING_COUNTED, *_TO_ANYTHING, *_TO_PAPERS, _READ)
"""What is done with papers when they are found."""
WITH_OTHERS = any_of(*_TO_ANYTHING_COUNTED, *_TO_ANYTHING, *_COUNTED, *_TO_OTHERS)
"""What is done to work orders, parts, people: to anything but what a search finds."""
COUNTED = any_of(*_TO_ANYTHING_COUNTED, *_COUNTED)
"""Those of them that take a number of things: `order 5 oil filters`."""


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
