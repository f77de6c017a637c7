import type { Log } from "../log.ts";

/** How often the use of a credential is written, in ms. */
const EVERY_MS = 60_000;
/** Uses are collected for this time, in ms, and written together. */
const COLLECT_MS = 1_000;
/** Limits the memory. */
const CREDENTIALS_MAX = 10_000;

/** Writes when credentials were used last, beside the requests that use them. */
export interface LastUses {
  /** Notes a use. Writes nothing itself. */
  used(credentialId: string): void;
  /** Writes what is noted. Failures are logged: the next use is written in their place. */
  save(): Promise<void>;
}

/** Creates the notes of a process. A credential is written once in a minute at most, however often it is used. */
export function createLastUses(deps: {
  save(uses: ReadonlyMap<string, Date>): Promise<void>;
  now(): Date;
  readonly log: Log;
  /** Calls `work` after a time, in ms. */
  later(work: () => void, ms: number): void;
}): LastUses {
  const noted = new Map<string, number>();
  let pending = new Map<string, Date>();
  const save = async () => {
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await deps.save(uses);
    } catch (error) {
      deps.log.warn({ err: error }, "the last uses of credentials could not be written");
    }
  };
  return {
    save,
    used: (credentialId) => {
      const now = deps.now();
      const last = noted.get(credentialId);
      // A clock that was set back must not end the notes.
      if (last !== undefined && Math.abs(now.getTime() - last) < EVERY_MS) return;
      if (noted.size >= CREDENTIALS_MAX) noted.clear();
      noted.set(credentialId, now.getTime());
      if (pending.size === 0) deps.later(() => void save(), COLLECT_MS);
      pending.set(credentialId, now);
    },
  };
}
