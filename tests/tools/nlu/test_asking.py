"""Which verbs ask for an action: those of its entry and of its examples."""

import pytest

from state.action import Action
from tools.nlu.lexicon.action_index import asked_with, keys_of
from tools.nlu.lexicon.verbs import VerbLexicon

DELETE = Action(
    name="delete_export",
    pack="boat",
    summary="Delete the export",
    verb="update",
    words=("delete export",),
    object="export",
    effect="destructive",
    handler="handlers:delete_export",
    examples=("the file must go, scrap it", "please discard the export"),
)
LEXICON = VerbLexicon.of([DELETE])


def _is_asked(word: str) -> bool:
    verb = LEXICON.at([word, "it"], 0)
    assert verb is not None
    return not asked_with(DELETE, LEXICON).isdisjoint(keys_of(verb))


@pytest.mark.parametrize("word", ["delete", "erase", "remove"])
def test_the_verb_that_a_phrase_begins_with_asks_and_so_do_its_synonyms(word: str) -> None:
    assert _is_asked(word)


@pytest.mark.parametrize("word", ["approve", "show", "order", "assign"])
def test_a_verb_of_another_kind_does_not_ask(word: str) -> None:
    assert not _is_asked(word)


def test_the_verbs_of_examples_ask_in_front_behind_please_and_before_it() -> None:
    lexicon = VerbLexicon.of([DELETE, DELETE.model_copy(update={"words": ("scrap", "discard")})])

    keys = asked_with(DELETE, lexicon)

    assert {"scrap", "discard"} <= keys
    assert "file" not in keys  # a thing there, not a verb


def test_an_article_makes_no_other_verb_of_a_phrase() -> None:
    """One pack has `add a note` and another `add note`: each may be asked for with both."""
    note = DELETE.model_copy(update={"words": ("add note",), "examples": ()})
    lexicon = VerbLexicon.of([note.model_copy(update={"words": ("add a note",)})])
    verb = lexicon.at(["add", "a", "note"], 0)

    assert verb is not None
    assert verb.phrase == "add a note"
    assert not asked_with(note, lexicon).isdisjoint(keys_of(verb))


@pytest.mark.parametrize(
    ("text", "family"), [("see to the export", "handle"), ("see the export", "show")]
)
def test_to_see_to_something_is_not_to_look_at_it(text: str, family: str) -> None:
    verb = LEXICON.at(text.split(), 0)
    assert verb is not None
    assert verb.families == (family,)
