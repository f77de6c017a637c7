import type { FastifyReply, FastifyRequest } from "fastify";
import { TooMuchWaiting } from "../queue/batcher.ts";
import type { Batcher } from "../queue/batcher.ts";
import type { Database } from "../postgres/postgres.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { refuseErrors } from "../http/validation.ts";
import { isUuid } from "../ids.ts";
import { findRecordOf } from "../points/store.ts";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { foodSubmission, mealSubmission, referenceErrors } from "./intake.ts";
import { getFoodStatus, getMealStatus, trackFood, trackMeal } from "./operations.ts";
import type { Accepted, Submission } from "./schema.ts";
import { presentStatus } from "./status.ts";
import { findIntake } from "./store.ts";
import type { Arrival, Arrived, NewIntake } from "./store.ts";

export interface IntakeRouteDeps {
  database: Database;
  /** Stores intakes durably, in batches. */
  accepting: Batcher<Arrival, Arrived>;
  idempotency: Idempotency;
  now: () => Date;
  newId: () => string;
}

/** Adds the routes of meals and foods. They are accepted here and scored in the background. */
export function intakeRoutes(server: Server, deps: IntakeRouteDeps): void {
  const { database, accepting, idempotency, now, newId } = deps;

  const accept = async (
    request: FastifyRequest,
    reply: FastifyReply,
    intake: Pick<NewIntake, "userId" | "source" | "acceptedAt"> & { submission: Submission | { errors: Errors } },
    message: string,
  ): Promise<Accepted> => {
    const { userId, submission } = intake;
    const keyed = idempotency.keyed(request);
    if ("errors" in submission) throw new Problem("validation", { errors: submission.errors });
    const id = newId();
    const response = { id, trackId: id, message };
    const key = keyed && idempotency.kept(keyed, 202, response);
    const traceparent = request.span?.traceparent;
    const arrival = { ...intake, id, applicationId: request.application.id, submission, key, traceparent };
    const arrived = isUuid(userId) ? await accepting.add(arrival).catch(refuseWhenFull) : "unknown_user";
    if (arrived === "unknown_user") throw new Problem("validation", { errors: { userId: ["names no enrolled user"] } });
    if (arrived === "busy") throw new Problem("unavailable", { retryAfterSeconds: 1 });
    if (arrived === "key_taken") return idempotency.replayTaken<Accepted>(keyed!, reply);
    void reply.code(202);
    return response;
  };

  // The error of a missing reference is added here, since a schema has no clear message for "one of two names".
  server.post(trackMeal.path, { ...routeOf(trackMeal), attachValidation: true }, async (request, reply) => {
    if (request.validationError) refuseErrors(request, referenceErrors);
    const acceptedAt = now();
    const submission = mealSubmission(request.body, acceptedAt);
    const { userId } = request.body;
    const intake = { userId, source: "meal", submission, acceptedAt } as const;
    return accept(request, reply, intake, "The meal was accepted for scoring.");
  });

  server.post(trackFood.path, { ...routeOf(trackFood), attachValidation: true }, async (request, reply) => {
    if (request.validationError) refuseErrors(request, referenceErrors);
    const acceptedAt = now();
    const submission = foodSubmission(request.body, acceptedAt);
    const { userId } = request.body;
    const intake = { userId, source: "food", submission, acceptedAt } as const;
    return accept(request, reply, intake, "The food was accepted for scoring.");
  });

  for (const [operation, source] of [
    [getMealStatus, "meal"],
    [getFoodStatus, "food"],
  ] as const) {
    server.get(operation.path, routeOf(operation), async (request) => {
      const { id } = request.params;
      const intake = isUuid(id) ? await findIntake(database, request.application.id, source, id) : null;
      if (!intake) throw new Problem("notFound");
      const record = intake.state === "completed" ? await findRecordOf(database, intake.userId, source, id) : null;
      // Its user has been erased since the lookup.
      if (intake.state === "completed" && !record) throw new Problem("notFound");
      return presentStatus(intake, record);
    });
  }
}

function refuseWhenFull(error: unknown): never {
  if (error instanceof TooMuchWaiting) throw new Problem("unavailable", { retryAfterSeconds: 1 });
  throw error;
}
