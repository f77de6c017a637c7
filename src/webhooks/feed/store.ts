// Reads stored events, independent of their deliveries.
import type { Tx } from "../../postgres/postgres.ts";
import { int2, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { STORED_BODY, withBody } from "../stored-body.ts";
import type { FeedPlace } from "./cursor.ts";

/** An event as it is sent: `body` has its exact bytes. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly position: number;
  readonly body: string;
  readonly createdAt: Date;
}

const STORED_EVENT = {
  id: uuid,
  type: text,
  userId: uuid,
  subject: uuid,
  position: int2,
  ...STORED_BODY,
  createdAt: timestamptz,
};
const COLUMNS = `id, type, user_id AS "userId", subject, position, body, packed, created_at AS "createdAt"`;

const OF_USER = statement(
  "webhook-feed.of-user",
  STORED_EVENT,
  `SELECT ${COLUMNS} FROM events WHERE user_id = $1 ORDER BY subject, position`,
);

/** All events of a user, those of one subject in order. */
export async function eventsOfUser(tx: Tx, userId: string): Promise<StoredEvent[]> {
  return (await tx.query(OF_USER, [userId])).map(withBody);
}

/** An event with its subject. */
export interface FeedEvent extends StoredEvent {
  readonly subject: string;
}

const PAGE = statement(
  "webhook-feed.page",
  STORED_EVENT,
  // The sum of the bytes before an event decides: one event of any size is always in a page. Those of packed ones are
  // counted again when they are unpacked.
  `SELECT ${COLUMNS} FROM (
     SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before
     FROM (SELECT *, coalesce(octet_length(body), octet_length(packed)) AS bytes FROM events WHERE application_id = $1 AND id > $2 AND id <> ALL ($3::uuid[])
           ORDER BY id LIMIT $4) AS next
   ) AS page
   WHERE bytes_before < $5 ORDER BY id`,
);
const NEWEST = statement(
  "webhook-feed.newest",
  { id: uuid },
  `SELECT id FROM events WHERE application_id = $1 ORDER BY id DESC LIMIT $2`,
);

/** The next events of an application after a place, in the order of their ids. */
export async function feedPage(
  tx: Tx,
  applicationId: string,
  { floor, returned }: FeedPlace,
  { eventsMax, bytesMax }: { eventsMax: number; bytesMax: number },
): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  let bytes = 0;
  for (const row of await tx.query(PAGE, [applicationId, floor, returned, eventsMax, bytesMax])) {
    if (bytes >= bytesMax) break;
    const event = withBody(row);
    bytes += Buffer.byteLength(event.body);
    events.push(event);
  }
  return events;
}

/** The ids of the newest events of an application. */
export async function newestEventIds(tx: Tx, applicationId: string, idsMax: number): Promise<string[]> {
  return (await tx.query(NEWEST, [applicationId, idsMax])).map(({ id }) => id);
}
