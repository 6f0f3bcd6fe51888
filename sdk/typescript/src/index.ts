export { isAwaited, Prefrontal } from "./client.js";
export type { ClientOptions, ProposalOptions, ToolOutcome, Waiting } from "./client.js";
export { PrefrontalError, Refused, Unreachable } from "./errors.js";
export { Gate, isOutcome } from "./gate.js";
export type { Call, GateOptions, Outcome, OutcomeStatus, Own } from "./gate.js";
export type * from "./schema.js";
