"""Which verbs ask for which action."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from state.action import Action
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.action_index import asked_with, keys_of
from tools.nlu.lexicon.verbs import VerbLexicon

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once

# Which verbs ask for an action: those of its entry and of its examples.

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
def test_the_verb_that_a_phrase_begins_with_asks_and_so_do_its_synonyms(word: str):
    assert _is_asked(word)


@pytest.mark.parametrize("word", ["approve", "show", "order", "assign"])
def test_a_verb_of_another_kind_does_not_ask(word: str):
    assert not _is_asked(word)


def test_the_verbs_of_examples_ask_in_front_behind_please_and_before_it():
    lexicon = VerbLexicon.of([DELETE, DELETE.model_copy(update={"words": ("scrap", "discard")})])

    keys = asked_with(DELETE, lexicon)

    assert {"scrap", "discard"} <= keys
    assert "file" not in keys  # a thing there, not a verb


def test_an_article_makes_no_other_verb_of_a_phrase():
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
def test_to_see_to_something_is_not_to_look_at_it(text: str, family: str):
    verb = LEXICON.at(text.split(), 0)
    assert verb is not None
    assert verb.families == (family,)


# A change is asked for of what the asking clause names, and never of what it excludes.


@pytest.mark.parametrize(
    ("text", "slot", "choices"),
    [
        ("WO-1041 and WO-1042 are finished. Close it.", "work_order", ("WO-1041", "WO-1042")),
        ("Don't close WO-1042 nor WO-1041, reopen it", "work_order", ()),
        (
            "PO-2004 is fine. PO-2000 and PO-2001 are not, cancel it",
            "purchase_order",
            ("PO-2000", "PO-2001", "PO-2004"),
        ),
        ("Don't cancel PO-2004. Cancel the other one", "purchase_order", ()),
        ("Don't approve PO-2004, approve another one", "purchase_order", ()),
        ("PO-2004 stays. Approve the other order", "purchase_order", ()),
        ("WO-1042 is done. Close the remaining one.", "work_order", ()),
        ("Don't close WO-1042, show me this week's work orders", "work_order", ()),
        ("Don't discard the report. Keep it.", "report", ()),
    ],
)
def test_which_of_several_is_asked_and_what_is_excluded_is_not_taken(
    both: Router, text: str, slot: str, choices: tuple[str, ...]
):
    routing = both.route(text)

    assert slot not in routing.slots
    assert routing.choices.get(slot, ()) == choices


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("PO-2000 is not mine. Approve PO-2004.", {"purchase_order": "PO-2004"}),
        ("WO-1041 isn't ready, please close WO-1042", {"work_order": "WO-1042"}),
        ("Because WO-1041 replaces WO-1042, cancel WO-1042", {"work_order": "WO-1042"}),
        ("WO-1037 stays. WO-1038 isn't needed, cancel it.", {"work_order": "WO-1038"}),
        ("Don't close WO-1042. WO-1041 is done, close it", {"work_order": "WO-1041"}),
        ("P-3 was poor. Rate P-4 five stars.", {"paper": "P-4"}),
        ("add P-3 to the library, P-4 too", {"papers": ["P-3", "P-4"]}),
    ],
)
def test_what_is_asked_about_counts_and_not_what_was_told_before(both: Router, text, slots):
    found = both.route(text).slots

    assert {name: found.get(name) for name in slots} == slots


# Verbs parted from their particle by what they are about.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take the oil filter off WO-1042", "remove_part_from_work_order"),
        ("put the running hours of the port generator back", "revert_running_hours"),
        ("put the registry certificate on the screen", "show_certificates"),
        ("please put the class certificate up", "show_certificates"),
        ("take me to the class certificate", "show_certificates"),
        ("would you mind pulling up the class certificate?", "show_certificates"),
    ],
)
def test_a_particle_behind_the_object_belongs_to_the_verb(both: Router, text: str, action: str):
    assert both.route(text).action == action


@pytest.mark.parametrize(
    "text",
    [
        "put the class certificate on WO-1042",
        "put a note on the screen door of WO-1042",
        "take the filter to the off-loading",
        "print the back page",
    ],
)
def test_another_word_that_looks_like_one_does_not(both: Router, text: str):
    verb = both.settling.reader.read(text).verb

    assert verb is not None
    assert verb.base == text.split(maxsplit=1)[0]


# Which words the examples teach as verbs of an order.

WritePack = Callable[[Path], Path]
_SAID = ("{} the hull", "{} is at the yard", "{} on watch until noon", "{}: nothing to report")


def reader_with(write_vessel: WritePack, folder: Path, *examples: str) -> UtteranceParser:
    whole = Catalogue.of([load_pack(write_vessel(folder / "boat"))])
    name, action = next(iter(whole.actions.items()))
    more = action.model_copy(update={"examples": (*action.examples, *examples)})
    return UtteranceParser(
        Catalogue(whole.packs, {**whole.actions, name: more}, whole.entities, "more")
    )


def test_a_verb_that_one_example_shows_orders_from_then_on(write_vessel: WritePack, tmp_path: Path):
    taught = ("burnish the handrail", "burnish it", "feed the cat", "feed it")
    reader = reader_with(write_vessel, tmp_path, *taught)

    assert reader.read("burnish the rail").act.mood == "command"
    assert reader.read("feed the dog").act.mood == "command"


def test_a_name_that_once_stood_before_an_article_is_no_verb(
    write_vessel: WritePack, tmp_path: Path
):
    said = [one.format("ottoline") for one in (*_SAID, *(f"{{}} has job {n}" for n in range(12)))]
    reader = reader_with(write_vessel, tmp_path, *said)

    assert reader.read("ottoline shouldn't have the keys any more").act.mood != "command"
    assert reader.read("ottoline the new bosun").act.mood != "command"


def test_what_is_being_done_or_was_is_no_order(write_vessel: WritePack, tmp_path: Path):
    reader = reader_with(write_vessel, tmp_path, "burnished the handrail", "burnishing the rail")

    assert reader.read("burnished the rail").act.mood != "command"


# No text of little words, verbs and signs breaks the reading of it, however short or odd.

_OTHERS = (
    "get have close closed WO-1042 been already never let make sure need needs plus unless wait"
    " said Tom lol /s 4 ? ! , : ; - ( )"
)
WORDS = st.sampled_from([*sorted(signs.FUNCTION_WORDS), *_OTHERS.split(), '"'])


@settings(max_examples=300, deadline=None, derandomize=True)
@given(words=st.lists(WORDS, min_size=1, max_size=7))
@example(words=["get"])
@example(words=["have"])
@example(words=["ok,", "get"])
@example(words=["close", "it,", "please", "have"])
@example(words=["close", "WO-1042", "and"])
@example(words=["or", "or"])
def test_it_is_read(router: Router, words: list[str]):
    text = " ".join(words)

    assert router.route(text).text == text
