"""Decide which negations reach a field of the search, with the verbs and phrases that exclude."""

import re
from collections.abc import Callable

from tools.nlu.search_query.lexicon import OWN_KIND, PLEASE, SHOW, any_of

_LEAVE_OUT = (("exclude", "excluding"), ("omit", "omitting"), ("skip", "skipping"))
_DISCARD = (
    ("avoid", "avoiding"), ("ignore", "ignoring"), ("drop", "dropping"), ("remove", "removing"),
    ("discard", "discarding"), ("disregard", "disregarding"), ("hide", "hiding"),
    ("discount", "discounting"), ("get rid of", "getting rid of"),
    ("spare (?:me|us)", "sparing (?:me|us)"), ("forget(?: about)?", "forgetting(?: about)?"),
)  # fmt: skip
_SET_ASIDE = (
    ("leave", "leaving"), ("filter", "filtering"), ("rule", "ruling"), ("weed", "weeding"),
    ("cut", "cutting"), ("take", "taking"), ("keep", "keeping"), ("put", "putting"),
)  # fmt: skip
_ASIDE = "(?:out|off|aside)"


def _either(verbs: tuple[tuple[str, str], ...]) -> str:
    return any_of(*(form for verb in verbs for form in verb))


LEAVE_OUT = any_of(*(order for order, _doing in _LEAVE_OUT), "leave out")
"""Orders that can be of nothing but what is found; `drop P-5` is one to the library."""
OMIT = any_of(
    LEAVE_OUT,
    *(order for order, _doing in _DISCARD),
    f"{any_of(*(order for order, _doing in _SET_ASIDE))} {_ASIDE}",
)
"""What any order to leave something out begins with."""
SETS_ASIDE = _either(_SET_ASIDE)
"""The first half of `leave … out`."""
OMITS = any_of("excludes", _either(_LEAVE_OUT), _either(_DISCARD), f"{SETS_ASIDE} {_ASIDE}")
"""The same as in an order, or in what is told of papers."""
OMITTING = any_of("excluding", "omitting", f"leaving {_ASIDE}")
"""Those that are as good as prepositions: `papers on mice excluding rats`."""
DISREGARDING = any_of(OMITTING, *(doing for _order, doing in (*_LEAVE_OUT, *_DISCARD)))
"""Those, and all that are so before a bare year: `bees ignoring 2020`."""
OMITTED = any_of(
    "excluded", "excepted", "omitted", "left out", "left aside", "ruled out", "barred",
    "unwanted", "exempt(?:ed)?", "ignored", "disregarded", "skipped", "of no (?:interest|use)",
    "no (?:use|good)", "(?:useless|uninteresting|irrelevant)",
)  # fmt: skip
"""What may be said of it behind: `2020 excluded`."""
SAVE = any_of(
    "except(?:ing|ed)?(?: for)?", "with the exceptions? of", "other than", "(?:apart|aside) from",
    "save for",
)  # fmt: skip
"""Exceptions, whatever is excepted."""
WANTS = any_of("want", "need", "like", "see", "read", "include", "find", "return", "bring up", SHOW)
"""What is asked for, so that a `not` before it refuses."""
REFUSES = rf"(?:do not|don't) {WANTS}(?: (?:me|us|to see|to read))?"
RESOLVED = any_of(
    "agreed", "decided", "chose", "chosen", "resolved", "plan", "planned", "intend", "intended",
    "meant", "promised", "preferred", "opted",
)  # fmt: skip
"""What was settled is an order for the search: `as we agreed to exclude 2020`."""
UNDO = any_of(
    "drop", "remove", "lift", "forget", "ignore", "clear", "reset", "without", "no", "delete",
    "skip", "lose", "turn off", "switch off", "undo",
)  # fmt: skip
"""What takes back a filter that was set: `lift the year limit`."""


_BEFORE = 60
"""Characters before a denial that tell what it is part of."""
_NOUNS = r"(?:papers?|articles?|studies|publications?|preprints|ones|those|them|these|results)"
_PRONOUN = re.compile(
    r"\b(?:any(?:thing|one|body|where)?|every(?:thing|one)?|all|those|these|them|whatever"
    rf"|{_NOUNS})\b"
)
_KIND = re.compile(rf"(?<![\w'-]){OWN_KIND}(?![\w'-])")
_OF_PREPRINTS = re.compile(r"(?:(?:from|in|on|at|of) )?(?:the )?(?:[a-z]{0,8}r?xiv|ssrn)\b")
"""Where all papers are preprints: `no preprints from arXiv`."""
_PREPOSITION = re.compile(
    r"(?:from|since|in|at|by|before|after|until|between|over|during|within|to|of|prior|as|with|for)\b"
)
_LAST_PREPOSITION = re.compile(r"(?:\s*\b(?:from|of|in|as|with|for))+\s*$")
_WHO_ASKS = (
    r"(?:(?:i|we|i'm|i've|i'd|we'd|we're|would|rather|you|just|please|though|do|does|am|is|are|was|were|has|have|had"
    r"|should|must|really) ){0,4}"
)
_WHO_SETTLED = (
    r"(?:(?:as|because|since|so|for) )?(?:i|we)(?:'ve|'d| have| had)?"
    rf"(?: (?:already|once))? (?:{RESOLVED}|prefer|are going|(?:are|were) (?:told|asked)) to $"
)
_LEADS = rf"(?:{_WHO_ASKS}$|{_WHO_SETTLED})"
_OPENS = (
    rf"but|{PLEASE}|then|also|(?:want|like|wish|prefer|need) (?:you )?to"
    r"|(?:can|could|would|will) you|let's"
)
_HEAD = re.compile(
    rf"(?:^|[,.;:!?()]\s*|(?<![\w'-])(?:{_OPENS}|{_NOUNS}(?: (?:that|which))?) ){_LEADS}"
)
"""Where a clause begins, or what is said of papers."""
_APART = re.compile(
    rf"(?:^|[,.;:!?()]\s*|(?<![\w'-])(?:{_OPENS}) )(?:(?:but|and|so) )?{_WHO_ASKS}"
    r"(?:with |want |need |(?:show|give|get|find) me )?$"
)
"""Where a clause begins by itself, and with no word of what is searched for."""
_AND = re.compile(rf"(?<![\w'-])and {_LEADS}")
_OF_TOPIC = re.compile(
    r"(?<![\w'-])(?:on|of|about|for|by|with|how to|ways to|when to|what to|where to|whom to) $"
)
_TAKES_OUT = re.compile(rf"(?:{OMITS}|already (?!know)\w+)$")
_SAVES = re.compile(rf"{SAVE}$")
_PREPOSITIONAL = re.compile(rf"{OMITTING}$")
_BEFORE_A_YEAR = re.compile(rf"{DISREGARDING}$")
_A_YEAR = re.compile(r"(?:(?:the )?years? )?(?:19|20)\d\d")
_OBJECTLESS = re.compile(r"(?:lacking|sans|outside|without)$")
_DOING = re.compile(
    r"(?<![\w'-])(?:do|does|doing|did|done|go|goes|going|gone|went|live|living|manag(?:e|ing)"
    r"|cop(?:e|ing)|with(?: and| or| versus| vs)|and|or) $"
)
_IDIOM = re.compile(
    r"(?<![\w'-])(?:bar|do|does|doing|did|done|for|say|says|said|saying|knows?|knew|costs?"
    r"|changed|changes|next to|almost|nearly|or|to|from|has|have|had|having|of) $"
)
_OF_OWNERS = re.compile(r"(?<![\w'-])(?:has|have|had|having|of|is|are|was|were|saw|seen|see) $")
_DONE = "published|written|authored|penned|released|printed|presented|made|done|got"
_PERFECT = re.compile(rf"(?:yet |ever |even |actually |really )?(?:{_DONE})$")
_VERB_OF_FIELD = re.compile(
    r"(?:published|written|released|printed|presented|authored|made|done)"
    r"(?= (?:from|since|in|at|by|before|after|until|between|over|during|within|prior)\b)"
)
"""A field may begin with the verb that is said of it: `published since 2015`."""
_HAS = re.compile(r"(?<![\w'-])(?:have|has|had) $")
_HAS_NOT = re.compile(r"(?:have|has|had)n't$")
_WHO = re.compile(r"(?<![\w'-])who (?:(?:is|are|was|were|has|have|had|do|does|did) )?$")
_MAIN_VERB = re.compile(
    r"(?<![\w'-])(?:(?:have|has|had|do|does|did|gets?|got|made|done)|(?<!go )(?<!go any )back"
    r"|(?<!out )there)$"
)
_COMES = re.compile(r"(?<![\w'-])(?:com(?:e|es|ing)|came|stem(?:s|ming)?)$")
_WANTS = re.compile(
    rf"(?<![\w'-])(?:{WANTS}|wants|wanted|needs|needed|me|us|search|look"
    r"|go(?: (?:any )?(?:back|further|beyond|past))?)$"
)
_WISHED = re.compile(rf"(?:{WANTS})\b")
_GOES_BEFORE = re.compile(r".*\bgo (?:any )?(?:back|further|beyond|past) (?:before|prior|beyond).*")
_NEEDS = re.compile(r"(?<![\w'-])(?:want|need|like)$")
_MINE = re.compile(r"(?<![\w'-])(?:i|we)(?: really)?(?: do)? $")
_NOT_WORK = re.compile(r"works?$")
_NOT = re.compile(r"(?:n't|\bnot|\bnever) $")
_RESULTS = "results?|hits|matches|entries"
_THINGS = re.compile(rf"(?:works?|research|literature|stuff|items?|{_RESULTS})$")
_FOUND = re.compile(rf"(?:{_RESULTS})$")
"""What a search gives, but behind what may have results of its own: `trials without results`."""
_OF_FOUND = re.compile(
    rf"(?<![\w'-])(?:{_RESULTS})(?: (?:{_DONE}|dated|that|which|is|are|was|were))*$"
)
_HAVE_RESULTS = re.compile(
    r"(?:ing|[ts]ions?|ments?|trials?|stud(?:y|ies)|tests?|exams?|experiments?|efforts?|attempts?"
    r"|works?|research|therap(?:y|ies)|surger(?:y|ies)|search(?:es)?|projects?|program(?:me)?s?"
    r"|talks?|methods?|diets?|polic(?:y|ies)|reforms?|campaigns?) (?:with )?$"
)
_THAT_I_WANT = re.compile(
    r"(?<![\w'-])(?:(?:that|which) (?:i|we)|i|(?:i|we)'d|rather)"
    r"(?: (?:really|certainly|definitely|do|would|rather|just)){0,3} $"
)
"""A wish of who asks, of the papers: `papers on bees that I don't want from 2020`."""
_RATHER = re.compile(r"\brather $")


def reaches(text: str, begin: int, end: int, start: int) -> bool:
    """Tell whether the denial from `begin` to `end` reaches the field that begins at `start`."""
    head, before = text[begin:end], text[max(0, begin - _BEFORE) : begin]
    between = text[end:start].strip()
    if _KIND.search(between):
        return _OF_PREPRINTS.match(text, start) is not None
    if (verb := _VERB_OF_FIELD.match(text, start)) is not None:
        between, start = f"{between} {verb[0]}".strip(), verb.end() + 1
    tail = _LAST_PREPOSITION.search(between)
    core = between[: tail.start()] if tail else between
    follows = tail[0].strip() if tail else text[start : start + len("between ")].strip()
    is_apart = tail is not None or _PREPOSITION.match(text, start) is not None
    if _TAKES_OUT.fullmatch(head):
        if _BEFORE_A_YEAR.fullmatch(head) and not between and _A_YEAR.match(text, start):
            return _OF_TOPIC.search(before) is None
        return _takes_out(head, before, core, is_apart=is_apart)
    if not is_apart:
        return not _is_idle(head, before)
    if core == "":
        return not (_is_bare(head, before) or _is_idle(head, before) or _WHO.search(before))
    return not any(rule(head, before, core, follows) for rule in _TAKEN_BY_A_CLAUSE)


def is_certain(text: str, begin: int, end: int, start: int) -> bool:
    """Tell whether a denial that reaches a field is of papers beyond doubt.

    `Strikes without results since 2015` may be what the papers are on: what is left of such a time
    would be the opposite of what was said.
    """
    head, before = text[begin:end], text[max(0, begin - _BEFORE) : begin]
    if _TAKES_OUT.match(head) or _SAVES.match(head) or _APART.search(before):
        return True
    between = text[end:start].strip()
    core = between[: tail.start()] if (tail := _LAST_PREPOSITION.search(between)) else between
    if _WISHED.match(core) and _THAT_I_WANT.search(before):
        return True
    return _OF_FOUND.search(core) is None


def begins_clause(before: str) -> bool:
    """Tell whether what follows these words is an order, or is said of papers."""
    return _HEAD.search(before) is not None


def reaches_over(text: str, begin: int, end: int) -> bool:
    """Tell whether `no papers on` denies what is said of the papers: it is an order of its own."""
    said, before = text[begin:end], text[max(0, begin - _BEFORE) : begin]
    if _NOT.search(before) or (begin > 0 and _KIND.search(said)):
        return False
    if said.startswith("no "):
        return _OF_OWNERS.search(before) is None and not before.endswith("with ")
    is_order = begins_clause(before) or _AND.search(before) is not None
    return is_order or re.match(OMITS, said) is None


def _takes_out(head: str, before: str, core: str, *, is_apart: bool) -> bool:
    is_topic = _OF_TOPIC.search(before) is not None
    if _PRONOUN.search(core):
        return not is_topic
    if not is_apart and (_PREPOSITIONAL.fullmatch(head) or _AND.search(before)):
        return not is_topic
    return begins_clause(before)


def _is_bare(head: str, before: str) -> bool:
    """`Doing without since 2015`, `playing outside in 2020`: they leave nothing out."""
    if _OBJECTLESS.fullmatch(head) is None:
        return False
    return head != "without" or _DOING.search(before) is not None


def _is_idle(head: str, before: str) -> bool:
    return head in ("none", "nothing") and _IDIOM.search(before) is not None


def _is_action(head: str, before: str, core: str, follows: str) -> bool:
    """`Have not published since`, `never came back in`, `who were not published in`."""
    if _RATHER.search(before):
        return False
    has_not = _HAS_NOT.search(head) or _HAS.search(before)
    if _WHO.search(before) or (has_not and _PERFECT.fullmatch(core)):
        return True
    comes = _COMES.search(core) is not None and not follows.startswith("from")
    is_by = follows.startswith("by")
    return comes or (_MAIN_VERB.search(core) is not None and not is_by)


def _is_release(head: str, before: str, core: str, follows: str) -> bool:
    """`Films not released since`: papers are published."""
    return core.endswith("released") and not begins_clause(before)


def _is_wish_of_others(head: str, before: str, core: str, follows: str) -> bool:
    """`Things we do not need from`, `things that I like but do not need since`."""
    if _WANTS.search(core) is None or _GOES_BEFORE.fullmatch(f"{core} {follows}"):
        return False
    is_mine = _NEEDS.search(core) is None or _MINE.search(before) is not None
    return not (is_mine and (begins_clause(before) or _THAT_I_WANT.search(before)))


def _is_thing(head: str, before: str, core: str, follows: str) -> bool:
    """`What did not work in`, `trials without results since`."""
    if head == "not" or head.endswith("n't") or head == "never":
        return _NOT_WORK.fullmatch(core) is not None
    if _FOUND.fullmatch(core) and not _HAVE_RESULTS.search(before):
        return False
    return _THINGS.fullmatch(core) is not None and not (
        begins_clause(before) or _AND.search(before)
    )


def _is_owned(head: str, before: str, core: str, follows: str) -> bool:
    """`Fields with no papers since`, `species that are no more since`."""
    return head == "no" and _OF_OWNERS.search(before) is not None


def _is_idle_of(head: str, before: str, core: str, follows: str) -> bool:
    return _is_idle(head, before)


_TAKEN_BY_A_CLAUSE: tuple[Callable[[str, str, str, str], bool], ...] = (
    _is_action, _is_release, _is_wish_of_others, _is_thing, _is_owned, _is_idle_of,
)  # fmt: skip
