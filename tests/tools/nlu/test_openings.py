"""Which words the examples teach as verbs of an order."""

from collections.abc import Callable
from pathlib import Path

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.utterance import UtteranceParser

WritePack = Callable[[Path], Path]
_SAID = ("{} the hull", "{} is at the yard", "{} on watch until noon", "{}: nothing to report")


def reader_with(write_vessel: WritePack, folder: Path, *examples: str) -> UtteranceParser:
    whole = Catalogue.of([load_pack(write_vessel(folder / "boat"))])
    name, action = next(iter(whole.actions.items()))
    more = action.model_copy(update={"examples": (*action.examples, *examples)})
    return UtteranceParser(
        Catalogue(whole.packs, {**whole.actions, name: more}, whole.entities, "more")
    )


def test_a_verb_that_one_example_shows_orders_from_then_on(
    write_vessel: WritePack, tmp_path: Path
) -> None:
    taught = ("burnish the handrail", "burnish it", "feed the cat", "feed it")
    reader = reader_with(write_vessel, tmp_path, *taught)

    assert reader.read("burnish the rail").act.mood == "command"
    assert reader.read("feed the dog").act.mood == "command"


def test_a_name_that_once_stood_before_an_article_is_no_verb(
    write_vessel: WritePack, tmp_path: Path
) -> None:
    said = [one.format("ottoline") for one in (*_SAID, *(f"{{}} has job {n}" for n in range(12)))]
    reader = reader_with(write_vessel, tmp_path, *said)

    assert reader.read("ottoline shouldn't have the keys any more").act.mood != "command"
    assert reader.read("ottoline the new bosun").act.mood != "command"


def test_what_is_being_done_or_was_is_no_order(write_vessel: WritePack, tmp_path: Path) -> None:
    reader = reader_with(write_vessel, tmp_path, "burnished the handrail", "burnishing the rail")

    assert reader.read("burnished the rail").act.mood != "command"
