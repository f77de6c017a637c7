import type { PresentedEntry } from "./schema.ts";

/** An entry as it is stored. */
export interface StoredEntry {
  readonly id: string;
  readonly at: Date;
  readonly consoleUserId: string | null;
  readonly credentialId: string | null;
  readonly applicationId: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly made: string | null;
  readonly status: number | null;
}

/** An entry as the API and the command line show it. */
export function presentEntry(entry: StoredEntry): PresentedEntry {
  const { id, at, consoleUserId, credentialId, action, subject, made, status } = entry;
  const actor = credentialId !== null ? "credential" : consoleUserId !== null ? "person" : "command";
  return {
    id,
    at: at.toISOString(),
    actor,
    credentialId,
    consoleUserId,
    action,
    targetId: subject,
    madeId: made === subject ? null : made,
    status,
  };
}
