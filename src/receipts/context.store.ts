import type { Tx } from "../postgres/postgres.ts";
import { orNull, statement, text } from "../postgres/statement.ts";
import { countryCodeOf } from "./parsing/languages/country-code.ts";
import type { ReadingContext } from "./parsing/reading.ts";
import type { NewReceipt } from "./receipt.ts";

const COUNTRIES_OF = statement(
  "receipts.likely-countries",
  { ofUser: orNull(text), ofApplication: orNull(text) },
  `SELECT users.country AS "ofUser", applications.country AS "ofApplication"
         FROM applications LEFT JOIN users ON users.application_id = applications.id AND users.id = $2
         WHERE applications.id = $1`,
);

/** What is known of a receipt beside its picture: the day of its upload, and the country of its user or application. */
export async function contextOf(
  tx: Tx,
  { applicationId, userId, acceptedAt }: Pick<NewReceipt, "applicationId" | "userId" | "acceptedAt">,
): Promise<ReadingContext> {
  const [row] = await tx.query(COUNTRIES_OF, [applicationId, userId]);
  return {
    today: acceptedAt.toISOString().slice(0, 10),
    likelyCountry: countryCodeOf(row?.ofUser ?? "") ?? row?.ofApplication ?? null,
  };
}
