import type { FixedWindowCounter } from "../../http/fixed-window-counter.ts";
import { WINDOW_SECONDS } from "../../rate-window.ts";
import { routeOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import type { Publish } from "../../points/moved-event.ts";
import type { Reward } from "../../points/schema.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import type { ProblemName } from "../../problem-types.ts";
import { holdUserInPath } from "../../users/store.ts";
import { isCode } from "../codes/code.ts";
import * as operations from "./operations.ts";
import { findVoucher, holderOf, recordOf, useCode } from "./store.ts";
import { presentVoucher } from "./voucher.ts";
import type { Voucher, VoucherState } from "./voucher.ts";

export interface VoucherRouteDeps {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly publish: Publish;
  readonly now: () => Date;
  /** Counts the unknown codes of each application: who guesses codes meets many of them. */
  readonly unknownCodes: FixedWindowCounter;
}

/** Many typing errors of a chain's tills, and few guesses: a code that the service makes is one of 2^60. */
const UNKNOWN_CODES_A_MINUTE = 60;

/** Adds the routes for tills. */
export function voucherRoutes(server: Server, deps: VoucherRouteDeps): void {
  const { database, idempotency, now, unknownCodes } = deps;
  const known = async <Found>(applicationId: string, code: string, find: () => Promise<Found | null>) => {
    if (unknownCodes.current(applicationId) >= UNKNOWN_CODES_A_MINUTE) {
      throw new Problem("tooManyRequests", { retryAfterSeconds: WINDOW_SECONDS });
    }
    const found = isCode(code) ? await find() : null;
    if (found !== null) return found;
    unknownCodes.count(applicationId);
    throw new Problem("notFound");
  };

  server.get(operations.getVoucher.path, routeOf(operations.getVoucher), async ({ application, params: { code } }) => {
    const voucher = await known(application.id, code, () => findVoucher(database, application.id, code));
    return { voucher: presentVoucher(voucher, await rewardOf(database, voucher), now()) };
  });

  server.post(operations.useVoucher.path, routeOf(operations.useVoucher), async (request, reply) => {
    const applicationId = request.application.id;
    const { code } = request.params;
    const { till = "", reference = "" } = request.body;
    const userId = await known(applicationId, code, () => holderOf(database, applicationId, code));
    return idempotency.once(request, reply, async (tx) => {
      await holdUserInPath(tx, applicationId, userId);
      const use = { till: till.trim(), reference: reference.trim() };
      const used = await useCode(tx, { applicationId, userId, code }, use, deps);
      if (used.kind !== "done") throw new Problem(REFUSALS[used.kind]);
      return { response: { voucher: presentVoucher(used.voucher, used.reward, used.at) }, userId };
    });
  });
}

const REFUSALS: Readonly<Record<Exclude<VoucherState, "usable">, ProblemName>> = {
  reserved: "redemptionState",
  used: "voucherUsed",
  expired: "voucherExpired",
  void: "voucherVoid",
};

/** The reward of a voucher's redemption. Throws notFound while its user is being erased. */
async function rewardOf(tx: Tx, voucher: Voucher): Promise<Reward> {
  const reward = (await recordOf(tx, voucher))?.body.reward;
  if (!reward) throw new Problem("notFound");
  return reward;
}
