import { createServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { Prefrontal, type ClientOptions, type ProposalView } from "prefrontal";

/** What tests/adapters/test_typescript.py starts: a service, a key for the agent, keys of people. */
export const url = given("PREFRONTAL_URL");
const master = given("PREFRONTAL_INGRID");
const keeper = given("PREFRONTAL_AMIR");

type Json = Record<string, any>;

export function client(options: Partial<ClientOptions> = {}): Prefrontal {
    return new Prefrontal(options);
}

/** Return a function that names a lock at each call; the files of tests run beside each other. */
export function locksFrom(first: number): () => string {
    let next = first;
    return () => `LK-${next++}`;
}

async function asked(key: string, path: string, body?: Json): Promise<Json> {
    const answer = await fetch(`${url}/v1/${path}`, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
    });
    const told = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(told)}`);
    return told;
}

/** Return the approvals of a call, in one state. */
export async function approvals(action: string, args: Json, state = "pending"): Promise<Json[]> {
    const page = await asked(master, `approvals?limit=200&state=${state}`);
    return page["approvals"].filter(
        (one: Json) =>
            one["action"] === action &&
            Object.entries(args).every(([name, value]) => one["arguments"][name] === value),
    );
}

/** Wait until something holds, and give it; fail if it does not in ten seconds. */
export async function until<T>(
    what: string,
    look: () => Promise<T | false | undefined>,
): Promise<T> {
    for (let tries = 0; tries < 500; tries += 1) {
        const found = await look();
        if (found) return found;
        await delay(20);
    }
    throw new Error(`never came: ${what}`);
}

/** Wait until a call is asked for, and answer it; an edited one is shown, and approved, again. */
export async function answer(
    action: string,
    args: Json,
    decision: string,
    more: Json = {},
): Promise<void> {
    const what = `a question for ${action} ${JSON.stringify(args)}`;
    const shown = await until(what, async () => (await approvals(action, args))[0]);
    const sent = { decision, digest: shown["digest"], ...more };
    const said = await asked(master, `approvals/${shown["action_id"]}`, sent);
    if (said["state"] !== "pending") return;
    const again = { decision: "approve", digest: said["digest"] };
    await asked(master, `approvals/${said["action_id"]}`, again);
}

export const approve = (action: string, args: Json) => answer(action, args, "approve");
export const refuse = (action: string, args: Json, reason: string) =>
    answer(action, args, "reject", { reason });
export const edit = (action: string, args: Json, changed: Json) =>
    answer(action, args, "edit", { arguments: changed });

/** Choose what a proposal suggests, with one click of a person. */
export async function choose({ choice }: ProposalView): Promise<void> {
    await asked(keeper, `offers/${choice?.offer_id}`, { chip_id: choice?.chip_id });
}

/** Return an address of this machine where nobody listens. */
export async function silentUrl(): Promise<string> {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    return `http://127.0.0.1:${port}`;
}

function given(name: string): string {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set; run tests/adapters/test_typescript.py`);
    return value;
}
