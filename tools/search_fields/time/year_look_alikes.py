"""Numbers that look like years and are none: ports, pages, standards, amounts, titles."""

import re

from tools.search_fields.time.dates.points import Point
from tools.search_fields.words.pieces import UNITS, any_of

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


def is_no_year(text: str, point: Point) -> bool:
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
