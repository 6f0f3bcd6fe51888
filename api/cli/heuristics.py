"""`prefrontal heuristics` and `prefrontal feedback`: heuristics and ratings of responses."""

from typing import Annotated, Any, Literal, get_args

import typer
from rich.table import Table

from api.cli.options import Speaker, with_service
from api.cli.presentation import approval_of
from api.cli.service import Service
from api.cli.terminal import OUT, print_json, printable
from state.dialog import ShownApproval
from state.errors import BadInput, Forbidden
from state.heuristic import (
    Attribution,
    Confidence,
    KnownHeuristic,
    RatedSilence,
    SilenceRating,
)
from tools.platform.texts import t

heuristics = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal heuristics list")
Name = Annotated[str, typer.Argument(metavar="HEURISTIC", help="Its id, as `list` shows it.")]
HEURISTICS = "/v1/heuristics"


@heuristics.command("list", epilog="Example: prefrontal heuristics list --json")
@with_service
def list_heuristics(service: Service) -> None:
    """List heuristics with their confidence, learned and changed ones first."""
    with service.reading(makes_folder=True) as client:
        found = list(client.pages(HEURISTICS, "heuristics", KnownHeuristic))
    if service.as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("id", "sure", "said", "of it", "when", "says"):
        table.add_column(column, overflow="fold")
    for one in found:
        told, confidence = one.heuristic, one.confidence
        off = f"off: {told.disabled}" if told.disabled else ""
        table.add_row(
            printable(told.heuristic_id),
            f"{confidence.usable:.2f}",
            f"+{confidence.goods} -{confidence.bads}",
            off or _standing(confidence) or told.origin,
            printable(told.condition),
            printable(told.says or f"proposes {told.action}"),
        )
    OUT.print(table)


def _standing(confidence: Confidence) -> str:
    if confidence.blocked:
        return "on probation"
    if confidence.doubted:
        return "called wrong last"
    return "" if confidence.shared else f"taught by {_teachers(confidence)} alone"


def _teachers(confidence: Confidence) -> str:
    return ", ".join(confidence.taught_by) or "nobody by name"


def _whose(confidence: Confidence) -> str:
    """Say who hears it, while others have not called it good."""
    return (
        f"to {_teachers(confidence)}, in the sessions it was taught in, and everywhere while nobody"
        " else was ever heard; to all when others call it good"
    )


@heuristics.command(epilog="Example: prefrontal heuristics show bilge_high")
@with_service
def show(heuristic: Name, service: Service) -> None:
    """Show a heuristic: what it says when, and every number behind its confidence."""
    with service.reading(makes_folder=True) as client:
        _show(service, client.call("GET", (HEURISTICS, heuristic), KnownHeuristic))


@heuristics.command(epilog='Example: prefrontal heuristics edit bilge_high --says "Look at it."')
@with_service
def edit(  # an option each
    heuristic: Name,
    service: Service,
    says: Annotated[str | None, typer.Option(help="Its new words.")] = None,
    floor: Annotated[float | None, typer.Option(min=0, max=1, help="Lowest confidence.")] = None,
    ceiling: Annotated[float | None, typer.Option(min=0, max=1, help="Highest confidence.")] = None,
    weight: Annotated[
        float | None, typer.Option(min=0, max=10, help="Factor on the feedback that it gets.")
    ] = None,
    locked: Annotated[
        bool | None, typer.Option("--locked/--unlocked", help="Whether feedback moves it.")
    ] = None,
    speaker: Speaker = None,
) -> None:
    """Change a heuristic, from the next event on.

    One that a pack ships, or that is locked, waits for approval: say who asks with --as.
    """
    given = {"says": says, "floor": floor, "ceiling": ceiling, "weight": weight, "locked": locked}
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise BadInput("say what to change: --says, --floor, --ceiling, --weight or --locked")
    if floor is not None and ceiling is not None and floor > ceiling:
        raise BadInput(f"floor {floor} is above ceiling {ceiling}")
    _change(service, heuristic, fields, speaker)


@heuristics.command(epilog="Example: prefrontal heuristics disable bilge_high")
@with_service
def disable(
    heuristic: Name,
    service: Service,
    enable: Annotated[bool, typer.Option("--enable", help="Enable it again.")] = False,
    speaker: Speaker = None,
) -> None:
    """Disable a heuristic; what it was learned from stays on record.

    One that a pack ships, or that is locked, waits for approval: say who asks with --as.
    """
    fields = {"disabled": None if enable else "put out of use by hand"}
    _change(service, heuristic, fields, speaker)


def _change(service: Service, name: str, fields: dict[str, Any], speaker: str | None) -> None:
    with service.acting(speaker, service.owner("operator")) as client:
        if speaker is None and not service.url:
            known = client.call("GET", (HEURISTICS, name), KnownHeuristic).heuristic
            if known.locked or known.origin != "learned":
                raise Forbidden(f"{name} is changed after approval; say who asks: --as USER:ROLE")
        changed = client.json("PATCH", (HEURISTICS, name), fields)
    if "action_id" in changed:
        service.show(ShownApproval.model_validate(changed), approval_of)
    else:
        _show(service, KnownHeuristic.model_validate(changed))


def _show(service: Service, one: KnownHeuristic) -> None:
    lines = []
    for name, value in {**one.heuristic.model_dump(), **one.confidence.model_dump()}.items():
        if value not in (None, "", ()):
            told = f"{value:.3f}" if isinstance(value, float) else str(value)
            lines.append(f"{name:<14} {', '.join(value) if isinstance(value, tuple) else told}")
    if not one.confidence.shared:
        lines.append(f"{'said alone':<14} {_whose(one.confidence)}")
    service.show(one, lambda _one: printable("\n".join(lines)))


AnyRating = Literal["good", "meh", "bad", "should_have_told", "rightly_silent"]
"""Rating and SilenceRating: typer takes no union of them."""


@with_service
def feedback(
    response: Annotated[
        str, typer.Argument(help="The response_id of a record; of a silence its decision_id.")
    ],
    rating: Annotated[AnyRating, typer.Argument(help="Your rating.")],
    service: Service,
    speaker: Speaker = None,
    because: Annotated[
        Attribution | None, typer.Option(help="What was bad about it.", show_default=False)
    ] = None,
) -> None:
    """Rate a response or a silence; rated again, the last rating counts."""
    if rating in get_args(SilenceRating):
        _rate_silence(service, response, rating, speaker)
        return
    given = {"response_id": response, "rating": rating, "attribution": because}
    with service.acting(speaker) as client:
        traced = client.json("POST", "/v1/feedback", given)
    if service.as_json:
        print_json(traced)
    else:
        OUT.print(printable(f"{rating}: {traced['trace']['response']}"))


def _rate_silence(service: Service, decision: str, rating: str, speaker: str | None) -> None:
    path = ("/v1/decisions", decision, "feedback")
    with service.acting(speaker) as client:
        service.show(client.call("POST", path, RatedSilence, {"rating": rating}), _on_silence)


def _on_silence(one: RatedSilence) -> str:
    lines = [t("cli.silence.noted" if one.rating == "should_have_told" else "cli.silence.undone")]
    if one.woken:
        lines.append(t("cli.silence.woken"))
    if one.rule:
        lines.append(t("cli.silence.rule", topic=one.rule))
    if one.watch:
        lines.append(t("cli.silence.watch", topic=one.watch))
    return printable("\n".join(lines))
