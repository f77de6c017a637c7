import { Type } from "@fastify/type-provider-typebox";
import type { Database } from "../adapters/postgres.ts";
import type { Server } from "../http/server.ts";

import { enrolUser, userInPath } from "./store.ts";
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
