"""Show papers: one whole, the last list again, one as a citation."""

from state.action import ActionResult
from state.errors import NotFound

from .effects import reads
from .formats import cited
from .papers import byline, data_of, listing
from .work import PAPER, Work, listed, number_of


@reads
def show_paper(work: Work, *, paper: str) -> ActionResult:
    """Tell everything that is known of a paper."""
    one = work.paper(paper)
    number = number_of(paper, PAPER)
    lines = [f"{one.title} [{paper}]", byline(one)]
    if one.abstract:
        lines.append(one.abstract)
    lines += [f"DOI {one.doi}"] if one.doi else []
    link = one.open_access_url or one.url
    lines += [link] if link else []
    shelved = work.row("SELECT status, rating FROM library WHERE paper = ?", number)
    if shelved is not None:
        tags = [row["name"] for row in work.rows("SELECT name FROM tag WHERE paper = ?", number)]
        rated = f", rated {shelved['rating']} of 5" if shelved["rating"] else ""
        tagged = f", tagged {', '.join(tags)}" if tags else ""
        lines.append(f"In the library: {shelved['status']}{rated}{tagged}.")
    notes = work.row("SELECT count(*) FROM note WHERE paper = ? AND is_deleted = 0", number)
    if notes is not None and notes[0]:
        lines.append(f"{notes[0]} note(s).")
    return ActionResult(
        text="\n".join(lines), data={"listed": listed([paper]), "paper": data_of(paper, one)}
    )


@reads
def list_results(work: Work) -> ActionResult:
    """List again what was listed last in this conversation.

    Raises:
        NotFound: nothing was listed yet.
    """
    kept = work.memory.listed.get("paper")
    if kept is None:
        raise NotFound("search in this conversation", "with results; search first")
    if not kept.values:
        return ActionResult(text="The last list is empty: nothing was found.")
    ids = [one for one in kept.values if number_of(one, PAPER) > 0]
    papers = [work.paper(one) for one in ids]
    return ActionResult(
        text=f"The last list:\n{listing(ids, papers)}", data={"listed": listed(ids)}
    )


@reads
def show_citation(work: Work, *, paper: str, style: str = "apa") -> ActionResult:
    """Write a paper as a citation."""
    return ActionResult(
        text=cited(work.paper(paper), style), data={"listed": listed([paper]), "style": style}
    )
