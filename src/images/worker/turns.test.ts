import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";
import type { Sender } from "./turns.ts";

const LIMITS = { all: 100, ofApplication: 60, ofSession: 2 };

function upload(name: string, session: string | null = null) {
  return { name, sender: { applicationId: name[0]!, session } satisfies Sender };
}

function turns(limits = LIMITS) {
  const queue = createTurns<ReturnType<typeof upload>>(limits);
  return { ...queue, names: (count: number) => Array.from({ length: count }, () => queue.take()?.name ?? null) };
}

test("applications take turns, however many uploads one of them has waiting", () => {
  const { add, take, end } = turns();
  for (let i = 0; i < 50; i++) add(upload(`a${i}`));
  for (const name of ["b0", "b1", "c0"]) add(upload(name));
  const order: string[] = [];
  for (let next = take(); next; next = take()) {
    order.push(next.name);
    end(next.sender);
  }
  assert.deepEqual(order.slice(0, 7), ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]);
  assert.equal(order.length, 53);
});

test("an application that comes later has the next turn, though the other one's queue was empty in between", () => {
  const { add, names, end } = turns();
  const first = upload("a0");
  add(first);
  assert.deepEqual(names(1), ["a0"]);
  for (const name of ["a1", "b0"]) add(upload(name));
  end(first.sender);
  assert.deepEqual(names(2), ["b0", "a1"]);
});

test("of several processes an application gets another one only if no other application waits with fewer", () => {
  const { add, names } = turns();
  for (const name of ["a0", "a1", "a2", "b0", "b1"]) add(upload(name));
  assert.deepEqual(names(5), ["a0", "b0", "a1", "b1", "a2"]);
});

test("a session has one upload in progress, and delays nobody else of its application", () => {
  const { add, names, end } = turns();
  const first = upload("a0", "s");
  for (const one of [first, upload("a1", "s"), upload("a2", "t"), upload("a3")]) add(one);
  assert.deepEqual(names(4), ["a0", "a2", "a3", null]);
  end(first.sender);
  assert.deepEqual(names(2), ["a1", null]);
});

test("a session, an application and all together have a bounded number waiting; what is removed makes room", () => {
  const { add, remove, clear, names } = turns({ all: 4, ofApplication: 3, ofSession: 1 });
  const own = upload("a0", "s");
  assert.deepEqual(
    [own, upload("a1", "s"), upload("a2"), upload("a3"), upload("a4"), upload("b0"), upload("c0")].map(add),
    [true, false, true, true, false, true, false],
  );
  assert.ok(remove(own));
  assert.ok(!remove(own));
  assert.ok(add(upload("c1")));
  assert.equal(clear().length, 4);
  assert.deepEqual(names(1), [null]);
});

test("the place in reserve is for an application without an upload in progress", () => {
  const { add, take, running, end } = turns();
  for (const name of ["a0", "a1", "a2", "b0", "b1"]) add(upload(name));
  const [first] = [take(), take()];
  // Both applications have one in progress.
  assert.equal(running(), 2);
  assert.equal(take(true), null);
  add(upload("c0"));
  assert.equal(take(true)?.name, "c0");
  assert.equal(take(true), null);
  end(first!.sender);
  assert.equal(take(true)?.name, "a1");
});
