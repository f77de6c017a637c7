import type { FindApplication } from "./cache.task.ts";

/** What authentication asks and notes. */
export interface Callers {
  readonly find: FindApplication;
  /** Credentials expire by this clock. */
  readonly now: () => Date;
  /** Notes that a credential was used. */
  used(credentialId: string): void;
}
