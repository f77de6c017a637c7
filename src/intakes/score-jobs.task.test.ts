import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import { createScoreJobs } from "./score-jobs.task.ts";

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const intakes = (from: number, count: number, applicationId = "a") =>
  Array.from({ length: count }, (_, i) => ({ id: `${from + i}`, applicationId }));

/** The jobs that were sent: their ids and priorities. */
function recording(options: { isPressed?: () => boolean; pause?: () => Promise<void>; fails?: boolean } = {}) {
  const { isPressed = () => false, pause, fails } = options;
  const sent: { ids: readonly string[]; priority: number }[] = [];
  const sendJob = async (ids: readonly string[], priority: number) => {
    sent.push({ ids, priority });
    if (fails) throw new Error("no connection");
  };
  return { sent, jobs: createScoreJobs({ sendJob, isPressed, log, ...(pause && { pause }) }) };
}

test("a job is sent at once; what is accepted meanwhile makes the next, of 500 at most", async () => {
  const { sent, jobs } = recording();
  jobs.add(intakes(0, 1));
  assert.deepEqual(sent, [{ ids: ["0"], priority: 0 }]);
  jobs.add(intakes(1, 2));
  jobs.add(intakes(3, 499, "b"));
  jobs.add(intakes(502, 100, "c"));
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [1, 500, 101],
  );
  assert.equal(new Set(sent.flatMap(({ ids }) => ids)).size, 602);
});

test("intakes of an application that sent many have a job of their own, after the others", async () => {
  const { sent, jobs } = recording();
  jobs.add(intakes(0, 501, "flood"));
  jobs.add(intakes(1_000, 1, "calm"));
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids, priority }) => [ids.length, priority]),
    [
      [500, 0],
      [1, 0],
      [1, -1],
    ],
  );
  assert.deepEqual(sent[1]!.ids, ["1000"]);
});

test("in a burst jobs are sent with a pause, so that they are few", async () => {
  let isPressed = true;
  const pauseOver = Promise.withResolvers<void>();
  const { sent, jobs } = recording({ isPressed: () => isPressed, pause: () => pauseOver.promise });
  jobs.add(intakes(0, 40));
  for (let i = 1; i <= 4; i++) {
    await nextTurn();
    jobs.add(intakes(i * 40, 40));
  }
  isPressed = false;
  pauseOver.resolve();
  await jobs.idle();
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [40, 160],
  );
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
