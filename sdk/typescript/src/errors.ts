import type { FieldProblem, ProblemDetails } from "./schema.js";

/** A call of the service that did not work out. Its message says what happened and what to do. */
export class PrefrontalError extends Error {
    override name = "PrefrontalError";
}

/** No answer came. What was sent may have been done. */
export class Unreachable extends PrefrontalError {
    override name = "Unreachable";

    constructor(url: string, cause: unknown) {
        const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
        const told = inner instanceof Error ? inner.message || inner.name : String(inner);
        super(`no answer of ${url} came (${told}); check the address and that the service runs`, {
            cause,
        });
    }
}

/** The service refused, as an RFC 9457 problem. */
export class Refused extends PrefrontalError {
    override name = "Refused";
    /** The kind of problem, such as `forbidden`, `conflict` or `invalid-arguments`. */
    readonly slug: string;
    readonly detail: string;
    readonly requestId: string | undefined;
    /** Of a conflict: how what you wanted to change stands now. */
    readonly standing: string | undefined;
    /** The fields that are wrong, each with its problem. */
    readonly faults: readonly FieldProblem[];
    /** Of wrong arguments: the JSON Schema that they have to match. */
    readonly schema: Record<string, unknown> | undefined;
    readonly retryAfterSeconds: number | undefined;

    constructor(
        readonly status: number,
        problem: Partial<ProblemDetails> & { schema?: Record<string, unknown> },
        retryAfter: string | null = null,
    ) {
        const slug = (problem.type ?? "").replace(/^.*:/, "");
        const detail = problem.detail || problem.title || `status ${status}`;
        super(`the service refused (${status}): ${detail} ${advice(status, slug, problem)}`.trim());
        this.slug = slug;
        this.detail = detail;
        this.requestId = problem.request_id;
        this.standing = problem.standing ?? undefined;
        this.faults = problem.errors ?? [];
        this.schema = problem.schema;
        // A proxy in between may name a date instead: then we wait as if it had said nothing.
        this.retryAfterSeconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : undefined;
    }
}

const ADVICE: Readonly<Record<string, string>> = {
    unauthenticated: "Check the key: it may be revoked, run out, or belong to another service.",
    forbidden: "The key lacks the right; whoever manages keys can give it.",
    "not-found": "Check the id, and that it belongs to the key's tenant.",
    "digest-mismatch": "Read the proposal again and take the permit with the digest it names now.",
    "under-way": "The same request is being done; read the proposal instead of sending it again.",
    "outcome-unknown": "It may have been done; read the proposal before you propose it again.",
    "key-reused": "Give another call another idempotency key.",
    "invalid-arguments": "Correct these arguments and propose the call again.",
    "too-many": "Send fewer requests, or wait.",
    busy: "Try again in a moment.",
    "not-ready": "The service is starting or stopping; try again in a moment.",
};

function advice(status: number, slug: string, problem: Partial<ProblemDetails>): string {
    if (slug === "conflict" && problem.standing) {
        return `It stands as ${problem.standing}; read it again before you go on.`;
    }
    if (status >= 500 && !(slug in ADVICE)) return "Look for the request id in the service's log.";
    return ADVICE[slug] ?? "";
}
