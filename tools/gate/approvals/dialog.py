"""Render the approval dialog from typed values.

Measures first, then facts, changes and arguments.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.approval import LedgerAction, OriginalRequest
from state.dialog import Dialog, DialogLine, ShownApproval
from state.execution import ExecutionTuning
from state.preview import Change
from tools.catalog import Catalogue
from tools.gate.redaction import masked_arguments, redacted_text
from tools.gate.risk.execution_class import (
    Measures,
    confirmation_phrase,
    external_recipients,
    format_amount,
    measures_of,
)
from tools.platform.clock import duration_in_words
from tools.platform.texts import section, t
from tools.platform.unicode_safety import neutralize, neutralize_and_warn, neutralize_value

LONGEST_AT_A_GLANCE = 300
"""Characters of a value; a longer one is folded, and opened before a yes."""
MOST_LINES = 40
"""Facts or changes at a glance; those beyond are folded, and opened before a yes."""


def approval_view(
    standing: LedgerAction, catalogue: Catalogue, tuning: ExecutionTuning
) -> ShownApproval:
    """Draw an action for people: with its dialog, and every secret covered."""
    catalogue = catalogue.of_tenant(standing.tenant_id)
    action = catalogue.actions.get(standing.action)
    if action is None:
        return approval_view_without_dialog(standing)
    domains = catalogue.internal_domains(action.pack)
    dialog = dialog_of(standing, action, tuning.of(action), domains)
    arguments = masked_arguments(action, standing.arguments)
    fields: dict[str, Any] = dict(standing)
    return ShownApproval(**fields | {"arguments": arguments, "dialog": dialog, "request": None})


def approval_view_without_dialog(standing: LedgerAction) -> ShownApproval:
    """Show an action of which only the ledger is known: any argument may be secret."""
    fields: dict[str, Any] = dict(standing)
    return ShownApproval(**fields | {"arguments": {}, "dialog": None, "request": None})


def dialog_of(
    standing: LedgerAction,
    action: Action,
    rules: ExecutionTuning,
    internal_domains: Sequence[str] = (),
) -> Dialog:
    """Draw the dialog of an action as it stands in the ledger.

    Args:
        rules: what holds for this action, see ExecutionTuning.of.
        internal_domains: its pack's; whoever is outside of them is named first.
    """
    measures = measures_of(action, standing.arguments, standing.preview)
    outside = external_recipients(action, standing.arguments, standing.preview, internal_domains)
    words, words_of = _words(standing, action)
    drawn = Dialog(
        title=neutralize_and_warn(standing.summary),
        headline=_headline(action, measures, outside),
        words=words,
        words_of=words_of,
        decision_id=standing.decision_id,
        facts=(*_run_by(action), *_facts(standing, measures.recipients)),
        changes=tuple(_changes(standing)),
        arguments=tuple(_arguments(standing, action)),
        raised=tuple(map(raised_reason, standing.raised)),
        asked_by=_asked_by(standing),
        may_answer=_may_answer(standing),
        expires=_until(standing.expires_at),
        type_to_approve=confirmation_phrase(action, measures, rules),
        digest=standing.digest,
        duplicates=tuple(_duplicates(standing)),
        lines=(),
    )
    lines, long = tuple(_lines(drawn, standing)), tuple(_long(drawn))
    return drawn.model_copy(update={"lines": lines, "long": long})


def dialog_as_markdown(dialog: Dialog) -> str:
    """Write a dialog for a reader of Markdown, as a block in which no mark means anything."""
    return "\n".join(f"    {line}" for line in dialog.lines)


def _lines(drawn: Dialog, standing: LedgerAction) -> Iterator[str]:
    if drawn.headline:
        yield drawn.headline
    yield drawn.title
    yield from drawn.duplicates
    if drawn.words:
        yield t("approval.line.words", words=drawn.words)
    if drawn.words_of:
        yield t("approval.line.words_of", words_of=drawn.words_of)
    for title, rows in (
        ("facts", drawn.facts),
        ("changes", drawn.changes),
        ("arguments", drawn.arguments),
    ):
        named = t(f"approval.part.{title}")
        yield from (f"{named}: {row.label}: {row.value}" for row in rows)
    yield t(
        "approval.line.action", action=neutralize(standing.action), pack=neutralize(standing.pack)
    )
    raised = "; ".join(drawn.raised)
    yield t("approval.line.class", class_=standing.execution_class, raised=raised)
    yield t("approval.line.asked_by", asked_by=drawn.asked_by)
    yield t("approval.line.may_answer", may_answer=drawn.may_answer)
    if standing.grant_id is not None:
        who = neutralize_and_warn(standing.decided_by or "", is_exact=True)
        yield t("approval.line.granted", grant=neutralize(standing.grant_id), who=who)
    yield t("approval.line.decision", decision=neutralize(drawn.decision_id))
    if standing.state == "proposed":
        yield t("approval.line.queued")
    elif drawn.expires:
        yield t("approval.line.expires", expires=drawn.expires)
    if drawn.type_to_approve is not None:
        yield t("approval.line.typed", type_to_approve=neutralize(drawn.type_to_approve))
    yield t("approval.line.digest", digest=drawn.digest)


def _headline(action: Action, measures: Measures, outside: Sequence[str]) -> str:
    parts = []
    if measures.count is not None:
        parts.append(f"{measures.count} × {action.object.replace('_', ' ')}")
    if measures.amount is not None:
        parts.append(
            neutralize_and_warn(format_amount(measures.amount, measures.currency), is_exact=True)
        )
    if measures.recipients:
        # Nobody outside is hidden behind many of our own.
        ordered = dict.fromkeys((*outside, *measures.recipients))
        named = [neutralize_value(each, is_exact=True) for each in islice(ordered, MOST_LINES)]
        more = len(ordered) - len(named)
        parts.append(t("approval.recipients", names=", ".join(named), more=more or ""))
    parts += [
        t("approval.unreadable", name=neutralize(name).replace("_", " "))
        for name in measures.unread
    ]
    return " · ".join(parts)


def _run_by(action: Action) -> Iterator[DialogLine]:
    if action.permit is not None:
        keeper = neutralize_and_warn(action.permit.keeper, is_exact=True)
        yield _line(t("approval.run_by"), t("approval.by_own_tool", keeper=keeper))


def _facts(standing: LedgerAction, recipients: Sequence[str]) -> Iterator[DialogLine]:
    if len(recipients) > MOST_LINES:  # more than the headline names
        yield _line(t("approval.recipients_label"), neutralize_value(recipients, is_exact=True))
    for fact in standing.preview.facts if standing.preview else ():
        yield _line(neutralize_and_warn(fact.label), neutralize_value(fact.value))


def _changes(standing: LedgerAction) -> Iterator[DialogLine]:
    for change in standing.preview.changes if standing.preview else ():
        yield _line(
            f"{neutralize_and_warn(change.target)}, {neutralize_and_warn(change.field)}",
            _before_after(change),
        )


def _before_after(change: Change) -> str:
    return f"{neutralize_value(change.before)} → {neutralize_value(change.after)}"


def _arguments(standing: LedgerAction, action: Action) -> Iterator[DialogLine]:
    for name, value in masked_arguments(action, standing.arguments).items():
        slot = action.slots.get(name)
        is_exact = (
            slot is not None
            and not slot.secret
            and (slot.type not in PRIMITIVE_SLOT_TYPES or slot.risk is not None)
        )
        yield _line(name.replace("_", " "), neutralize_value(value, is_exact=is_exact))


def _words(standing: LedgerAction, action: Action) -> tuple[str, str]:
    """Write what was asked for, and of whom these words are; empty: it is not known here."""
    request = standing.request
    if request is None:
        return "", ""
    if request.words is None:
        return "", t("approval.words_closed")
    # A secret may have been said aloud; it is covered here as everywhere.
    said = (
        redacted_text(words, action, standing.arguments) or ""
        for words in (*request.earlier, request.words)
    )
    return t("approval.then").join(
        map(neutralize_value, said)
    ), f"{_speaker(request, standing)}, {_until(request.received_at)}"


def _speaker(request: OriginalRequest, standing: LedgerAction) -> str:
    source = neutralize_and_warn(request.source, is_exact=True)
    if request.agent is not None:
        agent = neutralize_and_warn(request.agent, is_exact=True)
        user = neutralize_and_warn(request.user or "", is_exact=True)
        if agent == "agent" and user in ("", agent):
            return agent  # not "agent agent"
        return t("approval.by_agent", agent=agent, user=user if user != agent else "")
    if request.user is None:
        told = t("approval.by_event", source=source)
    else:
        user = neutralize_and_warn(request.user, is_exact=True)
        told = t("approval.by_user", user=user, source=source if request.relayed else "")
    return t("approval.by_model", told=told) if standing.origin == "model" else told


def _long(drawn: Dialog) -> Iterator[str]:
    """Name what does not show at a glance."""
    if is_long(drawn.words):
        yield t("approval.part.words")
    if is_long(drawn.headline):
        yield t("approval.part.headline")
    for name, rows in (
        ("facts", drawn.facts),
        ("changes", drawn.changes),
        ("arguments", drawn.arguments),
    ):
        named = t(f"approval.part.{name}")
        yield from (f"{named}: {row.label}" for row in rows[:MOST_LINES] if is_long(row.value))
        if len(rows) > MOST_LINES:
            yield t("approval.part.more", name=named, count=len(rows) - MOST_LINES)


def is_long(value: str) -> bool:
    """Tell whether a value is too long to be taken in at a glance."""
    return len(value) > LONGEST_AT_A_GLANCE


def _duplicates(standing: LedgerAction) -> Iterator[str]:
    for one in standing.duplicates:
        ago = duration_in_words((standing.proposed_at - one.at).total_seconds())
        known = section("approval.duplicate")
        state = one.state if one.state in known else "open"
        who, reason = (neutralize_and_warn(each or "") for each in (one.decided_by, one.reason))
        told = t(f"approval.duplicate.{state}", ago=ago, who=who, reason=reason)
        if one.requester is None or one.action_id is None:
            yield t("approval.duplicate_closed", told=told)
        else:
            yield t(
                "approval.duplicate_of",
                told=told,
                requester=neutralize_and_warn(one.requester),
                action=neutralize(one.action_id),
            )


def _line(label: str, value: str) -> DialogLine:
    return DialogLine(label=label, value=value)


def _asked_by(standing: LedgerAction) -> str:
    roles = ", ".join(map(neutralize_and_warn, standing.requester_roles)) or t("approval.no_role")
    return t(
        "approval.requester",
        requester=neutralize_and_warn(standing.requester, is_exact=True),
        roles=roles,
        editor=neutralize_and_warn(standing.editor, is_exact=True) if standing.editor else "",
    )


def _may_answer(standing: LedgerAction) -> str:
    who = " or ".join(map(neutralize, standing.approver_roles)) or t("approval.any_person")
    if standing.quorum > 1:
        given, quorum = standing.approvals, standing.quorum
        who += t("approval.quorum", given=given, quorum=quorum)
    if standing.four_eyes:
        who += t("approval.not_editor" if standing.editor else "approval.not_requester")
    return who


def raised_reason(reason: str) -> str:
    """Return in words why an action needs approval."""
    return section("decision.reason").get(reason) or reason.replace("_", " ")


def _until(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC" if instant else ""
