// One of the two services that take turns: with few submissions, or with millions.
import type { Client } from "pg";
import type { Progress } from "../progress.ts";
import type { Subject } from "../subject.ts";
import type { Grown } from "./fill.ts";
import { fillWhileDown, startFilled } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { bookOriginals } from "./models.ts";

export const METRICS_TOKEN = "bench";
const OTHER_APPLICATIONS = ["Second", "Third", "Fourth"];
/** Users who submit, and whose lists are read: in turns, so that no figure is that of one user alone. */
const USERS = 100;

export interface Side extends Filled {
  readonly label: string;
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
  const filling = {
    folder: keptDir,
    name: "growth.json",
    env: { METRICS_TOKEN },
    fill: async (subject: Subject, client: Client) => ({ grown: await fillSide(subject, client, submissions, say) }),
    find: async (_subject: Subject, client: Client, { grown }: { grown: Grown }) => {
      const [applicationId] = await applicationIdsOf(client);
      return { label, grown, applicationId: applicationId!, ...(await placesIn(client, applicationId!)) };
    },
  };
  return startFilled(filling, signal);
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
  return fillWhileDown(subject, client, { submissions, applicationIds, progress });
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
