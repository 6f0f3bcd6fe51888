import assert from "node:assert/strict";
import { test } from "node:test";

import { call, scripted, told } from "./model.js";
import { block1, block2, block3 } from "./page.js";
import { approvals, approve } from "./service.js";

test("the page's agent with the catalog", async () => {
    const args = { lock: "LK-41" };
    const one = call("close_lock", args);
    const model = scripted([[one]]);
    const running = block1(model);
    await approve("close_lock", args);
    assert.equal(await running, "done");
    assert.match(String(told(model)[one.toolCallId]?.value), /LK-41/);
});

test("the page's own tool", async () => {
    const args = { invoice: "INV-7" };
    const one = call("send_invoice", args);
    const model = scripted([[one]]);
    const running = block2(model);
    await approve("send_invoice", args);
    assert.equal(await running, "done");
    assert.equal(told(model)[one.toolCallId]?.value, "INV-7 was sent");
    assert.equal(
        (await approvals("send_invoice", args, "succeeded"))[0]?.["summary"],
        "Send invoice INV-7",
    );
});

test("the page's plain calls", async () => {
    await block3();
    assert.deepEqual(await approvals("close_lock", { lock: "LK-42" }), []);
});
