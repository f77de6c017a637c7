import type { Database, Tx } from "../postgres/postgres.ts";
import { rollback } from "../postgres/rollback.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { routeOf, routePathOf } from "../http/operation.ts";
import { knownMembers } from "../http/schema-members.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { isEmail } from "../http/formats.ts";
import { knownValues } from "../http/query.ts";
import { changeUser, enrollUser, findUsers, getUserSummary } from "./operations.ts";
import type { EffectsOf } from "./enrolment.ts";
import { UserChangeBody } from "./schema.ts";
import * as store from "./store.ts";
import type { NextExpiry, ShownTier } from "./schema.ts";
import type { UserChange } from "./store.ts";
import { normaliseEmail, presentUser } from "./user.ts";

export interface UserRouteDeps {
  database: Database;
  idempotency: Idempotency;
  now: () => Date;
  newId: () => string;
  /** What expires next of a user's points. The ledger knows it, which is above this folder. */
  nextExpiry: (tx: Tx, userId: string) => Promise<NextExpiry>;
  effectsOf: EffectsOf;
  /** The tier of a user at a moment, which the ledger knows as well. */
  tierShown: (
    tx: Tx,
    user: { readonly userId: string; readonly applicationId: string; readonly lifetimePoints: number },
    at: Date,
  ) => Promise<ShownTier>;
}

const EMAIL_LENGTH_MAX = 254;
const UNKNOWN_CODE = { referralCode: ["is no code of a user"] };

/** Adds enrolment, the summary of a user, and changes of a user's data. */
export function userRoutes(server: Server, deps: UserRouteDeps): void {
  const { database, idempotency, now, newId, nextExpiry, effectsOf, tierShown } = deps;
  server.post(enrollUser.path, routeOf(enrollUser), async (request, reply) => {
    const enrollment = { ...request.body, email: normaliseEmail(request.body.email) };
    const applicationId = request.application.id;
    const effects = await effectsOf(applicationId, "api");
    return idempotency.once(request, reply, async (tx) => {
      const enrolled = await store.enrolUser(tx, { id: newId(), applicationId, enrollment, now: now() }, effects);
      if (enrolled.isCodeUnknown) throw new Problem("validation", { errors: UNKNOWN_CODE });
      const keptMembers = [...enrolled.keptMembers];
      const response = { user: presentUser(enrolled.user), ...(keptMembers.length > 0 && { keptMembers }) };
      return { response, userId: enrolled.user.id };
    });
  });

  server.get(findUsers.path, routeOf(findUsers), async (request) => {
    const email = normaliseEmail(knownValues(request).get("email") ?? "");
    if (email === "") throw new Problem("validation", { errors: { email: ["is required"] } });
    if (email.length > EMAIL_LENGTH_MAX || !isEmail(email)) {
      throw new Problem("validation", { errors: { email: ["must be an e-mail address"] } });
    }
    const user = await store.findUserByEmail(database, request.application.id, email);
    return { users: user ? [presentUser(user)] : [] };
  });

  server.get(getUserSummary.path, routeOf(getUserSummary), async (request) => {
    const user = await store.userInPath(database, request.application.id, request.params.id);
    const pointsExpiring = user.doPointsExpire && user.availablePoints > 0 ? await nextExpiry(database, user.id) : null;
    const { id: userId, applicationId, lifetimePoints } = user;
    const tier = await tierShown(database, { userId, applicationId, lifetimePoints }, now());
    return { user: { ...presentUser(user), pointsExpiring, tier } };
  });

  server.patch(routePathOf(changeUser), routeOf(changeUser), async (request) => {
    const { application, params } = request;
    if (!isUuid(params.id)) throw new Problem("notFound");
    const { email, ...others } = knownMembers(UserChangeBody, request.body);
    const change = { ...others, ...(email !== undefined && { email: normaliseEmail(email) }) };
    const changed = await database.requestTx<UserChange>(application.id, async (tx) => {
      const outcome = await store.changeUser(tx, application.id, params.id, change, now());
      return outcome.kind === "changed" ? outcome : rollback(outcome);
    });
    if (changed.kind === "unknown") throw new Problem("notFound");
    if (changed.kind === "email_taken") throw new Problem("emailTaken");
    return { user: presentUser(changed.user), changedMembers: [...changed.changedMembers] };
  });
}
