"""Run a pack's code so that whatever it raises is its own failure, and ends nothing of ours."""

import asyncio
import dis
import threading
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, ParamSpec, TypeVar

from tools.catalogue.said_by_packs import words_of

P = ParamSpec("P")
T = TypeVar("T")
_RAISES = dis.opmap["RAISE_VARARGS"]
_FROM_OUTSIDE = (KeyboardInterrupt, GeneratorExit)
"""What a signal or the end of a loop throws into code that happens to run."""


def contained(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a pack.

    Raises:
        Exception: what it raised; a RuntimeError where that was none, or means something here.
        KeyboardInterrupt: somebody ends this process.
    """
    try:
        return function(*args, **kwargs)
    except StopIteration as error:  # a future that is given one never ends
        _fail(error)
    except Exception:
        raise
    except BaseException as error:  # noqa: BLE001  # passed on, or told as a failure
        _pass_on(error)


async def contained_task(
    function: Callable[P, Coroutine[Any, Any, T]],  # what it is sent is the loop's
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Call an async function of a pack in a task of its own: who cancels whom can be told then.

    Raises:
        CancelledError: we are cancelled, and so is what the pack was at.
        Exception, KeyboardInterrupt: see `contained`.
    """
    try:
        return await asyncio.create_task(_ended(function, *args, **kwargs))
    except asyncio.CancelledError as error:
        own = asyncio.current_task()
        if own is not None and own.cancelling():
            raise
        _fail(error)


async def _ended(
    function: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    try:
        return await function(*args, **kwargs)
    except (Exception, asyncio.CancelledError):
        raise
    except BaseException as error:  # noqa: BLE001  # passed on, or told as a failure
        _pass_on(error)


def _pass_on(error: BaseException) -> NoReturn:
    may_be_ours = threading.current_thread() is threading.main_thread()  # signals come there
    if may_be_ours and isinstance(error, _FROM_OUTSIDE) and not _is_raised_by_a_statement(error):
        raise error
    _fail(error)


def _fail(error: BaseException) -> NoReturn:
    raise RuntimeError(f"it raised {type(error).__name__}: {words_of(error)}") from error


def _is_raised_by_a_statement(error: BaseException) -> bool:
    """Tell `raise KeyboardInterrupt` in code from Ctrl-C, which stands at no such statement."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    frame = last.tb_frame
    # asyncio's own answer to a second Ctrl-C is a statement as well
    is_asyncio = frame.f_globals.get("__name__") == "asyncio.runners"
    return frame.f_code.co_code[last.tb_lasti] == _RAISES and not is_asyncio
