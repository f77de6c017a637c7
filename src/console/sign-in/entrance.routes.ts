import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthThrottle } from "../../http/auth-throttle.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { addAuditEntry, addAuditOutcome } from "../audit.store.ts";
import type { ConsoleFrame } from "../page.ts";
import { openSession } from "../sessions.store.ts";
import { SESSION_MS_MAX, TOKEN_BYTES, hashOf } from "../token.ts";
import type { SessionCookie } from "../token.ts";

/** What the ways to sign in share: whom they let in, and whom they stop. */
export interface Entrance {
  readonly basePath: string;
  frameOf(request: FastifyRequest, chosen: string | null): ConsoleFrame;
  /** Opens a session of a person, writes it to the audit log, and sets its cookie. */
  enter(reply: FastifyReply, userId: string): Promise<void>;
  /** Writes to the audit log what somebody did with their own account. */
  audit(userId: string, action: string, status: number): Promise<void>;
  /** Counts a failure of the request's address. Throws tooManyRequests over the limit. */
  countFailure(request: FastifyRequest): void;
  /** Throws tooManyRequests for an address that has failed too often already. */
  requirePatience(request: FastifyRequest): void;
}

export interface EntranceDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly cookie: SessionCookie;
  readonly throttle: AuthThrottle;
  readonly basePath: string;
  readonly frameOf: Entrance["frameOf"];
}

/** Creates the entrance of the console. */
export function createEntrance(deps: EntranceDeps): Entrance {
  const { database, now, newId, cookie, throttle, basePath, frameOf } = deps;
  const audit: Entrance["audit"] = async (userId, action, status) => {
    const entry = { id: newId(), at: now(), consoleUserId: userId, applicationId: null, action, subject: userId };
    await addAuditEntry(database, entry);
    await addAuditOutcome(database, entry.id, status);
  };
  const countFailure: Entrance["countFailure"] = ({ ip }) => {
    const secondsLeft = throttle.countFailure(ip);
    if (secondsLeft !== null) throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  };
  return {
    basePath,
    frameOf,
    audit,
    countFailure,
    requirePatience: (request) => {
      if (throttle.isOverLimit(request.ip)) countFailure(request);
    },
    enter: async (reply, userId) => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      await openSession(database, hashOf(token), userId, now());
      await audit(userId, "console.sign-in", 200);
      reply.header("set-cookie", cookie.set(token, SESSION_MS_MAX / 1_000));
    },
  };
}
