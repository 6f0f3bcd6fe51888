"""The books, as they are found: what was asked is told, so that a test sees it."""

from pathlib import Path

from state.action import ActionResult, HandlerContext
from state.errors import Unreachable

BOOKS = ("B-1", "B-2", "B-3")


def find_books(
    context: HandlerContext,
    *,
    query: str,
    year_from: int | None = None,
    year_to: int | None = None,
    open_access_only: bool | None = None,
    limit: int | None = None,
) -> ActionResult:
    if (Path(context.data_dir) / "closed").exists():
        raise Unreachable("the shelf is closed")
    return ActionResult(text=f"found for {query}", data={"listed": {"book": list(BOOKS)}})


def show_book(context: HandlerContext, *, book: str) -> ActionResult:
    return ActionResult(text=f"This is {book}.", data={"listed": {"book": [book]}})


def borrow_book(context: HandlerContext, *, book: str) -> ActionResult:
    return ActionResult(text=f"{book} is yours.", changed=(f"{book}: shelf → {context.user}",))


def set_theme(context: HandlerContext, *, theme: str) -> ActionResult:
    return ActionResult(text=f"Theme: {theme}", data={"remembered": {"theme": theme}})


def tell_stage(context: HandlerContext) -> ActionResult:
    steps = [f"{one.from_stage}>{one.to_stage}" for one in context.memory.history]
    return ActionResult(text=f"{context.session_id}: {context.memory.stage} {' '.join(steps)}")
