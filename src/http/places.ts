/** Places for requests that last. Each application and each session has a share of them. */
export interface Places {
  /** Takes a place; returns a function that frees it, or null if there is none. */
  take(holder: { application: string; session: string }): (() => void) | null;
}

/**
 * Creates the places of one process. Without shares one hosted link, which needs no credentials, took all of them. Half
 * of them is left to other applications, however many links one of them opens.
 */
export function createPlaces({ max, perSession }: { max: number; perSession: number }): Places {
  const perApplication = Math.max(1, Math.floor(max / 2));
  const taken = new Map<string, number>();
  let total = 0;
  const add = (key: string, change: 1 | -1) => {
    const count = (taken.get(key) ?? 0) + change;
    if (count === 0) taken.delete(key);
    else taken.set(key, count);
  };
  return {
    take: ({ application, session }) => {
      const keys = { application: `application ${application}`, session: `session ${session}` };
      if (total >= max) return null;
      if ((taken.get(keys.application) ?? 0) >= perApplication) return null;
      if ((taken.get(keys.session) ?? 0) >= perSession) return null;
      total++;
      for (const key of Object.values(keys)) add(key, 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        total--;
        for (const key of Object.values(keys)) add(key, -1);
      };
    },
  };
}
