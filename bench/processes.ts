// The service as one process and as several, on one PostgreSQL: what all of them do in a second, what each costs, and
// whether anything is lost or done twice.
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/postgres/postgres.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { freePort, postmasterPid, startProcess } from "../test/support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "../test/support/processes.ts";
import { cpuMsOfTree } from "./cpu.ts";
import { median } from "./figures.ts";
import type { Figure } from "./figures.ts";
import type { Load, Sent } from "./generator.ts";
import { startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";
import { FOODS_UNTIL_COMPILED, warmUpBy } from "./warm-up.ts";

type Role = NonNullable<ProcessSettings["role"]>;
const ARRANGEMENTS: Readonly<Record<string, readonly Role[]>> = {
  "1 start": ["start"],
  "1 serve + 1 work": ["serve", "work"],
  "2 serve + 2 work": ["serve", "serve", "work", "work"],
};
const FOODS = 6_000;
const CONNECTIONS = 128;
const ROUNDS = 3;
const WAIT_MS_MAX = 180_000;
const POLL_MS = 20;

interface Round {
  readonly perSecond: number;
  readonly acceptedPerSecond: number;
  /** Processor time of each part in µs an intake, and of all in cores. */
  readonly parts: Readonly<Record<string, number>>;
  readonly cores: number;
}

/** Lets the arrangements take turns on one database: each round starts its processes, and ends them. */
export async function measureProcesses(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  const generators = [0, 1].map(() => startProgram<Load, Sent>("generator.ts"));
  const rounds: Record<string, Round[]> = {};
  let accepted = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, roles] of Object.entries(ARRANGEMENTS)) {
        const say: Progress = (text) => progress(`processes: ${name}, round ${round + 1} of ${ROUNDS}${text}`);
        say("");
        const group: ServiceProcess[] = [];
        await subject.restart(async (settings) => startGroup(settings, roles, group));
        const load = { subject, group, roles, generators };
        // The processes of each round are new.
        const warm = async (foods: number): Promise<void> => {
          const prefix = `warm-${round}-${name}-${accepted}`;
          accepted += (await send({ ...load, prefix, foods, accepted })).accepted;
        };
        const foods = FOODS_UNTIL_COMPILED * roles.filter((role) => role !== "work").length;
        await warmUpBy(warm, { progress: (text) => say(`, ${text}`), foods });
        say("");
        const measured = await send({ ...load, prefix: `round-${round}-${name}`, foods: FOODS, accepted });
        accepted += measured.accepted;
        (rounds[name] ??= []).push(measured.round);
      }
    }
    progress("processes: the audit");
    return [
      ...Object.entries(rounds).flatMap(([name, all]) => figuresOf(name, all)),
      ...(await audit(subject, accepted)),
    ];
  } finally {
    for (const { stop } of generators) await stop();
  }
}

/** Starts a process for each role, one after the other. What stops the first one stops them all. */
async function startGroup(
  settings: ProcessSettings,
  roles: readonly Role[],
  group: ServiceProcess[],
): Promise<ServiceProcess> {
  for (const [i, role] of roles.entries()) {
    group.push(await startProcess({ ...settings, role, port: i === 0 ? settings.port : await freePort() }));
  }
  const stop = async (): Promise<number | null> => (await Promise.all(group.map((each) => each.stop())))[0]!;
  return { ...group[0]!, stop };
}

interface Sending {
  readonly subject: Subject;
  readonly group: readonly ServiceProcess[];
  readonly roles: readonly Role[];
  readonly generators: readonly ReturnType<typeof startProgram<Load, Sent>>[];
  readonly prefix: string;
  readonly foods: number;
  /** All earlier ones. */
  readonly accepted: number;
}

/** Sends foods to all that accept, and waits for the last webhook. */
async function send(sending: Sending): Promise<{ accepted: number; round: Round }> {
  const { subject, group, roles, generators, prefix, foods } = sending;
  const urls = group.filter((_, i) => roles[i] !== "work").map(({ url }) => url);
  const before = cpuOf(sending);
  const startMs = performance.now();
  const sent = await Promise.all(
    urls.map((url, i) =>
      generators[i]!.ask({
        url,
        headers: subject.headers,
        userIds: subject.userIds,
        kind: "food",
        prefix: `${prefix}-${i}`,
        connections: CONNECTIONS / urls.length,
        requestsMax: foods / urls.length,
        durationMs: WAIT_MS_MAX,
        isKeyed: false,
      }),
    ),
  );
  const acceptedMs = performance.now() - startMs;
  const refused = sent.reduce((sum, each) => sum + each.refused, 0);
  if (refused > 0) throw new Error(`${refused} foods were refused`);
  const accepted = sent.reduce((sum, each) => sum + each.accepted, 0);
  for (const deadline = Date.now() + WAIT_MS_MAX; ; await sleep(POLL_MS)) {
    const { ended, awardsOwed } = await subject.tally();
    if (ended === sending.accepted + accepted && awardsOwed === 0) break;
    if (Date.now() > deadline) throw new Error(`${sending.accepted + accepted - ended} foods did not end`);
  }
  const durationMs = performance.now() - startMs;
  const after = cpuOf(sending);
  const spent = Object.entries(after).map(([part, ms]) => [part, ms - before[part]!] as const);
  const round = {
    perSecond: (accepted / durationMs) * 1_000,
    acceptedPerSecond: (accepted / acceptedMs) * 1_000,
    parts: Object.fromEntries(spent.map(([part, ms]) => [part, (ms / accepted) * 1_000])),
    cores: spent.reduce((sum, [, ms]) => sum + ms, 0) / durationMs,
  };
  return { accepted, round };
}

/** Processor time so far: of the processes by their role, of PostgreSQL, and of the bench. */
function cpuOf({ subject, group, roles, generators }: Sending): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [i, { child }] of group.entries()) {
    parts[roles[i]!] = (parts[roles[i]!] ?? 0) + cpuMsOfTree(child.pid!);
  }
  parts["PostgreSQL"] = cpuMsOfTree(postmasterPid(subject.dataDir)!);
  const ofBench = generators.reduce((sum, { pid }) => sum + cpuMsOfTree(pid), 0);
  parts["generator and receiver"] = ofBench + subject.cpu().receiverMs;
  return parts;
}

function figuresOf(name: string, rounds: readonly Round[]): Figure[] {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const parts = Object.keys(rounds[0]!.parts).map((part) => `${part} ${of((each) => each.parts[part]!).toFixed(0)}`);
  const all = rounds.map(({ perSecond }) => perSecond.toFixed(0)).join(", ");
  return [
    {
      name: `${name}: intakes from request to last webhook`,
      value: of(({ perSecond }) => perSecond),
      unit: "/s",
      note: `${all}; accepted ${of(({ acceptedPerSecond }) => acceptedPerSecond).toFixed(0)}/s`,
    },
    {
      name: `${name}: cores in use`,
      value: of(({ cores }) => cores),
      unit: "",
      note: `µs an intake: ${parts.join(", ")}`,
    },
  ];
}

/** What is missing or there twice, of all foods of all rounds. */
async function audit(subject: Subject, accepted: number): Promise<Figure[]> {
  const { repeats, ended, deliveries } = await subject.tally();
  const connection = { connectionString: subject.databaseUrl! };
  const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
  try {
    const { rows } = await database.pool.query<Record<"completed" | "records" | "submissions" | "events", number>>(
      `SELECT (SELECT count(*) FROM intakes WHERE state = 'completed')::int AS completed, count(*)::int AS records,
              count(DISTINCT submission_id)::int AS submissions, (SELECT count(*) FROM events)::int AS events
       FROM records WHERE source = 'food'`,
    );
    const { completed, records, submissions, events } = rows[0]!;
    const { differences } = await verifyLedger(database);
    const none = { below: 1 };
    return [
      {
        name: "foods lost",
        value: accepted - Math.min(completed, ended, submissions),
        unit: "",
        aim: none,
        note: `of ${accepted}`,
      },
      { name: "foods credited twice", value: records - submissions, unit: "", aim: none },
      { name: "events without a webhook", value: events - deliveries, unit: "", aim: none, note: `of ${events}` },
      { name: "webhooks sent twice", value: repeats, unit: "", aim: none },
      { name: "differences in the ledger", value: differences.length, unit: "", aim: none },
    ];
  } finally {
    await database.close();
  }
}
