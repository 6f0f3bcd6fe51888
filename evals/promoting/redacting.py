"""Take out of a text what names or reaches a person, and keep its shape, which a router reads."""

import re
from collections.abc import Callable, Iterable

from tools.secrecy import HIDDEN

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)+")
_ADDRESS = re.compile(r"\b[a-z][a-z\d+.-]{0,20}://\S+|\bwww\.\S+", re.IGNORECASE)
_HOST = re.compile(  # of both versions; hardware's addresses are written like the newer one
    r"\b\d{1,3}(\.\d{1,3}){3}\b|(?<![\w:])(?=:*[\da-f])[\da-f]{0,4}(:[\da-f]{0,4}){3,7}(?![\w:])",
    re.IGNORECASE,
)
_HOME = re.compile(r"(?P<folder>[\\/](?:home|users)[\\/])[^\\/\s]+", re.IGNORECASE)
_PASSWORD = re.compile(
    r"\b(?P<what>pass(?:word|phrase|code)\b(?:\s*(?:[:=]|\bis\b)\s*|\s+(?=\S*\d))"
    r"|(?:pin|secret|token)\b\s*(?:[:=]\s*|is\s+(?=\S*\d)))\S+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w-])\+?\d[\d ()./-]{6,}\d(?![\w-])")
_SIGNED = re.compile(r"(?<![\w-])eyJ[\w-]+(\.[\w-]+)+")
_BASE64 = re.compile(
    r"(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{24,}={0,2}"
)
_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_FEWEST_DIGITS = 8

Replace = str | Callable[[re.Match[str]], str]


def redacted(text: str, blotted: Iterable[str] = ()) -> str:
    """Replace mail addresses, links, hosts, telephone and account numbers, keys and given words.

    Short numbers, dates and ids such as WO-1042 stay: they are what is asked about.
    """
    for pattern, instead in _INSTEAD:
        text = pattern.sub(instead, text)
    for word in filter(str.strip, blotted):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "somebody", text, flags=re.IGNORECASE)
    return text


def holds_secret(text: str) -> bool:
    """Tell whether a secret was masked when it was logged: nobody can answer such a text."""
    return HIDDEN in text


def _without_digits(found: re.Match[str]) -> str:
    text = found[0]
    digits = sum(sign.isdigit() for sign in text)
    if digits < _FEWEST_DIGITS or _DATE.fullmatch(text.strip()):
        return text
    return re.sub(r"\d", "0", text)


_INSTEAD: tuple[tuple[re.Pattern[str], Replace], ...] = (
    (_MAIL, "name@example.org"),
    (_ADDRESS, "https://example.org"),
    (_HOST, "192.0.2.1"),
    (_HOME, r"\g<folder>somebody"),
    (_PASSWORD, r"\g<what>KEY"),
    (_SIGNED, "KEY"),
    (_BASE64, "KEY"),
    (_TOKEN, "KEY"),
    (_NUMBER, _without_digits),
)
