"""Tell dates, ages and numbers of the topic.

("the 2008 crisis", "patients older than 65 years") from date filters, and numbers that only look
like years (ports, pages, standards).
"""

import re
from datetime import date

from tools.nlu.search_query.date_expressions import (
    NEAR_YEAR,
    PART_KINDS,
    SEASONS,
    SHOWN,
    DateExpression,
    operator_of,
)
from tools.nlu.search_query.lexicon import DESCRIBED, END, PAPERS, UNITS, any_of

_REACH = 60
"""Characters before a time that may hold what it hangs on."""
_OF_PAPERS = any_of(
    SHOWN, "(?:re-?)?published", "posted", "submitted", "accepted", "presented", "indexed",
    "archived", "(?:co-?)?authored",
    "uploaded", "listed", "updated", "added", "retracted", "reviewed",
    "peer[- ]reviewed", "cited", "conducted", "completed", "performed", "done", "reported",
    "produced", "undertaken", "studied", "investigated", "examined", "researched", "explored",
    "discussed", "described", "proposed", "evaluated", "analy[sz]ed", "mentioned", "surveyed",
    "tested", "covered", "documented", "collected",
)  # fmt: skip
"""What is done to papers, or in them: behind these a time is that of the papers."""
_NO_EVENTS = any_of(
    r"\w*eed", r"\w*shed", r"\w*bed", r"\w+[- ](?:based|related)", "based", "related", "limited",
    "restricted", "interested", "needed", "wanted", "required", "preferred", "hundred", "sacred",
    "infrared", "hatred", "advanced", "gifted", "applied", r"\w*supervised", "distributed",
    "embedded", "automated", "augmented", "mixed", "aged", "sorted", "ordered", "ranked",
    "filtered", "narrowed", r"randomi[sz]ed", "controlled", "combined", "simplified", "unified",
    "pubmed", "biomed", "ahmed", r"mu?o?h?amm?ed", "khaled", "javed", "jared",
    r"(?:al|man|wil)fred",
)  # fmt: skip
"""Words that end like such a verb and tell of nothing that came to pass."""
_IRREGULAR = any_of(
    "born", "built", "rebuilt", "held", "won", "lost", "found", "fought", "sold", "bought", "begun",
    "sent", "taken", "given", "set up", "laid", "struck", "sunk", "grown", "drawn up",
    "caught", "brought in", "torn down", "stolen", "worn", "sworn in", "overthrown",
    "withdrawn", "chosen", "frozen", "thrown out", "woven", "driven out", "forbidden", "overrun",
)  # fmt: skip
_WAS = "(?:was|were|is|are|had been|have been|has been|being)"
_HAPPENED = re.compile(
    rf"(?P<thing>[^\W\d_][\w'-]*) (?:(?:who|that|which) {_WAS} )?"
    rf"(?!{any_of(_OF_PAPERS, _NO_EVENTS)} )"
    rf"(?:{_IRREGULAR}|[a-z-]{{3,}}ed)(?: (?:up|off|out|down|in))? $"
)
_NO_THING = any_of(
    PAPERS, "research", "work", "works", "literature", "ones", "results", "anything", "something",
    "everything", "nothing", "stuff", "things?", "findings?", "progress", "be", "been", "being",
    "is", "are", "was", "were", "am", "has", "have", "had", "not", "and", "or", "but", "to", "that",
    "which", "who", "it", "they", "we", "i", "you", "the", "a", "an", "get", "got", "also", "ever",
    "recently", "only", "just", "newly", "first", "of", "on", "about", "in", "for", "by", "with",
    "what", "how", "why", "when", "where",
)  # fmt: skip
"""What no such verb tells anything of, or behind which it stands for the whole sentence."""
_ASKS = re.compile(
    r"\b(?:has|have|had|is|are|was|were|did|does|do)\b(?! (?:papers|you|any|there)\b)"
)
"""`How have reefs changed since 2000` tells nothing of a thing, but asks for the years since."""

_BY = re.compile(r"\b(?:by|authors?:?|from) (?:[\w.'-]+ ){0,2}$")
"""Before names of people, of which some end like such a verb."""

_PERSONS = any_of(
    "patients?", "participants?", "subjects", "people", "persons?", "adults?", "children", "kids",
    "child", "infants?", "babies", "toddlers", "teenagers?", "adolescents?", "boys?", "girls?",
    "women", "woman", "men", "man", "mothers", "fathers", "parents", "workers", "employees",
    "drivers", "athletes", "players", "students?", "pupils", "residents?", "citizens", "voters",
    "individuals?", "seniors", "survivors?", "smokers", "users", "males?", "females?", "volunteers",
    "recipients", "inmates", "veterans", "donors", "couples", "pensioners", "refugees", "migrants",
    "pedestrians", "cyclists", "passengers", "customers", "nurses", "doctors", "teachers",
)  # fmt: skip
_WHOSE_AGE = re.compile(
    rf"\b(?:{_PERSONS}(?: (?:(?:who|that|which) )?(?:are|is|were|was))?"
    r"|who (?:are|is|were|was)|aged?|ages) $"
)
_LASTING = re.compile(
    r"\b(?:for|lasting|lasts?|lasted|spanning|after|every|than|took|takes|duration|within"
    r"|(?<!papers )(?<!articles )(?<!studies )of) $"
)
"""Behind these a number of years is how long something takes."""
_HAS_AGE = re.compile(
    rf"(?!(?:{PAPERS}|ones|those|results|that|are|which|is|published)\b)[^\W\d_][\w'-]* $"
)
_OLD = 50
"""Years; who asks for papers that are older still says before when."""


def is_of_event(text: str, start: int) -> bool:
    """Tell whether a time that begins at `start` is when something befell what papers are on."""
    before = text[max(0, start - _REACH) : start]
    match = _HAPPENED.search(before)
    if match is None or re.fullmatch(_NO_THING, match["thing"]):
        return False
    before = before[: match.start()]
    return _ASKS.search(before) is None and _BY.search(before) is None


def is_age_of_topic(text: str, start: int, years: float) -> bool:
    """Tell whether an age that begins at `start` is that of people, or of what is far older."""
    before = text[max(0, start - _REACH) : start]
    if _WHOSE_AGE.search(before) or _LASTING.search(before):
        return True
    last = re.search(r"[\w'-]+ $", before)
    return years > _OLD and last is not None and _HAS_AGE.fullmatch(last[0]) is not None


_SAYS_ON = re.compile(
    rf"(?:'s)? (?!(?:{DESCRIBED}|on|about|and|or|to|that|this|with|by|please|in)\b)[^\W\d_]"
)
"""`in august institutions`: a month that describes what follows, or is no month at all."""
_DESCRIBES = re.compile(
    rf"(?: (?:and|to) \d+)?(?:'s)? (?!(?:{DESCRIBED}|on|about|and|or|that|which)\b)[^\W\d_]"
)
"""`the 2008 crisis`, `between 1200 and 1500 patients`."""
_IS_SHOWN = re.compile(rf"{SHOWN}\b")
_BETWEEN = re.compile(r"\bbetween [^,.;]{1,20} (?:and|to) $")
_BY_ITSELF = (PART_KINDS - SEASONS) | {
    "relative", "span", "short_span", "span_to_now", "month_span", "later", "sooner", "ago",
    "ago_span",
}  # fmt: skip
_OF_NEAR_YEAR = re.compile(rf"{NEAR_YEAR}(?:'s .*)?$")
"""`Summer last year`, `last year's summer`: as much a filter as `last year` is."""
_THIS_CENTURY = re.compile(rf"(?<!of )(?<!on )(?<!about )(?:this|current) century{END}")
OF_YEARS = frozenset({"since", "after", "before", "until", "between"})
"""The words behind which any four digits are a year; `in 3020 runs` names none."""
NEEDS_WORD = frozenset(
    {"far_year", "early_year", "bare_month", "month_day", "day_month", "now", "yesterday"}
    | {"weekday", "spoken_year", "short_year", "holiday", "bare_holiday", "unread", "unread_time"}
)
"""Kinds that are a filter only behind such a word."""


def is_far_number(text: str, point: DateExpression) -> bool:
    """Tell `after 3000 cycles` from `since 3020`, which is said of papers all the same."""
    if point.kind not in ("far_year", "early_year", "bare_holiday"):
        return False
    name, start = operator_of(text, point)
    if point.kind == "bare_holiday":  # `sales before christmas` are a topic
        return name != "since"
    is_shown = name is not None and _IS_SHOWN.match(text, start) is not None
    is_said = name in OF_YEARS or is_shown or _BETWEEN.search(text[: point.start])
    return not is_said or _DESCRIBES.match(text, point.end) is not None


def is_topic(text: str, name: str, start: int, point: DateExpression, today: date) -> bool:
    """Tell `in the 2008 crisis` and `energy demand in 2050` from a filter.

    `in 2027`, said the year before, asks for papers that are not there yet.
    """
    if name == "in" and point.stretch.first.year > today.year + 1:
        return not _IS_SHOWN.match(text, start)
    if text.startswith("by ", start) and point.stretch.first.year > today.year:
        return True
    if point.kind in ("bare_month", "spoken_year") and _SAYS_ON.match(text, point.end):
        return True
    is_described = text[start : point.start].rstrip().endswith(" the")
    return (
        is_described
        and point.kind in ("year", "span", "short_span")
        and _DESCRIBES.match(text, point.end) is not None
    )


def stands_alone(text: str, point: DateExpression) -> bool:
    """Tell whether a point without such a word is a filter: beside papers, or set apart."""
    before, after = text[: point.start], text[point.end :]
    article = re.search(r"\b(?:the|a|an|this)\s*$", before)
    is_named = re.match(rf"(?:'s)?\s+{DESCRIBED}", after) is not None
    if point.is_part and _OF_NEAR_YEAR.search(text, point.start, point.end):
        return True
    if point.kind == "relative" and text[: point.end].endswith("century"):
        return _THIS_CENTURY.match(text, point.start) is not None
    if point.kind == "relative":
        return True
    if point.kind == "decade" and re.match(r"(?:early|mid|late)", text[point.start :]):
        return is_named or bool(re.match(END, after))
    if article and not is_named and re.match(r"\s+[^\W\d_]", after):
        return False
    return bool(
        is_named
        or point.kind in _BY_ITSELF
        or re.search(rf"(?:{PAPERS}|published)\s*[,:(]?\s*$", before)
        or (
            re.search(r"(?:^|[,;(])\s*(?:and |or |but )?(?:(?:the )?year )?$", before)
            and re.match(r"\s*(?:[,;.!?)]|$)", after)
        )
    )


_KINDS = frozenset(
    {
        "year",
        "far_year",
        "span",
        "short_span",
        "iso_month",
        "american_month",
        "spoken_year",
        "early_year",
    }
)
_NAMED = re.compile(
    r"\b"
    + any_of(
        "ports?", "pages?", r"pp?\.?", "rooms?", "iso", "rfc", "ieee", "din", "id",
        r"no\.", r"(?<=[a-z] )no",
        r"nr\.?", "number", "versions?", "v", "models?", "windows", "office", "sections?",
        "chapters?", r"vol(?:ume)?\.?", "issues?", "lines?", "wo", "orders?", "grants?", "awards?",
        "contracts?", "build", "agenda", "horizon", "vision", "parts?", "items?", "tickets?",
        "bugs?", "phase", "arxiv", "doi", "runner", "flight", "code", "standard", "regulation",
        "directive", "act", "patent", "extension", "suite", "zip", "channel", "#",
    )
    + r"\s*[:#]?\s*$"
)  # fmt: skip
_THINGS = any_of(
    "patients?", "participants?", "subjects?", "people", "persons?", "users?", "students?",
    "children", "adults?", "women", "men", "samples?", "cases", "images?", "words?", "tokens?",
    "steps?", "iterations?", "epochs?", "questions?", "examples?", "instances?", "sentences?",
    "genomes?", "species", "companies", "households", "cells", "atoms", "nodes?", "hours?",
    "minutes?", "seconds?", "days?", "weeks?", "years?", "meters?", "metres?", "miles?",
    "dollars?", "euros?", "percent", "per cent", "times", "citations?", "volts?", "watts?", "rpm",
    "degrees?",
)  # fmt: skip
_COUNTED = re.compile(rf"[- ](?:(?:[a-z]+ )?{_THINGS}|{UNITS})\b")
_TITLE = re.compile(r":\s+[a-z]")
_SIGN = re.compile(r"\b(?:pre|post|mid|since|non)-$")
_ABOUT = re.compile(r"(?:^|\b(?:about|on|of|titled|called|film|movie|book))\s*$")


def is_no_year(text: str, point: DateExpression) -> bool:
    """Tell whether what looks like years is a name, a count or part of a title."""
    if point.kind not in _KINDS:
        return False
    before = text[max(0, point.start - 20) : point.start]
    if _NAMED.search(before) or (
        re.search(r"\b[a-z]{1,5}[-/.]$", before) and not _SIGN.search(before)
    ):
        return True
    if _COUNTED.match(text, point.end):
        return True
    return bool(_TITLE.match(text, point.end) and _ABOUT.search(before))
