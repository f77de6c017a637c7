/** What a person can be allowed to do in the console. */
export const RIGHTS = ["see", "review", "manage", "develop", "operate"] as const;
export type Right = (typeof RIGHTS)[number];

/** The roles that can be granted, for one application or for all. */
export const ROLES = ["viewer", "reviewer", "manager", "developer", "operator"] as const;
export type Role = (typeof ROLES)[number];

/**
 * The rights of each role. To review is to decide what was read on receipts; to manage is to change points, rewards and
 * the programme; to develop is to change keys and webhooks; to operate is to change who may use the console.
 */
const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ["see"],
  reviewer: ["see", "review"],
  manager: ["see", "review", "manage"],
  developer: ["see", "develop"],
  operator: RIGHTS,
};

/** A role of a person; `applicationId` null: for all applications. */
export interface Grant {
  readonly applicationId: string | null;
  readonly role: Role;
}

/** Returns the rights in an application; `applicationId` null: those that hold for all applications. */
export function rightsIn(grants: readonly Grant[], applicationId: string | null): ReadonlySet<Right> {
  const held = grants.filter((grant) => grant.applicationId === null || grant.applicationId === applicationId);
  return new Set(held.flatMap(({ role }) => RIGHTS_OF[role]));
}

/** Returns the ids of the applications that may be seen; null: all. */
export function applicationsOf(grants: readonly Grant[]): readonly string[] | null {
  if (rightsIn(grants, null).has("see")) return null;
  return [...new Set(grants.flatMap(({ applicationId }) => applicationId ?? []))];
}

/** Returns whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
