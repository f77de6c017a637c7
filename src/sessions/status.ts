import type { HostedPage } from "./session.ts";
import type { SessionStatus } from "../webhooks/session-status-schema.ts";

/** How a completed session ended, as stored. */
export type SessionOutcome = "accepted" | "declined" | "sent";

/** The stored members that say what became of a session. */
export interface StoredSession {
  readonly id: string;
  readonly applicationId: string;
  readonly page: HostedPage;
  readonly userId: string | null;
  readonly receiptId: string | null;
  readonly outcome: SessionOutcome | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly completedAt: Date | null;
}

/** Returns the public form of a session at `now`. It expires by its time, whether or not the sweep has seen it. */
export function presentSession(session: StoredSession, now: Date): SessionStatus {
  const { id, page, userId, receiptId, createdAt, expiresAt } = session;
  const { state, endedAt } = endOf(session, now);
  return {
    id,
    kind: page,
    state,
    userId,
    receiptId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function endOf({ outcome, completedAt, expiresAt }: StoredSession, now: Date) {
  if (outcome === "declined") return { state: "declined", endedAt: completedAt } as const;
  if (outcome !== null) return { state: "completed", endedAt: completedAt } as const;
  return expiresAt > now
    ? ({ state: "open", endedAt: null } as const)
    : ({ state: "expired", endedAt: expiresAt } as const);
}
