import type { Application } from "./application.ts";

/** A suspension, or the end of a replaced secret, takes effect at the latest after this. */
const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Remembers applications by client id for two seconds, so that a thousand requests a second cost the database one
 * look-up. What was not found, or is remembered with another secret than the one presented (`isRight` is false), is
 * looked up: a new application and a new secret work at once, and a wrong secret takes as long as an unknown id.
 */
export function cached(
  find: (clientId: string) => Promise<Application | null>,
  nowMs: () => number,
): (clientId: string, isRight: (application: Application) => boolean) => Promise<Application | null> {
  const entries = new Map<string, { application: Application; until: number }>();
  return async (clientId, isRight) => {
    const known = entries.get(clientId);
    if (known && known.until > nowMs() && isRight(known.application)) return known.application;
    const application = await find(clientId);
    entries.delete(clientId);
    if (application) {
      if (entries.size >= ENTRIES_MAX) entries.clear();
      entries.set(clientId, { application, until: nowMs() + FRESH_MS });
    }
    return application;
  };
}
