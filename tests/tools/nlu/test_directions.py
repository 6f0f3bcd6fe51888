"""What is taken from somebody goes not to them, and what lasts until a day does not begin on it."""

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own

ACTIONS = """
actions:
  release_job:
    summary: "Take {job} from whoever has it, back to {back_to}"
    verb: update
    words: [release, take]
    object: job
    slots: {job: {type: job, required: true}, back_to: {type: person}}
    effect: multi_user
    handler: "handlers:release_job"
    examples: ["release J-1", "take J-2 away", "give J-3 back to Ana"]
  move_job:
    summary: "Move {job} from {owner} to {heir}"
    verb: update
    words: [move, hand]
    object: job
    slots:
      job: {type: job, required: true}
      owner: {type: person, required: true}
      heir: {type: person, required: true}
    effect: multi_user
    handler: "handlers:move_job"
    examples: ["move J-1 from Ana to Ben", "hand J-3 over from Ana to Ben"]
  export_logs:
    summary: "Export the logs since {since}"
    verb: export
    object: log
    slots: {since: {type: date}}
    effect: compliance
    handler: "handlers:export_logs"
    examples: ["export the logs", "export the logs since 2026-01-01"]
"""
HANDLERS = """
def release_job(context, *, job=None, back_to=None): ...
def move_job(context, *, job, owner, heir): ...
def export_logs(context, *, since=None): ...
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = 'entities: {job: {patterns: ["J-\\\\d+"]}, person: {list: [Ana, Ben, Ann Berg]}}'
    folder = tmp_path_factory.mktemp("packs") / "yard"
    return filling_of_own(folder, ACTIONS, entities, HANDLERS)


@pytest.mark.parametrize(
    ("text", "back_to"),
    [
        ("take Ben off J-1", None),
        ("release J-1 from Ben", None),
        ("take J-1 away from Ben", None),
        ("take Ben away from J-1", None),
        ("release J-1 back to Ben", "Ben"),
        ("give J-1 to Ben from Ana", "Ben"),
        ("give J-1 back to Ben", "Ben"),
    ],
)
def test_a_job_goes_back_to_whom_it_is_given(yard: Filling, text: str, back_to: str | None) -> None:
    assert yard("release_job", text).values.get("back_to") == back_to


@pytest.mark.parametrize(
    ("text", "owner", "heir"),
    [
        ("move J-1 from Ana to Ben", "Ana", "Ben"),
        ("move J-1 to Ben from Ana", "Ana", "Ben"),
        ("hand J-1 from Ben over to Ana", "Ben", "Ana"),
        ("move J-1 to Ben", None, "Ben"),
        ("move J-1 from Ana", "Ana", None),
        ("hand Ben J-1 of Ana", "Ana", "Ben"),
        ("hand Ben Ana's J-1", "Ana", "Ben"),
        ("hand Ben Ann Berg's J-1", "Ann Berg", "Ben"),
        ("hand off Ana's J-1 to Ben", "Ana", "Ben"),
        ("move J-1 to the person Ben from Ana", "Ana", "Ben"),
    ],
)
def test_the_summary_says_which_slot_lies_on_which_side(
    yard: Filling, text: str, owner: str | None, heir: str | None
) -> None:
    values = yard("move_job", text).values

    assert (values.get("owner"), values.get("heir")) == (owner, heir)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("export the logs since 2026-06-01", "2026-06-01"),
        ("export the logs from 2026-06-01", "2026-06-01"),
        ("export the logs of 2026-06-01", "2026-06-01"),
        ("export the logs until 2026-06-01", None),
        ("export the logs up to 2026-06-01", None),
        ("export the logs before 2026-06-01", None),
        ("export the logs by 2026-06-01", None),
    ],
)
def test_logs_begin_where_it_was_said(yard: Filling, text: str, since: str | None) -> None:
    assert yard("export_logs", text).values.get("since") == since
