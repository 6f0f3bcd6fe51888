"""The months as people write them."""

from tools.search_fields.words.pieces import any_of

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
