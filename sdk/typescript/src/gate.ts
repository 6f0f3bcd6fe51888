import { isAwaited, type Prefrontal, type ProposalOptions, type ToolOutcome } from "./client.js";
import { Refused, Unreachable } from "./errors.js";
import type { CallResult, DeclaredTool, Permit, ProposalView } from "./schema.js";

/**
 * `pending`: a person has not answered yet; `permitted`: the agent's own tool may run; `invalid`:
 * the service does not take the call as it is; `unreachable`: no answer came, so it may have run.
 * The others are those of a proposal.
 */
export type OutcomeStatus =
    | Exclude<ProposalView["status"], "accepted" | "needs_choice" | "pending_approval" | "running">
    | "pending"
    | "invalid"
    | "unreachable";

/** What became of a call, as JSON: a front end can show it. */
export interface Outcome {
    kind: "prefrontal.outcome";
    status: OutcomeStatus;
    /** For the model: the result, or why there is none and what to do. */
    message: string;
    /** As they run; an approver may have changed them. */
    arguments: Record<string, unknown>;
    edited: boolean;
    proposal_id: string | null;
    /** The page where a person answers it. */
    url: string | null;
    result: CallResult | null;
}

/** One call of a tool, as an agent wants it. */
export interface Call {
    name: string;
    arguments: Record<string, unknown>;
    options?: ProposalOptions;
}

/** A tool that the agent keeps and runs itself. */
export interface Own {
    tool: DeclaredTool;
    /** Runs it with the approved arguments; of several values that it gives the last counts. */
    run(args: Record<string, unknown>): unknown;
    /** Told before it runs that an approver changed the arguments, in words for the model. */
    edited?(note: string): void;
}

export interface GateOptions {
    /** How long a call waits for a person, 30 seconds unless said; then its outcome is `pending`. */
    seconds?: number;
    /** What is said of every call: its session, the person it is for, whether it is tainted. */
    proposal?: ProposalOptions;
}

/** How long a person's no to a call is remembered; the same call is not asked again meanwhile. */
const REFUSAL_MILLISECONDS = 3_600_000;
const MOST_REMEMBERED = 1_000;
const LONGEST_TEXT = 8_000;
const LONGEST_DATA = 65_536;

/** Tell whether the output of a tool is what the gate says of its call, and not the tool's own. */
export function isOutcome(output: unknown): output is Outcome {
    return (output as Outcome | null)?.kind === "prefrontal.outcome";
}

/**
 * A gate in front of an agent's tools: each call is proposed, and a person answers what is grave.
 * What the catalog has is run by the service; any other tool stays the agent's own, is declared,
 * and runs here once the service has given a permit for it.
 */
export class Gate {
    readonly client: Prefrontal;
    readonly #seconds: number;
    readonly #proposal: ProposalOptions;
    readonly #declared = new Map<string, Promise<unknown>>();
    readonly #refusals = new Map<string, { until: number; outcome: Outcome }>();
    /** Proposals of calls that wait, or are permitted and have not run, by fingerprint. */
    readonly #open = new Map<string, string>();

    constructor(client: Prefrontal, { seconds = 30, proposal = {} }: GateOptions = {}) {
        this.client = client;
        this.#seconds = seconds;
        this.#proposal = proposal;
    }

    /**
     * Ask for a call and run it once it may. Gives an outcome `pending` first where a person has to
     * answer, then what the agent's own tool gives, or the outcome. Left or aborted before the answer
     * came, it withdraws the call.
     *
     * @throws the error of the agent's own tool, the signal's reason, or Refused with 401.
     */
    async *run(call: Call, own?: Own, signal?: AbortSignal): AsyncGenerator<unknown, void> {
        signal?.throwIfAborted();
        const asked = { ...call, options: { ...this.#proposal, ...call.options } };
        const name = fingerprint(asked);
        const refusal = this.#refusals.get(name);
        if (refusal && refusal.until > Date.now() && !asked.options.again)
            return yield refusal.outcome;
        let left: ProposalView | undefined;
        let permit: Permit;
        try {
            if (own) await this.#declare(own.tool);
            left = await this.#proposed(asked, name);
            signal?.throwIfAborted();
            if (isAwaited(left)) yield outcomeOf(left);
            const view = await this.client.wait(left, { seconds: this.#seconds, signal });
            if (view.status !== "permitted" || !own) {
                left = undefined;
                return yield this.#remember(name, view);
            }
            signal?.throwIfAborted();
            left = undefined;
            permit = await this.client.permit(view);
            this.#open.delete(name);
            if (view.edited) own.edited?.(note(permit.arguments));
        } catch (error) {
            signal?.throwIfAborted();
            const outcome = outcomeOfError(error, asked, left);
            left = undefined; // it may still be answered
            return yield outcome;
        } finally {
            if (left) {
                this.#open.delete(name);
                await this.client.abandon(left);
            }
        }
        if (signal?.aborted) {
            await this.#report(permit, { outcome: "failed", text: "stopped before it began" });
            signal.throwIfAborted();
        }
        yield* this.#ran(own, permit, signal);
    }

    /** Ask again what became of a call, also after a restart. */
    async resume(proposalId: string, signal?: AbortSignal): Promise<Outcome> {
        try {
            const view = await this.client.wait(proposalId, { seconds: this.#seconds, signal });
            const { session_id, on_behalf_of } = view;
            const options = { ...this.#proposal, session_id, on_behalf_of };
            return this.#remember(
                fingerprint({ name: view.action, arguments: view.arguments, options }),
                view,
            );
        } catch (error) {
            signal?.throwIfAborted();
            return outcomeOfError(error, { name: "", arguments: {} });
        }
    }

    async #proposed(call: Required<Call>, name: string): Promise<ProposalView> {
        const known = this.#open.get(name);
        if (known !== undefined && !call.options.again) return this.client.proposal(known);
        return this.client.propose(call.name, call.arguments, call.options);
    }

    async #declare(tool: DeclaredTool): Promise<void> {
        const declared = this.#declared.get(tool.name) ?? this.client.declare([tool]);
        this.#declared.set(tool.name, declared);
        try {
            await declared;
        } catch (error) {
            this.#declared.delete(tool.name);
            throw error;
        }
    }

    async *#ran(own: Own, permit: Permit, signal?: AbortSignal): AsyncGenerator<unknown, void> {
        let value: unknown;
        let isStream = false;
        try {
            const given = await own.run(permit.arguments);
            isStream = isIterable(given);
            if (isIterable(given)) for await (value of given) yield value;
            else value = given;
        } catch (error) {
            // Stopped in the middle, nobody knows what it did: without a report a person settles it.
            if (!signal?.aborted) {
                await this.#report(permit, { outcome: "failed", text: words(String(error)) });
            }
            throw error;
        }
        await this.#report(permit, { outcome: "succeeded", ...evidence(value) });
        if (!isStream) yield value;
    }

    async #report(permit: Permit, outcome: ToolOutcome): Promise<void> {
        try {
            await this.client.outcome(permit, outcome);
        } catch (error) {
            // The tool has run whatever the service heard of it; it will say `unknown`, and ask a person.
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        }
    }

    #remember(name: string, view: ProposalView): Outcome {
        const outcome = outcomeOf(view);
        this.#open.delete(name);
        if (outcome.status === "pending" || outcome.status === "permitted") {
            cut(this.#open).set(name, view.proposal_id);
        } else if (outcome.status === "refused" && view.decided_by !== null) {
            cut(this.#refusals).set(name, { until: Date.now() + REFUSAL_MILLISECONDS, outcome });
        }
        return outcome;
    }
}

function outcomeOf(view: ProposalView): Outcome {
    const status = isAwaited(view) ? "pending" : (view.status as OutcomeStatus);
    const url = view.approval?.url ?? view.choice?.url ?? null;
    let message = view.message;
    if (status === "pending") {
        const where = url ? `A person answers it at ${url} . ` : "";
        message += ` ${where}The proposal is ${view.proposal_id}; check it later with check_proposal.`;
    } else if (status === "permitted") {
        const given = JSON.stringify(view.arguments);
        message += ` Call ${view.action} again with exactly these arguments: ${given}`;
    } else if (status === "executed" && view.edited) {
        message = `${note(view.arguments)}\n${message}`;
    }
    return {
        kind: "prefrontal.outcome",
        status,
        message,
        arguments: view.arguments,
        edited: view.edited,
        proposal_id: view.proposal_id,
        url,
        result: view.result,
    };
}

/** Say why a call did not come through. @throws what no call can do anything about. */
function outcomeOfError(error: unknown, call: Call, view?: ProposalView): Outcome {
    let status: OutcomeStatus;
    let message: string;
    if (error instanceof Unreachable || (error instanceof Refused && error.status >= 500)) {
        status = "unreachable";
        message = `No answer of the gate came (${error.message}). It may have run: do not repeat it, ask a person.`;
    } else if (error instanceof Refused && error.status !== 401) {
        status = error.status === 403 ? "refused" : "invalid";
        message = error.message;
    } else {
        throw error;
    }
    return {
        kind: "prefrontal.outcome",
        status,
        message,
        arguments: call.arguments,
        edited: false,
        proposal_id: view?.proposal_id ?? null,
        url: null,
        result: null,
    };
}

function note(args: Record<string, unknown>): string {
    return `An approver changed the arguments to ${JSON.stringify(args)}.`;
}

function evidence(value: unknown): { text: string; data: Record<string, unknown> } {
    let result: unknown = null;
    try {
        result = cleaned(JSON.parse(JSON.stringify(value) ?? "null"));
    } catch {
        return { text: words(String(value)), data: {} }; // it cannot be written as JSON
    }
    const json = JSON.stringify(result);
    const isSmall = new TextEncoder().encode(json).length < LONGEST_DATA - 100;
    return {
        text: words(typeof value === "string" ? value : json),
        data: isSmall ? { result } : {},
    };
}

/** Take out what the service refuses in JSON: NUL and lone surrogates. */
function cleaned(json: unknown): unknown {
    if (typeof json === "string") return json.replaceAll("\0", "").toWellFormed();
    if (Array.isArray(json)) return json.map(cleaned);
    if (typeof json !== "object" || json === null) return json;
    return Object.fromEntries(
        Object.entries(json).map(([name, one]) => [cleaned(name), cleaned(one)]),
    );
}

function words(text: string): string {
    return String(cleaned(text.slice(0, LONGEST_TEXT))) || "done";
}

function cut<V>(remembered: Map<string, V>): Map<string, V> {
    for (const first of remembered.keys()) {
        if (remembered.size < MOST_REMEMBERED) break;
        remembered.delete(first);
    }
    return remembered;
}

function isIterable(given: unknown): given is AsyncIterable<unknown> {
    return typeof (given as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === "function";
}

function fingerprint({ name, arguments: args, options = {} }: Call): string {
    const { session_id = "default", on_behalf_of = null, role = null } = options;
    return canonical([name, args, session_id, on_behalf_of, role]);
}

/** Write JSON in one way only, whatever order an object's names came in. */
export function canonical(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) => {
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
        const named = Object.entries(inner).filter(([, one]) => one !== undefined);
        return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
    });
}
