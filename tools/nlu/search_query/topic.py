"""Extract the topic of a search: what is left without fields, politeness, purpose and command."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.nlu.search_query.field_matches import HIDDEN, Passage
from tools.nlu.search_query.lexicon import (
    FIND,
    FIND_SOME,
    FRAME_WORDS,
    FUNCTION_WORDS,
    PAPERS,
    PLEASE,
    PRAISE,
    PRAISED,
    any_of,
    at_once,
)
from tools.nlu.search_query.ordering_and_limits import is_counted_by_others

_VERY = "(?:(?:really|very|so|most|much|greatly|truly|ever so|very much|rather|quite) )?"
_COULD = "(?:could|can|would|will|might|may|happen to|possibly|perhaps|please|kindly)"
_GREAT = any_of(
    "great", "nice", "good", "helpful", "appreciated", "lovely", "wonderful", "fantastic",
    "awesome",
    "perfect", "ideal", "brilliant", "amazing", "kind", "useful",
)  # fmt: skip
_PERSON = any_of(
    "colleagues?", "co-?workers?", "boss", "supervisor", "team", "group", "lab", "students?",
    "friends?", "advis[eo]rs?", "wife", "husband", "son", "daughter", "sister", "brother", "mum",
    "mom", "dad", "mother", "father", "teacher", "professor", "prof", "pi", "manager", "class",
    "partner", "co-?authors?", "mentor", "director", "client", "assistant", "secretary",
)  # fmt: skip
_THEIRS = rf"(?:my|our|his|her|the) {_PERSON}(?: [a-z]+)?"
_FOR_WHOM = any_of(
    "for (?:me|us|myself|ourselves)"
    rf"(?:(?:,| and|, and|, for| and for) (?:{_THEIRS}|[a-z]+)){{0,3}}",
    rf"for (?=my|our){_THEIRS}(?: and (?:me|us|myself|{_THEIRS}|[a-z]+)){{0,2}}",
)
_IF_FINE = any_of(
    "possible", "ok(?:ay)?", "al(?:l ?)?right", "fine", "convenient", "feasible",
    "(?:no|any|a) (?:trouble|bother|hassle|problem)",
    "at all possible", "(?:not )?too much (?:trouble|bother|work|to ask)", "in your power",
)  # fmt: skip
_GRATEFUL = any_of(
    any_of("(?:many |much |big |huge )?thanks", "(?:and )?(?:i )?thank you", "thx", "cheers",
           "(?<=, )t(?:i?a|y)", "bless you", "much obliged")
    + any_of(" a (?:lot|million|bunch|ton|heap|thousand)", " so much", " very much(?: indeed)?",
             " ever so much", " again", " kindly", " heaps", " loads", " indeed", " in advance",
             " for (?:your|the|any|all(?: of)?(?: your| the)?)"
             " (?:help|time|support|assistance|effort|trouble|patience)") + "{0,3}",
    f"{_VERY}appreciated?",
    rf"i(?:'d| would|'ll| will)? {_VERY}appreciate (?:it|this|that|your help)"
    "(?: very much| a lot)?",
    rf"(?:{_VERY}appreciate it|i(?:'d| would|'m| am|'ll)? be {_VERY}(?:grateful|thankful|obliged))",
    rf"(?:(?:and )?(?:that|it|this|which) )?(?:would|will|'d|'ll) be {_VERY}{_GREAT}(?: of you)?",
    "(?:and )?(?:will|would|could|can|won't|wouldn't|couldn't|can't) you(?: please| kindly)?",
    rf"if (?:that|it|this)(?:'s| is| isn't| would be) (?:not )?{_IF_FINE}(?: (?:for|with) you)?",
    "if at all possible",
    "if you (?:don't|do not|wouldn't|would not) (?:mind|object)",
    "if you(?:'d| would| could| can|'ll| will)?(?: please)? be so (?:kind|good)", "if i may",
    "if you(?:'d| would) be so (?:kind|good)(?: as to)?", "be so kind",
    "(?:there is |there's )?no (?:hurry|rush|pressure|stress|worries)",
    "you(?:'re| are) (?:a |the |an )?(?:star|best|legend|lifesaver|gem|great|amazing|angel|dear)",
    "i owe you(?: one)?", "there's a (?:good|dear) [a-z]+", "sorry to bother(?: you)?",
    "(?<=, )(?:sir|madam|ma'am|mate|buddy|dear|my (?:friend|dear)|pal|dude|folks|guys|friend)",
    _FOR_WHOM,
)  # fmt: skip
_MORE = f"(?: {_COULD}| be)"
"""Is read in one way only, so that `(?!...)` behind all of them leaves none of them out."""
_WHO = "(?:you|i|we|there|it|anyone|anybody|someone|somebody)"
_LEADING = any_of(
    "(?:(?:could|would) you )?be (?:so|very) (?:kind|good)(?: and| as to)?",
    "(?:(?:would|might|could|will) it be|is it) (?:at all )?possible(?: for (?:you|me|us))?"
    "(?: to| that you)?",
    "(?:i(?:'m| am| was|'ve been)?|we(?:'re| are| were)?) (?:just |also |only )?wonder(?:ing|ed)?"
    rf"(?: (?:if|whether) {_WHO}(?: {_COULD}){{0,3}}"
    "(?: (?:have|know of|know|help me(?: to)?|be|is|are|was|were|got)){0,2})?",
    rf"i(?:'d| would|'m| am|'ll| will) be {_VERY}(?:grateful|thankful|glad|happy|obliged)"
    rf"(?: if you {_COULD}| for)?",
    f"i(?:'d| would) {_VERY}appreciate(?: it)?(?: if you {_COULD})?",
    "good (?:morning|afternoon|evening|day)", "greetings", "dear (?:sir|madam|all|assistant)",
    rf"(?:could|can|might|may|would) {_WHO}{_MORE}*(?!{_MORE})",
    "(?:is|are|was|were)n't there", "(?:ca|could|wo|would)n't (?:you|we)", "haven't you(?: got)?",
    "(?:don't|do) you (?:happen to )?(?:have|know of)", "why (?:not|don't you)",
    "nope", "no(?=,)",
    "not sure(?=,)", "(?:please )?do (?:me|us) a (?:favou?r|solid|kindness) and",
    r"(?:start|begin)(?: off)? (?:by|with)(?= [\w-]+ing\b)", r"proceed with(?= [\w-]+ing\b)",
    rf"(?:go ahead|go on) and(?= {FIND_SOME}\b| search\b| look\b)", "go ahead(?=,)",
    r"(?:(?:it's|it is) )?(?:now |about |high )?time to(?= (?:find|search|look|dig|hunt|get me)\b)",
    r"(?:thanks|thank you) in advance for(?= [\w-]+ing\b)",
    "(?:brief|update) (?:me|us) on", "(?:fill|clue) (?:me|us) in on", "catch (?:me|us) up on",
    "(?:get|bring) (?:me|us) up to (?:speed|date) on", "(?:take|have) a (?:close|closer) look at",
)  # fmt: skip
_ABLE = r"(?: please| kindly| maybe)?(?: be able to)?"
LEADING = any_of(
    "(?:urgently|badly|really|desperately)(?= (?:need|want|require|looking))", "asap", "urgent",
    "feel free to", "(?:don't|do not) forget(?: about| to (?:include|add|find))?",
    "any chance (?:of|for|(?:that )?(?:you|we|i)(?: could| can| might)?)",
    "ha(?:s|ve) (?:any|some)(?:one|body)(?: ever| already)?"
    " (?:written|published|worked|studied|looked)(?: anything)?",
    _LEADING,
    "hi", "hello", "hey", PLEASE, "thanks", "thank you", "ok(?:ay)?",
    "so", "well", "now", "then", "and", "but", "also", "yes", "(?:would|do) you mind",
    rf"(?:could|can|would|will) (?:you|u|we|i){_ABLE}",
    "i(?:'d| would) (?:really )?(?:like|love|want)(?: you)?(?: to)?",
    "i (?:really )?(?:want|need|require)(?: you)?(?: to)?",
    "(?:i|we)(?:'m| am|'re| are) (?:currently )?"
    + any_of("(?:looking|searching|hunting) for", "interested in", "trying to find", "after"),
    "(?:we )?need", "want", "(?:looking|searching) for", "help me(?: to)?", "let's", "let me",
    "do you (?:know|have)(?: of)?", "are there", "is there", "have you got", "what about",
    "how about", "has", "have", "what(?:'?s| is)(?: there)?",
    "whatever (?:there is|you (?:have|find))", "what are", "what", "which", "anything",
    "something", "sth", "everything", "me", "us",
)  # fmt: skip
"""What may begin a request, and asks for nothing yet."""
ENDING = any_of(
    _GRATEFUL,
    PLEASE, "thanks(?: in advance)?",
    "thank you(?: (?:very|so) much)?(?: in advance)?", "thx", "cheers", "for (?:me|us)",
    "if (?:possible|you can|you could)", "asap", "now", "right now", "too", "as well", "only",
    "instead", "soon", "urgently", "no rush", "as soon as (?:possible|you can)",
    "right away", "(?<=, )at once", "once and for all", "take your time",
    "at your (?:earliest )?(?:convenience|leisure)", "chop chop", "before i forget",
    "for (?:heaven|god|goodness|pete)'s sake",
    r"(?<=, )(?:(?:right|yeah)(?=\?)|eh|huh|quick|pronto)",
    "(?:when(?:ever)?|if) you (?:have|get) (?:the )?(?:time|a (?:moment|minute|chance))",
    "when(?:ever)? you can", "if you (?:don't mind|like|please)",
    "(?:cheers|thanks|many thanks|thank you|best|(?:(?:best|kind) )?regards), ?[a-z]+",
    "(?:would|will) be (?:great|nice|good|helpful|appreciated)",
    r"(?:(?:and|so) )?(?:i |we )?(?:urgently |really )?(?:need|want|require|am looking for)"
    rf"\s+{PRAISED}(?:some |a few )?(?:sources|references|literature|reading|{PAPERS})",
)  # fmt: skip
"""What may end one."""
COURTEOUS_WORDS = frozenset(
    {
        "chance", "chances", "possible", "possibly", "urgently", "urgent", "asap", "feel", "free",
        "sorry", "excuse", "bother", "wonder", "wondering", "grateful", "appreciate",
        "appreciated", "glad", "happy", "favor", "favour", "time", "moment", "minute", "when",
        "whenever", "if", "really", "badly", "desperately", "immediately", "soon", "today",
        "tonight", "ask", "asking", "request", "requesting", "require", "would", "case", "way",
        "rush", "hurry", "question", "by", "next", "later", "supervisor", "boss", "professor",
        "advisor", "adviser", "teacher", "colleague", "wants", "needs", "asked", "asks", "must",
        "wanted", "needed", "whether", "happen", "kind", "morning", "afternoon", "evening",
        "ideally", "simply", "still", "having", "trouble", "hard", "job",
    }
)  # fmt: skip
"""Words that stand before `papers on` where a request is polite, or in a hurry."""


_WHOSE = any_of(
    "my", "our", "his", "her", "their", "this", "a friend's",
    "an? (?:school|university|uni|college|class|course|master'?s|bachelor'?s|phd|doctoral|grant)",
)  # fmt: skip
_PURPOSE_WORK = any_of(
    "thesis", "essay", "dissertation", "paper", "class", "course", "talk", "presentation",
    "review", "literature review", "seminar", "assignment", "report", "homework", "proposal",
    "lecture", "article", "book", "chapter", "blog", "blog post", "phd", "project", "poster",
    "manuscript", "coursework", "term paper", "journal club", "study", "grant", "exam",
)  # fmt: skip
_PURPOSE = re.compile(
    rf"\b(?:for|in) {_WHOSE}(?: (?!on\b|about\b)[\w'-]+){{0,2}}?(?: {_PURPOSE_WORK}){{1,2}}\b"
    r"(?: (?:on|about|regarding) (?P<about>[^,.;:!?\n]*?"
    r"(?=[,.;:!?\n]|$|\s(?:i|we|please|can|could|find|need|papers)\b|\s{4})))?[ ,:;-]*"
)


@dataclass(frozen=True)
class Purpose:
    """A purpose in a text: all of it, and its lead without what it says the work is about."""

    span: tuple[int, int]
    lead: tuple[int, int]


def purposes_in(text: str) -> list[Purpose]:
    """Find what papers are wanted for; its subject is the topic only if no other one is said."""
    return [
        Purpose(match.span(), (match.start(), match.start("about")))
        if match["about"]
        else Purpose(match.span(), match.span())
        for match in _PURPOSE.finditer(text)
    ]


_GAP = r"[\s,.;:!?()'-]{0,120}"
_BLANK = r"[\s,.;:!?()-]*"
_ON = r"(?:on|about|regarding|concerning)"
_ABOUT = any_of(
    any_of(
        "on", "about", "for", "regarding", "concerning", "around", "covering", "discussing",
        "dealing with", "in", "into", "of", "(?:related|relating|pertaining) to", "with", "that",
        "which", "using", "mentioning", "describing", "at", "by", "from", "to", "over", "under",
        "where", "when", "as",
    ) + r"(?![\w'-])",
    "re:",
)  # fmt: skip
_SAYING = any_of(
    "published", "written", "done", "available", "out there", "there (?:is|are)", "to read", "say",
    "says", "exists?",
)  # fmt: skip
_REQUEST_WORK = any_of(
    "literature", "research", "works?", "publications", "results", "references", "reads?",
    "reading", "sources", "material", "stuff", "things?", "anything", "something", "everything",
    "whatever",
)  # fmt: skip
_HEAD = any_of(
    rf"{PAPERS}\b\s*(?:{_SAYING}\b\s*){{0,3}}(?:{_GAP}{_ABOUT}){{0,4}}",
    rf"{_REQUEST_WORK}\b\s*(?:{_SAYING}\b\s*){{0,3}}(?:{_ABOUT}\s*){{1,4}}",
    rf"(?:published|written|known?|said|learn(?:ed|t)?|discovered|understood|out there)\s+{_ON}\b",
)
_FRAME = "|".join(sorted(map(re.escape, FRAME_WORDS), key=len, reverse=True))
_WORDS = "|".join(sorted(map(re.escape, FRAME_WORDS | COURTEOUS_WORDS), key=len, reverse=True))
_ENDS = r"(?![\w'-])"
"""The word ends here."""
_FRAMING = at_once(rf"(?:{_FRAME}|{PRAISE}){_ENDS}", group="framing")
_FRAMED = re.compile(rf"(?:{_GAP}{_FRAMING}){{0,40}}?{_GAP}{_HEAD}")
"""Nothing but words of which requests are made, up to the papers."""

_PAPERS_ON = re.compile(rf"(?:\b{PAPERS}\s+|\s{{8,}}){_ON}\b")
"""Papers that were counted are blanks by now: `wants at most 12 papers on`."""
_WORDY = at_once(rf"(?:{_WORDS}|{PRAISE}){_ENDS}", group="wordy")
_COURTEOUS = re.compile(rf"(?:{_GAP}{_WORDY}){{1,40}}?{_GAP}(?:{PAPERS}|{_REQUEST_WORK})\s+{_ON}\b")
_HEADED = re.compile(rf"{_GAP}(?:{PAPERS}|{_REQUEST_WORK})\s+{_ON}\b")
"""`Any chance of papers on`, `asap: papers on`: more courtesy, but `papers on` has to follow."""
_US = re.compile(r"\b(?:i|we|my|our|me|us|you|your)\b")

_WANTS = re.compile(
    r"^\W*(?:(?!(?:how|why|what|whether|when|where)\b)[\w'.-]+ ){1,5}?"
    r"(?:wants?|needs?|wanted|needed|ask(?:s|ed) for|(?:is|are) looking for|requested)"
    rf"\s+(?:(?:{PRAISE}|some|any|a few|to see|to read|to have)\s+){{0,3}}$"
)
"""Who else they are for: `Lena wants papers on bees`."""

_LED = at_once(f"{LEADING}{_ENDS}", group="led")
_POLITELY = re.compile(rf"{_GAP}(?:{_LED}[\s,.;:!?-]*){{1,20}}")
_PLACES = any_of("literature", "web", "scholar", "openalex", "semantic scholar", "pubmed")
_NOUNS = any_of(
    "engines?", "algorithms?", "spaces?", "trees?", r"strateg\w+", "costs?", "behaviou?r",
    "theory", r"quer\w+", "and rescue", "advertising",
)  # fmt: skip
"""What makes of `search` the first word of a topic."""
_GOOGLES = any_of(
    "scholar", "trends?", "search(?:es)?", "maps?", "earth", "books?", "translate", "brain",
    "deepmind", "ai", "glass", "play", "cloud", "ads?", "adwords", "analytics", "docs?", "forms?",
    "home", "assistant", "gemini", "research", "papers?", "articles?", "stud(?:y|ies)", "effect",
    "flu", "ngrams?", "n-grams?", "street", "classroom", "matrix", "pagerank", "quantum", "and",
    "or", "vs", "versus", "in", "as", "is", "has", "on", "about",
)  # fmt: skip
"""What makes of `google` the firm, or what it makes."""
_COMMAND = any_of(
    rf"(?:scan|comb|trawl|hunt|look|dig|go)(?: through| in)? the {_PLACES} for",
    rf"google(?: for)?(?! {_GOOGLES}\b)",
    rf"{FIND}(?:ing)?(?: me| us)?(?: up| out| for| a (?:search|query)(?: for| on)?){{0,3}}"
    "(?: me| us)?",
    rf"search(?:ing)?(?: (?:up|through|in))?(?: (?:the )?{_PLACES})?(?: for)?(?! {_NOUNS})",
)
_COMMANDED = re.compile(rf"{_GAP}{_COMMAND}(?![\w-])")
_NICE = r"nice(?=[^.,;:!?]{1,40} (?:papers?|articles?|literature)\b)"
_PRAISING = at_once(any_of(PRAISE, "some", "any", _NICE), group="praising")
_DETERMINERS = re.compile(rf"{_GAP}(?:{_PRAISING}\b[\s,]*){{1,12}}")
_ARTICLES = re.compile(rf"{_GAP}(?:(?:some|any|the)\b[\s,]*){{1,4}}")
_OPENING = re.compile(rf"{_GAP}(?:{_ABOUT}|(?:is|are|there)\b)")
_TRAIL = re.compile(rf"(?:[\s,.;:!?()-]{{1,40}}{ENDING}){{0,6}}{_BLANK}$")
_PAPERS_BEHIND = re.compile(
    rf"(?<!\bcase)(?<!\bcohort)\s{PRAISED}(?:{PAPERS}|(?<!in\s)literature)(?={_BLANK}$)"
    r"|\s(?:papers|articles|publications|preprints)"
    r"(?=\s*[,.;:!?)]|\s\s|\s+(?:from|by|that|which|at|since|in|before|after)\b)"
)


def topic_place(text: str) -> tuple[int, int]:
    """Give where the topic begins and ends in a text that holds blanks for its fields."""
    trail = _TRAIL.search(text)
    end = trail.start() if trail else len(text)
    framed = _FRAMED.match(text) or _COURTEOUS.match(text) or _told(text)
    if framed:
        return framed.end(), max(framed.end(), end)
    start, had_command = 0, False
    if match := _POLITELY.match(text):
        start = match.end()
    if match := _COMMANDED.match(text, start):
        start, had_command = match.end(), True
        if match := _POLITELY.match(text, start):
            start = match.end()
    for pattern in (_DETERMINERS if had_command else _ARTICLES, _OPENING):
        if match := pattern.match(text, start, end):
            start = match.end()
    if start and (match := _HEADED.match(text, start, end)):
        start = match.end()
    return start, end


def papers_within(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Find the word `papers` behind a topic: it says what is wanted, not what about.

    Of `how students read 3 articles` it is part of what the papers are about.
    """
    found = _PAPERS_BEHIND.finditer(text, start, end)
    return [one.span() for one in found if not is_counted_by_others(text, one.start())]


def _told(text: str) -> re.Match[str] | None:
    """Find `papers on` where somebody tells first why they are wanted: my thesis is."""
    papers = _PAPERS_ON.search(text)
    if papers is None:
        return None
    is_told = _US.search(text, 0, papers.start()) or _WANTS.search(text, 0, papers.start())
    return papers if is_told else None


_MOST_TOPIC = 300
"""Characters: what is longer was pasted, and providers refuse it."""
_TERM = re.compile(r"[^\W_](?:(?:[\w.:/'+#&-]|,(?=\d))*[\w+#])?")

_DEICTIC = re.compile(
    r"\b(?:(?:on|about|for|in|around|regarding|of) )?(?:this|that|these|those|the same|my|our"
    r"|the)(?: (?:current|own|same))? "
    r"(?:topic|subject|area|field|project|research(?: question| topic| area)?|theme"
    r"|question)s?\b(?: of| on| about)?"
    r"|\b(?:on|about|for|like) (?:this|that|it|them|these|those)(?=\s*(?:[,.;!?)]|$))"
)

_DENIAL = re.compile(rf"\W*no(?: more)? (?={PAPERS} (?:on|about) )")
"""`no papers on coral from before 2015` is about coral; the denial is of the year."""


@dataclass(frozen=True)
class Topic:
    """What a search is about; the words in order, a quotation as one of them."""

    text: str | None
    terms: tuple[str, ...]


def topic_of(passage: Passage, taken: Sequence[tuple[int, int]]) -> Topic:
    """Take away the spans of the fields, the words around a request, and give the rest."""
    text = _blanked(passage.text, taken)
    purposes = purposes_in(text)
    topic = _topic_of(passage, _blanked(text, [one.span for one in purposes]))
    if topic.terms or not purposes:
        return topic
    return _topic_of(passage, _blanked(text, [one.lead for one in purposes]))


def _topic_of(passage: Passage, text: str) -> Topic:
    for match in _DEICTIC.finditer(text):
        text = _blanked(text, [match.span()])
    denial = _DENIAL.match(text)
    text = _blanked(text, [denial.span()] if denial else [])
    start, end = topic_place(text)
    text = _blanked(text, papers_within(text, start, end))
    terms = [
        (place, term)
        for place, term in _terms(passage, text)
        if start <= place[0] and place[1] <= end
    ]
    if not terms:
        return Topic(None, ())
    whole = text[terms[0][0][0] : terms[-1][0][1]]
    pieces = [
        passage.written((terms[0][0][0] + piece.start(), terms[0][0][0] + piece.end()))
        for piece in re.finditer(r"\S+", whole)
    ]
    topic = " ".join(pieces)[:_MOST_TOPIC].strip(" ,;:")
    return Topic(topic or None, tuple(dict.fromkeys(term for _place, term in terms)))


def _terms(passage: Passage, text: str) -> list[tuple[tuple[int, int], str]]:
    terms = [
        (span, passage.written(span))
        for span in passage.quoted
        if text[span[0]] == HIDDEN and passage.written(span)
    ]
    terms += [
        (match.span(), passage.written(match.span()))
        for match in _TERM.finditer(text)
        if _says_something(passage, match)
    ]
    return sorted(terms)


def _says_something(passage: Passage, match: re.Match[str]) -> bool:
    """Tell a word of a topic from a function word; `US` is one unless all is in capitals."""
    if FUNCTION_WORDS.isdisjoint((match[0], match[0].removesuffix("'s"))):
        return True
    written = passage.written(match.span())
    if match[0] == "may" and _is_month(passage, match):
        return True
    return len(written) > 1 and written.isupper() and not passage.normal.original.isupper()


def _is_month(passage: Passage, match: re.Match[str]) -> bool:
    """Tell the month of `the May 1968 protests` from a verb: a number stands beside it."""
    before, behind = passage.text[: match.start()], passage.text[match.end() :]
    return (
        re.match(r",? (?:\d|day\b)", behind) is not None
        or re.search(r"\d(?:st|nd|rd|th)? $", before) is not None
    )


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
