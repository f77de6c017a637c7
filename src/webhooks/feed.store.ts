// Reads stored events, independent of their deliveries, for the CLI.
import type { Tx } from "../postgres/postgres.ts";
import { statement, text, timestamptz, uuid } from "../postgres/statement.ts";

/** An event as it is sent: `body` has its exact bytes. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: Date;
}

const STORED_EVENT = { id: uuid, type: text, body: text, createdAt: timestamptz };
const COLUMNS = `id, type, body, created_at AS "createdAt"`;

const AFTER = statement(
  "webhook-feed.after",
  STORED_EVENT,
  // Events of one tx have ids of one millisecond, in no order: within a page, positions give the order of a subject.
  `SELECT ${COLUMNS} FROM (SELECT * FROM events WHERE application_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS page
   ORDER BY subject, position`,
);
const LAST = statement(
  "webhook-feed.last",
  { id: uuid },
  `SELECT id FROM events WHERE application_id = $1 ORDER BY id DESC LIMIT 1`,
);
const OF_USER = statement(
  "webhook-feed.of-user",
  STORED_EVENT,
  `SELECT ${COLUMNS} FROM events WHERE user_id = $1 ORDER BY subject, position`,
);

/** The events of an application with ids above `afterId`, those of one subject in order. */
export async function eventsAfter(
  tx: Tx,
  applicationId: string,
  afterId: string,
  rowsMax: number,
): Promise<StoredEvent[]> {
  return tx.query(AFTER, [applicationId, afterId, rowsMax]);
}

/** The highest id among the events of an application; null when there are none. */
export async function lastEventId(tx: Tx, applicationId: string): Promise<string | null> {
  return (await tx.query(LAST, [applicationId]))[0]?.id ?? null;
}

/** All events of a user, those of one subject in order. */
export async function eventsOfUser(tx: Tx, userId: string): Promise<StoredEvent[]> {
  return tx.query(OF_USER, [userId]);
}
