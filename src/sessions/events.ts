import { newEvent } from "../webhooks/event.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { presentSession } from "./status.ts";
import type { StoredSession } from "./status.ts";

/**
 * Returns the event of a session that has ended, under the id `id`. An event needs a user in its key: without one, the
 * session's id takes that place, so that no erasure of a user has to find it.
 */
export function sessionEvent(id: string, session: StoredSession, now: Date): NewEvent {
  const status = presentSession(session, now);
  if (status.state === "open" || status.endedAt === null) throw new Error("an open session has no event");
  const event = { event: `session.${status.state}` as const, session: status, createdAt: status.endedAt };
  const { applicationId, userId } = session;
  return newEvent(id, { applicationId, userId: userId ?? session.id, subject: session.id }, event, now);
}
