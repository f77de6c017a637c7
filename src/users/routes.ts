import type { Database } from "../postgres/postgres.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { enrollUser, getUserSummary } from "./operations.ts";
import { enrolUser, userInPath } from "./store.ts";
import { normaliseEmail, presentUser } from "./user.ts";

export interface UserRouteDeps {
  database: Database;
  idempotency: Idempotency;
  now: () => Date;
  newId: () => string;
}

/** Adds enrolment and the summary of a user. */
export function userRoutes(server: Server, { database, idempotency, now, newId }: UserRouteDeps): void {
  server.post(enrollUser.path, routeOf(enrollUser), async (request, reply) => {
    const enrollment = { ...request.body, email: normaliseEmail(request.body.email) };
    const applicationId = request.application.id;
    return idempotency.once(request, reply, async (tx) => {
      const { user } = await enrolUser(tx, { id: newId(), applicationId, enrollment, now: now() });
      return { response: { user: presentUser(user) }, userId: user.id };
    });
  });

  server.get(getUserSummary.path, routeOf(getUserSummary), async (request) => {
    const user = await userInPath(database, request.application.id, request.params.id);
    return { user: presentUser(user) };
  });
}
