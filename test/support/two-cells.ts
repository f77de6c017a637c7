import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { createFiles } from "../../src/files.ts";
import { installationKey, setInstallationKey } from "../../src/installation.store.ts";
import { moveApplication, undoMove } from "../../src/moving/move.task.ts";
import type { MoveDeps, Step } from "../../src/moving/move.task.ts";
import { findApplication } from "../../src/applications/store.ts";
import { findTables, countRowsOf } from "../../src/moving/rows.store.ts";
import { inOrder } from "../../src/moving/rules.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { createTestCell, createTestDatabase } from "./database.ts";
import type { TestDatabase } from "./database.ts";
import { GROCERIES, pageOf } from "./groceries.ts";
import { mealOf } from "./requests.ts";
import { nameOf, startService } from "./service.ts";
import type { Client, ServiceOptions, TestService } from "./service.ts";

export const SOUTH = "https://south.example";
/** A failed delivery waits for longer than a lease. */
const SCHEDULE = "0,600";

/** Two cells of one installation, each with its service. */
export interface TwoCells {
  readonly north: TestService;
  readonly south: TestService;
  close(): Promise<void>;
}

/** Starts two cells, in schemas of one database or in two databases. */
export async function startTwoCells(
  kind: "schemas" | "databases" = "schemas",
  options: ServiceOptions & { readonly southEnv?: Record<string, string>; readonly listsCells?: boolean } = {},
): Promise<TwoCells> {
  const { listsCells = false } = options;
  const first = await createTestDatabase({ connectionsMax: 10, listsCells });
  const second = kind === "schemas" ? await createTestCell(first, "south") : await createTestDatabase();
  // A clone has the name of its template.
  await second.database.pool.query("UPDATE cell SET id = gen_random_uuid()");
  await setInstallationKey(second.database, await installationKey(first.database));
  const ocr = { read: async () => pageOf(GROCERIES), close: async () => {} };
  const start = (database: TestDatabase, env = options.env) =>
    startService({ ocr, ...options, env: { WEBHOOK_RETRY_SCHEDULE: SCHEDULE, ...env }, database });
  const [north, south] = [await start(first), await start(second, options.southEnv)];
  return {
    north,
    south,
    close: async () => {
      try {
        await south.close();
      } finally {
        // Otherwise the process of the test would not end.
        await north.close();
      }
    },
  };
}

/** The process of the command was killed after a step. */
export class Killed extends Error {}

/** What moves an application from one service to another, with short waits. */
export function movingFrom(source: TestService, target: TestService, killedAfter: Step | null = null): MoveDeps {
  return {
    source: source.database,
    target: target.database,
    files: { source: filesOf(source), target: filesOf(target) },
    waits: { closedMs: 100, workMs: 20_000, leaseMs: 35_000, sendingMs: 60_000 },
    now: () => new Date(Date.now() + 10),
    report: () => {},
    onStep: (step) => {
      if (step === killedAfter) throw new Killed(step);
    },
  };
}

export function filesOf({ dataDir }: TestService) {
  return createFiles({ dir: join(dataDir, "files") });
}

/** Moves the application of a client. */
export async function move(deps: MoveDeps, { applicationId }: Client, address = SOUTH) {
  return moveApplication(deps, (await findApplication(deps.source, applicationId))!, address);
}

/** Undoes the move of the application of a client. */
export async function undo(deps: MoveDeps, { applicationId }: Client) {
  return undoMove(deps, (await findApplication(deps.source, applicationId))!);
}

/** Whether an event says that a submission was credited. */
export const isDone = (event: { event?: string; eventType?: string }) => nameOf(event) === "intake.completed";

/** A user with points of a meal. */
export async function eater(client: Client): Promise<string> {
  const userId = await client.enrol();
  await client.post("/track/meals", mealOf(userId, `meal of ${userId}`), 202);
  await client.until((events) => events.filter(isDone).some((event) => JSON.stringify(event).includes(userId)));
  return userId;
}

const UNATTEMPTED = `
  SELECT FROM events e JOIN endpoints p ON p.application_id = e.application_id AND p.created_at <= e.created_at
  WHERE e.application_id = $1
    AND NOT EXISTS (SELECT FROM deliveries d
                    WHERE (d.user_id, d.subject, d.position, d.endpoint_id) = (e.user_id, e.subject, e.position, p.id)
                      AND (d.attempts > 0 OR p.failing_since IS NOT NULL))`;

/** Waits until the outcomes of the first attempts are written, some ms after them: then no row changes by itself. */
export async function outcomesWritten({ database }: TestService, { applicationId }: Client): Promise<void> {
  for (const endsAt = Date.now() + 60_000; ; await sleep(20)) {
    if ((await database.pool.query(UNATTEMPTED, [applicationId])).rowCount === 0) return;
    assert.ok(Date.now() < endsAt, "outcomes of deliveries are missing");
  }
}

/** Calls a service with the credentials of a client of another one. */
export function callAt(
  { app }: TestService,
  { headers }: Pick<Client, "headers">,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return app.server.inject({
    method,
    url: `${path}${path.includes("?") ? "&" : "?"}api-version=1.0`,
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { payload: body as object }),
  });
}

/** Notes of a cell, and what background work adds up at any time. */
const NOT_COUNTED =
  /^(application_moves|reading_turns|credential_uses|report_deltas|report_days|report_kept|unknown_name_\w+|changes|change_outcomes)$/;

/** The number of rows of an application in each table that has some. */
export async function rowsIn(database: Database, { applicationId }: Client): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of inOrder(await findTables(database))) {
    const count = await countRowsOf(database, table, applicationId);
    if (count > 0 && !NOT_COUNTED.test(table.name)) rows[table.name] = count;
  }
  return rows;
}
