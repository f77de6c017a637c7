import { createHolders } from "../holders.ts";

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
  const held = createHolders();
  return {
    take: (holder) => {
      const application = `application ${holder.application}`;
      const session = `session ${holder.session}`;
      const isFull = held.of("all") >= max || held.of(application) >= perApplication || held.of(session) >= perSession;
      return isFull ? null : held.take("all", application, session);
    },
  };
}
