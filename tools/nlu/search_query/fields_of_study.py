"""Find the fields of study that papers are wanted from ("computer science papers")."""

import re
from collections.abc import Iterator

from tools.nlu.search_query.field_matches import FieldMatch, Passage
from tools.nlu.search_query.lexicon import AMOUNT, FRAME_WORDS, PAPERS, PRAISE, any_of
from tools.nlu.search_query.negation import denied_from

_NAMES = {
    "Computer Science": ("computer science", "comp sci", "compsci", "cs"),
    "Medicine": ("medicine", "medical", "medical science"),
    "Chemistry": ("chemistry",),
    "Biology": ("biology",),
    "Materials Science": ("materials science", "material science"),
    "Physics": ("physics",),
    "Geology": ("geology",),
    "Psychology": ("psychology",),
    "Art": ("art", "fine arts"),
    "History": ("history",),
    "Geography": ("geography",),
    "Sociology": ("sociology",),
    "Business": ("business", "business studies"),
    "Political Science": ("political science", "politics"),
    "Economics": ("economics", "econ"),
    "Philosophy": ("philosophy",),
    "Mathematics": ("mathematics", "maths", "math"),
    "Engineering": ("engineering",),
    "Environmental Science": ("environmental science", "environmental sciences"),
    "Agricultural and Food Sciences": (
        "agricultural and food sciences", "agricultural science", "food science", "agriculture",
    ),
    "Education": ("education",),
    "Law": ("law",),
    "Linguistics": ("linguistics",),
}  # fmt: skip
_CALLED = {said: name for name, others in _NAMES.items() for said in others}
_NAME = any_of(*sorted(map(re.escape, _CALLED), key=len, reverse=True))
FIELDS = rf"{_NAME}(?:(?:, and |, or |, | and | or ){_NAME}){{0,4}}(?![\w'-])"
"""One field of study or several, as people call them."""
_LIST, _ALONE = rf"(?P<names>{FIELDS})", rf"(?P<alone>{FIELDS})"
_FIELD = "(?:the )?(?:fields?|disciplines?|areas?) of (?:study(?: of)? )?"
_BEFORE_TOPIC = any_of(
    r"\s*(?:[,.;:!?)]|$)",
    r"\s+"
    + any_of(
        "on", "about", "regarding", "concerning", "from", "since", "between", "before", "after",
        "by", "with", "published", "please", "that", "which", "over", "during", "only", "instead",
        "too", "as well", "open", "last", "past", r"in \d", "now", "for me", "papers?", "ones?",
    )
    + r"\b",
)  # fmt: skip
"""What may follow a field of study; behind `medicine` in `medicine supply` a topic goes on."""
_WITHIN = re.compile(
    rf"\b(?:{PAPERS}|literature|research|work|anything|something|stuff|those|ones|published)"
    rf" (?:from|in|within) (?:{_FIELD})?{_LIST}(?={_BEFORE_TOPIC})"
    rf"|^\W*(?:(?:and|but|now|ok|then|or)\W+){{0,2}}(?:from|in|within) {_ALONE}"
    r"(?=[\s?.!]*$)"
)
_OF_FIELD = re.compile(rf"\b(?:in|within|from|for) {_FIELD}{_LIST}(?={_BEFORE_TOPIC})")
_SET = re.compile(rf"\b(?:fields?|disciplines?)(?: of study)?\s*[:=]\s*{_LIST}")
_ONLY = re.compile(
    r"\b(?:only|just|(?:limit|restrict|narrow|filter|keep)(?:ed)?"
    r"(?: (?:it|them|this|that|those|these|the results|results|down)){0,2}(?: (?:to|by|for|on))?)"
    rf" (?:(?:{PAPERS}|those|ones|the ones) )?(?:(?:from|in|within) )?(?:{_FIELD})?{_LIST}"
    rf"(?={_BEFORE_TOPIC})"
    rf"|(?:^|[,;] )(?:and |but )?{_ALONE} (?:only|alone)(?=\s*(?:[,.;!?]|please|$))"
)
_BESIDE = re.compile(rf"{_LIST}(?= (?:{PAPERS}|literature|preprints?)\b)")
_OF = frozenset({"of", "about", "on", "in", "for", "with", "and", "or"})
"""Behind these a field of study is part of a topic: `the history of medicine papers`."""
_DENYING = frozenset({"no", "not", "without", "except"})
_PARTED = re.compile(r", and |, or |, | and | or ")
_LAST_WORD = re.compile(r"([\w'-]+)\W*$")
_PRAISED = re.compile(rf"\b{PRAISE}\W*$")


def disciplines_in(passage: Passage) -> Iterator[FieldMatch]:
    """Find fields of study where they say whence papers are wanted, and are not what about.

    `Machine learning in medicine` and `papers on physics` are topics.
    """
    text = passage.text
    taken: list[tuple[int, int]] = []
    for rule, pattern in (
        ("field_set", _SET),
        ("of_field", _OF_FIELD),
        ("papers_in", _WITHIN),
        ("only_field", _ONLY),
        ("field_papers", _BESIDE),
    ):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            said = groups.get("names") or groups["alone"]
            span = match.span()
            if rule == "papers_in":
                span = (_start(text, text.index(said, span[0])), span[1])
            if any(span[0] < end and start < span[1] for start, end in taken):
                continue
            if rule == "field_papers" and not _begins(text, match.start()):
                continue
            taken.append(span)
            value = tuple(dict.fromkeys(_CALLED[one] for one in _PARTED.split(said)))
            denied = denied_from(text, span[0])
            if denied is None:
                yield FieldMatch("fields_of_study", value, rule, span)
            else:
                whole = (denied, span[1])
                yield FieldMatch("fields_of_study", value, f"{rule}_denied", whole, is_taken=False)


def _start(text: str, names: int) -> int:
    """Give where `from the field of` before the names begins; the papers stay to be read."""
    match = re.search(rf"(?:published )?(?:from|in|within) (?:{_FIELD})?$", text[:names])
    return match.start() if match else names


def _begins(text: str, start: int) -> bool:
    """Tell `recent physics papers` from `quantum physics papers`, where it ends a topic's name."""
    before = text[:start]
    last = _LAST_WORD.search(before)
    if last is None:
        return True
    is_count = re.fullmatch(AMOUNT, last[1]) is not None
    is_frame = last[1] in FRAME_WORDS or last[1] in _DENYING or _PRAISED.search(before) is not None
    return is_count or (is_frame and last[1] not in _OF)
