import { Type } from "@fastify/type-provider-typebox";
import type { Database } from "../adapters/postgres.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { enrolUser, findUser } from "./store.ts";
import type { User } from "./user.ts";
import { EnrollmentBody, normaliseEmail, presentUser } from "./user.ts";

export interface UserDeps {
  database: Database;
  now: () => Date;
  newId: () => string;
}

/** Enrolment and the user's summary. */
export function userRoutes(server: Server, { database, now, newId }: UserDeps): void {
  server.post("/users/enroll", { schema: { body: EnrollmentBody } }, async (request) => {
    const enrollment = { ...request.body, email: normaliseEmail(request.body.email) };
    const user = await enrolUser(database, {
      id: newId(),
      applicationId: request.application.id,
      enrollment,
      now: now(),
    });
    return { user: presentUser(user) };
  });

  const params = Type.Object({ id: Type.String() });
  server.get("/users/:id/summary", { schema: { params } }, async (request) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    return { user: presentUser(user) };
  });
}

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
