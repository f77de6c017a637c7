// Some months of a programme: people enrol, eat, buy, redeem and return things, by a seed; the programme changes, and
// one of them is erased. All of it through the API, on a clock that is moved.
import assert from "node:assert/strict";
import type { ProgramDefinition } from "../../../src/programs/definition.ts";
import { LEAD_MS } from "../../../src/programs/versions.ts";
import { randomness } from "../../../src/receipts/samples/seeded-noise.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/time.ts";
import { buy, call, eatTogether } from "./acts.ts";
import type { World } from "./acts.ts";
import { readUser } from "./ledger.ts";
import type { UserLedger } from "./ledger.ts";
import { between, food, ingredients, pick, receipt } from "./shop.ts";
import type { Random } from "./shop.ts";

export interface RunOptions {
  readonly users: number;
  readonly days: number;
  readonly seed: number;
  /** The first day, as in 2026-09-14. */
  readonly firstDay: string;
  /** The programme from the start, and from the middle on. */
  readonly definitions: readonly [ProgramDefinition, ProgramDefinition];
  /** Chances of a user: to eat something in one of four waves of a day, and to buy something on a day. */
  readonly eats: number;
  readonly buys: number;
}

/** A version of the programme, and when it came into force. */
export interface Version {
  readonly rule: string;
  readonly definition: ProgramDefinition;
  readonly fromMs: number;
}

/** A simulated user. */
export interface Person {
  readonly userId: string;
  readonly enrolledMs: number;
  /** Who referred them. */
  readonly referrerId: string | null;
}

export interface Run {
  readonly options: RunOptions;
  readonly world: World;
  readonly versions: readonly Version[];
  readonly people: readonly Person[];
  /** Points of adjustments and redemptions by their reference. */
  readonly moved: ReadonlyMap<string, number>;
  /** The user who was erased, as they were just before. */
  readonly erased: UserLedger | null;
}

/** UTC. The last one is the next day where clocks are ahead of UTC. */
const WAVE_HOURS = [7, 12, 18, 23.5];

interface State extends RunOptions {
  readonly world: World;
  readonly random: Random;
  readonly people: Person[];
  readonly versions: Version[];
  readonly moved: Map<string, number>;
  erased: UserLedger | null;
}

/** Runs a programme. `progress` is called after each day. */
export async function simulate(
  world: World,
  options: RunOptions,
  progress: (day: number) => void = () => {},
): Promise<Run> {
  const state: State = {
    ...options,
    world,
    random: randomness(options.seed),
    people: [],
    versions: [],
    moved: new Map(),
    erased: null,
  };
  const startMs = Date.parse(`${options.firstDay}T05:00:00Z`);
  world.setTime(startMs);
  await publish(state, options.definitions[0]);
  for (let day = 0; day < options.days; day++) {
    const dayMs = startMs + day * DAY_MS;
    world.setTime(dayMs + HOUR_MS);
    await enrol(state, day);
    if (day === Math.floor(options.days / 2)) await publish(state, options.definitions[1]);
    if (day === Math.floor((options.days * 2) / 3)) await erase(state);
    for (const [i, hour] of WAVE_HOURS.entries()) {
      world.setTime(dayMs - 5 * HOUR_MS + hour * HOUR_MS);
      await eat(state);
      if (i === 1) await shop(state);
      if (i === 2) await moveOthers(state);
    }
    progress(day + 1);
  }
  return { ...state, options };
}

async function publish({ world, versions }: State, definition: ProgramDefinition): Promise<void> {
  const { program } = await call<{ program: { version: number } }>(world, "POST", "/programs", { definition });
  const path = `/programs/${program.version}/publish`;
  const published = await call<{ program: { startsAt: string } }>(world, "POST", path, {});
  const fromMs = Date.parse(published.program.startsAt);
  versions.push({ rule: `program/${program.version}`, definition, fromMs });
  world.setTime(fromMs + LEAD_MS);
}

/** Most people from the first day on, the others in the first two thirds, some of them by the code of a friend. */
async function enrol(state: State, day: number): Promise<void> {
  const { world, random, people, users, days } = state;
  const wanted =
    day === 0 ? Math.ceil(users / 2) : Math.ceil(users / 2 + (users / 2) * Math.min(1, (1.5 * day) / days));
  while (people.length < Math.min(users, wanted)) {
    const n = people.length;
    const body = { email: `person-${n}@example.org`, firstName: "Ada", lastName: "Lovelace", country: "GB" };
    const friend = day > 0 && random() < 0.6 ? pick(random, present(state)) : null;
    const code =
      friend && (await call<{ referralCode: string }>(world, "GET", `/users/${friend.userId}/referral-code`));
    const { user } = await call<{ user: { userID: string } }>(world, "POST", "/users/enroll", { ...body, ...code });
    people.push({ userId: user.userID, enrolledMs: world.now(), referrerId: friend?.userId ?? null });
  }
}

const present = ({ people, erased }: State) => people.filter(({ userId }) => userId !== erased?.userId);

async function eat(state: State): Promise<void> {
  const { world, random, eats } = state;
  const meals = present(state).flatMap(({ userId }) => {
    if (random() >= eats) return [];
    const source = random() < 0.4 ? "meal" : "food";
    return [{ userId, source, sent: source === "meal" ? ingredients(random) : [food(random)] } as const];
  });
  if (meals.length > 0) await eatTogether(world, meals);
}

async function shop(state: State): Promise<void> {
  const { world, random, buys } = state;
  for (const { userId } of present(state)) {
    if (random() >= buys) continue;
    const at = new Date(Math.floor((world.now() - between(random, 30, 300) * MINUTE_MS) / MINUTE_MS) * MINUTE_MS);
    await buy(world, userId, receipt(random, at));
  }
}

interface Listed {
  readonly id: string;
  readonly operation: number;
  readonly status: number;
  readonly relatedTransactionID?: string;
  readonly transaction: { readonly transactionSource: number; readonly items: readonly { readonly id: string }[] };
}

/** A few corrections, reversals, adjustments, redemptions and refunds a day. What is not possible is refused. */
async function moveOthers(state: State): Promise<void> {
  const { world, random } = state;
  const count = Math.ceil(present(state).length / 10);
  for (let i = 0; i < count; i++) {
    const { userId } = pick(random, present(state));
    const act = pick(random, ["reverse", "correct", "adjust", "redeem", "refund"] as const);
    const { transactions } = await call<{ transactions: Listed[] }>(world, "GET", `/users/${userId}/transactions`);
    await ACTS[act](state, userId, transactions);
  }
}

/** The ids of the lines that a receipt and its corrections, in order, leave credited. */
function linesOf(records: readonly Listed[]): string[] {
  const lines = new Set<string>();
  for (const { id } of records.flatMap(({ transaction }) => transaction.items)) {
    if (!lines.delete(id)) lines.add(id);
  }
  return [...lines];
}

type Act = (state: State, userId: string, newest: readonly Listed[]) => Promise<void>;
const isAward = ({ operation, transaction }: Listed) => operation === 1 && transaction.transactionSource <= 3;

const ACTS: Readonly<Record<"reverse" | "correct" | "adjust" | "redeem" | "refund", Act>> = {
  reverse: async ({ world, random }, userId, newest) => {
    const awards = newest.filter((record) => isAward(record) && record.status === 2);
    if (awards.length === 0) return;
    const { id, transaction } = pick(random, awards);
    const items = random() < 0.5 && transaction.items.length > 1 ? { items: [transaction.items[0]!.id] } : {};
    const path = `/users/${userId}/transactions/${id}/reversal`;
    await call(world, "POST", path, { reason: "Returned", ...items }, 200, 400, 409);
  },
  correct: async ({ world, random }, userId, newest) => {
    const later = Map.groupBy(newest, ({ relatedTransactionID }) => relatedTransactionID);
    const isOpen = (record: Listed) =>
      isAward(record) &&
      record.transaction.transactionSource === 1 &&
      !later.get(record.id)?.some(({ operation }) => operation === 6);
    const award = newest.find(isOpen);
    if (!award) return;
    const lines = linesOf([...(later.get(award.id) ?? []), award].reverse());
    if (lines.length === 0) return;
    // The id of a line begins with that of its receipt.
    const receiptId = award.transaction.items[0]!.id.slice(0, 36);
    const name = pick(random, ["Red lentils", "Carrots", "Butter", "Milk chocolate"]);
    const body = { reason: "Misread", items: [{ id: pick(random, lines), name }] };
    await call(world, "POST", `/track/receipts/${receiptId}/corrections`, body);
  },
  adjust: async ({ world, random, moved }, userId) => {
    const points = between(random, -5, 20) || 1;
    const reference = `move-${moved.size}`;
    moved.set(reference, points);
    const countsAsEarned = random() < 0.5;
    const body = { points, reason: countsAsEarned ? "Earned" : "Goodwill", reference, countsAsEarned };
    await call(world, "POST", `/users/${userId}/adjustments`, body, 200, 409);
  },
  redeem: async ({ world, random, moved }, userId) => {
    const points = between(random, 1, 40);
    const reference = `move-${moved.size}`;
    moved.set(reference, -points);
    await call(world, "POST", `/users/${userId}/redemptions`, { points, reward: { name: "Tea" }, reference }, 200, 409);
  },
  refund: async ({ world }, userId, newest) => {
    const redeemed = newest.find(({ operation, status }) => operation === 2 && status === 2);
    if (!redeemed) return;
    await call(world, "POST", `/users/${userId}/redemptions/${redeemed.id}/refund`, { reason: "Broken" });
  },
};

/** Erases somebody who has earned. What their records did to budgets stays. */
async function erase(state: State): Promise<void> {
  const { world } = state;
  const user = state.people.find(({ userId }) => world.submissions.some((each) => each.userId === userId));
  assert.ok(user);
  state.erased = await readUser(world, user.userId);
  await world.service.erase(user.userId);
}
