"""Pass an answer on to the ledger, in whatever form it came."""

from typing import Any

from api.http.bodies import validated
from api.http.problems import INVALID, Fault, Problem
from graph.runner import Executive
from state.approval import ApprovalAnswer, LedgerAction
from state.dialog import ShownApproval
from state.errors import Forbidden
from state.principal import Principal

_NONE = (
    "this is no answer that is taken: a yes repeats the digest (`payload_hash`), or the action "
    "with all its arguments"
)


async def answer_in_any_form(
    action_id: str, sent: Any, caller: Principal, executive: Executive
) -> ShownApproval:
    """Read an answer to an approval and have it decided.

    Raises:
        Problem: 422, it is no answer.
        AgentError: see Deciding.decide.
    """
    if caller.kind != "person":
        raise Forbidden("only a person may answer an approval, never a service")
    standing = await executive.approval(action_id, executive.reader(caller))
    answer = _read(sent, standing, executive)
    return executive.show(await executive.answer(action_id, answer, caller))


def _read(sent: Any, standing: LedgerAction, executive: Executive) -> ApprovalAnswer:
    answer = executive.read_answer(sent, standing)
    if answer is not None:
        return answer
    if isinstance(sent, dict) and "decision" in sent:
        validated(ApprovalAnswer, sent)  # names the field that is wrong
        sentence = "an edit carries all arguments of the action; other answers carry none"
        raise Problem(INVALID, sentence, faults=[Fault("arguments", sentence)])
    raise Problem(INVALID, _NONE)
