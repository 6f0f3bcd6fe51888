import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { test } from "node:test";

import { Prefrontal, Refused, Unreachable, type DeclaredTool } from "prefrontal";

import {
    answer,
    approvals,
    approve,
    choose,
    client,
    edit,
    locksFrom,
    refuse,
    silentUrl,
    until,
    url,
} from "./service.js";

const lock = locksFrom(10);

const DREDGE: DeclaredTool = {
    name: "dredge_channel",
    description: "Dredge a channel.",
    arguments: {
        type: "object",
        properties: { channel: { type: "string" }, depth: { type: "integer" } },
        required: ["channel"],
    },
};

test("the catalog says what may be proposed, and when it runs", async () => {
    const entries = await client().catalog();
    const byName = new Map(entries.map((one) => [one.name, one]));
    assert.equal(byName.get("show_lock")?.runs, "at_once");
    assert.equal(byName.get("close_lock")?.runs, "after_approval");
    assert.deepEqual(byName.get("show_lock")?.arguments["required"], ["lock"]);
});

test("a read runs at once", async () => {
    const view = await client().call("show_lock", { lock: "LK-10" });
    assert.equal(view.status, "executed");
    assert.equal(view.result?.text, "Lock LK-10 is open.");
});

test("a call waits for its approval and gives the result", async () => {
    const args = { lock: lock(), minutes: 5 };
    const running = client().call("close_lock", args, { reason: "a barge is due" });
    await approve("close_lock", args);
    const view = await running;
    assert.equal(view.status, "executed");
    assert.equal(view.decided_by, "ingrid");
});

test("a write waits for one click", async () => {
    const asked = await client().propose("note_in_log", { note: "fog since six" });
    assert.equal(asked.status, "needs_choice");
    const waiting = client().wait(asked);
    await choose(asked);
    assert.equal((await waiting).status, "executed");
});

test("a refusal says why", async () => {
    const args = { lock: lock() };
    const running = client().call("close_lock", args);
    await refuse("close_lock", args, "a barge is inside");
    const view = await running;
    assert.equal(view.status, "refused");
    assert.match(view.message, /a barge is inside/);
});

test("what nobody answered in time stays open and is found again", async () => {
    const args = { lock: lock() };
    const asked = await client().call("close_lock", args, { seconds: 0.1 });
    assert.equal(asked.status, "pending_approval");
    assert.match(asked.approval?.url ?? "", /^http:\/\/quay\/console\/approvals\//);
    await approve("close_lock", args);
    assert.equal((await client().wait(asked.proposal_id)).status, "executed");
});

test("a call is withdrawn once, and then told how it stands", async () => {
    const asked = await client().propose("close_lock", { lock: lock() });
    assert.equal((await client().withdraw(asked)).status, "withdrawn");
    await assert.rejects(client().withdraw(asked), (error) => {
        assert(error instanceof Refused);
        assert.deepEqual(
            [error.status, error.slug, error.standing],
            [409, "conflict", "withdrawn"],
        );
        assert.match(error.message, /stands as withdrawn; read it again/);
        return true;
    });
});

test("wrong arguments are named, with the schema and what to do", async () => {
    const wrong = client().propose("close_lock", { lok: "LK-12", minutes: "soon" });
    await assert.rejects(wrong, (error) => {
        assert(error instanceof Refused);
        assert.equal(error.slug, "invalid-arguments");
        assert.deepEqual(error.schema?.["required"], ["lock"]);
        assert.ok(error.faults.length >= 3, JSON.stringify(error.faults));
        assert.match(error.message, /Correct these arguments and propose the call again/);
        return true;
    });
});

test("a client without a service says what it lacks", () => {
    assert.throws(() => new Prefrontal({ url: "" }), /give url or PREFRONTAL_URL/);
    assert.throws(() => new Prefrontal({ key: "" }), /give key or PREFRONTAL_KEY/);
});

test("a wrong key, a wrong address and a silent one say what to do", async () => {
    await assert.rejects(client({ key: "pf_wrong" }).catalog(), /\(401\).*Check the key/);
    const silent = await silentUrl();
    await assert.rejects(client({ url: silent, attempts: 2 }).catalog(), (error) => {
        assert(error instanceof Unreachable);
        assert.ok(
            error.message.startsWith(`no answer of ${silent} came (connect ECONNREFUSED`),
            error.message,
        );
        assert.match(error.message, /check the address/);
        return true;
    });
    const page = createServer((_, answered) => answered.end("<html>welcome</html>"));
    await new Promise<void>((ready) => page.listen(0, "127.0.0.1", ready));
    const { port } = page.address() as AddressInfo;
    try {
        const elsewhere = client({ url: `http://127.0.0.1:${port}/` });
        await assert.rejects(elsewhere.catalog(), /is this the address of a Prefrontal service/);
    } finally {
        page.close();
    }
});

test("what was lost or refused for now is sent again with its key and done once", async () => {
    const keys: (string | null)[] = [];
    const lossy: typeof fetch = async (address, sent) => {
        keys.push(new Headers(sent?.headers).get("idempotency-key"));
        if (keys.length === 1)
            return new Response("{}", { status: 503, headers: { "retry-after": "0" } });
        const answered = await fetch(address, sent);
        if (keys.length === 2) throw new TypeError("the answer was lost");
        return answered;
    };
    const args = { lock: lock() };
    const asked = await client({ fetch: lossy }).propose("close_lock", args);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.equal((await approvals("close_lock", args)).length, 1);
    await client().withdraw(asked);
});

test("a key that is given to a call makes it the same call", async () => {
    const args = { lock: lock() };
    const options = { idempotency_key: `once-${args.lock}` };
    const [one, two] = [
        await client().propose("close_lock", args, options),
        await client().propose("close_lock", args, options),
    ];
    assert.equal(one.proposal_id, two.proposal_id);
    const other = client().propose("close_lock", { lock: lock() }, options);
    await assert.rejects(other, (error) => error instanceof Refused && error.status === 409);
    await client().withdraw(one);
});

test("an aborted call throws the reason and is withdrawn", async () => {
    const args = { lock: lock() };
    const stop = new AbortController();
    const running = client().call("close_lock", args, { signal: stop.signal });
    await until("a question", async () => (await approvals("close_lock", args)).length > 0);
    stop.abort(new Error("the user left"));
    await assert.rejects(running, /the user left/);
    assert.deepEqual(await approvals("close_lock", args), []);
    const late = client().call("close_lock", args, { signal: stop.signal });
    await assert.rejects(late, /the user left/);
    assert.deepEqual(await approvals("close_lock", args), []);
});

test("a call that is aborted while it is proposed is withdrawn as well", async () => {
    const args = { lock: lock() };
    const stop = new AbortController();
    const stopping: typeof fetch = async (address, sent) => {
        const answered = await fetch(address, sent);
        stop.abort(new Error("too late"));
        return answered;
    };
    const running = client({ fetch: stopping }).call("close_lock", args, { signal: stop.signal });
    await assert.rejects(running, /too late/);
    assert.deepEqual(await approvals("close_lock", args), []);
});

test("a permit is taken once, with the arguments that were approved, and its outcome told", async () => {
    const agent = client();
    const [kept] = await agent.declare([DREDGE]);
    assert.equal(kept?.runs, "after_approval");
    const channel = `channel of ${lock()}`;
    const running = agent.call("dredge_channel", { channel, depth: 30 });
    await edit("dredge_channel", { channel }, { channel, depth: 4 });
    const permitted = await running;
    assert.equal(permitted.status, "permitted");
    const permit = await agent.permit(permitted);
    assert.deepEqual(permit.arguments, { channel, depth: 4 });
    await assert.rejects(
        agent.permit(permitted),
        (error) => error instanceof Refused && error.status === 409,
    );
    const ended = await agent.outcome(permit, { outcome: "succeeded", text: "4 m deep now" });
    assert.deepEqual([ended.status, ended.edited], ["executed", true]);
    await assert.rejects(agent.permit(ended), /no permit to take: the proposal is executed/);
});

test("an agent's key answers nothing", async () => {
    const args = { lock: lock() };
    const asked = await client().propose("close_lock", args);
    const sent = { decision: "approve", digest: asked.approval?.digest };
    const said = await fetch(`${url}/v1/approvals/${asked.approval?.id}`, {
        method: "POST",
        headers: {
            authorization: `Bearer ${process.env["PREFRONTAL_KEY"]}`,
            "content-type": "application/json",
        },
        body: JSON.stringify(sent),
    });
    assert.equal(said.status, 403);
    await answer("close_lock", args, "reject", { reason: "tested" });
    assert.equal((await client().proposal(asked)).status, "refused");
});
