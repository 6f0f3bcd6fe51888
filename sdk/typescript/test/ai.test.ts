import assert from "node:assert/strict";
import { test } from "node:test";

import { generateText, stepCountIs, streamText, tool, type ToolSet } from "ai";
import { Refused, type Prefrontal } from "prefrontal";
import { createTools, isOutcome, type Outcome } from "prefrontal/ai";
import { z } from "zod";

import { call, scripted, told, type Made } from "./model.js";
import {
    approvals,
    approve,
    client,
    edit,
    locksFrom,
    refuse,
    silentUrl,
    until,
} from "./service.js";

const lock = locksFrom(60);

const stopWhen = stepCountIs(9);

async function run(batches: Made[][], tools: ToolSet) {
    const model = scripted(batches);
    const result = await generateText({ model, tools, stopWhen, prompt: "go on" });
    assert.equal(result.text, "done");
    return told(model);
}

/** An own tool, and what reached it. The name is each test's own: a change of a used one waits. */
function barge(ran: unknown[] = []) {
    return tool({
        description: "Sink a barge.",
        inputSchema: z.object({ barge: z.string(), depth: z.number().int().default(3) }),
        needsApproval: true,
        execute: async (input) => {
            ran.push(input);
            return `${input.barge} lies at ${input.depth} m`;
        },
    });
}

/** Behind the gate after a restart: nothing but the service remembers. */
const made = (options: Parameters<typeof createTools>[1] = {}, from: Prefrontal = client()) =>
    createTools(from, options);

test("a read of the catalog runs and its result reaches the model", async () => {
    const read = call("show_lock", { lock: "LK-60" });
    const said = await run([[read]], await made().tools());
    assert.deepEqual(said[read.toolCallId], { type: "text", value: "Lock LK-60 is open." });
});

test("the model learns what the catalog has and when it runs", async () => {
    const model = scripted([]);
    await generateText({ model, tools: await made().tools(), prompt: "go on" });
    const offered = new Map(model.doGenerateCalls[0]!.tools!.map((one) => [one.name, one as any]));
    assert.match(
        offered.get("close_lock").description,
        /^Close lock .*\. A person has to approve it first\.$/,
    );
    assert.deepEqual(offered.get("close_lock").inputSchema.required, ["lock"]);
    assert.ok(offered.has("check_proposal"));
});

test("a refusal reaches the model with its reason, and the same call asks nobody again", async () => {
    const args = { lock: lock() };
    const [one, two, three] = [
        call("close_lock", args),
        call("close_lock", args),
        call("close_lock", args),
    ];
    const running = run([[one], [two], [three]], await made().tools());
    await refuse("close_lock", args, "a barge is inside");
    const said = await running;
    for (const { toolCallId } of [one, two, three]) {
        assert.equal(said[toolCallId]?.type, "execution-denied");
        assert.match(said[toolCallId]?.reason ?? "", /a barge is inside.*Do not propose it again/s);
    }
    assert.equal((await approvals("close_lock", args, "rejected")).length, 1);
});

test("of several calls in one step each goes its own way", async () => {
    const ran: unknown[] = [];
    const { gate, tools } = made();
    const args = { lock: lock() };
    const mine = { barge: `barge of ${args.lock}`, depth: 3 };
    const [no, read, own, wrong] = [
        call("close_lock", args),
        call("show_lock", args),
        call("sink_several", mine),
        call("close_lock", { lock: "LK-1" }),
    ];
    const both = { ...(await tools()), ...gate({ sink_several: barge(ran) }) };
    const running = run([[no, read, own, wrong]], both);
    await Promise.all([refuse("close_lock", args, "not now"), approve("sink_several", mine)]);
    const said = await running;
    assert.match(said[no.toolCallId]?.reason ?? "", /not now/);
    assert.equal(said[read.toolCallId]?.value, `Lock ${args.lock} is open.`);
    assert.equal(said[own.toolCallId]?.value, `${mine.barge} lies at 3 m`);
    assert.equal(said[wrong.toolCallId]?.type, "error-text");
    assert.match(String(said[wrong.toolCallId]?.value), /Correct these arguments/);
    assert.deepEqual(ran, [mine]);
});

test("edited arguments reach the tool and the model is told", async () => {
    const ran: unknown[] = [];
    const mine = { barge: `barge of ${lock()}` };
    const { gate } = made();
    const own = call("sink_edited", { ...mine, depth: 30 });
    const running = run([[own]], gate({ sink_edited: barge(ran) }));
    await edit("sink_edited", mine, { ...mine, depth: 4 });
    const said = await running;
    assert.deepEqual(ran, [{ ...mine, depth: 4 }]);
    assert.match(
        String(said[own.toolCallId]?.value),
        /An approver changed the arguments.*lies at 4 m/s,
    );
});

test("edited arguments of the service's own action are told as well", async () => {
    const args = { lock: lock() };
    const one = call("close_lock", { ...args, minutes: 50 });
    const running = run([[one]], await made().tools());
    await edit("close_lock", args, { ...args, minutes: 5 });
    assert.match(
        String((await running)[one.toolCallId]?.value),
        /changed the arguments.*"minutes":5/,
    );
});

test("an edit that the tool's own schema does not take runs nothing", async () => {
    const ran: unknown[] = [];
    const even = tool({
        inputSchema: z.object({
            barge: z.string(),
            depth: z.number().refine((depth) => depth % 2 === 0),
        }),
        execute: async (input) => void ran.push(input),
    });
    const mine = { barge: `barge of ${lock()}` };
    const own = call("sink_even", { ...mine, depth: 2 });
    const running = run([[own]], made().gate({ sink_even: even }));
    await edit("sink_even", mine, { ...mine, depth: 5 });
    assert.equal((await running)[own.toolCallId]?.type, "error-text");
    assert.deepEqual(ran, []);
    assert.equal((await approvals("sink_even", mine, "failed")).length, 1);
});

test("a tool gets what its schema reads, and keeps its own words for the model", async () => {
    const ran: unknown[] = [];
    const dated = tool({
        inputSchema: z.object({
            barge: z.string(),
            at: z.iso.date().transform((day) => new Date(day)),
            place: z.tuple([z.number(), z.number()]).optional(),
        }),
        execute: async ({ barge, at }) => ({ barge, year: (ran.push(at), at.getUTCFullYear()) }),
        toModelOutput: ({ output }) => ({ type: "text", value: `sunk in ${output.year}` }),
    });
    const mine = { barge: `barge of ${lock()}` };
    const own = call("sink_dated", { ...mine, at: "2026-11-28", place: [51, 4] });
    const running = run(
        [[own]],
        made().gate({ sink_dated: dated }, { sink_dated: { summary: "Sink {barge}" } }),
    );
    await approve("sink_dated", mine);
    assert.deepEqual((await running)[own.toolCallId], { type: "text", value: "sunk in 2026" });
    assert.ok(ran[0] instanceof Date);
    const [kept] = await approvals("sink_dated", mine, "succeeded");
    assert.deepEqual(kept?.["result"].data, { result: { ...mine, year: 2026 } });
    assert.equal(kept?.["summary"], `Sink ${mine.barge}`);
});

test("what is pending says where, and runs once when it is called again", async () => {
    const ran: unknown[] = [];
    const mine = { barge: `barge of ${lock()}`, depth: 3 };
    const tools = made({ seconds: 0 }).gate({ sink_pending: barge(ran) });
    const first = call("sink_pending", mine);
    const pending = String((await run([[first]], tools))[first.toolCallId]?.value);
    assert.match(pending, /Nothing has run.*http:\/\/quay\/console\/approvals\//s);
    const [, proposal_id] = /The proposal is ([0-9a-f-]{36})/.exec(pending)!;
    await approve("sink_pending", mine);
    const restarted = made({ seconds: 0 }).gate({ sink_pending: barge(ran) });
    const [check, again] = [call("check_proposal", { proposal_id }), call("sink_pending", mine)];
    const said = await run([[check], [again]], restarted);
    assert.match(String(said[check.toolCallId]?.value), /Call sink_pending again/);
    assert.equal(said[again.toolCallId]?.value, `${mine.barge} lies at 3 m`);
    assert.deepEqual(ran, [mine]);
    assert.equal((await approvals("sink_pending", mine, "succeeded")).length, 1);
});

test("a call that is made again in its conversation after a restart is the same call", async () => {
    const args = { lock: lock() };
    const one = call("close_lock", args);
    const options = { seconds: 0, conversation: "thread 7" };
    await run([[one]], await made(options).tools());
    await approve("close_lock", args);
    const said = await run([[one]], await made(options).tools());
    assert.equal(said[one.toolCallId]?.type, "text");
    assert.doesNotMatch(String(said[one.toolCallId]?.value), /Waiting/);
    assert.equal((await approvals("close_lock", args, "succeeded")).length, 1);
});

test("a stream shows where a call waits, and then its result", async () => {
    const args = { lock: lock() };
    const one = call("close_lock", args);
    const model = scripted([[one]]);
    const { fullStream } = streamText({
        model,
        tools: await made().tools(),
        stopWhen,
        prompt: "go on",
    });
    const outputs: Outcome[] = [];
    for await (const part of fullStream) {
        if (part.type !== "tool-result") continue;
        assert.ok(isOutcome(part.output));
        outputs.push(part.output);
        if (outputs.length === 1) void approve("close_lock", args);
    }
    assert.deepEqual(
        outputs.map((output) => output.status),
        ["pending", "executed", "executed"],
    );
    assert.match(outputs[0]!.url ?? "", /^http:\/\/quay\/console\/approvals\//);
    assert.equal(told(model)[one.toolCallId]?.value, outputs[2]!.message);
});

test("an aborted stream withdraws what waits, and runs nothing", async () => {
    const ran: unknown[] = [];
    const mine = { barge: `barge of ${lock()}` };
    const stop = new AbortController();
    const model = scripted([[call("sink_aborted", mine)]]);
    const { fullStream } = streamText({
        model,
        tools: made().gate({ sink_aborted: barge(ran) }),
        stopWhen,
        prompt: "go on",
        abortSignal: stop.signal,
    });
    const kinds: string[] = [];
    for await (const part of fullStream) {
        kinds.push(part.type);
        if (part.type === "tool-result") stop.abort();
    }
    assert.ok(kinds.includes("abort"), kinds.join());
    await until("its end", async () => (await approvals("sink_aborted", mine)).length === 0);
    assert.deepEqual(ran, []);
});

test("a tool that fails is told to the model and in the ledger", async () => {
    const broken = tool({
        inputSchema: z.object({ barge: z.string() }),
        execute: async (): Promise<string> => {
            throw new Error("the crane is stuck");
        },
    });
    const mine = { barge: `barge of ${lock()}` };
    const own = call("sink_broken", mine);
    const running = run([[own]], made().gate({ sink_broken: broken }));
    await approve("sink_broken", mine);
    assert.match(JSON.stringify((await running)[own.toolCallId]), /the crane is stuck/);
    const [kept] = await approvals("sink_broken", mine, "failed");
    assert.match(kept?.["reason"], /the crane is stuck/);
});

test("an agent in a tool of another agent passes the gate", async () => {
    const ran: unknown[] = [];
    const mine = { barge: `barge of ${lock()}`, depth: 3 };
    const own = call("sink_nested", mine);
    const inner = scripted([[own]]);
    const delegate = tool({
        inputSchema: z.object({}),
        execute: async (_, { abortSignal }) => {
            const tools = made().gate({ sink_nested: barge(ran) });
            return (
                await generateText({ model: inner, tools, stopWhen, prompt: "go on", abortSignal })
            ).text;
        },
    });
    const running = run([[call("delegate", {})]], { delegate });
    await approve("sink_nested", mine);
    await running;
    assert.equal(told(inner)[own.toolCallId]?.value, `${mine.barge} lies at 3 m`);
    assert.deepEqual(ran, [mine]);
});

test("what is said of a call reaches the approver", async () => {
    const args = { lock: lock() };
    const tools = await made({
        proposal: { session_id: "night shift" },
        describe: ({ name, messages }) => ({
            reason: `${name} after ${messages.length} message`,
            tainted: true,
        }),
    }).tools();
    const running = run([[call("close_lock", args)]], tools);
    await approve("close_lock", args);
    await running;
    const [kept] = await approvals("close_lock", args, "succeeded");
    assert.match(JSON.stringify(kept?.["dialog"]), /close_lock after 1 message/);
    const read = call("show_lock", args);
    assert.match(
        String(
            (await run([[read]], await made({ seconds: 0, proposal: { tainted: true } }).tools()))[
                read.toolCallId
            ]?.value,
        ),
        /The proposal is/,
    );
});

test("a gate that cannot be reached runs nothing; a wrong key is no answer", async () => {
    const ran: unknown[] = [];
    const own = call("sink_unreached", { barge: "b", depth: 3 });
    const silent = client({ url: await silentUrl(), attempts: 1 });
    const said = await run([[own]], made({}, silent).gate({ sink_unreached: barge(ran) }));
    assert.equal(said[own.toolCallId]?.type, "error-text");
    assert.match(String(said[own.toolCallId]?.value), /do not repeat it, ask a person/);
    const unknown = client({ key: "pf_wrong" });
    const failed = await run([[own]], made({}, unknown).gate({ sink_unreached: barge(ran) }));
    assert.match(JSON.stringify(failed[own.toolCallId]), /Check the key/);
    await assert.rejects(made({}, unknown).tools(), Refused);
    assert.deepEqual(ran, []);
});

test("a tool that runs elsewhere is not taken for one behind the gate", () => {
    const elsewhere = tool({ inputSchema: z.object({}), outputSchema: z.string() });
    assert.throws(() => made().gate({ elsewhere }), /elsewhere has no execute/);
});
