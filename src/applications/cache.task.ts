import type { Application } from "./application.ts";

/** Maximum delay until a suspension, or the end of a replaced secret, takes effect. */
const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Caches applications by client id for two seconds, so that a thousand requests a second cause one database query.
 * Requests during the query wait for it. An unknown id, and a wrong secret (`hasSecret` returns false), always cause a
 * query. So new applications and new secrets work at once, and both failures take equally long.
 */
export function cached(
  find: (clientId: string) => Promise<Application | null>,
  nowMs: () => number,
): (clientId: string, hasSecret: (application: Application) => boolean) => Promise<Application | null> {
  const entries = new Map<string, { application: Promise<Application | null>; until: number }>();
  const lookup = async (clientId: string): Promise<Application | null> => {
    try {
      const application = await find(clientId);
      if (!application) entries.delete(clientId);
      return application;
    } catch (error) {
      entries.delete(clientId);
      throw error;
    }
  };
  return async (clientId, hasSecret) => {
    const cachedEntry = entries.get(clientId);
    if (cachedEntry && cachedEntry.until > nowMs()) {
      const application = await cachedEntry.application;
      if (application && hasSecret(application)) return application;
    }
    if (entries.size >= ENTRIES_MAX) entries.clear();
    const application = lookup(clientId);
    entries.set(clientId, { application, until: nowMs() + FRESH_MS });
    return application;
  };
}
