"""The people on board: who they are, what they do, and who has the watch."""

from pydantic import JsonValue

from state.action import ActionResult

from .effects import reads
from .listed import listed
from .names import CREW
from .unit_of_work import UnitOfWork
from .wording import in_words

_WORK = (
    "SELECT count(*) FROM work_order WHERE assignee = ? AND state NOT IN ('closed', 'cancelled')"
)
_TASKS = "SELECT count(*) FROM task WHERE assignee = ? AND state = 'open'"


@reads
def show_crew(unit: UnitOfWork, *, crew: str | None = None) -> ActionResult:
    """Tell role, watch and workload of one person, or of everybody.

    Raises:
        NotFound: no such crew member.
    """
    people = [unit.find(CREW, crew)] if crew else unit.rows("SELECT * FROM crew ORDER BY rowid")
    lines: list[str] = []
    data: list[JsonValue] = []
    for person in people:
        counts = [unit.rows(query, person["name"])[0][0] for query in (_WORK, _TASKS)]
        watch = ", on watch" if person["on_watch"] else ""
        lines.append(
            f"{person['name']}, {in_words(person['role'])}{watch}:"
            f" {counts[0]} work orders, {counts[1]} tasks"
        )
        data.append({"name": person["name"], "role": person["role"], "work_orders": counts[0]})
    head = [] if crew else [f"{len(people)} people on board:"]
    return ActionResult(
        text="\n".join([*head, *lines]), data={"crew": data, **listed(CREW, people)}
    )
