"""Old decisions that are not in force lose their words to an archive; chains stay whole."""

from datetime import UTC, datetime
from pathlib import Path

from state.journal import Decision, DecisionStatus, JournalMessage, Span
from state.reader import whole
from tools.journal.store.entry_rows import (
    messages_by_place,
    read_cited_messages,
    store_cited_messages,
)
from tools.journal.store.retention import ARCHIVE, archive_old_entries, empty_archived
from tools.journal.store.store import JournalStore
from tools.journal.supersession.chain import chain_of
from tools.platform.clock import DAY_SECONDS
from tools.storage.database import Database

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def made(name: str, status: DecisionStatus, **fields: object) -> Decision:
    return Decision.model_validate(
        {
            "id": name,
            "session_id": "s",
            "title": f"use {name}",
            "decision": f"use {name} for everything",
            "rationale": f"{name} is cheap",
            "confidence": 1.0,
            "status": status,
            "timestamp": LONG_AGO,
            **fields,
        }
    )


async def test_what_is_over_is_archived_first_and_what_is_in_force_stays(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    now = [LONG_AGO.timestamp()]
    store = JournalStore(database, seconds=lambda: now[0])
    said = JournalMessage(message_id="m", session_id="s", content="oak, for oak is cheap")
    cites = {
        "rationale": (Span(message_id="m", start=9, end=21), Span(message_id="x", end=1, start=0))
    }
    old = made(
        "oak",
        DecisionStatus.SUPERSEDED,
        superseded_by="steel",
        stakeholders=("ann",),
        evidence=cites,
    )
    new = made("steel", DecisionStatus.ACTIVE, supersedes="oak")
    await store.put([old, new])
    talk = messages_by_place([said.model_copy(update={"message_id": "other"}), said])
    for _again in range(2):
        await database.write(lambda one: store_cited_messages(one, [old, new], talk))
    assert await database.read(lambda one: read_cited_messages(one, old)) == [said]
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 0
    now[0] += 731 * DAY_SECONDS
    assert await archive_old_entries(store, 0, tmp_path / "archive") == 0
    assert await archive_old_entries(store, 730, tmp_path / "archive", is_trial=True) == 1
    assert not (tmp_path / "archive").exists()
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 1
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 0
    [line] = (tmp_path / "archive" / ARCHIVE).read_text("utf-8").splitlines()
    assert Decision.model_validate_json(line) == old
    kept = await store.get("oak", whole("default"))
    assert (kept.title, kept.rationale, kept.stakeholders) == ("use oak", "", ())
    assert await database.read(lambda one: read_cited_messages(one, old)) == []
    assert await store.get("steel", whole("default")) == new
    chain = await chain_of(store, "oak", whole("default"))
    assert (chain.original.id, chain.current.id) == ("oak", "steel")
    assert (await store.drift()).text_is_whole
    await database.close()


async def test_what_changed_after_it_was_archived_keeps_its_words(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database)
    archived = made("oak", DecisionStatus.SUPERSEDED)
    await store.put([archived.model_copy(update={"rationale": "it is at hand after all"})])
    stays = await database.write(lambda one: empty_archived(one, old=[archived]))
    assert stays == 1
    assert (await store.get("oak", whole("default"))).rationale == "it is at hand after all"
    await database.close()


async def test_a_date_in_the_future_is_noticed_and_mended(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database, seconds=LONG_AGO.timestamp)
    late = {"timestamp": datetime(9999, 12, 31, tzinfo=UTC)}
    heard = made("oak", DecisionStatus.ACTIVE, heard_in="d-1", **late)
    brought = made("steel", DecisionStatus.ACTIVE, imported_by="eve", **late)
    await store.put([heard, brought, made("today", DecisionStatus.ACTIVE)])
    assert (await store.drift()).dated_ahead == 2
    mended = await store.reindex()
    assert (mended.dated_ahead, mended.dates_mended) == (0, 2)
    dates = {one.id: one.timestamp for one in await store.all(whole("default"))}
    assert dates == {"oak": LONG_AGO, "steel": None, "today": LONG_AGO}
    await database.close()
