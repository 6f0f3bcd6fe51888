/** Tools for the Vercel AI SDK: those of the catalog, and your own behind the gate. */

import {
    asSchema,
    dynamicTool,
    jsonSchema,
    type InferToolInput,
    type InferToolOutput,
    type ModelMessage,
    type Tool,
    type ToolSet,
} from "ai";

import type { Prefrontal, ProposalOptions } from "./client.js";
import { canonical, Gate, isOutcome, type GateOptions, type Outcome, type Own } from "./gate.js";
import type { CatalogEntry, DeclaredTool } from "./schema.js";

export { isOutcome, type Outcome } from "./gate.js";

export interface ToolsOptions extends GateOptions {
    /**
     * Names the conversation. A call that is made again after a restart, with the same id in the same
     * conversation, is then the same call.
     */
    conversation?: string;
    /** Say more of a call: why it is made, what the model read, whether that is tainted. */
    describe?: (call: {
        name: string;
        arguments: Record<string, unknown>;
        messages: readonly ModelMessage[];
    }) => ProposalOptions;
}

/** What people are told of your own tool. Without an effect it needs an approval. */
export type About = Pick<DeclaredTool, "effect" | "summary">;

/** Your tools behind the gate: each gives what it gave, or the outcome that it did not run with. */
export type Gated<T extends ToolSet> = {
    [Name in keyof T]: Tool<InferToolInput<T[Name]>, InferToolOutput<T[Name]> | Outcome>;
} & { check_proposal: Tool<unknown, unknown> };

/** The part of the SDK's options that every version of it gives a tool. */
interface Running {
    toolCallId: string;
    messages: readonly ModelMessage[];
    abortSignal?: AbortSignal | undefined;
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool<any, any>["toModelOutput"]>>>;

const RUNS: Readonly<Record<CatalogEntry["runs"], string>> = {
    at_once: "Runs at once.",
    after_choice: "A person has to choose it first.",
    after_approval: "A person has to approve it first.",
};

/** Make the tools of an agent whose calls pass the gate of one service. */
export function createTools(client: Prefrontal, options: ToolsOptions = {}) {
    const gate = new Gate(client, options);

    async function asked(name: string, args: Record<string, unknown>, running: Running) {
        const { toolCallId, messages } = running;
        const more = options.describe?.({ name, arguments: args, messages }) ?? {};
        const key =
            options.conversation && (await digest([options.conversation, toolCallId, name, args]));
        return {
            name,
            arguments: args,
            options: { ...(key ? { idempotency_key: key } : {}), ...more },
        };
    }

    const check_proposal = dynamicTool({
        description: "Tell what became of a call that waited for a person. Nothing is asked anew.",
        inputSchema: jsonSchema({
            type: "object",
            properties: { proposal_id: { type: "string" } },
            required: ["proposal_id"],
            additionalProperties: false,
        }),
        execute: (input, { abortSignal }) =>
            gate.resume((input as { proposal_id: string }).proposal_id, abortSignal),
        toModelOutput: ({ output }) => told(output),
    });

    /** Make a tool of each action in the catalog that the service runs, and `check_proposal`. */
    async function tools(): Promise<ToolSet> {
        const made: ToolSet = { check_proposal };
        for (const entry of await client.catalog()) {
            if (entry.mode === "execute") made[free(entry.name, made)] = remote(entry);
        }
        return made;
    }

    function remote(entry: CatalogEntry): Tool<any, any> {
        const summary = (entry.description || entry.summary).replace(/[.\s]*$/, ".");
        return dynamicTool({
            description: `${summary} ${RUNS[entry.runs]}`,
            inputSchema: jsonSchema(entry.arguments),
            async *execute(input, running) {
                const call = await asked(entry.name, input as Record<string, unknown>, running);
                yield* gate.run(call, undefined, running.abortSignal);
            },
            toModelOutput: ({ output }) => told(output),
        });
    }

    /**
     * Put the gate before tools of your own, by name. It takes the place of `needsApproval`: the yes
     * is the service's, so it outlives the process and is bound to the arguments.
     */
    function gated<T extends ToolSet>(own: T, about: { [Name in keyof T]?: About } = {}): Gated<T> {
        const made = Object.entries(own).map(([name, tool]) => [
            name,
            wrapped(name, tool as Tool<any, any>, about[name]),
        ]);
        return { ...Object.fromEntries(made), check_proposal } as Gated<T>;
    }

    function wrapped(name: string, tool: Tool<any, any>, about: About = {}): Tool<any, any> {
        const { execute } = tool;
        if (!execute)
            throw new TypeError(
                `${name} has no execute: a gate can only stand before what runs here`,
            );
        const schema = asSchema(tool.inputSchema);
        const notes = new Map<string, string>();
        const {
            needsApproval: _asked,
            outputSchema: _own,
            ...kept
        } = tool as Tool<any, any> & Record<string, unknown>;

        async function* gatedCall(input: unknown, running: Running & Record<string, unknown>) {
            const sent = JSON.parse(JSON.stringify(input ?? {})) as Record<string, unknown>;
            const declared: DeclaredTool = {
                ...about,
                name,
                description: (typeof tool.description === "string" ? tool.description : "").slice(
                    0,
                    4_000,
                ),
                arguments: draft2020(await schema.jsonSchema) as Record<string, unknown>,
            };
            const mine: Own = {
                tool: declared,
                run: async (approved) =>
                    execute!(await checked(input, sent, approved), running as never),
                edited: (note) => void notes.set(running.toolCallId, note),
            };
            yield* gate.run(await asked(name, sent, running), mine, running.abortSignal);
        }

        /** Return the approved arguments as the tool's schema reads them. */
        async function checked(input: unknown, sent: unknown, approved: unknown): Promise<unknown> {
            if (canonical(approved) === canonical(sent)) return input;
            const read = await schema.validate?.(approved);
            if (read && !read.success) throw read.error;
            return read ? read.value : approved;
        }

        async function toModelOutput(given: {
            toolCallId: string;
            input: unknown;
            output: unknown;
        }) {
            if (isOutcome(given.output)) return told(given.output);
            const output = tool.toModelOutput
                ? await tool.toModelOutput(given as never)
                : told(given.output);
            const note = notes.get(given.toolCallId);
            return note === undefined ? output : noted(note, output);
        }

        return { ...kept, execute: gatedCall, toModelOutput } as unknown as Tool<any, any>;
    }

    return { gate: gated, tools };
}

/** Word an output for the model; a refusal is a denial with its reason, not a failure to retry. */
function told(output: unknown): ModelOutput {
    if (typeof output === "string") return { type: "text", value: output };
    if (!isOutcome(output)) {
        return { type: "json", value: JSON.parse(JSON.stringify(output) ?? "null") };
    }
    switch (output.status) {
        case "refused":
        case "expired":
        case "withdrawn":
            return { type: "execution-denied", reason: output.message };
        case "failed":
        case "unknown":
        case "invalid":
        case "unreachable":
            return { type: "error-text", value: output.message };
        default:
            return { type: "text", value: output.message };
    }
}

function noted(note: string, output: ModelOutput): ModelOutput {
    if (output.type === "content") {
        return { ...output, value: [{ type: "text", text: note }, ...output.value] };
    }
    if (output.type === "execution-denied") return output;
    const value = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
    return {
        type: output.type.startsWith("error") ? "error-text" : "text",
        value: `${note}\n${value}`,
    };
}

/** Return a name that providers take and that no tool has. */
function free(name: string, taken: ToolSet): string {
    const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
    for (let number = 1; ; number += 1) {
        const tried = number === 1 ? plain : `${plain}_${number}`;
        if (!(tried in taken)) return tried;
    }
}

const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Rewrite draft 7, which the SDK makes of Zod and the like, as draft 2020-12. */
function draft2020(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(draft2020);
    if (typeof schema !== "object" || schema === null) return schema;
    const { items, additionalItems, ...kept } = schema as Record<string, unknown>;
    if (typeof kept["$schema"] === "string") delete kept["$schema"];
    const lists = Array.isArray(items)
        ? { prefixItems: items, items: additionalItems }
        : { items, additionalItems };
    const said = Object.entries({ ...kept, ...lists }).filter(([, one]) => one !== undefined);
    return Object.fromEntries(
        said.map(([name, one]) => [name, VALUES.has(name) ? one : draft2020(one)]),
    );
}

async function digest(content: unknown): Promise<string> {
    const bytes = new TextEncoder().encode(canonical(content));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(hash.slice(0, 20), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
