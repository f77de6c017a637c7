import * as fc from "fast-check";
import { REFERENCES, USERS, submissionOf, survived } from "./world.ts";
import type { QueuedJob, World } from "./world.ts";
import { command, crashAfter } from "./command.ts";
import type { Command } from "./command.ts";
import { MOVES } from "./move-commands.ts";

interface Sent {
  readonly user: number;
  readonly reference: number;
  readonly source: "meal" | "food";
}

/** A batch of submissions reaches a process that may end before its response. */
function accept(batch: readonly Sent[], crashAfter: number): Command {
  return command(`accept ${JSON.stringify(batch)}, crash after ${crashAfter}`, async (world) => {
    const at = new Date(world.clockMs);
    const arrivals = batch.map(({ user, reference, source }) => ({
      id: world.newId(),
      applicationId: world.applicationId,
      userId: world.userIds[user]!,
      source,
      submission: submissionOf(`ref-${reference}`, at),
      acceptedAt: at,
      key: null,
    }));
    const stages = world.process(crashAfter);
    await survived(
      stages.accept(arrivals).then((arrived) => {
        for (const [i, { id, userId, source, submission }] of arrivals.entries()) {
          if (arrived[i] !== "stored") continue;
          world.acknowledged.push({ id, userId, reference: `${source} ${submission.reference}` });
        }
      }),
    );
    await stages.idle();
  });
}

/** A worker takes any job. If it ends during the work, the job is attempted again or lost. */
function work(pick: number, crashAfter: number, isLost: boolean): Command {
  return command(`work ${pick}, crash after ${crashAfter}${isLost ? ", job lost" : ""}`, async (world) => {
    const job = take(world, pick);
    if (!job) return;
    if (await survived(world.process(crashAfter).runJob(job.data, job.attempt))) return;
    if (!isLost) world.queue.push({ ...job, attempt: job.attempt + 1 });
  });
}

/** Two workers at once: on two jobs, or on one job that was fetched twice. */
function workTwice(pick: number, other: number, crashAfter: number): Command {
  return command(`work ${pick} and ${other} at once, crash after ${crashAfter}`, async (world) => {
    const job = take(world, pick);
    if (!job) return;
    const second = take(world, other) ?? job;
    const ends = await Promise.all([
      survived(world.process(crashAfter).runJob(job.data, job.attempt)),
      survived(world.process(Number.MAX_SAFE_INTEGER).runJob(second.data, second.attempt)),
    ]);
    if (!ends[0]) world.queue.push({ ...job, attempt: job.attempt + 1 });
  });
}

function sweep(crashAfter: number): Command {
  return command(`sweep, crash after ${crashAfter}`, async (world) => {
    await survived(world.process(crashAfter).sweep());
  });
}

/** The task of the daily figures. */
function addUpFigures(crashAfter: number): Command {
  return command(`figures, crash after ${crashAfter}`, async (world) => {
    await survived(world.addUpFigures(crashAfter));
  });
}

function moveClock(seconds: number): Command {
  return command(`clock ${seconds} s`, async (world) => {
    world.clockMs += seconds * 1_000;
    world.hasGoneBack ||= seconds < 0;
  });
}

function take(world: World, pick: number): QueuedJob | undefined {
  return world.queue.splice(pick % Math.max(1, world.queue.length), 1)[0];
}

const sent = fc.record({
  user: fc.nat(USERS - 1),
  reference: fc.nat(REFERENCES - 1),
  source: fc.constantFrom("meal" as const, "food" as const),
});
const HOUR = 3_600;

/** Any life of a few minutes to a few months. Without bias, which would make half of them very short. */
export const lives = fc.noBias(
  fc.commands(
    [
      fc
        .tuple(fc.array(sent, { minLength: 1, maxLength: 4 }), crashAfter)
        .map(([batch, crash]) => accept(batch, crash)),
      fc.tuple(fc.nat(5), crashAfter, fc.boolean()).map(([pick, crash, isLost]) => work(pick, crash, isLost)),
      fc.tuple(fc.nat(5), fc.nat(5), crashAfter).map(([pick, other, crash]) => workTwice(pick, other, crash)),
      crashAfter.map(sweep),
      crashAfter.map(addUpFigures),
      fc.constantFrom(1, 20, HOUR, -HOUR, 40 * 24 * HOUR, -24 * HOUR).map(moveClock),
      ...MOVES,
    ],
    { maxCommands: 40, size: "max" },
  ),
);
