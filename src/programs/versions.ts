// Versions of a programme, and which of them is in force at a moment. A submission is under the version that was in
// force when it was accepted, however late it is scored.
import { SECOND_MS } from "../time.ts";
import type { ProgramDefinition } from "./definition.ts";

/** A version as stored. */
export interface ProgramVersion {
  readonly version: number;
  readonly definition: ProgramDefinition;
  readonly note: string;
  /** Who saved it. */
  readonly author: string;
  readonly createdAt: Date;
  /** Null: a draft. */
  readonly startsAt: Date | null;
  readonly publishedAt: Date | null;
  readonly publishedBy: string | null;
  readonly withdrawnAt: Date | null;
  readonly withdrawnBy: string | null;
}

export const VERSION_STATES = ["draft", "scheduled", "in_force", "ended", "withdrawn"] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/** How long a process may use the versions that it has read. */
export const FRESH_MS = 2 * SECOND_MS;
/**
 * The least time from a publication to its start. What was accepted after the start is scored with versions that were
 * read at most `FRESH_MS` earlier, so after the publication: also where clocks differ, or the commit waits, by the
 * rest.
 */
export const LEAD_MS = 10 * SECOND_MS;

/** A version that has or had a start, and was not withdrawn. */
export type Published = Pick<ProgramVersion, "version"> & { readonly startsAt: Date };

/** The version in force at a moment: the last that started. Null: none, so points/1 applies. */
export function inForceAt<Version extends Published>(versions: readonly Version[], at: Date): Version | null {
  const started = versions.filter(({ startsAt }) => startsAt <= at);
  return started.reduce<Version | null>((last, each) => (last === null || isAfter(each, last) ? each : last), null);
}

/** What has become of a version. `current` is the version in force. */
export function stateOf(
  { version, startsAt, withdrawnAt }: ProgramVersion,
  current: number | null,
  now: Date,
): VersionState {
  if (startsAt === null) return "draft";
  if (withdrawnAt !== null) return "withdrawn";
  if (startsAt > now) return "scheduled";
  return version === current ? "in_force" : "ended";
}

/** The id of a version's rules in records. */
export function ruleIdOf(version: number): string {
  return `program/${version}`;
}

/** The version of such an id; null for other rules. */
export function versionOfRule(ruleId: string): number | null {
  const [, digits] = /^program\/(\d{1,9})$/.exec(ruleId) ?? [];
  return digits === undefined ? null : Number(digits);
}

function isAfter(a: Published, b: Published): boolean {
  const difference = a.startsAt.getTime() - b.startsAt.getTime();
  return difference > 0 || (difference === 0 && a.version > b.version);
}
