// Indexes and keys of tables are dropped while they are filled, and made again: as a restore does. Written row by row,
// the pages of random keys would be written to the log again and again.
import type { Client } from "pg";
import type { Progress } from "../progress.ts";

interface Dropped {
  readonly drop: string;
  readonly create: string;
  readonly step: number;
}

const NAMED_LENGTH = 80;

/**
 * Foreign keys from and to the tables, then primary keys and unique constraints, then the other indexes. Foreign keys
 * hold for new rows again; those that are there have theirs.
 */
const FOUND = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
           || CASE contype WHEN 'f' THEN ' NOT VALID' ELSE '' END AS create,
         CASE contype WHEN 'f' THEN 1 ELSE 2 END AS step
  FROM pg_constraint
  WHERE contype IN ('f', 'p', 'u') AND conparentid = 0
    AND (conrelid = ANY ($1::regclass[]) OR contype = 'f' AND confrelid = ANY ($1::regclass[]))
  UNION ALL
  SELECT format('DROP INDEX %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), 3
  FROM pg_index
  WHERE indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY step`;

/** Drops the indexes and keys of tables. Returns what makes them again. */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
): Promise<(clients: readonly Client[], progress: Progress) => Promise<void>> {
  const { rows } = await client.query<Dropped>(FOUND, [tables]);
  for (const { drop } of rows) await client.query(drop);
  return async (clients, progress) => {
    let made = 0;
    const make = async (each: Client, { create }: Dropped): Promise<void> => {
      progress(`index or key ${++made} of ${rows.length}: ${create.slice(0, NAMED_LENGTH)}`);
      await each.query(create);
    };
    // A foreign key needs its unique index, and a lock on two tables.
    await share(
      clients,
      rows.filter(({ step }) => step > 1),
      make,
    );
    await share(
      clients.slice(0, 1),
      rows.filter(({ step }) => step === 1),
      make,
    );
  };
}

/** Lets the connections do the tasks: each the next one that nobody has begun. */
export async function share<Task>(
  clients: readonly Client[],
  tasks: readonly Task[],
  work: (client: Client, task: Task) => Promise<void>,
): Promise<void> {
  const left = [...tasks];
  const one = async (client: Client): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(client, next);
  };
  await Promise.all(clients.map(one));
}
