// Commands that move points outside of submissions. A new kind is a method of `Moves` (moves.ts), a request here, and
// its rules in ledger-invariants.ts.
import * as fc from "fast-check";
import type { Correction } from "../../../src/receipts/corrections/correction.ts";
import { recordsBetween } from "../../../src/points/store.ts";
import type { RecordRow } from "../../../src/points/transaction.ts";
import { command, crashAfter } from "./command.ts";
import type { Command } from "./command.ts";
import { checkNothingDue } from "./expiry-invariants.ts";
import type { Moves } from "./moves.ts";
import { receiptsOf, receiveReceipt } from "./receipts.ts";
import { PRICES } from "./shop.ts";
import type { Ware } from "./shop.ts";
import { USERS, survived } from "./world.ts";
import type { World } from "./world.ts";

/** Number of references that adjustments share, and bonuses, and redemptions. */
const REFERENCES = 8;
const HIGHEST = 2 ** 31;
const NEVER = Number.MAX_SAFE_INTEGER;

/** A request to a process. Its target is found before any request of its crowd begins, so that they want the same. */
interface Request {
  readonly name: string;
  readonly find: (world: World) => Promise<((moves: Moves) => Promise<void>) | null>;
}

/** Requests at once, each to a process of its own. The first process may crash. */
function atOnce(crowd: readonly Request[], crash: number): Command {
  const names = crowd.map(({ name }) => name).join(" | ");
  return command(`${names}, crash after ${crash}`, async (world) => {
    const found: (((moves: Moves) => Promise<void>) | null)[] = [];
    for (const { find } of crowd) found.push(await find(world));
    const each = found.map(async (send, i) => send && survived(send(world.moves(i === 0 ? crash : NEVER))));
    await Promise.all(each);
  });
}

/** A request about the record of a user that is `pick`-th from the newest among those that `isIt`. */
function aboutRecord(
  name: string,
  { user, pick }: { readonly user: number; readonly pick: number },
  isIt: (record: RecordRow) => boolean,
  send: (moves: Moves, record: RecordRow) => Promise<void>,
): Request {
  return {
    name: `${name} ${pick} of user ${user}`,
    find: async ({ database, userIds }) => {
      const records = (await recordsBetween(database, userIds[user]!, 1, HIGHEST)).filter(isIt);
      const record = pickOf(records, pick);
      return record ? (moves) => send(moves, record) : null;
    },
  };
}

function pickOf<Each>(all: readonly Each[], pick: number): Each | undefined {
  return all[pick % Math.max(1, all.length)];
}

const user = fc.nat(USERS - 1);
const place = fc.record({ user, pick: fc.nat(4) });
const isRedemption = ({ operation }: RecordRow) => operation === 2;

const adjusting = fc
  .record({
    user,
    reference: fc.nat(REFERENCES - 1),
    // A submission earns 30 to 40: some of these are more than there is, and most of what is earned is spent.
    points: fc.constantFrom(-100, -30, -20, -10, -5, 1, 60),
    countsAsEarned: fc.boolean(),
  })
  .map((adjusted): Request => {
    const { reference, points, countsAsEarned } = adjusted;
    return {
      name: `adjust ${JSON.stringify(adjusted)}`,
      find: async ({ userIds }) => {
        const userId = userIds[adjusted.user]!;
        return (moves) => moves.adjust(userId, `adjustment-${reference}`, points, countsAsEarned);
      },
    };
  });

const grantingBonus = fc
  .record({ user, reference: fc.nat(REFERENCES - 1), points: fc.constantFrom(1, 20) })
  .map((granted): Request => ({
    name: `grant a bonus ${JSON.stringify(granted)}`,
    find: async ({ userIds }) => {
      const userId = userIds[granted.user]!;
      return (moves) => moves.grantBonus(userId, `bonus-${granted.reference}`, granted.points);
    },
  }));

const reversing = fc.tuple(place, fc.option(fc.nat(2))).map(([at, item]) =>
  aboutRecord(
    `reverse item ${item} of`,
    at,
    () => true,
    (moves, { userId, id, body }) => {
      const itemId = item === null ? undefined : pickOf(body.items ?? [], item)?.id;
      return moves.reverse(userId, id, itemId === undefined ? null : [itemId]);
    },
  ),
);

const redeeming = fc
  .record({
    user,
    reference: fc.nat(REFERENCES * 2),
    ware: fc.constantFrom(...(Object.keys(PRICES) as Ware[])),
    holdSeconds: fc.constantFrom(null, null, 60, 3_600),
  })
  .map(({ user: by, ...redemption }): Request => ({
    name: `redeem ${JSON.stringify({ user: by, ...redemption })}`,
    find: async ({ userIds }) => {
      const reference = `redemption-${redemption.reference}`;
      return (moves) => moves.redeem(userIds[by]!, { ...redemption, reference });
    },
  }));

const confirming = place.map((at) =>
  aboutRecord("confirm", at, isRedemption, (moves, { userId, id }) => moves.confirm(userId, id)),
);
const givingBack = fc
  .tuple(place, fc.constantFrom("release" as const, "refund" as const))
  .map(([at, way]) => aboutRecord(way, at, isRedemption, (moves, { userId, id }) => moves.giveBack(userId, id, way)));

/** Several tills use a code that a user got, or has no more. */
const using = place.map((at) =>
  aboutRecord(
    "use the code of",
    at,
    ({ body }) => (body.reward?.code ?? "") !== "",
    (moves, { body }) => moves.useVoucher(body.reward!.code),
  ),
);

/**
 * A line of a receipt is no food, or another one, is more, or was missed; or the receipt is of another purchase. The
 * reason has the number of lines that go.
 */
const CHANGES: readonly ((id: string) => Correction)[] = [
  (id) => ({ reason: "Misread, 1 goes", items: [{ id, notFood: true }] }),
  (id) => ({ reason: "Misread, 1 goes", items: [{ id, remove: true }] }),
  (id) => ({ reason: "Misread, 1 goes", items: [{ id, name: "Apple" }] }),
  (id) => ({ reason: "Misread, 0 go", items: [{ id, quantity: 4 }] }),
  () => ({ reason: "Misread, 0 go", items: [{ name: "Red lentils", quantity: 1, totalPrice: 2 }] }),
  () => ({ reason: "Misread, 0 go", totalAmount: 9 }),
];
const correcting = fc
  .record({ receipt: fc.nat(2), line: fc.nat(3), change: fc.nat(CHANGES.length - 1) })
  .map((corrected): Request => ({
    name: `correct ${JSON.stringify(corrected)}`,
    find: async (world) => {
      const receipt = pickOf(await receiptsOf(world), corrected.receipt);
      if (!receipt) return null;
      const correction = CHANGES[corrected.change]!(pickOf(receipt.lines, corrected.line) ?? "none");
      return (moves) => moves.correct(receipt.id, correction);
    },
  }));

const completing = fc.nat(2).map((pick): Request => ({
  name: `complete receipt ${pick}`,
  find: async (world) => {
    const waiting = (await receiptsOf(world)).filter(({ stage }) => stage !== "Completed");
    const receipt = pickOf(waiting, pick);
    return receipt ? (moves) => moves.completeReceipt(receipt.id) : null;
  },
}));

const job = (name: string, run: (moves: Moves) => Promise<void>): Request => ({ name, find: async () => run });
const jobs = fc.constantFrom(
  job("end reservations", (moves) => moves.endReservations()),
  job("expire points", (moves) => moves.expirePoints()),
  job("rescore to 20", (moves) => moves.rescore(20)),
  job("rescore to 30", (moves) => moves.rescore(30)),
);
const erasing = user.map((who): Request => ({
  name: `erase user ${who}`,
  find: async ({ userIds }) => {
    const userId = userIds[who]!;
    return (moves) => moves.erase(userId);
  },
}));

const request = fc.oneof(
  { weight: 4, arbitrary: adjusting },
  { weight: 3, arbitrary: grantingBonus },
  { weight: 5, arbitrary: reversing },
  { weight: 8, arbitrary: redeeming },
  { weight: 3, arbitrary: confirming },
  { weight: 5, arbitrary: givingBack },
  { weight: 4, arbitrary: using },
  { weight: 5, arbitrary: correcting },
  { weight: 3, arbitrary: completing },
  { weight: 5, arbitrary: jobs },
  { weight: 1, arbitrary: erasing },
);
/** One request several times: the same record, code or points are wanted twice. Or several different ones. */
const crowd = fc.oneof(
  fc.array(request, { minLength: 2, maxLength: 8 }),
  fc.tuple(request, fc.integer({ min: 2, max: 4 })).map(([one, times]) => Array.from({ length: times }, () => one)),
);
const crowds = fc.tuple(crowd, crashAfter).map(([requests, crash]) => atOnce(requests, crash));

/** A person of the shop uploads a receipt, which is read and passes its checks. */
function receive(by: number, crash: number): Command {
  return command(`receipt of user ${by}, crash after ${crash}`, async (world) => {
    const id = await receiveReceipt(world, world.stages, world.userIds[by]!);
    if (id !== null) await survived(world.moves(crash).completeReceipt(id));
  });
}

/** Two nights at once. One may crash. Then nothing is left that should have expired or been announced. */
function nightly(crash: number): Command {
  return command(`expire points twice at once, crash after ${crash}`, async (world) => {
    await Promise.all([crash, NEVER].map((steps) => survived(world.moves(steps).expirePoints())));
    await checkNothingDue(world);
  });
}

const settings = fc
  .record({
    reversalOverdraws: fc.boolean(),
    expiryMonths: fc.constantFrom(null, 1, 1, 2),
    expiryFrom: fc.constantFrom("earning" as const, "earning" as const, "activity" as const),
    expiryNoticeDays: fc.constantFrom(0, 14),
  })
  .map((decided) => command(`set ${JSON.stringify(decided)}`, (world) => world.set(decided)));

/** Commands that move points, for `fc.commands`, which chooses each of them as often. */
export const MOVES: readonly fc.Arbitrary<Command>[] = [
  crowds,
  crowds,
  crowds,
  crowds,
  fc.tuple(user, crashAfter).map(([by, crash]) => receive(by, crash)),
  crashAfter.map(nightly),
  settings,
];
