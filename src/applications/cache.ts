import type { Application } from "./application.ts";

/** A suspension, or the end of a replaced secret, takes effect at the latest after this. */
const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Remembers applications by client id for two seconds, so that a thousand requests a second cost the database one
 * look-up: those that come while it is under way wait for it too. What was not found, or is remembered with another
 * secret than the one presented (`isRight` is false), is looked up anew: a new application and a new secret work at
 * once, and a wrong secret takes as long as an unknown id.
 */
export function cached(
  find: (clientId: string) => Promise<Application | null>,
  nowMs: () => number,
): (clientId: string, isRight: (application: Application) => boolean) => Promise<Application | null> {
  const entries = new Map<string, { application: Promise<Application | null>; until: number }>();
  const look = async (clientId: string): Promise<Application | null> => {
    try {
      const application = await find(clientId);
      if (!application) entries.delete(clientId);
      return application;
    } catch (error) {
      entries.delete(clientId);
      throw error;
    }
  };
  return async (clientId, isRight) => {
    const known = entries.get(clientId);
    if (known && known.until > nowMs()) {
      const application = await known.application;
      if (application && isRight(application)) return application;
    }
    if (entries.size >= ENTRIES_MAX) entries.clear();
    const application = look(clientId);
    entries.set(clientId, { application, until: nowMs() + FRESH_MS });
    return application;
  };
}
