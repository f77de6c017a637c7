import type { Application } from "./application.ts";

/** A rotated secret or a suspension takes effect at the latest after this. */
const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Remembers applications by client id for two seconds, so that a thousand requests a second cost the database one
 * look-up. What was not found is never remembered: a new application works at once.
 */
export function cached(
  find: (clientId: string) => Promise<Application | null>,
  nowMs: () => number,
): (clientId: string) => Promise<Application | null> {
  const entries = new Map<string, { application: Application; until: number }>();
  return async (clientId) => {
    const known = entries.get(clientId);
    if (known && known.until > nowMs()) return known.application;
    const application = await find(clientId);
    entries.delete(clientId);
    if (application) {
      if (entries.size >= ENTRIES_MAX) entries.clear();
      entries.set(clientId, { application, until: nowMs() + FRESH_MS });
    }
    return application;
  };
}
