import type { Tx } from "../../postgres/postgres.ts";
import { int4, oneOf, orNull, someOf, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { moveToNoEndpoint } from "../../reports/figures/deltas.store.ts";
import { EVENT_TYPES } from "../event.ts";
import type { NewEvent } from "../event.ts";
import { DISABLED_REASONS, ENDPOINTS_MAX } from "./endpoint.ts";
import type { DisabledReason, Endpoint } from "./endpoint.ts";

const ENDPOINT = {
  id: uuid,
  applicationId: uuid,
  url: text,
  description: text,
  eventTypes: orNull(someOf(EVENT_TYPES)),
  generation: int4,
  previousSecretUntil: orNull(timestamptz),
  failingSince: orNull(timestamptz),
  disabledAt: orNull(timestamptz),
  disabledReason: orNull(oneOf(DISABLED_REASONS)),
  createdAt: timestamptz,
};
const COLUMNS = `id, application_id AS "applicationId", url, description, event_types AS "eventTypes", generation,
  previous_secret_until AS "previousSecretUntil", failing_since AS "failingSince", disabled_at AS "disabledAt",
  disabled_reason AS "disabledReason", created_at AS "createdAt"`;

const HOLD_APPLICATION = statement(
  "endpoints.hold-application",
  { id: uuid },
  // Not FOR UPDATE: inserts that refer to the application need not wait.
  `SELECT id FROM applications WHERE id = $1 FOR NO KEY UPDATE`,
);
const ADD = statement(
  "endpoints.add",
  ENDPOINT,
  `INSERT INTO endpoints (id, application_id, url, description, event_types, created_at, disabled_at, disabled_reason)
         SELECT $1::uuid, $2::uuid, $3, $4, $5::text[], $6::timestamptz, $7::timestamptz,
                CASE WHEN $7 IS NULL THEN NULL ELSE 'requested' END
         WHERE (SELECT count(*) FROM endpoints WHERE application_id = $2) < ${ENDPOINTS_MAX}
         RETURNING ${COLUMNS}`,
);
const FIND_ALL = statement(
  "endpoints.find-all",
  ENDPOINT,
  `SELECT ${COLUMNS} FROM endpoints WHERE application_id = $1 ORDER BY id`,
);
const FIND = statement(
  "endpoints.find",
  ENDPOINT,
  `SELECT ${COLUMNS} FROM endpoints WHERE id = $1 AND ($2::uuid IS NULL OR application_id = $2)`,
);
const CHANGE = statement(
  "endpoints.change",
  ENDPOINT,
  // Enabling clears failing_since: it starts again with the next failed attempt.
  `UPDATE endpoints
         SET url = coalesce($2, url), description = coalesce($3, description),
             event_types = CASE WHEN $4::boolean THEN $5::text[] ELSE event_types END,
             disabled_at = CASE WHEN $6::boolean THEN coalesce(disabled_at, $7::timestamptz) WHEN NOT $6 THEN NULL
                                ELSE disabled_at END,
             disabled_reason = CASE WHEN $6 THEN coalesce(disabled_reason, 'requested') WHEN NOT $6 THEN NULL
                                    ELSE disabled_reason END,
             failing_since = CASE WHEN NOT $6 THEN NULL ELSE failing_since END
         WHERE id = $1
         RETURNING ${COLUMNS}`,
);
const DISABLE = statement(
  "endpoints.disable",
  {},
  `UPDATE endpoints SET disabled_at = $2, disabled_reason = $3 WHERE id = $1 AND disabled_at IS NULL`,
);
const ROTATE = statement(
  "endpoints.rotate",
  ENDPOINT,
  `UPDATE endpoints SET generation = generation + 1, previous_secret_until = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
);
const REMOVE = statement(
  "endpoints.remove",
  {},
  // Finished deliveries stay for their 30 days. Pending ones would stay in the index that every claim reads.
  `WITH unsent AS (DELETE FROM deliveries WHERE endpoint_id = $1 AND state = 'pending'), ${moveToNoEndpoint("$1")}
         DELETE FROM endpoints WHERE id = $1`,
);
const APPEND_TEST = statement(
  "endpoints.append-test",
  {},
  `WITH event AS (
           INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         )
         INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at)
         VALUES ($1, $2, $3, $9, 'pending', $8)`,
);

/** An endpoint before it is stored; `url` has passed `checkWebhookUrl`. */
export type NewEndpoint = Pick<
  Endpoint,
  "id" | "applicationId" | "url" | "description" | "eventTypes" | "createdAt" | "disabledAt"
>;

/** Registers an endpoint, in the caller's tx. Null when its application already has ENDPOINTS_MAX. */
export async function addEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<Endpoint | null> {
  const { id, applicationId, url, description, eventTypes, createdAt, disabledAt } = endpoint;
  const values = [id, applicationId, url, description, eventTypes, createdAt, disabledAt];
  // Serialised by the lock: two at once would each count without the other's endpoint.
  await tx.query(HOLD_APPLICATION, [applicationId]);
  return (await tx.query(ADD, values))[0] ?? null;
}

/** All endpoints of an application, in the order of their registration. */
export async function findEndpoints(tx: Tx, applicationId: string): Promise<Endpoint[]> {
  return tx.query(FIND_ALL, [applicationId]);
}

/** Finds an endpoint; with `applicationId`, only one of that application. */
export async function findEndpoint(tx: Tx, id: string, applicationId: string | null): Promise<Endpoint | null> {
  return (await tx.query(FIND, [id, applicationId]))[0] ?? null;
}

/** Changes the given members; `eventTypes` null: every event. Enabling makes pending deliveries claimable. */
export async function changeEndpoint(
  tx: Tx,
  id: string,
  change: Partial<Pick<Endpoint, "url" | "description" | "eventTypes">> & { readonly isDisabled?: boolean },
  now: Date,
): Promise<Endpoint | null> {
  const { url = null, description = null, eventTypes, isDisabled = null } = change;
  const values = [id, url, description, eventTypes !== undefined, eventTypes ?? null, isDisabled, now];
  return (await tx.query(CHANGE, values))[0] ?? null;
}

/** Stops deliveries to an endpoint. Pending ones stay pending, and are claimed when it is enabled. */
export async function disableEndpoint(tx: Tx, id: string, reason: DisabledReason, at: Date): Promise<void> {
  await tx.query(DISABLE, [id, at, reason]);
}

/** Makes the next secret current. Until `previousSecretUntil`, the previous one signs too. */
export async function rotateSecret(tx: Tx, id: string, previousSecretUntil: Date): Promise<Endpoint | null> {
  return (await tx.query(ROTATE, [id, previousSecretUntil]))[0] ?? null;
}

/** Removes an endpoint with its pending deliveries. */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.query(REMOVE, [id]);
}

/** Stores an event with one delivery, to this endpoint, independent of its choice of events. */
export async function appendTest(tx: Tx, event: NewEvent, endpointId: string): Promise<void> {
  const { userId, subject, position, id, applicationId, type, body, createdAt } = event;
  await tx.query(APPEND_TEST, [userId, subject, position, id, applicationId, type, body, createdAt, endpointId]);
}
