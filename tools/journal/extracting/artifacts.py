"""Files, issues and documents that a discussion names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from state.journal import JournalMessage
from tools.journal.extracting.citing import Cited

_URL = re.compile(r"https?://[^\s<>\"'`\])}]+")
_ENDS = ".,;:!?*_"
_ISSUE = re.compile(
    r"/(?:issues?|pulls?|pull-requests?|merge_requests|browse|work_items)/", re.IGNORECASE
)
_ISSUE_KEY = re.compile(r"(?<![\w#&/])(?:#\d{1,6}|[A-Z][A-Z0-9]{1,9}-\d{1,6})(?![\w-])")
_NO_KEYS = ("UTF-", "ISO-", "SHA-", "RFC-", "HTTP-", "COVID-", "AES-", "MD-", "GPT-")
_PATH = re.compile(
    r"(?<![\w/.@-])(?:(?:\.{1,2}|~)?/)?(?:[\w.@-]+/)*[\w@-][\w.@-]*"
    r"\.(?:py|pyi|js|jsx|ts|tsx|mjs|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql"
    r"|css|scss"
    r"|html|vue|json|ya?ml|toml|ini|cfg|xml|ipynb|tf|proto|dockerfile|lock|md|rst|adoc|txt|pdf"
    r"|docx?)"
    r"(?![\w/-]|\.\w)"
    r"|(?<![\w/.@:-])(?:\.{0,2}/)?(?:[\w.-]+/)+(?=[\s,;:)\"'`]|\.?$|\.\s)",
    re.MULTILINE,
)
_DOCUMENT = re.compile(r"(?:\.(?:md|rst|adoc|txt|pdf|docx?|html)$)|^docs?/|/docs?/", re.IGNORECASE)


@dataclass(frozen=True)
class Artifacts:
    """What a discussion points at, each where it was named first."""

    code: tuple[Cited, ...]
    features: tuple[Cited, ...]
    docs: tuple[Cited, ...]


def find_artifacts(messages: Iterable[JournalMessage]) -> Artifacts:
    """Sort what is named into code, features (issues, pull requests) and documents."""
    code: dict[str, Cited] = {}
    features: dict[str, Cited] = {}
    docs: dict[str, Cited] = {}
    for message in messages:
        for url in _urls(message):
            (features if _ISSUE.search(url.text) else docs).setdefault(url.text, url)
        free = _URL.sub(lambda found: " " * len(found.group()), message.content)
        for found in _ISSUE_KEY.finditer(free):
            if not found.group().startswith(_NO_KEYS):
                cited = Cited(message, found.start(), found.end())
                features.setdefault(cited.text, cited)
        for found in _PATH.finditer(free):
            cited = Cited(message, found.start(), found.end())
            (docs if _DOCUMENT.search(cited.text) else code).setdefault(cited.text, cited)
    return Artifacts(tuple(code.values()), tuple(features.values()), tuple(docs.values()))


def _urls(message: JournalMessage) -> Iterator[Cited]:
    for found in _URL.finditer(message.content):
        address = found.group()
        if _ISSUE.search(address):
            address = address.partition("#")[0]  # a comment's place in the issue is not the issue's
        end = found.start() + len(address.rstrip(_ENDS))
        yield Cited(message, found.start(), end)
