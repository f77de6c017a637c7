import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallCounts } from "./counts.ts";
import type { CallCounts } from "./counts.ts";
import { WINDOW_MS } from "../rate-window.ts";
import { firstShare } from "./shares.ts";
import type { Said } from "./shares.ts";

/** Processes with one clock that exchange in turn, as the lock has it. */
function cluster(count: number) {
  const clock = { ms: 0 };
  const said = new Map<string, ReadonlyMap<string, Said>>();
  const processes = Array.from({ length: count }, (_, i) => {
    const id = `p${i}`;
    said.set(id, new Map());
    return { id, counts: createCallCounts(id, 100, () => clock.ms) };
  });
  const exchangeOne = ({ id, counts }: { id: string; counts: CallCounts }) => {
    const peers = [...said].filter(([other]) => other !== id).map(([other, what]) => ({ id: other, said: what }));
    const next = counts.exchange(peers);
    said.set(id, next);
    counts.settle(next);
  };
  const exchange = () => processes.forEach(exchangeOne);
  exchange();
  const call = (process: number, calls: number, limit: number, key = "app") => {
    let admitted = 0;
    for (let i = 0; i < calls; i++) if (processes[process]!.counts.count(key, limit).isAdmitted) admitted++;
    return admitted;
  };
  return { clock, processes, exchange, exchangeOne, call };
}

test("a process that is alone has the whole limit", () => {
  const { call } = cluster(1);
  assert.equal(call(0, 150, 100), 100);
});

test("the first shares of processes are equal, and add up to the limit", () => {
  const ids = ["a", "b", "c"];
  assert.deepEqual(
    ids.map((id) => firstShare(100, id, ids)),
    [34, 33, 33],
  );
  assert.deepEqual(
    ids.map((id) => firstShare(2, id, ids)),
    [1, 1, 0],
  );
});

test("calls that come to all processes alike are admitted at once up to the limit", () => {
  const { call } = cluster(4);
  assert.deepEqual(
    [0, 1, 2, 3].map((process) => call(process, 100, 100)),
    [25, 25, 25, 25],
  );
});

test("calls that all come to one process have nearly all of the limit within four seconds", () => {
  const { clock, call, exchange } = cluster(4);
  let admitted = 0;
  for (let second = 0; second < 4; second++) {
    admitted += call(0, 200, 600);
    clock.ms += 1_000;
    exchange();
  }
  admitted += call(0, 200, 600);
  assert.ok(admitted >= 590 && admitted <= 600, `${admitted} of 600`);
});

test("at any process, at any time: never more than the limit in a window, in any order of exchanges", () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let run = 0; run < 300; run++) {
    const count = 1 + random(6);
    const { clock, processes, exchangeOne, call } = cluster(count);
    const limit = 1 + random(200);
    let admitted = 0;
    // Until the window that begins here ends.
    while (clock.ms < WINDOW_MS - 2_000) {
      admitted += call(random(count), random(40), limit);
      // Some do not get to exchange, and the order is any.
      for (let i = 0; i < count; i++) if (random(3) > 0) exchangeOne(processes[random(count)]!);
      clock.ms += 200 + random(2_000);
    }
    assert.ok(admitted <= limit, `${admitted} of ${limit} by ${count} processes in run ${run}`);
  }
});

test("a window that has begun at several processes ends for all of them when the first one ends", () => {
  const { clock, call, exchange } = cluster(2);
  call(0, 5, 10);
  clock.ms = 900;
  call(1, 5, 10);
  exchange();
  exchange();
  clock.ms = WINDOW_MS;
  assert.equal(call(0, 5, 10) + call(1, 5, 10), 10);
});

test("a lower limit holds at once, a higher one of one process too", () => {
  const { call } = cluster(1);
  assert.equal(call(0, 5, 10), 5);
  assert.equal(call(0, 5, 4), 0);
  assert.equal(call(0, 20, 12), 7);
});

test("a limit that is lowered while the share of the higher one is stored holds all the same", () => {
  const counts = createCallCounts("p0", 100, () => 0);
  const other = (said: readonly [string, Said][]) => [{ id: "p1", said: new Map(said) }];
  counts.exchange(other([]));
  counts.count("app", 100);
  const said = counts.exchange(other([["app", { endsAt: WINDOW_MS, limit: 100, recent: 0, admitted: 0, share: 0 }]]));
  assert.ok(said.get("app")!.share > 50);
  counts.count("app", 10);
  counts.settle(said);
  let admitted = 2;
  for (let i = 0; i < 100; i++) if (counts.count("app", 10).isAdmitted) admitted++;
  assert.equal(admitted, 5);
});
