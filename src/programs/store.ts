import type { Tx } from "../postgres/postgres.ts";
import { isOpen } from "../applications/closed.ts";
import { int4, json, neverNull, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { campaignUsage } from "../points/campaigns/usage.store.ts";
import { presentUsage } from "./campaign-usage.ts";
import { campaignsOf } from "./campaigns.ts";
import type { ProgramDefinition } from "./definition.ts";
import { inForceAt } from "./versions.ts";
import type { ProgramVersion, Published } from "./versions.ts";

/** Drafts that an application keeps; older ones give way. What was published stays for good. */
const DRAFTS_MAX = 100;

const VERSION = {
  version: int4,
  definition: json<ProgramDefinition>(),
  note: text,
  author: text,
  createdAt: timestamptz,
  startsAt: orNull(timestamptz),
  publishedAt: orNull(timestamptz),
  publishedBy: orNull(text),
  withdrawnAt: orNull(timestamptz),
  withdrawnBy: orNull(text),
};
const COLUMNS = `version, definition, note, author, created_at AS "createdAt", starts_at AS "startsAt",
  published_at AS "publishedAt", published_by AS "publishedBy", withdrawn_at AS "withdrawnAt",
  withdrawn_by AS "withdrawnBy"`;

// Versions are numbered under this lock, and what may be published is decided under it.
const LOCK = statement(
  "programs.lock",
  { one: int4 },
  "SELECT 1 AS one FROM applications WHERE id = $1 FOR NO KEY UPDATE",
);
const SAVE = statement(
  "programs.save",
  VERSION,
  `INSERT INTO programs (application_id, version, definition, note, author, created_at)
         SELECT $1, coalesce(max(version), 0) + 1, $2::jsonb, $3, $4, $5 FROM programs WHERE application_id = $1
         RETURNING ${COLUMNS}`,
);
const DROP_DRAFTS = statement(
  "programs.drop-drafts",
  {},
  `DELETE FROM programs WHERE application_id = $1 AND starts_at IS NULL AND version <= (
           SELECT version FROM programs WHERE application_id = $1 AND starts_at IS NULL
           ORDER BY version DESC OFFSET $2 LIMIT 1)`,
);
const PUBLISH = statement(
  "programs.publish",
  VERSION,
  `UPDATE programs SET starts_at = $3, published_at = $4, published_by = $5
         WHERE application_id = $1 AND version = $2 AND starts_at IS NULL RETURNING ${COLUMNS}`,
);
const WITHDRAW = statement(
  "programs.withdraw",
  VERSION,
  `UPDATE programs SET withdrawn_at = $3, withdrawn_by = $4
         WHERE application_id = $1 AND version = $2 AND starts_at > $5 AND withdrawn_at IS NULL RETURNING ${COLUMNS}`,
);
const FIND = statement(
  "programs.find",
  VERSION,
  `SELECT ${COLUMNS} FROM programs WHERE application_id = $1 AND version = $2`,
);
const PUBLISHED = statement(
  "programs.published",
  { version: int4, startsAt: neverNull(timestamptz) },
  // Without definitions: these stay for good, have up to a megabyte each, and all but one are of no use.
  `SELECT version, starts_at AS "startsAt" FROM programs
         WHERE application_id = $1 AND starts_at IS NOT NULL AND withdrawn_at IS NULL`,
);
const IN_FORCE = statement(
  "programs.in-force",
  { applicationId: uuid, version: int4 },
  `SELECT DISTINCT ON (application_id) application_id AS "applicationId", version FROM programs
         WHERE starts_at <= $1 AND withdrawn_at IS NULL AND ${isOpen("programs.application_id")}
         ORDER BY application_id, starts_at DESC, version DESC`,
);
const COUNT = statement(
  "programs.count",
  { count: int4 },
  "SELECT count(*)::int AS count FROM programs WHERE application_id = $1",
);
const LIST = statement(
  "programs.list",
  VERSION,
  `SELECT ${COLUMNS} FROM programs WHERE application_id = $1 ORDER BY version DESC OFFSET $2 LIMIT $3`,
);
const COUNTRIES = statement(
  "programs.countries",
  { id: uuid, country: orNull(text) },
  "SELECT id, country FROM users WHERE id = ANY ($1)",
);

/** A version to save. */
export type NewVersion = Pick<ProgramVersion, "definition" | "note" | "author">;

/** Holds the programmes of an application until the tx ends. */
export async function lockPrograms(tx: Tx, applicationId: string): Promise<void> {
  await tx.query(LOCK, [applicationId]);
}

/** Saves a definition as the next version, a draft. The caller holds `lockPrograms`. */
export async function saveVersion(
  tx: Tx,
  applicationId: string,
  { definition, note, author }: NewVersion,
  now: Date,
): Promise<ProgramVersion> {
  const [saved] = await tx.query(SAVE, [applicationId, JSON.stringify(definition), note, author, now]);
  await tx.query(DROP_DRAFTS, [applicationId, DRAFTS_MAX]);
  return saved!;
}

/** Publishes a draft. Null: the application has no such draft. */
export async function publishVersion(
  tx: Tx,
  applicationId: string,
  version: number,
  { startsAt, author }: { readonly startsAt: Date; readonly author: string },
  now: Date,
): Promise<ProgramVersion | null> {
  return (await tx.query(PUBLISH, [applicationId, version, startsAt, now, author]))[0] ?? null;
}

/** Withdraws a version that starts after `startsAfter`. Null: there is none, or it was withdrawn before. */
export async function withdrawVersion(
  tx: Tx,
  applicationId: string,
  version: number,
  { startsAfter, author }: { readonly startsAfter: Date; readonly author: string },
  now: Date,
): Promise<ProgramVersion | null> {
  return (await tx.query(WITHDRAW, [applicationId, version, now, author, startsAfter]))[0] ?? null;
}

/** One version of an application. */
export async function findVersion(tx: Tx, applicationId: string, version: number): Promise<ProgramVersion | null> {
  return (await tx.query(FIND, [applicationId, version]))[0] ?? null;
}

/** The versions of an application that have started or will, without those that were withdrawn. */
export async function publishedVersions(tx: Tx, applicationId: string): Promise<Published[]> {
  return tx.query(PUBLISHED, [applicationId]);
}

/** The version in force at a moment of every application that has one. */
export async function versionsInForce(tx: Tx, at: Date): Promise<{ applicationId: string; version: number }[]> {
  return tx.query(IN_FORCE, [at]);
}

/** Counts the versions of an application. */
export async function countVersions(tx: Tx, applicationId: string): Promise<number> {
  return (await tx.query(COUNT, [applicationId]))[0]?.count ?? 0;
}

/** Lists some versions of an application, the newest first. */
export async function listVersions(
  tx: Tx,
  applicationId: string,
  offset: number,
  limit: number,
): Promise<ProgramVersion[]> {
  return tx.query(LIST, [applicationId, offset, limit]);
}

/** The countries of users, as enrolled; null where none was sent. */
export async function countriesOf(tx: Tx, userIds: readonly string[]): Promise<Map<string, string | null>> {
  return new Map((await tx.query(COUNTRIES, [userIds])).map(({ id, country }) => [id, country]));
}

/** What the campaigns of an application have given: those of the version in force, and others. */
export async function usageOfCampaigns(
  tx: Tx,
  applicationId: string,
  at: Date,
): Promise<ReturnType<typeof presentUsage>> {
  const current = inForceAt(await publishedVersions(tx, applicationId), at);
  const version = current && (await findVersion(tx, applicationId, current.version));
  const { campaigns = [], timeZone = "UTC" } = version?.definition ?? {};
  return presentUsage(campaignsOf(campaigns, timeZone), await campaignUsage(tx, applicationId), at.getTime());
}
