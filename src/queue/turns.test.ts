import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

test("work of one key runs one at a time and in order, work of another key beside it", async () => {
  const turns = createTurns({ waitingMax: 10, waitMsMax: 60_000 });
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.run("a", async () => (await gate.promise, done.push("first")));
  const second = turns.run("a", async () => done.push("second"));
  await turns.run("b", async () => done.push("other"));
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(done, ["other", "first", "second"]);
});

test("work that would wait behind too many, or too long, does not run; a failure passes the turn on", async () => {
  const turns = createTurns({ waitingMax: 1, waitMsMax: 1 });
  const gate = Promise.withResolvers<void>();
  const first = turns.run("a", () => gate.promise.then(() => Promise.reject(new Error("broken"))));
  const late = turns.run("a", async () => "late");
  assert.equal(await turns.run("a", async () => "too many"), null);
  assert.equal(await late, null);
  gate.resolve();
  await assert.rejects(first, /broken/);
  assert.equal(await turns.run("a", async () => "next"), "next");
});
