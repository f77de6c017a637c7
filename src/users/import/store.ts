import type { Tx } from "../../postgres/postgres.ts";
import { orNull, statement, text } from "../../postgres/statement.ts";
import { insertUsers } from "../insert.store.ts";
import type { Enrollment } from "../schema.ts";
import { differingMembers, profileOf } from "../user.ts";
import type { ProfileMember } from "../user.ts";

const PROFILES = statement(
  "users.profiles-by-email",
  {
    email: text,
    firstName: text,
    lastName: text,
    imageUrl: orNull(text),
    country: orNull(text),
    city: orNull(text),
    postalCode: orNull(text),
  },
  `SELECT users.email, first_name AS "firstName", last_name AS "lastName", image_url AS "imageUrl", country, city,
                postal_code AS "postalCode"
         FROM user_emails JOIN users ON users.id = user_id
         WHERE user_emails.application_id = $1 AND user_emails.email = ANY ($2)`,
);
/** What comes with the enrolment of people whom this tx has enrolled. */
export type WelcomeMany = (tx: Tx, userIds: readonly string[]) => Promise<number>;

/** What became of one person: enrolled now, or before, and then with the members whose stored value was kept. */
export type ManyEnrolled =
  | { readonly kind: "enrolled" }
  | { readonly kind: "known"; readonly keptMembers: readonly ProfileMember[] }
  /** The address was released in the same moment. */
  | { readonly kind: "busy" };

/**
 * Enrols people by the rules of `enrolUser`, by one statement and one for those who are enrolled already. Of several
 * with one address the first counts. Returns an outcome for each, in order.
 */
export async function enrolMany(
  tx: Tx,
  applicationId: string,
  enrollments: readonly Enrollment[],
  { now, newId, welcome }: { readonly now: Date; readonly newId: () => string; readonly welcome: WelcomeMany },
): Promise<ManyEnrolled[]> {
  const firsts = new Map<string, Enrollment>();
  for (const enrollment of enrollments) if (!firsts.has(enrollment.email)) firsts.set(enrollment.email, enrollment);
  const users = [...firsts.values()].map((enrollment) => ({ ...profileOf(enrollment), id: newId() }));
  const enrolled = await insertUsers(tx, applicationId, users, now);
  const newIds = users.filter(({ email }) => enrolled.has(email)).map(({ id }) => id);
  if (newIds.length > 0) await welcome(tx, newIds);
  const outcomes = await compareMany(tx, applicationId, enrollments);
  return enrollments.map((enrollment, i) => {
    const isFirst = firsts.get(enrollment.email) === enrollment;
    if (isFirst && enrolled.has(enrollment.email)) return { kind: "enrolled" };
    return outcomes[i] ?? { kind: "busy" };
  });
}

/** Compares people with those who are enrolled; null for each who is not. Nothing is changed. */
export async function compareMany(
  tx: Tx,
  applicationId: string,
  enrollments: readonly Enrollment[],
): Promise<(Extract<ManyEnrolled, { kind: "known" }> | null)[]> {
  const emails = [...new Set(enrollments.map(({ email }) => email))];
  const rows = await tx.query(PROFILES, [applicationId, emails]);
  const stored = new Map(rows.map((profile) => [profile.email, profile]));
  return enrollments.map((enrollment) => {
    const profile = stored.get(enrollment.email);
    return profile ? { kind: "known", keptMembers: differingMembers(profile, enrollment) } : null;
  });
}
