import { Problem } from "../problems.ts";
import type { Application } from "./application.ts";

/** Moves of small applications take seconds. */
const RETRY_AFTER_SECONDS = 10;

/** Throws for an application that is moving to another cell, or has moved: nothing of it may respond here. */
export function refuseClosed({ closedAt, movedTo }: Pick<Application, "closedAt" | "movedTo">): void {
  if (closedAt === null) return;
  if (movedTo === null) throw new Problem("applicationMoving", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  throw new Problem("applicationMoved", { detail: `The application is at ${movedTo} now.`, movedTo });
}
