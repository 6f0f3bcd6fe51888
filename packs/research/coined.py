"""The names that papers coin for what they present: people ask for the paper by them."""

import re
from collections.abc import Iterable, Mapping

from state.paper import Paper

_NAME = r"(?P<name>[A-Za-z]*[A-Z][\w]*(?:[-+.][\w]+)*)"
_COINING = (
    re.compile(rf"^{_NAME}\s*[:–—]"),  # of a title: `BERT: Pre-training of …`
    re.compile(rf"\b(?:call(?:ed)?|named?|dubbed|termed)(?: (?:it|this|them))? {_NAME}"),
    re.compile(
        r"\b(?:introduc|propos|present|describ|develop|releas)\w* (?:(?:a|an|our|the|new|novel) )*"
        rf"{_NAME}"
    ),
    re.compile(rf"\({_NAME}\)"),  # `Vision Transformer (ViT)`
)
_LEAST_CAPITALS = 2
"""`We present Layers` coins nothing; BERT, ViT, GPT-3 and U-Net do."""


def coined_names(papers: Mapping[str, Paper]) -> dict[str, list[str]]:
    """Give each paper the names that it coins and no other of these does."""
    told = {key: list(dict.fromkeys(_coined(paper))) for key, paper in papers.items()}
    makers: dict[str, int] = {}
    for names in told.values():
        for name in names:
            makers[name.lower()] = makers.get(name.lower(), 0) + 1
    return {
        key: [name for name in names if makers[name.lower()] == 1] for key, names in told.items()
    }


def _coined(paper: Paper) -> Iterable[str]:
    title, *others = _COINING
    places = [*title.finditer(paper.title), *others[-1].finditer(paper.title)]
    for pattern in others:
        places += pattern.finditer(paper.abstract or "")
    for place in places:
        name = place["name"]
        plural = name.removesuffix("s") if name[-2:-1].isupper() else name
        if sum(letter.isupper() or letter.isdigit() for letter in plural) >= _LEAST_CAPITALS:
            yield plural
