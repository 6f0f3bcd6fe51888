"""The words of a search as a provider gets them: never a filter, never a command."""

import re

from state.policy import SearchPolicy

MAX_QUERY = 500
"""Providers cut or refuse longer ones; a topic has a few words."""
_SIGNS = re.compile(r"[\"*?~^()\[\]{}<>|!:\\+&,;/]+")


def words_of(search: SearchPolicy) -> str:
    """Join the terms of a search, its topic when it has none, without any query syntax."""
    given = " ".join(search.query_terms) or search.topic or ""
    words = _SIGNS.sub(" ", given).split()
    # OpenAlex takes words in capitals for operators; nobody who talks means one.
    plain = (word.lower() if word in ("AND", "OR", "NOT") else word for word in words)
    text = ""
    for word in plain:
        if len(text) + len(word) + 1 > MAX_QUERY:
            break
        text = f"{text} {word}" if text else word
    return text


def clause_value(text: str) -> str:
    """Write a value of OpenAlex's filter that cannot begin another clause."""
    return " ".join(re.sub(r"[,|:!<>\"()&+*?~]", " ", text).split())
