"""Tell a person in one sentence which of their words a search did not follow, and why."""

from collections.abc import Iterator, Sequence

from state.policy import FieldSource

_WHY = (
    ("_in_future", "in the future"),
    ("future", "in the future"),
    ("_contradicts", "no year is both"),
    ("years_apart", "only one stretch of years can be searched"),
    ("except", "years cannot be left out"),
    ("half_a_range", "only one end of a range"),
    ("too_early", "no papers are that old"),
    ("unread", "no time that can be read"),
    ("or_another", "only papers by all authors that are named can be searched"),
    ("_second", "only one venue can be searched"),
    ("denied", "nothing can be left out by that"),
    ("oldest_first", "only newest or most cited first"),
    ("fewer_citations", "only a least number of citations"),
    ("second_order", "one request at a time: the search comes first"),
    ("_of_none", "a search gives at least one paper"),
)
"""How a rule ends that sets no field, and why in words; every other was meant to set none."""
_ABOVE = "_above_"


def told_of(text: str, sources: Sequence[FieldSource]) -> str:
    """Write the sentence; empty where everything that was said is followed."""
    unfollowed: dict[str, list[str]] = {}
    for source in sources:
        for why in _whys(source):
            words = " ".join(text[slice(*source.span)].split()).strip(" ,")
            if words and words not in unfollowed.setdefault(why, []):
                unfollowed[why].append(words)
    parts = [
        f"{' and '.join(f'“{words}”' for words in said)} ({why})"
        for why, said in unfollowed.items()
    ]
    return f"Not followed: {'; '.join(parts)}." if parts else ""


def _whys(source: FieldSource) -> Iterator[str]:
    if source.value is not None:
        if _ABOVE in source.rule:
            yield f"a search gives at most {source.value}"
        return
    for ending, why in _WHY:
        if source.rule.endswith(ending):
            yield why
            return
