"""Numbers that look like years and are none: ports, pages, standards, amounts, titles."""

import re

from tools.search_fields.points import Point

_KINDS = frozenset({"year", "span", "short_span", "iso_month", "american_month"})
_NAMED = re.compile(
    r"\b(?:ports?|pages?|pp?\.?|rooms?|iso|rfc|ieee|din|id|no\.?|nr\.?|number|versions?|v"
    r"|models?|windows|"
    r"office|sections?|chapters?|vol(?:ume)?\.?|issues?|lines?|wo|orders?|grants?|awards?"
    r"|contracts?|"
    r"build|agenda|horizon|vision|parts?|items?|tickets?|bugs?|phase|arxiv|doi|runner|flight|code|"
    r"standard|regulation|directive|act|patent|extension|suite|zip|channel|#)\s*[:#]?\s*$"
)
_COUNTED = re.compile(
    r"[- ](?:(?:[a-z]+ )?(?:patients?|participants?|subjects?|people|persons?|users?|students?"
    r"|children|adults?|"
    r"women|men|samples?|cases|images?|words?|tokens?|steps?|iterations?|epochs?|questions?"
    r"|examples?|"
    r"instances?|sentences?|genomes?|species|companies|households|cells|atoms|nodes?|hours?"
    r"|minutes?|"
    r"seconds?|days?|weeks?|years?|meters?|metres?|miles?|dollars?|euros?|percent|per cent|times|"
    r"citations?|volts?|watts?|rpm|degrees?)\b"
    r"|(?:m|km|cm|mm|nm|um|kg|g|mg|s|ms|hz|khz|mhz|ghz|v|kv|w|kw|mw|k|c|f|kb|mb|gb|tb|bc|bce"
    r"|ev|kev|mev|gev|psi|bar|usd|eur)\b)"
)
_TITLE = re.compile(r":\s+[a-z]")


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


_SIGN = re.compile(r"\b(?:pre|post|mid|since)-$")
_ABOUT = re.compile(r"(?:^|\b(?:about|on|of|titled|called|film|movie|book))\s*$")
