import { Type } from "@fastify/type-provider-typebox";
import { TooMuchWaiting } from "../adapters/batcher.ts";
import type { Batcher } from "../adapters/batcher.ts";
import type { Database } from "../adapters/postgres.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { findRecordOf } from "../points/store.ts";
import { Problem } from "../problems.ts";
import type { Faults } from "../problems.ts";
import { FoodBody, MealBody, foodSubmission, mealSubmission } from "./intake.ts";
import type { IntakeSource, Submission } from "./intake.ts";
import { presentStatus } from "./status.ts";
import { findIntake } from "./store.ts";
import type { NewIntake } from "./store.ts";

export interface IntakeRouteDeps {
  database: Database;
  /** Stores intakes durably, many at once; false: the user is unknown. */
  accepting: Batcher<NewIntake, boolean>;
  now: () => Date;
  newId: () => string;
}

/** Meals and foods: accepted here, scored in the background. */
export function intakeRoutes(server: Server, deps: IntakeRouteDeps): void {
  const { database, accepting, now, newId } = deps;

  const accept = async (
    applicationId: string,
    userId: string,
    source: IntakeSource,
    submission: Submission | { faults: Faults },
    acceptedAt: Date,
  ): Promise<string> => {
    if ("faults" in submission) throw new Problem("validation", { faults: submission.faults });
    const id = newId();
    const isKnown =
      isUuid(userId) &&
      (await accepting.add({ id, applicationId, userId, source, submission, acceptedAt }).catch(refuseAtTheBound));
    if (!isKnown) throw new Problem("validation", { faults: { userId: ["names no enrolled user"] } });
    return id;
  };

  server.post("/track/meals", { schema: { body: MealBody } }, async (request, reply) => {
    const acceptedAt = now();
    const submission = mealSubmission(request.body, acceptedAt);
    const id = await accept(request.application.id, request.body.userId, "meal", submission, acceptedAt);
    return reply.code(202).send({ id, trackId: id, message: "The meal was accepted for scoring." });
  });

  server.post("/track/food", { schema: { body: FoodBody } }, async (request, reply) => {
    const acceptedAt = now();
    const submission = foodSubmission(request.body, acceptedAt);
    const id = await accept(request.application.id, request.body.userId, "food", submission, acceptedAt);
    return reply.code(202).send({ id, trackId: id, message: "The food was accepted for scoring." });
  });

  const params = Type.Object({ id: Type.String() });
  for (const [path, source] of [
    ["/track/meals/:id/status", "meal"],
    ["/track/food/:id/status", "food"],
  ] as const) {
    server.get(path, { schema: { params } }, async (request) => {
      const { id } = request.params;
      const intake = isUuid(id) ? await findIntake(database, request.application.id, source, id) : null;
      if (!intake) throw new Problem("notFound");
      const record = intake.state === "completed" ? await findRecordOf(database, intake.userId, source, id) : null;
      return presentStatus(intake, record);
    });
  }
}

function refuseAtTheBound(error: unknown): never {
  if (error instanceof TooMuchWaiting) throw new Problem("unavailable", { retryAfterSeconds: 1 });
  throw error;
}
