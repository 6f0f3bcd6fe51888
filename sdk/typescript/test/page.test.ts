import assert from "node:assert/strict";
import { test } from "node:test";

import { call, scripted, told } from "./model.js";
import { block1, block2, block3 } from "./page.js";
import { approvals, approve } from "./service.js";

test("the page's agent with the catalog", async () => {
    const args = { work_order: "WO-1042" };
    const one = call("close_work_order", args);
    const model = scripted([[one]]);
    const running = block1(model);
    await approve("close_work_order", args);
    assert.equal(await running, "done");
    assert.match(String(told(model)[one.toolCallId]?.value), /WO-1042/);
});

test("the page's own tool", async () => {
    const args = { order: "PO-7" };
    const one = call("refund_order", args);
    const model = scripted([[one]]);
    const running = block2(model);
    await approve("refund_order", args);
    assert.equal(await running, "done");
    assert.equal(told(model)[one.toolCallId]?.value, "PO-7 was refunded");
    assert.equal(
        (await approvals("refund_order", args, "succeeded"))[0]?.["summary"],
        "Refund order PO-7",
    );
});

test("the page's plain calls", async () => {
    await block3();
    assert.deepEqual(await approvals("close_work_order", { work_order: "WO-1036" }), []);
});
