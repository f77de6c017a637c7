// What `npm run bench` measures, by name.
import { measureAccept, measureAcceptAlone } from "./accept.ts";
import { measureBytes } from "./bytes.ts";
import type { Figure } from "./figures.ts";
import { measureHealth } from "./health.ts";
import { measureIdle, measureIntakes } from "./intakes.ts";
import { measureMoves } from "./moves.ts";
import { measureProcesses } from "./processes.ts";
import type { Progress } from "./progress.ts";
import { measureReads } from "./reads.ts";
import { measureReceipts } from "./receipts.ts";
import { measureStart } from "./start.ts";
import { measureSteady } from "./steady.ts";
import type { Subject } from "./subject.ts";
import { measureVerification } from "./verification.ts";
import { measureWebhooks } from "./webhooks.ts";

/** How it is measured: rounds are those of accepting. */
interface How {
  readonly rounds: number;
  readonly roundMs: number;
  readonly steadyMs: number;
  readonly progress: Progress;
}

interface Measured {
  /** For those who choose. */
  readonly what: string;
  /** Of a service on an empty folder. */
  run(subject: Subject, how: How): Promise<Figure[]>;
  /** "serve": it only accepts. */
  readonly role?: "serve";
  /** The bench starts the database server, and may use it as well. */
  readonly isDatabaseApart?: true;
  /** Only when it is named: it takes long. */
  readonly isLong?: true;
}

/** In this order: measurements that need a quiet service first. */
export const MEASUREMENTS: Readonly<Record<string, Measured>> = {
  start: {
    what: "npm start on existing data: time, memory, the first receipt",
    run: (subject, { progress }) => measureStart(subject, { progress }),
  },
  idle: {
    what: "one food after the other: time from the request to its last event",
    run: (subject, { progress }) => measureIdle(subject, { progress }),
  },
  webhooks: {
    what: "time of events to healthy endpoints while others hang or fail",
    run: (subject, { progress }) => measureWebhooks(subject, { rounds: 3, progress }),
  },
  intakes: {
    what: "processor time of a food from the request to its last webhook",
    run: (subject, { progress }) => measureIntakes(subject, { progress }),
  },
  receipts: {
    what: "time from the upload of a drawn receipt to its last event",
    run: (subject, { progress }) => measureReceipts(subject, { photos: 8, progress }),
  },
  health: {
    what: "the slowest /health/live while meals and receipts are in progress",
    run: (subject, { progress }) => measureHealth(subject, { runs: 3, progress }),
  },
  reads: {
    what: "pages of a user with a million records beside one with a thousand",
    run: (subject, { progress }) => measureReads(subject, { rounds: 200, progress }),
    isDatabaseApart: true,
  },
  moves: {
    what: "adjustments, reversals and redemptions, 64 at once",
    run: (subject, { progress }) => measureMoves(subject, { progress }),
  },
  bytes: {
    what: "what a food and a receipt leave in the database",
    run: (subject, { progress }) => measureBytes(subject, { foods: 1_500, receipts: 8, progress }),
  },
  serve: {
    what: "foods that npm run serve accepts, against the same server storing nothing",
    run: measureAcceptAlone,
    role: "serve",
    isDatabaseApart: true,
  },
  accept: {
    what: "the same of npm start, which scores and delivers meanwhile",
    run: measureAccept,
  },
  verify: {
    what: "ledger verify over a million records: ten minutes or more",
    run: (subject, { progress }) => measureVerification(subject, { progress }),
    isDatabaseApart: true,
    isLong: true,
  },
  steady: {
    what: "80 % of what the whole chain can do, for --seconds (60): two minutes",
    run: (subject, { steadyMs, progress }) => measureSteady(subject, { durationMs: steadyMs, progress }),
    isDatabaseApart: true,
    isLong: true,
  },
  processes: {
    what: "one process, 1 serve + 1 work, 2 + 2 on one PostgreSQL: eight minutes",
    run: (subject, { progress }) => measureProcesses(subject, { progress }),
    isDatabaseApart: true,
    isLong: true,
  },
};
