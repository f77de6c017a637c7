import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startProcess } from "../test/support/processes.ts";
import type { CeilingKind, CeilingRequest } from "./ceiling.ts";
import { cpuMsOfTree, loadAverage } from "./cpu.ts";
import { columns, median, rounded } from "./figures.ts";
import { startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";
import { cpuBetween, startSubject } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { warmUp } from "./warm-up.ts";

const CONNECTIONS = 128;
const POLL_MS = 20;
const FINISH_MS_MAX = 120_000;

/** What one variant did in a round: requests or intakes a second, and processor time of each in µs. */
interface Round {
  readonly perSecond: number;
  readonly node: number;
  readonly postgres: number;
}

/** The same work with a part left out, or added. */
interface Variant {
  readonly name: string;
  round(): Promise<Round>;
  close(): Promise<void>;
}

/** Medians of a variant's rounds. */
export interface Floor extends Round {
  readonly name: string;
}

export interface Floors {
  readonly accepting: readonly Floor[];
  readonly intakes: readonly Floor[];
  readonly loads: readonly number[];
}

interface FloorOptions {
  readonly rounds: number;
  readonly roundMs: number;
  readonly foods: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Where the ceiling is in the list of those that accept. */
const CEILING = "ceiling: without database and log";

/**
 * Measures the same load against variants of the service: what remains when a part is removed shows what that part
 * costs. All services of a list run at once, and take turns.
 */
export async function measureFloors(options: FloorOptions): Promise<Floors> {
  const loads = [loadAverage()];
  const accepting = await alternate("accepting", acceptingVariants(options), options);
  loads.push(loadAverage());
  const intakes = await alternate("intakes", intakeVariants(options), options);
  loads.push(loadAverage());
  return { accepting, intakes, loads };
}

type Starting = () => Promise<Variant>;

function acceptingVariants({ roundMs, ...warming }: FloorOptions): Starting[] {
  const accepts = (name: string, kind: Kind) => (): Promise<Variant> => accepting(name, roundMs, kind, warming);
  return [
    () => ceiling("Node's HTTP server alone: reads the body, responds", "http", roundMs),
    () => ceiling("… with Fastify and the parsed body", "fastify", roundMs),
    () => ceiling(CEILING, "all", roundMs),
    accepts("npm run serve, without log and without waiting for the disk", { ...SERVE, ...QUIET, ...LAZY }),
    accepts("npm run serve, without log", { ...SERVE, ...QUIET }),
    accepts("npm run serve, without waiting for the disk", { ...SERVE, ...LAZY }),
    accepts("npm run serve", SERVE),
    accepts("npm start, nothing booked meanwhile", { role: "start", isHeld: true }),
    accepts("npm start", { role: "start" }),
  ];
}

function intakeVariants({ foods, ...warming }: FloorOptions): Starting[] {
  const all = (name: string, kind: Kind) => (): Promise<Variant> => intakes(name, foods, kind, warming);
  return [
    all("no endpoint", { endpoints: 0 }),
    all("one endpoint, without waiting for the disk", { endpoints: 1, ...LAZY }),
    all("one endpoint, without log", { endpoints: 1, ...QUIET }),
    all("one endpoint: four webhooks", { endpoints: 1 }),
    all("four endpoints: sixteen webhooks", { endpoints: 4 }),
  ];
}

interface Kind {
  readonly role?: "start" | "serve";
  readonly endpoints?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Only to show what an fsync costs: a crash of the machine would lose what was accepted. */
  readonly isLazy?: boolean;
  /** A lock on all balances stops the booking, and so everything after it, for the time of a round. */
  readonly isHeld?: boolean;
}

const SERVE: Kind = { role: "serve" };
const QUIET: Kind = { env: { LOG_LEVEL: "warn" } };
const LAZY: Kind = { isLazy: true };

async function alternate(list: string, starting: Starting[], options: FloorOptions): Promise<Floor[]> {
  const { rounds, progress, signal } = options;
  const variants: Variant[] = [];
  try {
    for (const start of starting) {
      signal.throwIfAborted();
      progress(`floors, ${list}: starting ${variants.length + 1} of ${starting.length}`);
      variants.push(await start());
    }
    const measured = variants.map((): Round[] => []);
    // The first one warms up.
    for (let n = 0; n <= rounds; n++) {
      for (let i = 0; i < variants.length; i++) {
        signal.throwIfAborted();
        const at = (i + n) % variants.length;
        progress(`floors, ${list}: round ${n} of ${rounds}, ${variants[at]!.name}`);
        const round = await variants[at]!.round();
        if (n > 0) measured[at]!.push(round);
      }
    }
    const of = (at: number, what: keyof Round): number => median(measured[at]!.map((round) => round[what]));
    return variants.map(({ name }, at) => {
      return { name, perSecond: of(at, "perSecond"), node: of(at, "node"), postgres: of(at, "postgres") };
    });
  } finally {
    await Promise.all(variants.map((variant) => variant.close().catch(() => {})));
  }
}

/** A server without a database. It is given its load by the generator of a service that rests. */
async function ceiling(name: string, kind: CeilingKind, durationMs: number): Promise<Variant> {
  const subject = await startSubject("serve");
  const program = startProgram<CeilingRequest, { url: string }>("ceiling.ts");
  const close = async (): Promise<void> => {
    await program.stop();
    await subject.close();
  };
  const secretHashHex = createHash("sha256").update(subject.clientSecret).digest("hex");
  const asked = program.ask({ clientId: subject.clientId, secretHashHex, kind });
  const { url } = await asked.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    name,
    round: async () => {
      const beforeMs = cpuMsOfTree(program.pid);
      const sent = await subject.send({ kind: "food", connections: CONNECTIONS, durationMs, url });
      const node = ((cpuMsOfTree(program.pid) - beforeMs) / sent.accepted) * 1_000;
      return { perSecond: (sent.accepted / sent.durationMs) * 1_000, node, postgres: 0 };
    },
    close,
  };
}

async function accepting(name: string, durationMs: number, kind: Kind, warming: Warming): Promise<Variant> {
  const { subject, database, finished, close } = await start(name, kind, warming);
  return {
    name,
    round: async () => {
      if (kind.isHeld) await database.query("BEGIN; LOCK TABLE balances IN EXCLUSIVE MODE");
      const before = subject.cpu();
      const sent = await subject.send({ kind: "food", connections: CONNECTIONS, durationMs });
      const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
      if (kind.isHeld) await database.query("ROLLBACK");
      // The work of this round must not run in the next one, which is another variant's.
      if (kind.role === "start") await finished();
      const each = (ms: number): number => (ms / sent.accepted) * 1_000;
      return { perSecond: (sent.accepted / sent.durationMs) * 1_000, node: each(nodeMs), postgres: each(postgresMs) };
    },
    close,
  };
}

/** Foods from the request to the last webhook. */
async function intakes(name: string, foods: number, kind: Kind, warming: Warming): Promise<Variant> {
  const { subject, finished, close } = await start(name, kind, warming);
  return {
    name,
    round: async () => {
      const [before, startedMs] = [subject.cpu(), performance.now()];
      const { accepted } = await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: foods });
      await finished();
      const durationMs = performance.now() - startedMs;
      const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
      const each = (ms: number): number => (ms / accepted) * 1_000;
      return { perSecond: (accepted / durationMs) * 1_000, node: each(nodeMs), postgres: each(postgresMs) };
    },
    close,
  };
}

type Warming = Pick<FloorOptions, "progress" | "signal">;

interface Started {
  readonly subject: Subject;
  readonly database: Client;
  /** Waits until everything is booked and every event has arrived at each endpoint. */
  finished(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service of a variant, and sends it foods until its code is compiled. */
async function start(name: string, kind: Kind, { progress, signal }: Warming): Promise<Started> {
  const { role = "start", endpoints = 1, env = {}, isLazy = false } = kind;
  const subject = await startSubject(role, { isDatabaseApart: true, endpoints, env });
  const database = new Client(subject.databaseUrl!);
  const close = async (): Promise<void> => {
    await database.end().catch(() => {});
    await subject.close();
  };
  try {
    await database.connect();
    if (isLazy) {
      await database.query("ALTER ROLE CURRENT_USER SET synchronous_commit = off");
      // For its connections.
      await subject.restart(startProcess);
    }
    const finished = (): Promise<void> => allFinished(subject, database, endpoints);
    const say: Progress = (text) => progress(`floors, ${name}: ${text}`);
    await warmUp(subject, { progress: say, signal, settled: role === "start" ? finished : undefined });
    return { subject, database, finished, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By what has arrived: whatever counted rows of the service would be a part of the time, and of PostgreSQL's. */
async function allFinished(subject: Subject, database: Client, endpoints: number): Promise<void> {
  // Of an event that came to several endpoints the first is a delivery, the others are repeats.
  const arrived = async (): Promise<boolean> => {
    const { deliveries, repeats } = await subject.settled();
    return deliveries + repeats >= deliveries * endpoints;
  };
  const booked = async (): Promise<boolean> => {
    // By a small index.
    const { rows } = await database.query("SELECT FROM intakes WHERE finished_at IS NULL LIMIT 1");
    return rows.length === 0;
  };
  const isOver = endpoints === 0 ? booked : arrived;
  for (const deadline = Date.now() + FINISH_MS_MAX; !(await isOver()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error("what was accepted was not booked and delivered in time");
  }
}

/** The floors for people. */
export function floorsText({ accepting, intakes }: Floors): string {
  const top = accepting.find(({ name }) => name === CEILING)!;
  const us = (value: number): string => `${rounded(value)} µs`;
  const both = ({ node, postgres }: Round): number => node + postgres;
  const row = (floor: Floor, share: string): string[] => [
    floor.name,
    `${rounded(floor.perSecond)} /s`,
    share,
    us(floor.node),
    us(floor.postgres),
    `${rounded(both(floor) / both(top))} ×`,
  ];
  const head = ["rate", "of the ceiling", "Node", "PostgreSQL", "both, in requests to the ceiling"];
  return [
    columns([["accepting a food", ...head], ...accepting.map((floor) => row(floor, share(floor, top)))]),
    columns([["a food to its last webhook", ...head], ...intakes.map((floor) => row(floor, share(floor, top)))]),
  ].join("\n\n");
}

function share({ perSecond }: Round, top: Round): string {
  return (perSecond / top.perSecond).toFixed(3);
}
