"""One text for one JSON value, so that equal values hash equally."""

import json
from typing import Any

import orjson
import rfc8785

_EXACT = 2**53 - 1


def canonical_json(value: Any) -> bytes:  # any JSON value
    """Write a JSON value in the one form that RFC 8785 gives it.

    Raises:
        ValueError: an integer beyond 2**53, NaN, infinity, or half of a surrogate pair.
    """
    if _is_plain(value):  # the quick writer gives the same bytes for these
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return rfc8785.dumps(value)


def sorted_json(value: Any) -> bytes:  # any JSON value
    """Write a JSON value that no standard covers, such as a huge integer, always the same way."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:  # half a surrogate pair: it goes in as an escape
        return json.dumps(value, sort_keys=True).encode()


def _is_plain(value: Any) -> bool:  # any JSON value
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return bool(-_EXACT <= value <= _EXACT)
    if kind is dict:  # keys are ordered by UTF-16 there and by UTF-8 here; in ASCII that is one
        return all(type(key) is str and key.isascii() and _is_plain(value[key]) for key in value)
    return kind is list and all(map(_is_plain, value))
