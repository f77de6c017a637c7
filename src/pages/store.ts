import type { Tx } from "../postgres/postgres.ts";
import type { Application } from "../applications/application.ts";
import { refuseClosed } from "../applications/refuse-closed.ts";
import { findApplication } from "../applications/store.ts";
import { Problem } from "../problems.ts";
import { redirectUriNow } from "../sessions/redirect.ts";
import { hashToken, tokenIn } from "../sessions/session.ts";
import type { HostedPage } from "../sessions/session.ts";
import { findOpenSession, findSentSession } from "../sessions/store.ts";
import type { OpenSession, Requests, SentSession } from "../sessions/store.ts";

/** The session in the address of a request, with its application. */
export interface Visit<Session> {
  readonly token: string;
  readonly tokenHash: Buffer;
  readonly session: Session;
  readonly application: Application;
}

export type OpenVisit<P extends HostedPage> = Visit<OpenSession<Requests[P]>>;
export type SentVisit = Visit<SentSession>;

/** The page has no session of this token, open or closed: nothing more need be looked up. */
export class UnknownSession extends Problem {
  constructor() {
    super("sessionNotFound");
  }
}

/**
 * Returns the session in the query, if this page can still complete it. Throws `sessionNotFound` otherwise:
 * `UnknownSession` if there is none.
 */
export async function openVisit<P extends HostedPage>(
  tx: Tx,
  query: unknown,
  page: P,
  now: Date,
): Promise<OpenVisit<P>> {
  let isClosed = false;
  const visit = await visitOf(tx, query, async (tokenHash) => {
    const found = await findOpenSession(tx, tokenHash, page, now);
    isClosed = found === "closed";
    return found === "closed" ? null : found;
  });
  if (visit) return visit;
  throw isClosed ? new Problem("sessionNotFound") : new UnknownSession();
}

/** Returns the session in the query, if a receipt was uploaded in it; else null. */
export function sentVisit(tx: Tx, query: unknown, now: Date): Promise<SentVisit | null> {
  return visitOf(tx, query, (tokenHash) => findSentSession(tx, tokenHash, now));
}

async function visitOf<Session extends { applicationId: string; redirectUri: string | null }>(
  tx: Tx,
  query: unknown,
  find: (tokenHash: Buffer) => Promise<Session | null>,
): Promise<Visit<Session> | null> {
  const token = tokenIn(query);
  if (token === null) return null;
  const tokenHash = hashToken(token);
  const session = await find(tokenHash);
  const application = session && (await findApplication(tx, session.applicationId));
  // The pages of a suspended application are gone, also those of a receipt that was uploaded before.
  if (!session || !application) return null;
  refuseClosed(application);
  if (application.suspendedAt) return null;
  const redirectUri = redirectUriNow(session.redirectUri, application);
  return { token, tokenHash, session: { ...session, redirectUri }, application };
}
