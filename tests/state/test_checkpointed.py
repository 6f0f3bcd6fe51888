"""What a thread stores comes back as what it was, and nothing it could store is forgotten."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from state.channels import Input, State
from state.checkpointed import CHECKPOINTED
from tests.stages import every_stage
from tests.state.nouns import nouns_of


def nouns_in(annotation: Any) -> Iterator[type[BaseModel | Enum]]:
    """Yield every noun and enumeration a type can hold, at any depth."""
    pending, seen = [annotation], set[Any]()
    while pending:
        part = pending.pop()
        if get_origin(part) is not None:
            pending.extend(get_args(part))
        elif isinstance(part, type) and issubclass(part, BaseModel | Enum) and part not in seen:
            seen.add(part)
            yield part
            if issubclass(part, BaseModel):
                hints = get_type_hints(part)  # what is excluded is never stored
                pending += [hints[n] for n, field in part.model_fields.items() if not field.exclude]
            else:
                pending.extend(get_type_hints(part).values())


def reachable() -> dict[tuple[str, str], type[BaseModel | Enum]]:
    """Return every noun and enumeration that a channel can hold, by its place."""
    hints = [*get_type_hints(State).values(), *get_type_hints(Input).values()]
    return {(noun.__module__, noun.__name__): noun for hint in hints for noun in nouns_in(hint)}


def stored(value: Any) -> Any:
    """Write a value as a checkpoint does and read it back as strictly."""
    serializer = JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINTED)
    return serializer.loads_typed(serializer.dumps_typed(value))


def test_every_noun_a_thread_can_store_is_on_the_list() -> None:
    assert sorted(set(reachable()) - set(CHECKPOINTED)) == []


def test_the_list_names_nothing_a_thread_cannot_store() -> None:
    assert sorted(set(CHECKPOINTED) - set(reachable())) == []


def test_the_state_these_tests_store_holds_every_noun() -> None:
    kinds = {type(noun) for noun in nouns_of(every_stage())}
    assert {noun.__name__ for noun in reachable().values()} - {noun.__name__ for noun in kinds} == (
        set()
    )


@pytest.mark.parametrize("channel", list(State.__annotations__))
def test_a_channel_comes_back_as_itself(channel: str) -> None:
    kept = every_stage()[channel]
    read = stored(kept)
    assert read == kept
    assert [type(noun) for noun in nouns_of(read)] == [type(noun) for noun in nouns_of(kept)]


@pytest.mark.parametrize("place", CHECKPOINTED, ids=".".join)
def test_a_listed_noun_comes_back_as_itself(place: tuple[str, str]) -> None:
    kept = next(
        noun
        for noun in nouns_of(every_stage())
        if (type(noun).__module__, type(noun).__name__) == place
    )
    read = stored([kept])[0]
    assert type(read) is type(kept)
    assert read == kept


def test_a_noun_that_is_not_listed_comes_back_as_plain_data() -> None:
    class Stranger(BaseModel):
        word: str

    assert not isinstance(stored(Stranger(word="tampered")), BaseModel)


def test_a_state_has_every_channel_filled() -> None:
    assert list(every_stage()) == list(State.__annotations__)
