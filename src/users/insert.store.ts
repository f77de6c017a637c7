import { arrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { statement, text } from "../postgres/statement.ts";
import type { Profile } from "./user.ts";

interface NewUser extends Profile {
  readonly id: string;
}

const NEW_USERS = arrayColumns<NewUser>({
  id: ["uuid", ({ id }) => id],
  email: ["text", ({ email }) => email],
  first_name: ["text", ({ firstName }) => firstName],
  last_name: ["text", ({ lastName }) => lastName],
  image_url: ["text", ({ imageUrl }) => imageUrl],
  country: ["text", ({ country }) => country],
  city: ["text", ({ city }) => city],
  postal_code: ["text", ({ postalCode }) => postalCode],
});
const APPLICATION = `$${NEW_USERS.next}::uuid`;
const NOW = `$${NEW_USERS.next + 1}::timestamptz`;
const INSERT = statement(
  "users.insert",
  { email: text },
  // The insert of the address decides: of two concurrent enrolments only one inserts the user. In one order, so that
  // two imports of one list never wait for each other in a circle.
  `WITH new AS MATERIALIZED (
           SELECT * FROM ${NEW_USERS.unnest} AS new (${NEW_USERS.names})
         ), claimed AS (
           INSERT INTO user_emails (application_id, email, user_id)
           SELECT ${APPLICATION}, email, id FROM new ORDER BY email COLLATE "C"
           ON CONFLICT DO NOTHING RETURNING user_id, email
         ), enrolled AS (
           INSERT INTO users (id, application_id, email, first_name, last_name, image_url, country, city, postal_code,
                              created_at, updated_at)
           SELECT id, ${APPLICATION}, email, first_name, last_name, image_url, country, city, postal_code, ${NOW}, ${NOW}
           FROM new WHERE id IN (SELECT user_id FROM claimed)
         ), balance AS (
           INSERT INTO balances (user_id) SELECT user_id FROM claimed
         ), counted AS (
           INSERT INTO report_deltas (application_id, day, figures)
           SELECT ${APPLICATION}, (${NOW} AT TIME ZONE 'UTC')::date, json_build_object('users.enrolled', count(*))::text
           FROM claimed HAVING count(*) > 0
         )
         SELECT email FROM claimed`,
);

/** Inserts users with their balances, each address once in the application. Returns the addresses that were free. */
export async function insertUsers(
  tx: Tx,
  applicationId: string,
  users: readonly NewUser[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query(INSERT, [...NEW_USERS.values(users), applicationId, now]);
  return new Set(rows.map(({ email }) => email));
}
