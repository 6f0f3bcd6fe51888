"""Names of people and of journals, compared as people write them."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_FORMERLY = {
    "aaai": "aaai conference on artificial intelligence",
    "acl": "annual meeting of the association for computational linguistics",
    "chi": "international conference on human factors in computing systems",
    "cvpr": "computer vision and pattern recognition",
    "eccv": "european conference on computer vision",
    "emnlp": "conference on empirical methods in natural language processing",
    "iccv": "international conference on computer vision",
    "iclr": "international conference on learning representations",
    "icml": "international conference on machine learning",
    "icra": "international conference on robotics and automation",
    "ijcai": "international joint conference on artificial intelligence",
    "jmlr": "journal of machine learning research",
    "kdd": "knowledge discovery and data mining",
    "naacl": "north american chapter of the association for computational linguistics",
    "neurips": "neural information processing systems",
    "nejm": "new england journal of medicine",
    "nips": "neural information processing systems",
    "pnas": "proceedings of the national academy of sciences",
    "sigir": "research and development in information retrieval",
    "tacl": "transactions of the association for computational linguistics",
}
"""Short names whose letters do not follow from the long one, or that nobody spells out."""
_SMALL = frozenset({"a", "and", "for", "in", "of", "on", "the"})
_GATHERING = frozenset({"conference", "proceedings", "symposium", "workshop", "meeting"})


def plain(text: str) -> str:
    """Write a name in lower case, without accents and signs, one space between words."""
    bare = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return " ".join(_WORD.findall(bare.casefold()))


def long_venue(name: str) -> str:
    """Spell out the short name of a well-known venue; any other stays what it is."""
    return _FORMERLY.get(plain(name), name)


def is_venue(venue: str, wanted: str) -> bool:
    """Tell whether a journal or conference is the wanted one.

    `Nature` is not Nature Communications; NeurIPS is Advances in Neural Information Processing
    Systems, and `Proceedings of the ICML 2019` is ICML.
    """
    has, wants = _significant(plain(venue)), _significant(plain(wanted))
    if not wants or has == wants:
        return bool(wants)
    if len(wants) == 1:
        if long := _FORMERLY.get(wants[0]):
            return _stands_in(_significant(long), has) or wants[0] in has
        initials = "".join(word[0] for word in has)
        is_gathering = any(word in _GATHERING or word.isdigit() for word in has)
        return initials == wants[0] or (is_gathering and wants[0] in has)
    return _stands_in(wants, has) or _abbreviates(wants, has)


def is_author(author: str, wanted: str) -> bool:
    """Tell whether an author can be the wanted one: G. E. Hinton is Geoffrey Hinton."""
    has, wants = _in_order(author), _in_order(wanted)
    if not wants or not has:
        return False
    if len(wants) == 1:
        return wants[0] in has
    surname, given = wants[-1], wants[:-1]
    if surname not in has:
        return False
    others = [word for word in has if word != surname]
    return not others or _agree(given[0], others[0]) or any(_agree(given[0], o) for o in others)


def _in_order(name: str) -> list[str]:
    last, comma, first = name.partition(",")
    return plain(f"{first} {last}" if comma else name).split()


def _agree(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _significant(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split() if word not in _SMALL)


def _abbreviates(short: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Tell whether each word begins the other's: Phys Rev Lett."""
    return len(short) == len(whole) and all(map(str.startswith, whole, short))


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    size = len(part)
    return any(whole[at : at + size] == part for at in range(len(whole) - size + 1))
