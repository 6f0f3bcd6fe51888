"""A slot of free words holds what was said for it, and none of the words of the command."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.policy import Routing
from tests.tools.nlu.filling import Filling, filling_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router
from tools.nlu.slots.free_text import text_parts_of


@pytest.mark.parametrize(
    "text",
    [
        "set the topic to coral reefs",
        "set the research topic to coral reefs",
        "change the topic to coral reefs",
        "change our topic from sleep to coral reefs",
        "make the topic coral reefs",
        "make coral reefs the topic",
        "make coral reefs our research topic, please",
        "switch the topic over to coral reefs",
        "update the topic to coral reefs",
        "update the topic: coral reefs",
        "replace the topic by coral reefs",
        "narrow the topic down to coral reefs",
        "please could you set the topic of this channel to coral reefs",
        "I want the topic to be coral reefs",
        "let the topic be coral reefs",
        "put coral reefs down as our topic",
        "coral reefs should be our topic",
        "the topic should be coral reefs",
        "the topic is now coral reefs",
        "from now on the topic is coral reefs",
        "topic = coral reefs",
        "topic of the channel = coral reefs",
        "topic: coral reefs",
        "topic -> coral reefs",
        "new topic, coral reefs",
        "new topic for this channel - coral reefs",
        "set topic coral reefs",
        "this channel is about coral reefs",
        "we focus on coral reefs",
        "set the topic to coral reefs, please",
        "set the topic back to coral reefs if that's ok",
        "could we switch topics to coral reefs",
        "please set the topic to coral reefs\n\nBest,\nTom",
    ],
)
def test_a_topic_is_what_it_is_set_to(fill: Filling, text: str):
    assert fill("set_research_topic", text).values == {"topic": "coral reefs"}


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("our topic is topic models", "topic models"),
        ("set the topic to how to choose a topic", "how to choose a topic"),
        ("change the topic to the history of the sea", "history of the sea"),
        ("set the topic to life from birth to death", "life from birth to death"),
        ("change the topic", None),
        ("change the topic from coral reefs", None),
        ("change the topic of this channel please", None),
    ],
)
def test_a_topic_may_hold_words_of_the_command(fill: Filling, text: str, topic: str | None):
    assert fill("set_research_topic", text).values.get("topic") == topic


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("set the research question to why bees die", "why bees die"),
        ("set the question to how noise affects birds", "how noise affects birds"),
        ("our question should be how noise affects birds", "how noise affects birds"),
        ("our research question is why bees die", "why bees die"),
        ("let the question be how trees cool cities", "how trees cool cities"),
        ("change the question to whether noise harms fish", "whether noise harms fish"),
        ("change the question to: how does noise harm fish?", "how does noise harm fish"),
        ("change the question to does noise harm fish", "does noise harm fish"),
        ("research question = is sleep a skill", "is sleep a skill"),
        ("question: why bees die", "why bees die"),
        ("new question - do birds plan?", "do birds plan"),
        ("the question we pursue is how rumours spread", "how rumours spread"),
        ("we want to find out how soil stores carbon", "how soil stores carbon"),
        ("the research question should be whether it helps, set it", "whether it helps"),
        ("update our question to what drives bleaching, please", "what drives bleaching"),
        ("record our question, it is why coral recovers", "why coral recovers"),
    ],
)
def test_a_question_keeps_the_word_it_asks_by(fill: Filling, text: str, question: str):
    assert fill("set_research_question", text).values == {"question": question}


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("tag the first as reef", ["reef"]),
        ("tag the first and the third as reef", ["reef"]),
        ("tag P-1 and P-2 with reef", ["reef"]),
        ("tag P-1 with deep learning", ["deep learning"]),
        ("tag the last two as must-read", ["must-read"]),
        ("tag all of them as reef", ["reef"]),
        ("tag the second one reef and coral", ["reef", "coral"]),
        ("label the first one methods", ["methods"]),
        ("mark number 2 as key paper", ["key paper"]),
        ("tag the first paper as reef", ["reef"]),
        ("tag the Vaswani paper as attention", ["attention"]),
        ("could you tag the second result with reef?", ["reef"]),
        ("tag number 2 reef", ["reef"]),
        ("add tag reef to the first one", ["reef"]),
        ("categorise P-3 as theory", ["theory"]),
        ("tag it deep", ["deep"]),
        ("P-8 should carry the tag reef", ["reef"]),
        ("put the tag reef on P-1", ["reef"]),
    ],
)
def test_a_tag_is_not_what_gets_it(fill: Filling, text: str, tags: list[str]):
    assert fill("tag_paper", text).values["tags"] == tags


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("edit_note", "change N-1 from good to bad", "text", "bad"),
        ("edit_note", 'change N-1 from "good" to "bad"', "text", "bad"),
        ("edit_note", "change N-1 to bad", "text", "bad"),
        ("edit_note", "change the first one to bad", "text", "bad"),
        ("edit_note", "replace good by bad in N-1", "text", "bad"),
        ("edit_note", 'replace "good" with "bad" in N-1', "text", "bad"),
        ("edit_note", "the note N-1 should say all done", "text", "all done"),
        ("edit_note_on_work_order", "change the note on WO-1042 from good to bad", "note", "bad"),
        ("edit_note_on_work_order", "make the note on WO-1042 say belt new", "note", "belt new"),
        ("name_channel", "rename the channel to reading group", "name", "reading group"),
        ("name_channel", "the channel should be called reading group", "name", "reading group"),
        ("name_channel", "change the channel's name to winter school", "name", "winter school"),
        ("add_photo_to_handover", "add the photo leak.jpg to the handover", "photo", "leak.jpg"),
        ("add_photo_to_handover", "add leak.jpg to tonight's handover", "photo", "leak.jpg"),
        ("add_photo_to_work_order", "attach leak.jpg to 1042", "photo", "leak.jpg"),
        ("add_photo_to_work_order", "a pic of it, leak.jpg, hang it on 1059", "photo", "leak.jpg"),
        ("upload_document", "upload a document called fuel results", "title", "fuel results"),
        ("create_task", "task for Ana: wash the deck, due tomorrow", "title", "wash the deck"),
        ("add_photo_to_handover", "put leak.jpg in the handover", "photo", "leak.jpg"),
        ("upload_document", "upload them as oil analysis", "title", "oil analysis"),
        ("create_work_order", "new job: watermaker, replace hose", "title", "replace hose"),
        ("update_certificate_metadata", "new expiry of it: 1 June 2028", "number", None),
        ("log_hours_of_rest", "my rest today: 8", "periods", None),
    ],
)
def test_a_value_stands_without_what_is_around_it(fill: Filling, action, text, slot, value):
    assert fill(action, text).values.get(slot) == value


# The free words of somebody's own pack: whose order it is, and what is told.

BAKERY = """
actions:
  create_order:
    summary: "Order {items} for {customer}"
    verb: create
    words: [order, new]
    object: order
    slots: {customer: {type: text, required: true}, items: {type: text, required: true}}
    effect: write
    handler: "handlers:create_order"
    examples: ["new order for Ann: four rolls", "order two rolls for Ann"]
  open_tab:
    summary: "Open a tab of {customer}"
    verb: create
    words: [open, new]
    object: tab
    slots: {customer: {type: text, required: true}}
    effect: write
    handler: "handlers:open_tab"
    examples: ["open a tab for Ann", "new tab: Ann"]
  text_customer:
    summary: "Text {customer}: {message}"
    verb: add
    words: [text, write]
    object: message
    slots: {customer: {type: customer, required: true}, message: {type: text, required: true}}
    effect: write
    handler: "handlers:text_customer"
    examples: ["text Mrs Hale that it is ready", "write to Mr Bell: come by"]
"""
BAKING = """
def create_order(context, *, customer, items): ...
def open_tab(context, *, customer): ...
def text_customer(context, *, customer, message): ...
"""


@pytest.fixture(scope="module")
def bake(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    """Fill the slots of an action of somebody's own pack."""
    folder = tmp_path_factory.mktemp("own") / "bakery"
    folder.mkdir()
    (folder / "actions.yaml").write_text(BAKERY)
    (folder / "entities.yaml").write_text("entities: {customer: {list: [Mrs Hale, Mr Bell]}}")
    (folder / "handlers.py").write_text(BAKING)
    return filling_of(None, [folder])


@pytest.mark.parametrize(
    ("action", "text", "values"),
    [
        ("create_order", "new order: 2 sourdough loaves", {"items": "2 sourdough loaves"}),
        ("create_order", "new order: sourdough loaves", {"items": "sourdough loaves"}),
        ("open_tab", "new tab: 2 sourdough loaves", {}),
        ("open_tab", "new tab: Mr Stone", {"customer": "Mr Stone"}),
        (
            "text_customer",
            "text Mrs Hale that we are closed tomorrow",
            {"customer": "Mrs Hale", "message": "we are closed tomorrow"},
        ),
        (
            "text_customer",
            "text Mrs Hale that the bread is on its way",
            {"customer": "Mrs Hale", "message": "the bread is on its way"},
        ),
        (
            "text_customer",
            "text Mr Bell that it is ready please",
            {"customer": "Mr Bell", "message": "it is ready"},
        ),
        (
            "text_customer",
            "text Mr Bell: we are closed tomorrow",
            {"customer": "Mr Bell", "message": "we are closed tomorrow"},
        ),
    ],
)
def test_somebodys_own_pack_is_told_whole_sentences(bake: Filling, action, text, values):
    assert bake(action, text).values == values


# Free words of a pack that nobody here wrote: not a word too many, and no number lost.

Routed = Callable[[str], Routing]

BANK = Path(__file__).parents[2] / "bank"
TOOLS = """
actions:
  git_status:
    summary: "Show the working tree status of {repo_path}"
    verb: show
    object: status
    slots: {repo_path: {type: text, required: true}}
    effect: read
    handler: "handlers:status"
    examples: ["show the status of repository /srv/code", "git status of /home/ana/site"]
  current_time:
    summary: "Tell the time in {timezone}"
    verb: show
    object: time
    slots: {timezone: {type: text, required: true}}
    effect: read
    handler: "handlers:time"
    examples: ["what time is it in Asia/Tokyo", "show the time in timezone America/Lima"]
  add_remark:
    summary: "Write {remark} beside {room}"
    verb: add
    object: remark
    slots: {remark: {type: text, required: true}, room: {type: room}}
    effect: write
    handler: "handlers:remark"
    examples: ["add a remark to room 12: the lamp is broken", "remark the door sticks on room 7"]
  ban_guest:
    summary: "Ban {guest}"
    verb: remove
    object: guest
    slots: {guest: {type: guest, required: true}}
    effect: destructive
    handler: "handlers:ban"
    examples: ["throw Pavel out", "ban Aiko for good", "Pavel is no guest any more", "remove Aiko"]
"""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Routed:
    folder = tmp_path_factory.mktemp("packs") / "tools_like"
    folder.mkdir()
    (folder / "actions.yaml").write_text(TOOLS)
    (folder / "entities.yaml").write_text(
        'entities: {room: {patterns: ["room \\\\d+"]}, guest: {list: [Pavel, Aiko]}}\n'
    )
    functions = {
        "status": "repo_path",
        "time": "timezone",
        "remark": "remark, room=None",
        "ban": "guest",
    }
    (folder / "handlers.py").write_text(
        "".join(f"def {name}(context, *, {slots}): ...\n" for name, slots in functions.items())
    )
    return Router(Catalogue.of((load_pack(folder),))).route


@pytest.fixture(scope="module")
def bank() -> Routed:
    return Router(Catalogue.of((load_pack(BANK),))).route


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("show the status of repository /tmp/x", {"repo_path": "/tmp/x"}),
        ("status of repo /tmp/x please", {"repo_path": "/tmp/x"}),
        ("status of the /tmp/x", {"repo_path": "/tmp/x"}),
        ("show the time in timezone Europe/Zurich", {"timezone": "Europe/Zurich"}),
        ("show the time in Europe/Zurich", {"timezone": "Europe/Zurich"}),
        ("add a remark to room 12", {"room": "room 12"}),
        ("add a remark to room 12: the lamp", {"room": "room 12", "remark": "the lamp"}),
    ],
)
def test_a_text_is_without_the_word_that_names_its_slot(tools: Routed, text, slots):
    assert tools(text).slots == slots


@pytest.mark.parametrize("text", ["pay 50 to Anna", "transfer 50 to the bakery"])
def test_what_goes_to_somebody_is_a_number(bank: Routed, text: str):
    assert bank(text).slots["amount"] == 50


@pytest.mark.parametrize(
    "text", ["transfer 50 to 60 to Anna", "transfer 50 or 60 to Anna", "transfer fifty to sixty"]
)
def test_a_range_is_none(bank: Routed, text: str):
    assert "amount" not in bank(text).slots


def test_an_action_without_words_is_not_asked_for_by_any_verb(tools: Routed):
    noted, banned = tools("jot down that Pavel brought cake"), tools("would you mind banning Aiko")

    assert noted.action != "ban_guest"
    assert (banned.action, banned.slots) == ("ban_guest", {"guest": "Aiko"})


# What ends an order is no note: provisos, thanks, a signature, what other slots have.


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("close it: WO-1042", None),
        ("close it. WO-1042", None),
        ("close this one: work order WO-1042", None),
        ("close WO-1042 (time and weather permitting)", None),
        ("close WO-1042, pretty please", None),
        ("close it: WO-1042, the seal is new", "the seal is new"),
        ("close WO-1042, weather permitting", None),
        ("close WO-1042. Weather permitting.", None),
        ("close WO-1042, if possible", None),
        ("close WO-1042, right away please", None),
        ("close WO-1042, yeah?", None),
        ("close WO-1042 if it's not too much trouble", None),
        ("close WO-1042, seal replaced, thanks a million", "seal replaced"),
        ("close WO-1042, no rush, mate", None),
        ("close WO-1042, at once, will you", None),
        ("close WO-1042 - when you can, thanks!", None),
        ("close WO-1042, seal replaced, time permitting", "seal replaced"),
        ("close WO-1042, seal replaced. Thanks", "seal replaced"),
        ("close WO-1042. seal replaced", "seal replaced"),
        ("close WO-1042: seal replaced", "seal replaced"),
        ("close WO-1042\n\nSeal replaced", "Seal replaced"),
        ("close WO-1042\n\nSeal replaced\nPump tested", "Seal replaced\nPump tested"),
        ("see below\n\nplease close WO-1042\n\nTom Becker\nDeckhand", None),
        ("please close WO-1042\n\nBest regards\nTom", None),
        ("please close WO-1042\n\nThanks,\nTom", None),
        ("please close WO-1042\nSent from my phone", None),
        ("please close WO-1042\n\n-Tom", None),
        ("Hi,\nplease close WO-1042.\nTom Becker", None),
        ("please close WO-1042\n--\nTom Becker | Deckhand\n+31 6 12", None),
        ("close WO-1042: seal new\n\nKind regards,\nTom Becker", "seal new"),
        ("close WO-1042: “seal new” – ok\n\nJan van Dijk\nChief Engineer", "seal new"),
    ],
)
def test_what_ends_an_order_is_no_note(fill: Filling, text: str, note: str | None):
    values = fill("close_work_order", text).values
    assert values.get("note") == note
    assert values["work_order"] == "WO-1042"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("add a note to WO-1042: we sail at six, weather permitting", "six, weather permitting"),
        ("add a note to WO-1042: the first one leaks", "the first one leaks"),
        ("add a note to WO-1042: Tom said thanks", "Tom said thanks"),
    ],
)
def test_what_is_told_stays_whole(fill: Filling, text: str, note: str):
    assert fill("add_note_to_work_order", text).values["note"].endswith(note)


def test_what_ends_an_order_is_no_part_of_a_list():
    assert text_parts_of("must-cite, core, if that's alright, thanks") == ["must-cite", "core"]
    assert text_parts_of('"thanks" and core, please') == ["thanks", "core"]


# A slot of free words is never filled with words that only join what is said.


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 and not WO-1043",
        "close WO-1042 but not WO-1043",
        "close WO-1042, but please not WO-1043",
        "close WO-1042, not WO-1043",
        "close WO-1042, and",
        "close WO-1042 or not",
        "close WO-1042: and",
        "close WO-1042 then",
    ],
)
def test_a_note_of_little_words_is_none(fill: Filling, text: str):
    assert fill("close_work_order", text).values == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("close WO-1042, all good", "all good"),
        ("close WO-1042, done and dusted", "done and dusted"),
        ("close WO-1042 because the filter is new", "the filter is new"),
        ("close WO-1042: ok", "ok"),
        ("close WO-1042: and the seal is new", "and the seal is new"),
    ],
)
def test_a_note_that_says_something_is_kept(fill: Filling, text: str, note: str):
    assert fill("close_work_order", text).values.get("note") == note
