import type { Tx } from "../postgres/postgres.ts";
import { bool, statement, text, uuid } from "../postgres/statement.ts";
import { applicationsOf } from "./roles.ts";
import type { Grant } from "./roles.ts";

/** An application as the console names it. */
export interface ShownApplication {
  readonly id: string;
  readonly name: string;
  readonly isSandbox: boolean;
  readonly isSuspended: boolean;
  /** It is moving to another cell, has moved, or is being removed. It is suspended too. */
  readonly isClosed: boolean;
}

/** Applications that one page lists: an installation may have thousands. */
export const LISTED_MAX = 50;

/** Some applications; `hasMore`: there are more than these. */
export interface ListedApplications {
  readonly shown: readonly ShownApplication[];
  readonly hasMore: boolean;
}

const SHOWN = { id: uuid, name: text, isSandbox: bool, isSuspended: bool, isClosed: bool };
const COLUMNS = `id, name, is_sandbox AS "isSandbox", suspended_at IS NOT NULL AS "isSuspended",
  closed_at IS NOT NULL AS "isClosed"`;

const LIST = statement(
  "console.list-applications",
  SHOWN,
  `SELECT ${COLUMNS} FROM applications
         WHERE ($1::uuid[] IS NULL OR id = ANY ($1)) AND ($2 = '' OR strpos(lower(name), lower($2)) > 0 OR id::text = $2)
         ORDER BY id LIMIT $3 OFFSET $4`,
);
const BY_IDS = statement(
  "console.applications-by-ids",
  SHOWN,
  `SELECT ${COLUMNS} FROM applications WHERE id = ANY ($1::uuid[])`,
);
const BY_NAME = statement(
  "console.applications-by-name",
  SHOWN,
  `SELECT ${COLUMNS} FROM applications WHERE name = $1 OR id::text = $1 LIMIT 2`,
);

/** Lists the applications that somebody with these roles may see, the oldest first; of a search its page, from 1. */
export async function listApplicationsFor(
  tx: Tx,
  grants: readonly Grant[],
  { searched, page }: { readonly searched: string; readonly page: number } = { searched: "", page: 1 },
): Promise<ListedApplications> {
  const offset = (page - 1) * LISTED_MAX;
  const found = await tx.query(LIST, [applicationsOf(grants), searched, LISTED_MAX + 1, offset]);
  return { shown: found.slice(0, LISTED_MAX), hasMore: found.length > LISTED_MAX };
}

/** Returns the names of applications by their ids. */
export async function applicationNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = ids.length === 0 ? [] : await tx.query(BY_IDS, [[...new Set(ids)]]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Finds the one application with a name or an id; null: there is none, or several have the name. */
export async function findApplicationNamed(tx: Tx, nameOrId: string): Promise<ShownApplication | null> {
  const found = await tx.query(BY_NAME, [nameOrId]);
  return found.length === 1 ? found[0]! : null;
}
