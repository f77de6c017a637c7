import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import { createScoreJobs } from "./score-jobs.task.ts";

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const intakes = (from: number, count: number, applicationId = "a") =>
  Array.from({ length: count }, (_, i) => ({ id: `${from + i}`, applicationId }));

interface Recorded {
  readonly pause?: (ms: number) => Promise<void>;
  readonly fails?: boolean;
  readonly isBurst?: () => boolean;
}

/** The jobs that were sent: their ids and priorities. */
function recording({ pause = async () => {}, fails, isBurst }: Recorded = {}) {
  const sent: { ids: readonly string[]; priority: number }[] = [];
  const sendJob = async (ids: readonly string[], priority: number) => {
    sent.push({ ids, priority });
    if (fails) throw new Error("no connection");
  };
  return { sent, jobs: createScoreJobs({ sendJob, log, pause, ...(isBurst && { isBurst }) }) };
}

test("a job is sent at once; what is accepted meanwhile makes the next, of 250 at most", async () => {
  const { sent, jobs } = recording();
  jobs.add(intakes(0, 1));
  assert.deepEqual(sent, [{ ids: ["0"], priority: 0 }]);
  jobs.add(intakes(1, 2));
  jobs.add(intakes(3, 249, "b"));
  jobs.add(intakes(252, 100, "c"));
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [1, 250, 101],
  );
  assert.equal(new Set(sent.flatMap(({ ids }) => ids)).size, 352);
});

test("intakes of an application that sent many have a job of their own, after the others", async () => {
  const { sent, jobs } = recording();
  jobs.add(intakes(0, 501, "flood"));
  jobs.add(intakes(1_000, 1, "calm"));
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids, priority }) => [ids.length, priority]),
    [
      [250, 0],
      [250, 0],
      [1, 0],
      [1, -1],
    ],
  );
  assert.deepEqual(sent[2]!.ids, ["1000"]);
});

test("there is a pause between two jobs, so that they are few under any load", async () => {
  const pauseOver = Promise.withResolvers<void>();
  const { sent, jobs } = recording({ pause: () => pauseOver.promise });
  jobs.add(intakes(0, 40));
  for (let i = 1; i <= 4; i++) {
    await nextTurn();
    jobs.add(intakes(i * 40, 40));
  }
  pauseOver.resolve();
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [40, 160],
  );
});

test("the pause is short after a lone intake, and 100 ms at most", async () => {
  const pauses: number[] = [];
  const { jobs } = recording({ pause: async (ms) => void pauses.push(ms) });
  for (const count of [1, 3, 200]) {
    jobs.add(intakes(0, count));
    await jobs.idle();
  }
  assert.deepEqual(pauses, [5, 15, 100]);
});

test("a job that cannot be sent stops no other", async () => {
  const { sent, jobs } = recording({ fails: true });
  jobs.add(intakes(0, 1));
  await jobs.idle();
  jobs.add(intakes(1, 1));
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids }) => ids),
    [["0"], ["1"]],
  );
});

/** A process that scores: each scoring ends when its promise is settled by the test. */
function scoringHere(isBurst = () => false) {
  const { sent, jobs } = recording({ isBurst });
  const scorings: { ids: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  jobs.scoreHere((ids) => {
    const end = Promise.withResolvers<void>();
    scorings.push({ ids, end });
    return end.promise;
  });
  const add = async (from: number, count: number) => {
    jobs.add(intakes(from, count));
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  };
  return { sent, jobs, scorings, add };
}

test("a process that does background work scores a few at once, without a job", async () => {
  const { sent, jobs, scorings, add } = scoringHere();
  await add(0, 3);
  await add(3, 5);
  assert.deepEqual(
    scorings.map(({ ids }) => ids.length),
    [3, 5],
  );
  for (const { end } of scorings) end.resolve();
  await jobs.idle();
  assert.deepEqual(sent, []);
});

test("many, a third scoring at once, and a burst become jobs", async () => {
  let isBurst = false;
  const { sent, jobs, scorings, add } = scoringHere(() => isBurst);
  await add(0, 6);
  isBurst = true;
  await add(100, 2);
  isBurst = false;
  for (let n = 0; n < 3; n++) await add(200 + n, 1);
  assert.deepEqual(
    [scorings.map(({ ids }) => ids.length), sent.map(({ ids }) => ids.length)],
    [
      [1, 1],
      [6, 2, 1],
    ],
  );
  scorings[0]!.end.resolve();
  await nextTurn();
  await add(300, 4);
  assert.equal(scorings[2]!.ids.length, 4);
  for (const { end } of scorings) end.resolve();
  await jobs.idle();
});

test("a scoring that fails becomes a job; after a stop nothing is scored without one", async () => {
  const { sent, jobs, scorings } = scoringHere();
  jobs.add(intakes(0, 2));
  scorings[0]!.end.reject(new Error("no connection"));
  await jobs.idle();
  assert.deepEqual(sent, [{ ids: ["0", "1"], priority: 0 }]);
  jobs.add(intakes(2, 1));
  await jobs.idle();
  assert.equal(scorings.length, 1);
  assert.deepEqual(sent[1]!.ids, ["2"]);
});
