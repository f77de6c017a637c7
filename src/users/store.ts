import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import type { EnrolmentEffects } from "./enrolment.ts";
import { insertUsers } from "./insert.store.ts";
import type { Enrollment } from "./schema.ts";
import { differingMembers, profileOf } from "./user.ts";
import type { Profile, ProfileMember, User } from "./user.ts";

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

const PROFILE_COLUMNS = `email, first_name AS "firstName", last_name AS "lastName", image_url AS "imageUrl", country,
  city, postal_code AS "postalCode"`;
const PROFILE_ROW = {
  email: text,
  firstName: text,
  lastName: text,
  imageUrl: orNull(text),
  country: orNull(text),
  city: orNull(text),
  postalCode: orNull(text),
};
const PROFILE = statement("users.profile", PROFILE_ROW, `SELECT ${PROFILE_COLUMNS} FROM users WHERE id = $1`);
const LOCK_PROFILE = statement(
  "users.lock-profile",
  PROFILE_ROW,
  // The limit holds for the whole tx: a change waits with a connection of the pool.
  `WITH bounded AS (SELECT set_config('lock_timeout', '2s', true))
         SELECT ${PROFILE_COLUMNS} FROM bounded, users
         WHERE application_id = $1 AND users.id = $2 AND erased_at IS NULL FOR NO KEY UPDATE OF users`,
);
const CHANGE = statement(
  "users.change",
  {},
  `UPDATE users SET email = $2, first_name = $3, last_name = $4, image_url = $5, country = $6, city = $7,
                postal_code = $8, updated_at = $9
         WHERE id = $1`,
);
const CLAIM_EMAIL = statement(
  "users.claim-email",
  { userId: uuid },
  // Of two who want an address at once, the second waits for the tx of the first.
  `INSERT INTO user_emails (application_id, email, user_id) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING user_id AS "userId"`,
);
const RELEASE_EMAIL = statement(
  "users.release-email",
  {},
  "DELETE FROM user_emails WHERE application_id = $1 AND email = $2 AND user_id = $3",
);
const FIND = statement(
  "users.find",
  { ...USER, doPointsExpire: bool },
  `SELECT ${USER_COLUMNS}, EXISTS (
                  SELECT 1 FROM points_settings WHERE application_id = $1 AND expiry_months IS NOT NULL)
                AS "doPointsExpire" FROM users JOIN balances ON balances.user_id = users.id
         WHERE users.id = $2 AND users.application_id = $1 AND users.erased_at IS NULL`,
);
const FIND_OF_ANY_APPLICATION = statement(
  "users.find-of-any",
  USER,
  `SELECT ${USER_COLUMNS} FROM users JOIN balances ON balances.user_id = users.id
         WHERE users.id = $1 AND users.erased_at IS NULL`,
);
/**
 * Holds a user until the tx ends, so that no erasure overtakes what the tx stores. `FOR KEY SHARE` is the lock that
 * foreign keys take anyway: it waits for nobody but an erasure, and here not even for that. PostgreSQL judges
 * `erased_at` on the row as it is when it is locked.
 */
const HOLD = statement(
  "users.hold",
  { isHeld: bool, isKnown: bool },
  `WITH held AS (
           SELECT id FROM users WHERE id = $2 AND application_id = $1 AND erased_at IS NULL FOR KEY SHARE SKIP LOCKED
         )
         SELECT EXISTS (SELECT 1 FROM held) AS "isHeld",
                EXISTS (SELECT 1 FROM users WHERE id = $2 AND application_id = $1 AND erased_at IS NULL) AS "isKnown"`,
);
const KNOWN = statement(
  "users.known",
  { id: uuid, applicationId: uuid },
  `SELECT id, application_id AS "applicationId" FROM users WHERE id = ANY ($1) AND erased_at IS NULL`,
);
const FIND_BY_EMAIL = statement(
  "users.find-by-email",
  USER,
  `SELECT ${USER_COLUMNS} FROM user_emails JOIN users ON users.id = user_emails.user_id
         JOIN balances ON balances.user_id = users.id
         WHERE user_emails.application_id = $1 AND user_emails.email = $2`,
);

/** Attempts at an enrolment whose address is released or changed in the same moment. */
const ENROL_ATTEMPTS_MAX = 3;
const BUSY_RETRY_SECONDS = 1;

/** A user of an application, and whether its points expire. */
export interface FoundUser extends User {
  readonly doPointsExpire: boolean;
}

/** An enrolled user. */
export interface Enrolled {
  readonly user: User;
  /** The members whose stored value was kept, though the enrolment has another one; none for a new user. */
  readonly keptMembers: readonly (keyof Enrollment)[];
  /** The user is new, and nobody has the code that was sent. */
  readonly isCodeUnknown: boolean;
}

/**
 * Enrols a user, or returns the user of the application who already has this normalised address, unchanged. Holds the
 * user until the tx ends. Throws unavailable while another client has the user locked.
 */
export async function enrolUser(
  tx: Tx,
  user: { id: string; applicationId: string; enrollment: Enrollment; now: Date },
  effects: EnrolmentEffects,
): Promise<Enrolled> {
  const { id, applicationId, enrollment, now } = user;
  const profile = profileOf(enrollment);
  for (let attempt = 1; attempt <= ENROL_ATTEMPTS_MAX; attempt++) {
    await insertUsers(tx, applicationId, [{ ...profile, id }], now);
    const found = await findUserByEmail(tx, applicationId, profile.email);
    // Missing: the one who had the address was erased, or changed it, since the insert: it is free again.
    const held = found && (await holdUser(tx, applicationId, found.id));
    if (held !== "held") continue;
    if (found!.id === id) return withEffects(tx, found!, enrollment, effects);
    const [stored] = await tx.query(PROFILE, [found!.id]);
    const keptMembers: (keyof Enrollment)[] = differingMembers(stored!, enrollment);
    const { referralCode } = enrollment;
    // Who is enrolled cannot be referred any more.
    const isOther = referralCode !== undefined && !(await effects.wasReferredBy(tx, found!.id, referralCode));
    return {
      user: found!,
      keptMembers: isOther ? [...keptMembers, "referralCode"] : keptMembers,
      isCodeUnknown: false,
    };
  }
  throw new Problem("unavailable", { retryAfterSeconds: BUSY_RETRY_SECONDS });
}

/** What a new user gets and came with. */
async function withEffects(
  tx: Tx,
  user: User,
  { referralCode }: Enrollment,
  effects: EnrolmentEffects,
): Promise<Enrolled> {
  const { id: userId, applicationId } = user;
  const isKnown = referralCode === undefined || (await effects.refer(tx, { userId, applicationId }, referralCode));
  const isRicher = (await effects.welcome(tx, [userId])) > 0;
  const now = isRicher ? await findUser(tx, applicationId, userId) : user;
  return { user: now ?? user, keptMembers: [], isCodeUnknown: !isKnown };
}

/**
 * Holds a user of this application until the tx ends: no erasure ends before it, and none began before. `busy`: another
 * client has locked the row, and nobody waits for it here.
 */
export async function holdUser(tx: Tx, applicationId: string, userId: string): Promise<"held" | "busy" | "unknown"> {
  const [row] = await tx.query(HOLD, [applicationId, userId]);
  return row!.isHeld ? "held" : row!.isKnown ? "busy" : "unknown";
}

/** Returns the applications of those of these users who are not erased, by the id of the user. */
export async function knownUsers(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await tx.query(KNOWN, [ids])).map(({ id, applicationId }) => [id, applicationId]));
}

/** Holds the user with the `userId` of a body. Throws validation for an unknown id, or another application's. */
export async function holdUserInBody(tx: Tx, applicationId: string, id: string): Promise<void> {
  const held = isUuid(id) ? await holdUser(tx, applicationId, id) : "unknown";
  const problem = holdProblem(held);
  if (problem) throw problem;
}

/** Holds the user with the id of a path. Throws notFound for an unknown id, or another application's. */
export async function holdUserInPath(tx: Tx, applicationId: string, id: string): Promise<void> {
  const held = isUuid(id) ? await holdUser(tx, applicationId, id) : "unknown";
  if (held === "unknown") throw new Problem("notFound");
  if (held === "busy") throw new Problem("unavailable", { retryAfterSeconds: BUSY_RETRY_SECONDS });
}

/** The problem of a request about a user who could not be held; null: they are held. */
export function holdProblem(held: "held" | "busy" | "unknown"): Problem | null {
  if (held === "held") return null;
  return held === "busy"
    ? new Problem("unavailable", { retryAfterSeconds: BUSY_RETRY_SECONDS })
    : new Problem("validation", { errors: { userId: ["names no enrolled user"] } });
}

/** Finds the user with a normalised address in this application, or null. */
export async function findUserByEmail(tx: Tx, applicationId: string, email: string): Promise<User | null> {
  return (await tx.query(FIND_BY_EMAIL, [applicationId, email]))[0] ?? null;
}

/** Finds a user of this application; null for an unknown id and for the id of another application. */
export async function findUser(tx: Tx, applicationId: string, userId: string): Promise<FoundUser | null> {
  return (await tx.query(FIND, [applicationId, userId]))[0] ?? null;
}

/** Finds a user of any application, or null. For the operator only. */
export async function findUserOfAny(tx: Tx, userId: string): Promise<User | null> {
  return (await tx.query(FIND_OF_ANY_APPLICATION, [userId]))[0] ?? null;
}

/** Returns the user with the id of a path. Throws notFound for an unknown id, or that of another application. */
export async function userInPath(tx: Tx, applicationId: string, id: string): Promise<FoundUser> {
  const user = isUuid(id) ? await findUser(tx, applicationId, id) : null;
  if (!user) throw new Problem("notFound");
  return user;
}

/** Changes members of a user's profile. */
export type UserChange =
  | { readonly kind: "changed"; readonly user: User; readonly changedMembers: readonly ProfileMember[] }
  | { readonly kind: "unknown" }
  /** Another user of the application has the address. */
  | { readonly kind: "email_taken" };

/** Changes the members of `change`; null clears one. The address stays unique in the application. */
export async function changeUser(
  tx: Tx,
  applicationId: string,
  userId: string,
  change: Partial<Profile>,
  now: Date,
): Promise<UserChange> {
  const [stored] = await tx.query(LOCK_PROFILE, [applicationId, userId]);
  if (!stored) return { kind: "unknown" };
  const changedMembers = differingMembers(stored, change);
  if (changedMembers.length > 0) {
    const { email, ...profile } = { ...stored, ...change };
    if (changedMembers.includes("email")) {
      const claimed = await tx.query(CLAIM_EMAIL, [applicationId, email, userId]);
      if (claimed.length === 0) return { kind: "email_taken" };
      await tx.query(RELEASE_EMAIL, [applicationId, stored.email, userId]);
    }
    await tx.query(CHANGE, [userId, email, ...Object.values(profile), now]);
  }
  const user = await findUser(tx, applicationId, userId);
  if (!user) throw new Error("a locked user was not found");
  return { kind: "changed", user, changedMembers };
}
