import type { Database } from "../adapters/postgres.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { enrollUser, getUserSummary } from "./schema.ts";
import { enrolUser, userInPath } from "./store.ts";
import { normaliseEmail, presentUser } from "./user.ts";

export interface UserDeps {
  database: Database;
  now: () => Date;
  newId: () => string;
}

/** Enrolment and the user's summary. */
export function userRoutes(server: Server, { database, now, newId }: UserDeps): void {
  server.post(enrollUser.path, routeOf(enrollUser), async (request) => {
    const enrollment = { ...request.body, email: normaliseEmail(request.body.email) };
    const user = await enrolUser(database, {
      id: newId(),
      applicationId: request.application.id,
      enrollment,
      now: now(),
    });
    return { user: presentUser(user) };
  });

  server.get(getUserSummary.path, routeOf(getUserSummary), async (request) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    return { user: presentUser(user) };
  });
}
