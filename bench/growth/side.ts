// One of the two services that take turns: with few submissions, or with millions.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { startProcess } from "../../test/support/processes.ts";
import type { Progress } from "../progress.ts";
import { startSubject } from "../subject.ts";
import type { Customers, Subject } from "../subject.ts";
import { fill } from "./fill.ts";
import type { Grown } from "./fill.ts";
import { bookOriginals } from "./models.ts";

export const METRICS_TOKEN = "bench";
const OTHER_APPLICATIONS = ["Second", "Third", "Fourth"];
/** Users who submit, and whose lists are read: in turns, so that no figure is that of one user alone. */
const USERS = 100;

export interface Side {
  readonly label: string;
  readonly subject: Subject;
  readonly client: Client;
  readonly grown: Grown;
  readonly applicationId: string;
  /** The user with a tenth of all records, and how many these are. */
  readonly largest: { readonly id: string; readonly records: number };
  /** Users with ten records or more. */
  readonly userIds: readonly string[];
  /** Records of the largest user with what their rules were given. */
  readonly recordIds: readonly string[];
  /** Foods of users. */
  readonly foodIds: readonly string[];
  /** A receipt and a delivery before nine tenths of the list of the application. */
  readonly deep: { readonly receiptId: string; readonly deliveryId: string; readonly eventsSince: string };
  close(): Promise<void>;
}

/** What a folder that stays has beside the data. */
interface Kept extends Customers {
  readonly grown: Grown;
}

const keptFile = (keptDir: string): string => join(keptDir, "growth.json");

function readKept(keptDir: string | undefined): Kept | undefined {
  if (keptDir === undefined || !existsSync(keptFile(keptDir))) return undefined;
  return JSON.parse(readFileSync(keptFile(keptDir), "utf8")) as Kept;
}

/**
 * Starts a service and fills its database. Everything ends and goes with `close`, but a `keptDir`: the next run finds
 * its database filled.
 */
export async function startSide(
  { label, submissions, keptDir }: { label: string; submissions: number; keptDir?: string | undefined },
  progress: Progress,
  signal: AbortSignal,
): Promise<Side> {
  const say: Progress = (text) => progress(`${label}: ${text}`);
  say("starting the service");
  const earlier = readKept(keptDir);
  const subject = await startSubject("start", { isDatabaseApart: true, env: { METRICS_TOKEN }, keptDir, earlier });
  const client = new Client({ connectionString: subject.databaseUrl! });
  // It ends with its server when the bench is ended.
  client.on("error", () => {});
  const close = async (): Promise<void> => {
    await client.end().catch(() => {});
    await subject.close();
  };
  // At once: filling takes minutes. Without its server it fails.
  const end = (): void => void subject.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect();
    const grown = earlier?.grown ?? (await fillSide(subject, client, submissions, say));
    if (keptDir !== undefined) {
      const { clientId, clientSecret, userIds } = subject;
      writeFileSync(keptFile(keptDir), JSON.stringify({ clientId, clientSecret, userIds, grown } satisfies Kept), {
        mode: 0o600,
      });
    }
    const [applicationId] = await applicationIdsOf(client);
    const places = await placesIn(client, applicationId!);
    return { label, subject, client, grown, applicationId: applicationId!, ...places, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

async function applicationIdsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>("SELECT id FROM applications ORDER BY created_at");
  return rows.map(({ id }) => id);
}

async function fillSide(subject: Subject, client: Client, submissions: number, progress: Progress): Promise<Grown> {
  await bookOriginals(subject, progress);
  for (const name of OTHER_APPLICATIONS) {
    await subject.newApplication(name, "--webhook-url", "http://127.0.0.1:9/hook");
  }
  const applicationIds = await applicationIdsOf(client);
  let grown: Grown | null = null;
  await subject.restart(async (settings) => {
    const second = new Client({ connectionString: subject.databaseUrl! });
    second.on("error", () => {});
    await second.connect();
    grown = await fill([client, second], { submissions, userId: subject.userIds[0]!, applicationIds, progress });
    await second.end();
    return startProcess(settings);
  });
  return grown!;
}

async function placesIn(client: Client, applicationId: string) {
  const ids = async (text: string, values: readonly unknown[]): Promise<string[]> =>
    (await client.query<{ id: string }>(text, [...values])).rows.map(({ id }) => id);
  const { rows } = await client.query<{ id: string; records: number }>(
    "SELECT user_id AS id, records::float8 AS records FROM balances ORDER BY balances.records DESC LIMIT 1",
  );
  const largest = rows[0]!;
  const userIds = await ids(
    `SELECT id FROM users JOIN balances ON user_id = id WHERE application_id = $1 AND records BETWEEN 11 AND 14 AND erased_at IS NULL
     ORDER BY md5(id::text) LIMIT ${USERS}`,
    [applicationId],
  );
  const recordIds = await ids(
    `SELECT id FROM records WHERE user_id = $1 AND sequence > $2 AND operation = 1 LIMIT ${USERS}`,
    [largest.id, largest.records - 2 * USERS],
  );
  const foodIds = await ids(
    `SELECT max(id::text) AS id FROM intakes WHERE user_id = ANY ($1) AND source = 'food' GROUP BY user_id`,
    [userIds],
  );
  const [receiptId] = await ids(
    `SELECT id FROM receipts WHERE application_id = $1 ORDER BY id
     OFFSET (SELECT count(*) / 10 FROM receipts WHERE application_id = $1) LIMIT 1`,
    [applicationId],
  );
  const { rows: events } = await client.query<{ id: string; since: Date; endpointId: string }>(
    `SELECT id, created_at AS since, (SELECT id FROM endpoints WHERE application_id = $1 LIMIT 1) AS "endpointId"
     FROM events WHERE application_id = $1 ORDER BY events.id
     OFFSET (SELECT count(*) / 10 FROM events WHERE application_id = $1) LIMIT 1`,
    [applicationId],
  );
  const event = events[0]!;
  const deep = {
    receiptId: receiptId!,
    deliveryId: `${event.id}.${event.endpointId}`,
    eventsSince: event.since.toISOString(),
  };
  return { largest, userIds, recordIds, foodIds, deep };
}
