import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

export interface Made {
    toolCallId: string;
    toolName: string;
    input: Record<string, unknown>;
}

/** What a tool's output was made into for the model. */
export interface Told {
    type: string;
    value?: unknown;
    reason?: string;
}

type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>;
type Part = Streamed["stream"] extends ReadableStream<infer P> ? P : never;

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };
let calls = 0;

export function call(toolName: string, input: Record<string, unknown>): Made {
    calls += 1;
    return { toolCallId: `call_${calls}`, toolName, input };
}

/** A model that makes the calls of a script, one batch an answer, and then says `done`. */
export function scripted(batches: Made[][]): MockLanguageModelV3 {
    let asked = 0;
    const next = () => generated(batches[asked++] ?? []);
    return new MockLanguageModelV3({
        doGenerate: async () => next(),
        doStream: async () => streamed(next()),
    });
}

function generated(batch: Made[]): Generated {
    const called = batch.map((one) => ({
        type: "tool-call" as const,
        ...one,
        input: JSON.stringify(one.input),
    }));
    const unified = called.length ? ("tool-calls" as const) : ("stop" as const);
    const content: Generated["content"] = called.length ? called : [{ type: "text", text: "done" }];
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

function streamed({ content, finishReason }: Generated): Streamed {
    const chunks: Part[] = [{ type: "stream-start", warnings: [] }];
    for (const one of content) {
        if (one.type === "tool-call") chunks.push(one);
        if (one.type !== "text") continue;
        chunks.push({ type: "text-start", id: "t" });
        chunks.push({ type: "text-delta", id: "t", delta: one.text });
        chunks.push({ type: "text-end", id: "t" });
    }
    chunks.push({ type: "finish", finishReason, usage });
    return { stream: simulateReadableStream({ chunks }) };
}

/** Return what the model was told of each call, by the call's id. */
export function told(model: MockLanguageModelV3): Record<string, Told> {
    const last = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1)!;
    const parts = last.prompt.flatMap((message) =>
        message.role === "tool" ? message.content : [],
    );
    const results = parts.filter((part) => part.type === "tool-result");
    return Object.fromEntries(results.map((part) => [part.toolCallId, part.output as Told]));
}
