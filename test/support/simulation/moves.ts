import { NO_PROGRAMS } from "../terms.ts";
import { adjust } from "../../../src/points/adjustments/store.ts";
import { POINTS_1 } from "../../../src/points/award.ts";
import { grantBonus } from "../../../src/points/bonuses/store.ts";
import { expireAll } from "../../../src/points/expiry/expire.task.ts";
import { rescore } from "../../../src/points/rescore/rescore.task.ts";
import { reverse } from "../../../src/points/reversals/store.ts";
import { rollback } from "../../../src/postgres/rollback.ts";
import type { Tx } from "../../../src/postgres/postgres.ts";
import { createCorrections } from "../../../src/receipts/corrections/correct.task.ts";
import type { Correction } from "../../../src/receipts/corrections/correction.ts";
import { processReceipt } from "../../../src/receipts/stages/run.ts";
import type { StageDeps } from "../../../src/receipts/stages/stage.ts";
import { findReceipt } from "../../../src/receipts/store.ts";
import { expireReservations } from "../../../src/rewards/redemptions/expire.task.ts";
import { confirm, giveBack, redeem } from "../../../src/rewards/redemptions/store.ts";
import type { RedemptionDeps } from "../../../src/rewards/redemptions/store.ts";
import { holderOf, useCode } from "../../../src/rewards/vouchers/store.ts";
import { eraseUser, sweepErased } from "../../../src/users/erase.task.ts";
import { holdUser } from "../../../src/users/store.ts";
import { isListed, termsOf } from "./shop.ts";
import type { Ware } from "./shop.ts";
import type { World } from "./world.ts";

/** A redemption as a request wants it. */
export interface Redemption {
  readonly ware: Ware;
  readonly reference: string;
  readonly holdSeconds: number | null;
}

/** Requests that move points, as a process carries them out: each in one tx, nothing left of one that is refused. */
export interface Moves {
  adjust(userId: string, reference: string, points: number, countsAsEarned: boolean): Promise<void>;
  grantBonus(userId: string, reference: string, points: number): Promise<void>;
  reverse(userId: string, recordId: string, itemIds: readonly string[] | null): Promise<void>;
  redeem(userId: string, redemption: Redemption): Promise<void>;
  confirm(userId: string, recordId: string): Promise<void>;
  giveBack(userId: string, recordId: string, way: "release" | "refund"): Promise<void>;
  useVoucher(code: string): Promise<void>;
  endReservations(): Promise<void>;
  expirePoints(): Promise<void>;
  completeReceipt(id: string): Promise<void>;
  correct(receiptId: string, correction: Correction): Promise<void>;
  /** Books the differences of the last days under a rule that gives `pointsMax` at most to a receipt, meal or food. */
  rescore(pointsMax: number): Promise<void>;
  erase(userId: string): Promise<void>;
  sweepErased(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A receipt that crashes again and again is not what is simulated here. */
const FIRST_ATTEMPT = 1;

/** What requests need: those about receipts publish all events of a tx at once. */
export interface MovesDeps {
  readonly stages: StageDeps;
  readonly moves: RedemptionDeps;
}

/** The requests of a process on `deps.database`, which may end between any two of its steps. */
export function movesOf(world: World, deps: MovesDeps): Moves {
  const { applicationId } = world;
  const { database, now, log, catalogueVersion } = deps.stages;
  const never = new AbortController().signal;
  /** Carries out a request about a user in one tx. Null: it is refused, or there is no such user any more. */
  const once = <Result>(userId: string, work: (tx: Tx) => Promise<Result | null>): Promise<Result | null> =>
    database.tx(async (tx) => {
      if ((await holdUser(tx, applicationId, userId)) !== "held") return rollback(null);
      return (await work(tx)) ?? rollback(null);
    });
  const erasure = { database, files: { remove: async () => {} }, erasedReceiptDays: 0 };
  return {
    ...recordMoves(world, deps, once),
    ...redemptionMoves(world, deps, once),
    endReservations: async () => void (await expireReservations({ ...deps.moves, database, log }, never)),
    expirePoints: async () => void (await expireAll({ ...deps.moves, database, log }, never)),
    completeReceipt: async (id) => {
      const receipt = await findReceipt(database, applicationId, id);
      if (receipt) await processReceipt(deps.stages, { ...receipt, attempts: FIRST_ATTEMPT });
    },
    rescore: async (pointsMax) => {
      const today = world.clockMs - (world.clockMs % DAY_MS);
      const maxima = { food: { divisor: 400, pointsMax }, receipt: { divisor: 200, pointsMax } };
      const rule = { ...POINTS_1, id: `simulated/${pointsMax}`, ...maxima };
      const range = { fromMs: today - 6 * DAY_MS, untilMs: today + DAY_MS, rule };
      const about = { applicationId, ...range, catalogueVersion, bookReason: "Rescored" };
      const steps = rescore(
        { ...deps.moves, database, publish: null, raterFor: null, ...NO_PROGRAMS, stopped: never },
        about,
      );
      for await (const _ of steps);
    },
    erase: async (userId) => void (await eraseUser(erasure, userId, now())),
    sweepErased: async () => void (await sweepErased({ ...erasure, now, log }, never)),
  };
}

type Once = <Result>(userId: string, work: (tx: Tx) => Promise<Result | null>) => Promise<Result | null>;

function recordMoves(world: World, { stages, moves: deps }: MovesDeps, once: Once) {
  const { applicationId, booked } = world;
  const corrections = createCorrections(stages);
  return {
    adjust: async (userId, reference, points, countsAsEarned) => {
      const adjustment = { points, reason: "Gift", reference, countsAsEarned };
      const outcome = await once(userId, async (tx) => {
        const result = await adjust(tx, { applicationId, userId }, adjustment, deps);
        return typeof result === "object" && "moved" in result ? result : null;
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
    grantBonus: async (userId, reference, points) => {
      const bonus = { points, type: 5, reason: "Welcome", reference, profileId: null } as const;
      const outcome = await once(userId, async (tx) => {
        const result = await grantBonus(tx, { applicationId, userId }, bonus, deps);
        return typeof result === "object" ? result : null;
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
    reverse: async (userId, recordId, itemIds) => {
      const outcome = await once(userId, async (tx) => {
        const result = await reverse(tx, { applicationId, userId }, recordId, { itemIds, reason: "Returned" }, deps);
        return result.kind === "reversed" ? result : null;
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
    correct: async (receiptId, correction) => {
      const receipt = await findReceipt(stages.database, applicationId, receiptId);
      if (!receipt) return;
      const rate = await corrections.lookUpFoods(receipt, correction);
      const outcome = await once(receipt.userId, async (tx) => {
        const result = await corrections.correct(tx, { applicationId, receiptId }, correction, rate);
        return result.kind === "corrected" ? result.response : null;
      });
      if (outcome?.transaction) booked.push(outcome.transaction.id);
    },
  } satisfies Partial<Moves>;
}

function redemptionMoves(world: World, { stages, moves: deps }: MovesDeps, once: Once) {
  const { applicationId, booked, redeemed, confirmed, usedCodes, shop } = world;
  return {
    redeem: async (userId, { ware, reference, holdSeconds }) => {
      const rewardId = isListed(ware) ? shop[ware] : null;
      const own = rewardId === null ? { terms: termsOf(ware, deps.now()), code: "" } : null;
      const outcome = await once(userId, async (tx) => {
        const wanted = { rewardId, own, reference, tier: 0, holdSeconds };
        const result = await redeem(tx, { applicationId, userId }, wanted, deps);
        return result.kind === "redeemed" ? result.moved.transaction : null;
      });
      if (!outcome) return;
      booked.push(outcome.id);
      redeemed.push({ id: outcome.id, reference, code: outcome.reward.code });
    },
    confirm: async (userId, recordId) => {
      const outcome = await once(userId, async (tx) => {
        const result = await confirm(tx, { applicationId, userId }, recordId, deps);
        return result.kind === "confirmed" ? result : null;
      });
      if (outcome) confirmed.push(recordId);
    },
    giveBack: async (userId, recordId, way) => {
      const outcome = await once(userId, async (tx) => {
        const result = await giveBack(tx, { applicationId, userId }, recordId, { way }, deps);
        return result.kind === "given back" ? result : null;
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
    useVoucher: async (code) => {
      const userId = await holderOf(stages.database, applicationId, code);
      if (userId === null) return;
      const used = await once(userId, async (tx) => {
        const result = await useCode(tx, { applicationId, userId, code }, { till: "1", reference: "" }, deps);
        return result.kind === "done" ? result : null;
      });
      if (used) usedCodes.push(code);
    },
  } satisfies Partial<Moves>;
}
