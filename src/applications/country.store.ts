import type { Tx } from "../postgres/postgres.ts";
import { orNull, statement, text } from "../postgres/statement.ts";

const READ = statement(
  "applications.country",
  { country: orNull(text) },
  `SELECT country FROM applications WHERE client_id = $1`,
);
const SET = statement(
  "applications.set-country",
  {},
  `UPDATE applications SET country = $2, updated_at = $3 WHERE client_id = $1`,
);

/** The country that most receipts of an application are from, ISO 3166-1 alpha-2; null: not set, or no such client. */
export async function countryOfApplication(tx: Tx, clientId: string): Promise<string | null> {
  return (await tx.query(READ, [clientId]))[0]?.country ?? null;
}

/** Sets that country, or forgets it. */
export async function setCountry(tx: Tx, clientId: string, country: string | null, now: Date): Promise<void> {
  await tx.query(SET, [clientId, country, now]);
}
