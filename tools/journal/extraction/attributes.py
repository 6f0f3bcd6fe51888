"""Attributes of a discussion: speakers, votes, category, and the artifacts it names.

Artifacts are files, issues and documents.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from state.journal import Category, JournalMessage, Vote
from tools.journal.detection import cue_phrases as speech
from tools.journal.detection.context_window import content_words
from tools.journal.extraction.sentences import CitedSpan

_MENTION = re.compile(r"(?<![\w@/.])@([A-Za-z][\w.-]{1,38}\w)(?![\w@/])")
_NOBODY = frozenset({"", "chair", "group", "scribe", "all", "bot", "zakim", "here", "channel"})


def speakers_of(messages: Sequence[JournalMessage]) -> tuple[str, ...]:
    """Name who spoke and who was addressed with an at sign, in the order they came up."""
    found: dict[str, str] = {}
    for message in messages:
        for name in (message.speaker, *_MENTION.findall(message.content)):
            if fold_name(name) not in _NOBODY:
                found.setdefault(fold_name(name), name.lstrip("@"))
    return tuple(found.values())


def votes_of(messages: Sequence[JournalMessage]) -> Mapping[str, Vote]:
    """Count who voted how; the last vote of a person stands."""
    votes: dict[str, Vote] = {}
    for message in messages:
        vote = vote_in(message.content)
        if vote is not None and fold_name(message.speaker) not in _NOBODY:
            votes[message.speaker] = vote
    return votes


def vote_in(text: str) -> Vote | None:
    """Read a vote in figures or as a thumb; words are no vote."""
    if speech.VOTE_FOR.match(text):
        return "for"
    if speech.VOTE_AGAINST.match(text):
        return "against"
    return "abstain" if speech.VOTE_NEUTRAL.match(text) else None


def fold_name(name: str) -> str:
    """Fold a name for comparing: no at sign, lower case, single spaces."""
    return " ".join(name.lstrip("@").casefold().split())


_KINDS: Mapping[Category, str] = {
    "process": """meeting meetings minutes agenda vote charter schedule deadline review reviews
        release releases sprint standup retro weekly monthly onboarding policy
        workflow branch branches approval chair scribe calendar cadence hire hiring
        team publish published draft""",
    "design": """colour color font typeface layout logo icon icons button mockup wireframe palette
        theme typography spacing animation navigation accessibility menu serif dark""",
    "product": """customer customers user users price pricing feature features roadmap market
        launch
        plan tier subscription trial onboarding persona mvp scope analytics feedback""",
    "technical": """api apis database databases postgres postgresql mysql sqlite redis
        kafka queue cache
        server servers client library framework language python typescript
        javascript rust java kubernetes docker terraform aws azure gcp rest graphql
        grpc json yaml xml html css http https schema migration index encryption
        authentication auth oauth token tests testing ci deploy deployment hosting
        cloud backend frontend microservice monolith repository repo merge pr pull
        endpoint protocol logging monitoring cluster storage architecture manifest
        spec""",
}
_WORDS = {kind: frozenset(words.split()) for kind, words in _KINDS.items()}


def category_of(text: str, *, names_code: bool) -> Category | None:
    """Name the kind whose words are most; None when none is there, or two are equal."""
    words = content_words(text)
    counts: dict[Category, int] = {kind: len(words & known) for kind, known in _WORDS.items()}
    counts["technical"] += names_code
    best = max(counts.values())
    leading = [kind for kind, count in counts.items() if count == best]
    return leading[0] if best and len(leading) == 1 else None


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

    code: tuple[CitedSpan, ...]
    features: tuple[CitedSpan, ...]
    docs: tuple[CitedSpan, ...]


def find_artifacts(messages: Iterable[JournalMessage]) -> Artifacts:
    """Sort what is named into code, features (issues, pull requests) and documents."""
    code: dict[str, CitedSpan] = {}
    features: dict[str, CitedSpan] = {}
    docs: dict[str, CitedSpan] = {}
    for message in messages:
        for url in _urls(message):
            (features if _ISSUE.search(url.text) else docs).setdefault(url.text, url)
        free = _URL.sub(lambda found: " " * len(found.group()), message.content)
        for found in _ISSUE_KEY.finditer(free):
            if not found.group().startswith(_NO_KEYS):
                cited = CitedSpan(message, found.start(), found.end())
                features.setdefault(cited.text, cited)
        for found in _PATH.finditer(free):
            cited = CitedSpan(message, found.start(), found.end())
            (docs if _DOCUMENT.search(cited.text) else code).setdefault(cited.text, cited)
    return Artifacts(tuple(code.values()), tuple(features.values()), tuple(docs.values()))


def _urls(message: JournalMessage) -> Iterator[CitedSpan]:
    for found in _URL.finditer(message.content):
        address = found.group()
        if _ISSUE.search(address):
            address = address.partition("#")[0]  # a comment's place in the issue is not the issue's
        end = found.start() + len(address.rstrip(_ENDS))
        yield CitedSpan(message, found.start(), end)
