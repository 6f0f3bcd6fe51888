"""Find the venue of publication: a journal, a conference with its edition, or a preprint server."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from tools.nlu.search_query.field_matches import DateBounds, FieldMatch, Passage, year
from tools.nlu.search_query.lexicon import END, PAPERS, any_of, at_once
from tools.nlu.search_query.negation import denied_from

_ALONE = (
    "NeurIPS", "NIPS", "ICML", "ICLR", "AAAI", "IJCAI", "AISTATS", "ACL", "EMNLP",
    "NAACL", "EACL", "COLING", "TACL", "CVPR", "ICCV", "ECCV", "KDD", "SIGIR", "RecSys", "WSDM",
    "CIKM", "SIGGRAPH", "SIGMOD", "VLDB", "ICDE", "SIGCOMM", "NSDI", "OSDI", "SOSP", "EuroSys",
    "ASPLOS", "ISCA", "PLDI", "POPL", "OOPSLA", "ICSE", "STOC", "FOCS", "NDSS",
    "USENIX Security", "ICRA", "IROS", "CoRL", "ICASSP", "Interspeech", "CSCW", "UIST", "JMLR",
    "TMLR", "TPAMI", "arXiv", "bioRxiv", "medRxiv", "SSRN", "PNAS", "NEJM", "JAMA", "BMJ",
    "PLOS ONE", "PLoS Biology", "eLife", "The Lancet", "Lancet Oncology",
    "Nature Communications", "Nature Medicine", "Nature Methods", "Nature Climate Change",
    "Nature Machine Intelligence", "Nature Genetics", "Nature Physics", "Science Advances",
    "Science Robotics", "Scientific Reports", "Physical Review Letters",
    "Nucleic Acids Research", "IEEE Access", "Cell Reports", "The American Economic Review",
    "American Economic Review", "Econometrica", "New England Journal of Medicine",
)  # fmt: skip
"""Names that mean a venue wherever they stand beside papers or behind in, at, from."""
_WORDS = (
    "Nature", "Science", "Cell", "CHI", "Brain", "Blood", "Gut", "Neuron", "Circulation", "Cancer",
    "WWW", "Lancet", "COLT", "SODA",
)  # fmt: skip
"""Names that are words too: a capital letter or `published in` has to say which."""


def _any_name(names: Sequence[str]) -> str:
    return any_of(*(re.escape(name.lower()) for name in sorted(names, key=len, reverse=True)))


_ALONE_KNOWN = _any_name(_ALONE)
_WORD_KNOWN = _any_name(_WORDS)
_KNOWN = _any_name((*_ALONE, *_WORDS))
_SERVERS = frozenset({"arxiv", "biorxiv", "medrxiv", "ssrn"})
"""Places on which papers stand; `on` any other venue says what they are about."""
_JOURNALS_FIRST = frozenset({"nature", "science", "cell", "chi", "lancet", "www"})
"""Words that mean the venue beside `papers`; of the others, such as cancer, people write."""
_YEAR = r"(?: ?'(\d\d)|-?((?:19|20)\d\d))?"
"""NeurIPS'21, NeurIPS2021; a year after a space is read like any other."""
_EDITION = re.compile(r" (?:19|20)\d\d\b")
_BOUNDARY = re.compile(
    r"\s*(?:[,.;!?)]|$)|\s+"
    + any_of(
        "on", "about", "from", "since", "between", "before", "after", "by", "with", "over", "in",
        "during", "and", "or", "published", "please", "that", "which", "for", "only", r"\d",
        "last", "past",
    )
)  # fmt: skip
_TOPIC_NEXT = re.compile(r"(?: '?\d\d(?:\d\d)?)? (?:on|about|regarding|concerning)\b")
_NOTHING_NEXT = re.compile(
    r"\s*(?:[.;!?)]|$)|,?\s+"
    + any_of(
        "from", "since", "between", "before", "after", "by", "published", "please", "thanks",
        "only", "until", "over the", r"(?:in )?\d", "during", "(?:the )?(?:last|past)", "sorted",
        "newest", "most cited", "(?:with )?open[- ]access", "for (?:me|us)",
    )
    + r"\b"
)  # fmt: skip
"""Behind a lower-case `papers in nature`: fields and thanks, but no topic that goes on."""
_NEXT = (
    r"(?:(?:,? (?:and/or|and|or|&)|,)(?: also)?(?: (?:in|at|from))? (?:the (?!lancet))?|/)"
    rf"(?:{_ALONE_KNOWN}|{_WORD_KNOWN}(?=/|{_BOUNDARY.pattern}| {PAPERS}\b))"
    r"(?: ?'\d\d| ?-?(?:19|20)\d\d)?\b(?!-)"
)
_OTHERS_BEHIND = at_once(f"(?:{_NEXT})*", group="others")
_OTHERS = rf"(?:(?P<edition> (?:19|20)\d\d)(?={_NEXT}))?{_OTHERS_BEHIND}"
_AT = re.compile(
    rf"\b(?:(published|presented|appeared|appearing|printed) )?"
    rf"(?:(?:in|at|from|on)(?: the(?! lancet))? (?:(?:journal|proceedings of(?: the)?"
    rf"|conference) )?(?:either |both )?"
    rf"|proceedings of(?: the)? )({_KNOWN}){_YEAR}\b(?!-){_OTHERS}"
)
_BESIDE = re.compile(rf"\b({_KNOWN}){_YEAR}{_OTHERS}(?= (?:[a-z0-9-]+ ){{0,4}}{PAPERS}\b)")
_FIELD = re.compile(
    rf"\b(?:venue|journal|conference)\s*[:=]\s*({_KNOWN}|[\w&' -]+?){END}"
    rf"|(?:^|[,;(]\s*)(?:venue|journal|conference) ({_KNOWN})\b"
)
_STOPS = any_of(
    "on", "about", "from", "since", "in", "between", "with", "by", "before", "after", "published",
    "please", "that", "and (?:about|on)",
)  # fmt: skip
_JOURNAL = re.compile(
    r"\b(?:published )?in (?:the )?("
    "(?:(?:international|european|american|british|annual|ieee|acm) )?"
    r"(?:journal|transactions|proceedings|annals|archives|reviews?) (?:of|on|in) (?:the )?"
    rf"[^\W\d_]+(?:(?!,? (?:(?:and|or) )?(?:the )?(?:{_ALONE_KNOWN}|nature)\b),? (?!{_STOPS}\b)"
    rf"[^\W\d_]+){{0,5}}){_OTHERS}"
)
_WITH_YEAR = re.compile(
    rf"\b({_ALONE_KNOWN})(?: ?'(\d\d)|[ -]?((?:19|20)\d\d))\b(?!-)(?P<edition>(?!))?"
    rf"{_OTHERS_BEHIND}(?=\s*(?:[,.;!?)]|$)| (?:have|has|had)\b)"
)
"""`diffusion models NeurIPS 2021`, `diffusion (ICML 2019)`: with its year beside it a name that is
no word stands for where papers appeared, wherever nothing goes on behind it."""
_OF_TOPIC = re.compile(
    r"\b(?:on|about|of|to|than|like|with|vs\.?|versus|citing|regarding|concerning|or|and) $"
)
_ON = re.compile(r"(?:\w+ )?on ")
_PAPERS_NEXT = re.compile(rf" {PAPERS}\b")
_OF_WORDS = frozenset(name.lower() for name in _WORDS)


def venues_in(passage: Passage, today: date) -> Iterator[FieldMatch | DateBounds]:
    """Find the venue and the year right behind it; of several venues the first is searched."""
    found = list(_venues_in(passage, today))
    taken = [one for one in found if isinstance(one, FieldMatch) and one.is_taken]
    first = min(taken, key=lambda one: one.span, default=None)
    for one in found:
        if one in taken and first and str(one.value).casefold() != str(first.value).casefold():
            yield FieldMatch("venue", None, f"{one.rule}_second", one.span, is_taken=False)
        else:
            yield one


def _venues_in(passage: Passage, today: date) -> Iterator[FieldMatch | DateBounds]:
    seen: list[tuple[int, int]] = []
    for rule, pattern in (
        ("venue", _FIELD),
        ("journal", _JOURNAL),
        ("at", _AT),
        ("beside", _BESIDE),
        ("with_year", _WITH_YEAR),
    ):
        for match in pattern.finditer(passage.text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            group = 2 if rule == "at" else 1
            if rule not in ("venue", "journal") and not _is_venue(passage, match, rule):
                continue
            seen.append(match.span())
            denied = denied_from(passage.text, match.start())
            name = passage.written(match.span(group if match[group] else 2))
            if denied is not None:
                edition = _EDITION.match(passage.text, match.end())
                span = (denied, edition.end() if edition else match.end())
                yield FieldMatch("venue", name, f"{rule}_denied", span, is_taken=False)
                continue
            yield FieldMatch("venue", name, rule, match.span())
            if rule != "venue" and match["others"]:
                yield FieldMatch(
                    "venue", None, f"{rule}_second", match.span("others"), is_taken=False
                )
            if rule not in ("venue", "journal") and (
                written := match[group + 1] or match[group + 2] or match["edition"]
            ):
                yield _year(written, match.span(), today)


def _is_venue(passage: Passage, match: re.Match[str], rule: str) -> bool:
    """Tell a venue from a topic: `on` says what papers are about, and words may be meant."""
    name, behind = match[2 if rule == "at" else 1], match.end()
    goes_on = _BOUNDARY.match(passage.text, behind) is None
    if rule == "with_year":
        return _OF_TOPIC.search(passage.text[: match.start()]) is None
    if _ON.match(match[0]):
        return name in _SERVERS and not goes_on
    if name not in _OF_WORDS:
        return True
    if rule == "at" and match[1]:
        return True
    written = passage.written(match.span(2 if rule == "at" else 1))
    is_shown = written[:1].isupper() and not passage.normal.original.isupper()
    if rule == "beside":
        # A capital that begins the text shows nothing: `Cell division papers`.
        is_free = match.start() > 0 or _PAPERS_NEXT.match(passage.text, behind) is not None
        return is_shown and is_free and name in _JOURNALS_FIRST
    if is_shown:
        return not goes_on
    is_of_papers = re.search(rf"\b{PAPERS} $", passage.text[: match.start()]) is not None
    return is_of_papers and _is_no_topic(passage.text, name, behind)


def _is_no_topic(text: str, name: str, behind: int) -> bool:
    """Tell whether a word behind `papers in` can but be the venue: the topic is another, or none.

    `papers in cancer on diet` has one, `papers in nature` none, and `papers in cancer` is of it.
    """
    if _TOPIC_NEXT.match(text, behind):
        return True
    return name in _JOURNALS_FIRST and _NOTHING_NEXT.match(text, behind) is not None


def _year(written: str, span: tuple[int, int], today: date) -> DateBounds:
    number = int(written)
    if number < 100:
        number += 2000 if number <= today.year % 100 else 1900
    stretch = year(number)
    return DateBounds("venue_year", span, stretch.first, stretch.last)
