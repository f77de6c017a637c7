import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import type { Database } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import { holdUserInPath, userInPath } from "../users/store.ts";
import { referralCode } from "./code.ts";
import { getReferralCode } from "./operations.ts";
import { addCode, findCode } from "./store.ts";

export interface ReferralRouteDeps {
  readonly database: Database;
  /** New bytes from a cryptographic source, enough for a code. */
  readonly randomCode: () => Uint8Array;
  readonly now: () => Date;
}

/** With a million codes one in a million attempts finds a code that is there already. */
const ATTEMPTS_MAX = 3;

/** Adds the operation with a user's referral code. */
export function referralRoutes(server: Server, { database, randomCode, now }: ReferralRouteDeps): void {
  server.get(getReferralCode.path, routeOf(getReferralCode), async ({ application, params }) => {
    const { id: userId } = await userInPath(database, application.id, params.id);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const known = await findCode(database, userId);
      if (known !== null) return { referralCode: known };
      await database.requestTx(application.id, async (tx) => {
        await holdUserInPath(tx, application.id, userId);
        await addCode(tx, { userId, applicationId: application.id }, referralCode(randomCode()), now());
      });
    }
    const made = await findCode(database, userId);
    if (made === null) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    return { referralCode: made };
  });
}
