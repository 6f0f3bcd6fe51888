"""How many: digits, number words, and the vague amounts that have one pinned meaning."""

from tools.search_fields.words.pieces import any_of

ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VAGUE = {
    "single": 1, "couple": 2, "pair": 2, "few": 3, "handful": 5, "half a dozen": 6, "half-dozen": 6,
    "half dozen": 6, "several": 7, "dozen": 12, "hundred": 100,
}  # fmt: skip
"""What a vague amount means here; docs/search-fields.md lists it for people."""

_NUMBERS = {word: number for number, word in enumerate(ONES, start=1)}
_NUMBERS |= {word: number for number, word in zip(range(20, 100, 10), TENS, strict=True)}

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![,\d])|\d{1,4})"
"""A number in digits; a comma before three of them parts thousands: 1,000."""
_WORD = any_of(
    rf"{any_of(*TENS)}(?:[- ]{any_of(*ONES[:9])})?",
    *sorted(ONES, key=len, reverse=True),
)
AMOUNT = any_of(
    DIGITS, "(?:a |two |three )?dozen", "half[- ](?:a )?dozen",
    "(?:a )?(?:couple|pair|handful)(?: of)?", "(?:a )?few", "several", "(?:a )?single",
    "(?:a |one )?hundred", _WORD,
)  # fmt: skip
"""An amount, as a piece of a regular expression."""

WHOLE_AND_HALF = rf"(?:{AMOUNT}(?:\.5| and a half)?|half)"


def amount_of(text: str) -> float:
    """Read what AMOUNT or WHOLE_AND_HALF matched."""
    words, half = text.strip(), 0.0
    for ending in (" and a half", ".5"):
        if words.endswith(ending):
            words, half = words.removesuffix(ending), 0.5
    if words == "half":
        return 0.5
    digits = words.replace(",", "")
    if digits.isdigit():
        return int(digits) + half
    words = words.removesuffix(" of").removeprefix("a ")
    if words in _VAGUE:
        return _VAGUE[words] + half
    if words.endswith((" dozen", " hundred")):
        times, unit = words.rsplit(" ", 1)
        return _NUMBERS[times] * _VAGUE[unit] + half
    return sum(_NUMBERS[part] for part in words.replace("-", " ").split()) + half
