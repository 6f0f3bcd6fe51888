import { setTimeout as delay } from "node:timers/promises";

import { PrefrontalError, Refused, Unreachable } from "./errors.js";
import type {
    CatalogEntry,
    DeclaredTool,
    KeptTool,
    OneProposal,
    Permit,
    PermitOutcome,
    ProposalView,
} from "./schema.js";

/** What else an agent says of a call that it proposes. */
export type ProposalOptions = Omit<OneProposal, "action" | "arguments" | "wait_seconds">;
/** How a tool ended that ran with a permit. */
export type ToolOutcome = Omit<PermitOutcome, "permit">;

export interface ClientOptions {
    /** Address of the service, such as `http://127.0.0.1:8765`; `PREFRONTAL_URL` unless said. */
    url?: string;
    /** A service key; `PREFRONTAL_KEY` unless said. It proposes; it can never approve. */
    key?: string;
    /** How often a request is sent at most, 4 unless said. */
    attempts?: number;
    /** How long one try may take, 60 seconds unless said. */
    timeoutSeconds?: number;
    fetch?: typeof fetch;
}

export interface Waiting {
    /** How long to wait for a person, 30 seconds unless said; the proposal stays open afterwards. */
    seconds?: number | undefined;
    signal?: AbortSignal | undefined;
}

interface Request {
    body?: unknown;
    query?: Record<string, string>;
    signal?: AbortSignal | undefined;
}

/** Seconds that one request may wait for an answer. */
const LONGEST_POLL = 25;
const LONGEST_PAUSE = 30;

/** Tell whether a proposal waits for somebody else: a person, or the service that runs it. */
export function isAwaited(proposal: ProposalView): boolean {
    return ["accepted", "needs_choice", "pending_approval", "running"].includes(proposal.status);
}

/**
 * Calls one service with one key. Every method throws `Refused` when the service refuses and
 * `Unreachable` when no answer comes. A request that may pass later is sent again with the same
 * `Idempotency-Key`, so that it is done once.
 */
export class Prefrontal {
    readonly #options: Required<Omit<ClientOptions, "key">>;
    readonly #key: string;

    constructor({
        url = process.env["PREFRONTAL_URL"],
        key = process.env["PREFRONTAL_KEY"],
        attempts = 4,
        timeoutSeconds = 60,
        fetch: send = fetch,
    }: ClientOptions = {}) {
        if (!url || !key) {
            const missing = url ? "key or PREFRONTAL_KEY" : "url or PREFRONTAL_URL";
            throw new PrefrontalError(`no service to call: give ${missing}`);
        }
        this.#options = { url: url.replace(/\/+$/, ""), attempts, timeoutSeconds, fetch: send };
        this.#key = key;
    }

    /** List the actions that the key may propose, with the JSON Schema of their arguments. */
    async catalog(options: { signal?: AbortSignal | undefined } = {}): Promise<CatalogEntry[]> {
        return (await this.#json<{ actions: CatalogEntry[] }>("GET", "/v1/catalog", options))
            .actions;
    }

    /** Propose a call. Its status says whether it ran, waits for a person or was refused. */
    propose(
        action: string,
        args: Record<string, unknown>,
        options: ProposalOptions = {},
    ): Promise<ProposalView> {
        const body = { ...options, action, arguments: args };
        return this.#json("POST", "/v1/proposals", { body });
    }

    /** Read where a proposal stands. */
    proposal(
        proposal: string | ProposalView,
        { seconds = 0, signal }: Waiting = {},
    ): Promise<ProposalView> {
        const query: Record<string, string> =
            seconds > 0 ? { wait: String(Math.min(seconds, LONGEST_POLL)) } : {};
        return this.#json("GET", path(proposal), { query, signal });
    }

    /** Wait until nobody else has to act on a proposal, or until the time is over. */
    async wait(
        proposal: string | ProposalView,
        { seconds = 30, signal }: Waiting = {},
    ): Promise<ProposalView> {
        const end = performance.now() + seconds * 1_000;
        let view =
            typeof proposal === "string" ? await this.proposal(proposal, { signal }) : proposal;
        for (
            let left = seconds;
            isAwaited(view) && left > 0;
            left = (end - performance.now()) / 1_000
        ) {
            view = await this.proposal(view, { seconds: left, signal });
        }
        return view;
    }

    /**
     * Propose a call and wait for its end. Aborted, it throws the signal's reason and withdraws the
     * call: nobody is asked on for an agent that has gone.
     */
    async call(
        action: string,
        args: Record<string, unknown>,
        { seconds, signal, ...options }: ProposalOptions & Waiting = {},
    ): Promise<ProposalView> {
        signal?.throwIfAborted();
        // Without the signal: a proposal whose id we never learn could not be withdrawn.
        const view = await this.propose(action, args, options);
        try {
            signal?.throwIfAborted();
            return await this.wait(view, { seconds, signal });
        } catch (error) {
            if (signal?.aborted) await this.abandon(view);
            throw error;
        }
    }

    /** Withdraw what has not begun; Refused with 409 once it has, or is over. */
    withdraw(proposal: string | ProposalView): Promise<ProposalView> {
        return this.#json("DELETE", path(proposal), {});
    }

    /** Withdraw a call that nobody waits for any more; one that has begun or is over stays so. */
    async abandon(proposal: string | ProposalView): Promise<void> {
        try {
            await this.withdraw(proposal);
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        }
    }

    /** Declare tools that this agent runs itself, each call with a permit; all of them or none. */
    async declare(tools: readonly DeclaredTool[]): Promise<KeptTool[]> {
        return (
            await this.#json<{ tools: KeptTool[] }>("PUT", "/v1/catalog/tools", { body: { tools } })
        ).tools;
    }

    /** Take the permit of a `permitted` proposal, once; run the tool with its arguments. */
    async permit(proposal: ProposalView): Promise<Permit> {
        if (!proposal.permit) {
            throw new PrefrontalError(
                `there is no permit to take: the proposal is ${proposal.status}`,
            );
        }
        const digest = proposal.permit.digest;
        return this.#json("POST", `${path(proposal)}/permit`, { body: { digest } });
    }

    /** Report what came of a tool that ran with a permit; `failed` only if nothing was changed. */
    outcome(permit: Permit, outcome: ToolOutcome): Promise<ProposalView> {
        const body = { ...outcome, permit: permit.permit };
        return this.#json("POST", `${path(permit.proposal_id)}/outcome`, { body });
    }

    async #json<T>(
        method: string,
        where: string,
        { body, query = {}, signal }: Request,
    ): Promise<T> {
        const { url, attempts } = this.#options;
        const search = new URLSearchParams(query).toString();
        const address = `${url}${where}${search && `?${search}`}`;
        const headers: Record<string, string> = { authorization: `Bearer ${this.#key}` };
        if (body !== undefined) headers["content-type"] = "application/json";
        if (method === "POST") headers["idempotency-key"] = crypto.randomUUID();
        const sent = { method, headers, body: JSON.stringify(body) };
        for (let failures = 1; ; failures += 1) {
            try {
                return await this.#sent(address, sent, signal);
            } catch (error) {
                signal?.throwIfAborted();
                const told = error instanceof Refused ? error : new Unreachable(url, error);
                if (failures >= attempts || !mayPass(told)) throw told;
                await delay(pause(told, failures) * 1_000, undefined, { signal });
            }
        }
    }

    async #sent<T>(
        address: string,
        sent: RequestInit,
        signal: AbortSignal | undefined,
    ): Promise<T> {
        const late = AbortSignal.timeout(this.#options.timeoutSeconds * 1_000);
        const answer = await this.#options.fetch(address, {
            ...sent,
            redirect: "error", // the key goes to the address that was given, and to no other
            signal: signal ? AbortSignal.any([signal, late]) : late,
        });
        const text = await answer.text();
        const told = parsed(text);
        if (answer.ok && told !== undefined) return told as T;
        const problem = answer.ok
            ? { detail: "its answer is no JSON; is this the address of a Prefrontal service?" }
            : told;
        throw new Refused(
            answer.status,
            isProblem(problem) ? problem : {},
            answer.headers.get("retry-after"),
        );
    }
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

function isProblem(told: unknown): told is Record<string, never> {
    return typeof told === "object" && told !== null && !Array.isArray(told);
}

function path(proposal: string | ProposalView): string {
    const id = typeof proposal === "string" ? proposal : proposal.proposal_id;
    return `/v1/proposals/${encodeURIComponent(id)}`;
}

function mayPass(error: Refused | Unreachable): boolean {
    if (error instanceof Unreachable) return true;
    return error.status === 429 || error.status === 503 || error.slug === "under-way";
}

function pause(error: Refused | Unreachable, failures: number): number {
    const told = error instanceof Refused ? error.retryAfterSeconds : undefined;
    return Math.min(LONGEST_PAUSE, told ?? 0.1 * 2 ** failures);
}
