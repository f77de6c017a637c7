import type { Tx } from "../postgres/postgres.ts";
import { float8, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import type { Enrollment } from "./schema.ts";
import type { User } from "./user.ts";

const ENROL = statement(
  "users.enrol",
  { id: uuid },
  // The insert of the address decides: of two concurrent enrolments only one inserts the user.
  `WITH claimed AS (
           INSERT INTO user_emails (application_id, email, user_id) VALUES ($2, $3, $1)
           ON CONFLICT DO NOTHING RETURNING user_id
         ), enrolled AS (
           INSERT INTO users (id, application_id, email, first_name, last_name, image_url, country, city, postal_code,
                              created_at, updated_at)
           SELECT user_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10 FROM claimed
         ), balance AS (
           INSERT INTO balances (user_id) SELECT user_id FROM claimed
         )
         SELECT user_id AS id FROM claimed`,
);

const USER = {
  id: uuid,
  applicationId: uuid,
  email: text,
  createdAt: timestamptz,
  updatedAt: timestamptz,
  lifetimePoints: float8,
  availablePoints: float8,
  records: float8,
  otherRecords: float8,
  carbonPoints: float8,
  greenProducts: float8,
};
const USER_COLUMNS = `users.id, users.application_id AS "applicationId", users.email, users.created_at AS "createdAt",
  greatest(users.updated_at, balances.last_record_at) AS "updatedAt",
  balances.lifetime_points::float8 AS "lifetimePoints", balances.available_points::float8 AS "availablePoints",
  balances.records::float8 AS records, balances.other_records::float8 AS "otherRecords", balances.carbon_points::float8 AS "carbonPoints",
  balances.green_products::float8 AS "greenProducts"`;

const FIND = statement(
  "users.find",
  USER,
  `SELECT ${USER_COLUMNS} FROM users JOIN balances ON balances.user_id = users.id
         WHERE users.id = $2 AND users.application_id = $1 AND users.erased_at IS NULL`,
);
const FIND_OF_ANY_APPLICATION = statement(
  "users.find-of-any",
  USER,
  `SELECT ${USER_COLUMNS} FROM users JOIN balances ON balances.user_id = users.id
         WHERE users.id = $1 AND users.erased_at IS NULL`,
);
const FIND_BY_EMAIL = statement(
  "users.find-by-email",
  USER,
  `SELECT ${USER_COLUMNS} FROM user_emails JOIN users ON users.id = user_emails.user_id
         JOIN balances ON balances.user_id = users.id
         WHERE user_emails.application_id = $1 AND user_emails.email = $2`,
);

/** Enrols a user, or returns the user of the application who already has this normalised address. */
export async function enrolUser(
  tx: Tx,
  user: { id: string; applicationId: string; enrollment: Enrollment; now: Date },
): Promise<User> {
  const { firstName, lastName, imageUrl, country, city, postalCode, email } = user.enrollment;
  await tx.query(ENROL, [
    user.id,
    user.applicationId,
    email,
    firstName,
    lastName,
    imageUrl ?? null,
    country ?? null,
    city ?? null,
    postalCode ?? null,
    user.now,
  ]);
  const found = await findUserByEmail(tx, user.applicationId, email);
  if (!found) throw new Error("the user was not found by the address that was just inserted");
  return found;
}

/** Finds the user with a normalised address in this application, or null. */
export async function findUserByEmail(tx: Tx, applicationId: string, email: string): Promise<User | null> {
  return (await tx.query(FIND_BY_EMAIL, [applicationId, email]))[0] ?? null;
}

/** Finds a user of this application; null for an unknown id and for the id of another application. */
export async function findUser(tx: Tx, applicationId: string, userId: string): Promise<User | null> {
  return (await tx.query(FIND, [applicationId, userId]))[0] ?? null;
}

/** Finds a user of any application, or null. For the operator only. */
export async function findUserOfAny(tx: Tx, userId: string): Promise<User | null> {
  return (await tx.query(FIND_OF_ANY_APPLICATION, [userId]))[0] ?? null;
}

/** Returns the user with the id of a path. Throws notFound for an unknown id, or that of another application. */
export async function userInPath(tx: Tx, applicationId: string, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(tx, applicationId, id) : null;
  if (!user) throw new Problem("notFound");
  return user;
}

/** Returns the user with the `userId` of a body. Throws validation for an unknown id, or another application's. */
export async function userInBody(tx: Tx, applicationId: string, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(tx, applicationId, id) : null;
  if (!user) throw new Problem("validation", { errors: { userId: ["names no enrolled user"] } });
  return user;
}
