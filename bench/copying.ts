// Copies rows of any table of the service by INSERT … SELECT: the columns are those that the table has.
import type { ClientBase, Pool } from "pg";

/** What a copy has in place of the value of its source, by column; DEFAULT: the column's default. */
export type OwnValues = Readonly<Record<string, string>>;

interface Copy {
  readonly own: OwnValues;
  /** The rows, as `source`. */
  readonly from: string;
  /** An interval: all other times are later by it. */
  readonly later?: string;
}

/** SQL: an id of a time, as the service makes them (UUIDv7), ascending with it and the same for the same text. */
export const idAt = (at: string, text: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}), 1, 3) || '8' ||
    substr(md5(${text}), 4, 15))::uuid`;

/** The statement that copies rows of a table. */
export async function copyStatement(
  client: Pick<ClientBase | Pool, "query">,
  table: string,
  { own, from, later }: Copy,
): Promise<string> {
  const { rows } = (await client.query(
    `SELECT column_name AS name, data_type = 'timestamp with time zone' AS "isTime" FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  )) as { rows: { name: string; isTime: boolean }[] };
  const columns = rows.filter(({ name }) => own[name] !== "DEFAULT");
  const values = columns.map(
    ({ name, isTime }) => own[name] ?? (isTime && later ? `source.${name} + ${later}` : `source.${name}`),
  );
  return `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) SELECT ${values.join(", ")} FROM ${from}`;
}
