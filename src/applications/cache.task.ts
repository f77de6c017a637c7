import type { CallingApplication } from "./credential.ts";

/**
 * Finds an application by its client id. `hasSecret` returns whether an application has the secret of the call;
 * `isThrottled`: the call comes from an address with too many failures.
 */
export type FindApplication = (
  clientId: string,
  hasSecret: (application: CallingApplication) => boolean,
  isThrottled: boolean,
) => Promise<CallingApplication | null>;

/** Maximum delay until a suspension, or the revocation of a credential, takes effect. */
const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Caches applications by client id for two seconds, so that a thousand requests a second cause one database query.
 * Requests during the query wait for it. An unknown id, and a wrong secret (`hasSecret` returns false), always cause a
 * query. So new applications and new secrets work at once, and both failures take equally long.
 *
 * With `isThrottled`, for an address with too many failures, wrong credentials cause no query of their own: an id is
 * compared with those of all applications, which are read every two seconds at most, and a secret with the cache. Valid
 * credentials work all the same, new ones within two seconds.
 */
export function cached(
  find: (clientId: string) => Promise<CallingApplication | null>,
  listIds: () => Promise<readonly string[]>,
  nowMs: () => number,
): FindApplication {
  const ids = fresh(async () => new Set(await listIds()), nowMs);
  const entries = new Map<string, { application: Promise<CallingApplication | null>; until: number }>();
  const lookup = async (clientId: string): Promise<CallingApplication | null> => {
    try {
      const application = await find(clientId);
      if (!application) entries.delete(clientId);
      return application;
    } catch (error) {
      entries.delete(clientId);
      throw error;
    }
  };
  return async (clientId, hasSecret, isThrottled) => {
    const cachedEntry = entries.get(clientId);
    if (cachedEntry && cachedEntry.until > nowMs()) {
      const application = await cachedEntry.application;
      if (application && (isThrottled || hasSecret(application))) return application;
    }
    if (isThrottled && !(await ids()).has(clientId)) return null;
    if (entries.size >= ENTRIES_MAX) entries.clear();
    const application = lookup(clientId);
    entries.set(clientId, { application, until: nowMs() + FRESH_MS });
    return application;
  };
}

/** Returns a function that reads a value once in two seconds; calls during the read wait for it. */
function fresh<Value>(read: () => Promise<Value>, nowMs: () => number): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | null = null;
  return async () => {
    if (!last || last.until <= nowMs()) last = { value: read(), until: nowMs() + FRESH_MS };
    try {
      return await last.value;
    } catch (error) {
      last = null;
      throw error;
    }
  };
}
