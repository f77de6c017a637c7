// Users whose histories are copied to make a ledger of a million records. The service itself books them, so each kind
// of record is as the service writes it.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import type { Database } from "../src/postgres/postgres.ts";
import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";
import { food, meal } from "./submissions.ts";

/** A user to copy, and how many of a hundred users are like them. */
export interface Model {
  readonly userId: string;
  readonly share: number;
}

interface Item {
  readonly id: string;
}
interface Transaction {
  readonly id: string;
  readonly transaction: { readonly items: readonly Item[] };
  readonly reward: { readonly code: string };
}

type Call = (method: string, path: string, body?: object | FormData) => Promise<Record<string, unknown>>;

const WAIT_MS = 20;
const WAITS_MAX = 3_000;

/** What a model's history is made of. */
interface Steps {
  readonly userId: string;
  readonly call: Call;
  foods(count: number): Promise<void>;
  meals(count: number): Promise<void>;
  receipt(): Promise<string>;
  adjust(points: number): Promise<Transaction>;
  redeem(rewardId: string, more?: object): Promise<Transaction>;
  end(redeemed: Transaction, how: "confirm" | "release" | "refund"): Promise<void>;
  records(): Promise<readonly Transaction[]>;
}

interface Rewards {
  readonly pool: string;
  readonly made: string;
  readonly stock: string;
  readonly free: string;
}

/** Histories with their shares: about five records each, two thirds of them meals and foods. */
const HISTORIES: readonly { readonly share: number; book(steps: Steps, rewards: Rewards): Promise<void> }[] = [
  { share: 30, book: ({ foods }) => foods(3) },
  {
    share: 28,
    book: async ({ foods, meals, adjust }) => {
      await foods(2);
      await meals(3);
      await adjust(25);
    },
  },
  {
    share: 16,
    book: async ({ meals, adjust, redeem, call }, { made, stock }) => {
      await meals(3);
      await adjust(100);
      const { reward } = await redeem(made);
      await call("POST", `/vouchers/${reward.code}/use`, { till: "till 1", reference: "sale 1" });
      await redeem(stock);
    },
  },
  {
    share: 8,
    book: async ({ foods, adjust, redeem, end }, { pool, stock, made }) => {
      await foods(2);
      await adjust(200);
      await end(await redeem(pool, { reserve: true }), "release");
      await end(await redeem(stock, { reserve: true }), "confirm");
      await end(await redeem(pool), "refund");
      await end(await redeem(made), "refund");
      await redeem(pool);
    },
  },
  {
    share: 6,
    book: async ({ userId, foods, meals, adjust, records, call }) => {
      await foods(1);
      await meals(2);
      const reverse = (id: string, items?: readonly string[]) =>
        call("POST", `/users/${userId}/transactions/${id}/reversal`, { reason: "Returned", ...(items && { items }) });
      const [last, first] = await records();
      await reverse(first!.id);
      await reverse(last!.id, [last!.transaction.items[0]!.id]);
      await reverse((await adjust(30)).id);
    },
  },
  {
    share: 9,
    book: async ({ receipt, records, redeem, call }, { free }) => {
      const receiptId = await receipt();
      await receipt();
      const award = (await records()).at(-1)!;
      const items = [{ id: award.transaction.items[0]!.id, notFood: true }];
      await call("POST", `/track/receipts/${receiptId}/corrections`, { reason: "Misread", items });
      await redeem(free);
    },
  },
  {
    share: 3,
    book: async ({ userId, adjust, foods, call }) => {
      await adjust(80);
      await adjust(-30);
      await call("POST", `/users/${userId}/test-clock`, { advanceDays: 1_000 });
      await foods(2);
    },
  },
];

/** Creates an application with rewards, and a user with each history. */
export async function bookModels(subject: Subject, database: Database, progress: Progress): Promise<Model[]> {
  const call = callOf(subject.url, await subject.newApplication("Verified", "--sandbox"));
  const rewards: Record<string, string> = {};
  for (const [name, terms] of Object.entries({
    pool: { codes: "pool" },
    made: { codes: "made" },
    stock: { stock: 1_000 },
    free: {},
  })) {
    const { reward } = await call("POST", "/rewards", { name: "A free coffee", points: 10, ...terms });
    rewards[name] = (reward as { id: string }).id;
  }
  const codes = Array.from({ length: 10 }, (_, i) => `BAR-${i}`);
  await call("POST", `/rewards/${rewards["pool"]}/codes`, { codes });
  const models: Model[] = [];
  for (const [i, { share, book }] of HISTORIES.entries()) {
    progress(`verify: history ${i + 1} of ${HISTORIES.length} to copy`);
    const person = { email: `${randomBytes(6).toString("hex")}@example.org`, firstName: "Ada", lastName: "Lovelace" };
    const { userID: userId } = (await call("POST", "/users/enroll", person))["user"] as { userID: string };
    await setExpiry(database, userId);
    await book(stepsOf(call, userId), rewards as unknown as Rewards);
    models.push({ userId, share });
  }
  return models;
}

/** Points of the user's application expire. */
async function setExpiry(database: Database, userId: string): Promise<void> {
  const [user] = await database.query<{ applicationId: string }>(
    { name: "bench.application-of", text: `SELECT application_id AS "applicationId" FROM users WHERE id = $1` },
    [userId],
  );
  const settings = { ...DEFAULT_POINTS_SETTINGS, expiryMonths: 12 };
  await setPointsSettings(database, user!.applicationId, settings, new Date());
}

function callOf(url: string, headers: Readonly<Record<string, string>>): Call {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`, {
      method,
      headers: isForm || body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

function stepsOf(call: Call, userId: string): Steps {
  let sent = 0;
  const next = () => `${userId}-${++sent}`;
  const records = async () =>
    (await call("GET", `/users/${userId}/transactions`))["transactions"] as readonly Transaction[];
  /** Sends submissions one after the other, and waits for the record of each. */
  const submit = async (count: number, send: (reference: string, n: number) => Promise<unknown>) => {
    for (let i = 0; i < count; i++) {
      const before = (await records()).length;
      await send(next(), sent);
      for (let waits = 0; (await records()).length === before; waits++) {
        if (waits > WAITS_MAX) throw new Error("a submission was not booked");
        await sleep(WAIT_MS);
      }
    }
  };
  const moved = async (path: string, body: object) => {
    const { transaction } = await call("POST", `/users/${userId}/${path}`, { reference: next(), ...body });
    return transaction as Transaction;
  };
  return {
    userId,
    call,
    records,
    foods: (count) => submit(count, (reference, n) => call("POST", "/track/food", food(userId, reference, n))),
    meals: (count) => submit(count, (reference, n) => call("POST", "/track/meals", meal(userId, reference, n))),
    receipt: async () => {
      let id = "";
      await submit(1, async (reference) => {
        const form = new FormData();
        form.set("userId", userId);
        form.set("transactionId", reference);
        form.set("merchantName", "Larkmeadow Market");
        form.set("amount", "22.68");
        form.set("transactionTimestamp", new Date().toISOString());
        id = (await call("POST", "/track/receipts?testBlobUri=sample:completed", form))["receiptID"] as string;
      });
      return id;
    },
    adjust: (points) => moved("adjustments", { points, reason: "Gift" }),
    redeem: (rewardId, more = {}) => moved("redemptions", { rewardId, ...more }),
    end: async ({ id }, how) => {
      const body = how === "refund" ? { reason: "Not wanted" } : undefined;
      await call("POST", `/users/${userId}/redemptions/${id}/${how}`, body);
    },
  };
}
