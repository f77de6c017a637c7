// What is accepted and done in the background: both sides in turns.
import { randomBytes, randomInt } from "node:crypto";
import { eraseUser } from "../../src/users/erase.task.ts";
import { startProcess } from "../../test/support/processes.ts";
import { openDatabase } from "../../src/postgres/postgres.ts";
import { callerOf } from "../call.ts";
import { median } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { photo, readReceipts } from "../receipts.ts";
import type { Photo } from "../receipts.ts";
import { cpuBetween } from "../subject.ts";
import { originalPhoto } from "./models.ts";
import type { Side } from "./side.ts";
import { GROWTH_AIM, besideOf, takeTurns, timed } from "./turns.ts";
import type { Beside } from "./turns.ts";

const LONE_FOODS = 50;
const LOAD_ROUNDS = 4;
const FOODS = 1_500;
const CONNECTIONS = 64;
const RECEIPTS = 8;
const ENROLMENTS = 50;
const ERASURES = 10;
const DUPLICATES = 10;
/** Purchases that no other measurement draws. */
const FIRST_PHOTO = 4_000;
const PHOTOS = 100_000;
const PHOTO_LONG_PX = 1_600;

/** A lone food: to its 202, and to its last event. */
export async function measureLone(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  const accepted: Record<string, number[]> = {};
  const turn = async ({ label, subject, userIds }: Side, round: number): Promise<number> => {
    const sentMs = performance.timeOrigin + performance.now();
    const id = await subject.track(`lone-${round}`, userIds[round % userIds.length]);
    (accepted[label] ??= []).push(performance.timeOrigin + performance.now() - sentMs);
    const { atMs } = await subject.endOf(id);
    await subject.settled();
    return atMs - sentMs;
  };
  const of = { name: "a lone food, request to intake.completed", unit: "ms", rounds: LONE_FOODS };
  const ended = await besideOf(sides, of, turn, progress);
  const [small, large] = sides.map(({ label }) => median(accepted[label]!)) as [number, number];
  return [ended, { name: "a lone food, to its 202", unit: "ms", small, large, aim: GROWTH_AIM }];
}

/** Many foods at once, of users in turns, to their last webhook. */
export async function measureFoods(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  const names = ["Node", "PostgreSQL", "together", "accepted"] as const;
  const found = new Map<string, number[]>();
  const turn = async ({ label, subject, userIds }: Side, round: number): Promise<number> => {
    const before = subject.cpu();
    const load = { kind: "food", connections: CONNECTIONS, requestsMax: FOODS, userIds } as const;
    const sent = await subject.send(load);
    await subject.settled();
    const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
    const each = [nodeMs, postgresMs, nodeMs + postgresMs].map((ms) => (ms / sent.accepted) * 1_000);
    const values = [...each, sent.durationMs / sent.accepted];
    if (round > 0) {
      for (const [i, name] of names.entries())
        found.set(`${label} ${name}`, [...(found.get(`${label} ${name}`) ?? []), values[i]!]);
    }
    return each[2]!;
  };
  await takeTurns(sides, LOAD_ROUNDS, turn, (round) => progress(`foods: round ${round} of ${LOAD_ROUNDS}`));
  const row = (name: (typeof names)[number], as: string, unit: string): Beside => {
    const [small, large] = sides.map(({ label }) => median(found.get(`${label} ${name}`)!)) as [number, number];
    return { name: as, unit, small, large, aim: GROWTH_AIM };
  };
  return [
    row("together", "processor time of an intake to its webhooks", "µs"),
    row("Node", "… Node", "µs"),
    row("PostgreSQL", "… PostgreSQL", "µs"),
    row("accepted", `time for each accepted food, ${CONNECTIONS} at once`, "ms"),
  ];
}

/** Receipts one at a time: what is not reading, and the statements alone. */
export async function measureReceiptsBeside(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  progress("receipts: drawing photos");
  const photos: Photo[] = [];
  // A folder that is kept has the purchases of earlier runs.
  const first = FIRST_PHOTO + randomInt(PHOTOS);
  for (let n = 0; n <= RECEIPTS; n++) photos.push(await photo(first + n, PHOTO_LONG_PX));
  const found: Record<string, { apart: number; postgres: number }[]> = {};
  const turn = async ({ label, subject }: Side, round: number): Promise<number> => {
    const before = subject.cpu();
    await readReceipts(subject, [photos[round]!], 1);
    const { nodeMs, postgresMs, readingMs } = cpuBetween(before, subject.cpu());
    if (round > 0) (found[label] ??= []).push({ apart: nodeMs - readingMs, postgres: postgresMs });
    return nodeMs + postgresMs;
  };
  const of = { name: "a receipt: processor time", unit: "ms", rounds: RECEIPTS };
  const all = await besideOf(sides, of, turn, progress);
  const row = (name: string, part: "apart" | "postgres", aim: number | null): Beside => {
    const [small, large] = sides.map(({ label }) => median(found[label]!.map((each) => each[part]))) as [
      number,
      number,
    ];
    return { name, unit: "ms", small, large, aim };
  };
  // To ten milliseconds, the unit of the system's accounting.
  return [all, row("… Node without reading", "apart", GROWTH_AIM), row("… PostgreSQL", "postgres", null)];
}

/** Enrolments, uploads of a known image, and erasures. */
export async function measureOthers(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  const enrol = async ({ subject }: Side, round: number): Promise<number> => {
    const person = {
      email: `${round}-${randomBytes(6).toString("hex")}@example.org`,
      firstName: "Ada",
      lastName: "Lovelace",
    };
    const call = callerOf(subject.url, subject.headers);
    return timed(() => call("POST", "/users/enroll", person));
  };
  const again = await originalPhoto();
  const upload = async ({ subject, userIds }: Side, round: number): Promise<number> => {
    const ms = await timed(async () => subject.upload(again, userIds[round]));
    await subject.settled();
    return ms;
  };
  const files = { remove: async () => {} };
  const erase = async ({ subject, userIds }: Side, round: number): Promise<number> => {
    const connection = { connectionString: subject.databaseUrl! };
    const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
    try {
      return await timed(() =>
        eraseUser({ database, files, erasedReceiptDays: 400 }, userIds.at(-1 - round)!, new Date()),
      );
    } finally {
      await database.close();
    }
  };
  return [
    await besideOf(sides, { name: "an enrolment", unit: "ms", rounds: ENROLMENTS }, enrol, progress),
    await besideOf(
      sides,
      { name: "upload of an image that another receipt has", unit: "ms", rounds: DUPLICATES },
      upload,
      progress,
    ),
    await besideOf(
      sides,
      { name: "erasure of a user with a dozen records", unit: "ms", rounds: ERASURES },
      erase,
      progress,
    ),
  ];
}

/** Starts of the service on what it has. */
export async function measureStarts(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  const restart = async ({ subject }: Side): Promise<number> => {
    let startedMs = 0;
    await subject.restart((settings) => {
      startedMs = performance.now();
      return startProcess(settings);
    });
    return performance.now() - startedMs;
  };
  return [await besideOf(sides, { name: "start of the service", unit: "ms", rounds: 3 }, restart, progress)];
}
