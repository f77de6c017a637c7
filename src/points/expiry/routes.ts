import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import { Problem } from "../../problems.ts";
import { DAY_MS } from "../../time.ts";
import { holdUserInPath, userInPath } from "../../users/store.ts";
import type { AdjustmentRouteDeps } from "../adjustments/routes.ts";
import { moveTestClock } from "./operations.ts";
import { AHEAD_DAYS_MAX } from "./schema.ts";
import type { TestClockBody } from "./schema.ts";
import { aheadMsOf, nextExpiry, setAhead, settle } from "./store.ts";

/** Adds the test clock of sandbox users. */
export function expiryRoutes(server: Server, deps: AdjustmentRouteDeps): void {
  const { idempotency } = deps;
  const route = { ...routeOf(moveTestClock), attachValidation: true };
  server.post(moveTestClock.path, route, async (request, reply) => {
    if (!request.application.isSandbox) throw new Problem("sandboxOnly");
    refuseErrors(request, choiceError);
    const { application, params, body } = request;
    const owner = { applicationId: application.id, userId: params.id };
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, application.id, params.id);
      const now = deps.now();
      const before = await aheadMsOf(tx, params.id);
      const ahead = movedAhead(body, before, now);
      if (typeof ahead !== "number") throw new Problem("validation", { errors: ahead });
      await setAhead(tx, params.id, ahead);
      const { expiredPoints } = await settle(tx, owner, { ...deps, now: () => now, isJump: true });
      const { availablePoints } = await userInPath(tx, application.id, params.id);
      const pointsExpiring = await nextExpiry(tx, params.id);
      const moved = new Date(now.getTime() + ahead).toISOString();
      const response = { userID: params.id, now: moved, expiredPoints, availablePoints, pointsExpiring };
      return { response, userId: params.id };
    });
  });
}

/** Milliseconds ahead of `now` after a move, or what is wrong with it. */
function movedAhead(body: TestClockBody, before: number, now: Date): number | Record<string, string[]> {
  const { advanceDays, now: wanted } = body;
  const member = advanceDays === undefined ? "now" : "advanceDays";
  const ahead = advanceDays === undefined ? Date.parse(wanted!) - now.getTime() : before + advanceDays * DAY_MS;
  if (ahead < before) return { [member]: ["must not be before the user's time"] };
  if (ahead > AHEAD_DAYS_MAX * DAY_MS) return { [member]: [`must not lead beyond ${AHEAD_DAYS_MAX} days from today`] };
  return ahead;
}

function choiceError(body: unknown): Record<string, string[]> {
  const { advanceDays, now } = (body ?? {}) as TestClockBody;
  return (advanceDays === undefined) === (now === undefined)
    ? { advanceDays: ["must be there, or now: one of the two"] }
    : {};
}
