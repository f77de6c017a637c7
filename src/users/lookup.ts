import type { Database } from "../adapters/postgres.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { findUser } from "./store.ts";
import type { User } from "./user.ts";

/** The user that a path names; a 404 for an unknown one, exactly as for another application's. */
export async function userInPath(database: Database, applicationId: string, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(database, applicationId, id) : null;
  if (!user) throw new Problem("notFound");
  return user;
}

/** The user that a body names; a 400 at `userId` for an unknown one, exactly as for another application's. */
export async function userInBody(database: Database, applicationId: string, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(database, applicationId, id) : null;
  if (!user) throw new Problem("validation", { faults: { userId: ["names no enrolled user"] } });
  return user;
}
