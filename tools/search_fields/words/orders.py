"""The verbs of orders, each once: what finds papers, what is done with them, or anything else."""

from tools.search_fields.words.pieces import any_of

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
