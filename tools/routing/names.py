"""What the things of the packs' worlds are called, at one moment."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tools.routing.normalise import words_of
from tools.routing.phrases import Phrases, singular, with_plural

LONG_WORD = 5
"""Letters from which a word may be misspelt and still be told from others."""
_SHORT_NAME = 3
"""Names of more words are sentences, whose last word says little."""


@dataclass(frozen=True)
class Kind:
    """An entity type of one pack."""

    pack: str
    type: str


Named = tuple[Kind, str]
"""A kind and the canonical name of one of its things."""


@dataclass
class Names:
    """All names at one moment: of the lists, and of the stores that were asked."""

    phrases: Phrases[Named] = field(default_factory=Phrases)
    canonical: dict[Kind, dict[str, str]] = field(default_factory=dict)
    """Kind → folded id → id, for kinds whose every member is known."""
    by_length: dict[int, dict[str, Named]] = field(default_factory=dict)
    """Number of words → name → what it names, for typing slips."""
    heads: dict[str, dict[Kind, set[str]]] = field(default_factory=dict)
    """Last word of short names → kind → which they are: `filter` is some part."""
    by_word: dict[str, dict[Kind, set[str]]] = field(default_factory=dict)
    """Any word of a name → kind → which things have it."""
    failed: tuple[str, ...] = ()
    _own: dict[Named, list[frozenset[str]]] = field(default_factory=dict)

    def add(self, kind: Kind, canonical: str, names: Iterable[str]) -> None:
        """Let a thing be called by its canonical name and by others."""
        own = set(words_of(kind.type))  # `certificate` says no more of a class certificate
        for name in (canonical, *names):
            words = words_of(name)
            if not words:
                continue
            is_short = 1 < len(words) <= _SHORT_NAME and not own & {words[-1], singular(words[-1])}
            for form in with_plural(words):
                self.phrases.add(form, (kind, canonical))
                if is_short and form[-1].isalpha():
                    of_kind = self.heads.setdefault(form[-1], {}).setdefault(kind, set())
                    of_kind.add(canonical)
            self._own.setdefault((kind, canonical), []).append(frozenset(words))
            for word in words:
                self.by_word.setdefault(word, {}).setdefault(kind, set()).add(canonical)
            if any(len(word) >= LONG_WORD for word in words):
                self.by_length.setdefault(len(words), {})[" ".join(words)] = (kind, canonical)

    def resolve_all(self, words: Sequence[str], kind: Kind) -> set[str]:
        """Find the things of a kind whose name holds all these words."""
        wanted = set(words)
        if not wanted:
            return set()
        of_each = [self.by_word.get(word, {}).get(kind, set()) for word in wanted]
        candidates = set.intersection(*of_each)
        if len(wanted) == 1:
            return candidates
        # All of them in one name, not one in each of several.
        return {one for one in candidates if any(wanted <= own for own in self._own[kind, one])}
