// What simulated people and the application do, through the API alone. Each act notes what was sent, and what became of
// it: the check computes points from these notes.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pageOf } from "../groceries.ts";
import type { Client, TestService } from "../service.ts";
import { acceptedReceipt, statusUntil } from "../uploads.ts";
import type { Printed, Sent } from "./shop.ts";

/** A meal, food or receipt that was accepted. */
export interface Submission {
  readonly userId: string;
  readonly source: "receipt" | "meal" | "food";
  /** The integrator's reference, and the service's id: ids ascend with the time of acceptance. */
  readonly reference: string;
  readonly id: string;
  readonly acceptedMs: number;
  /** What was sent; none of a receipt, whose lines are read. */
  readonly sent: readonly Sent[];
  /** Of a receipt. */
  readonly printed: Printed | null;
}

export interface World {
  readonly service: TestService;
  readonly client: Client;
  /** What the reader of receipts reads next. */
  readonly page: { now: readonly string[] };
  readonly submissions: Submission[];
  /** The service's time. */
  readonly now: () => number;
  readonly setTime: (ms: number) => void;
}

const UNFINISHED = {
  name: "program-run.unfinished",
  text: "SELECT count(*)::int AS count FROM intakes WHERE finished_at IS NULL",
};
const NUTRITION = {};

/** Calls the API, and returns the body of the response, whose status is expected. */
export async function call<Body>(
  { client }: Pick<World, "client">,
  method: "GET" | "POST",
  path: string,
  body?: object,
  ...statuses: readonly number[]
): Promise<Body> {
  const response = await client.call(method, path, body);
  const expected = statuses.length > 0 ? statuses : [200];
  assert.ok(expected.includes(response.statusCode), `${method} ${path}: ${response.statusCode} ${response.body}`);
  return response.json<Body>();
}

/** Submits meals and foods at once, and waits until all are scored. */
export async function eatTogether(
  world: World,
  meals: readonly { readonly userId: string; readonly source: "meal" | "food"; readonly sent: readonly Sent[] }[],
): Promise<void> {
  const acceptedMs = world.now();
  const first = world.submissions.length;
  const accepted = await Promise.all(
    meals.map(async ({ userId, source, sent }, i): Promise<Submission> => {
      const reference = `s-${first + i}`;
      const path = source === "meal" ? "/track/meals" : "/track/food";
      const body = source === "meal" ? mealOf(sent, acceptedMs) : foodOf(sent[0]!);
      const { id } = await call<{ id: string }>(world, "POST", path, { userId, logId: reference, ...body }, 202);
      return { userId, source, reference, id, acceptedMs, sent, printed: null };
    }),
  );
  world.submissions.push(...accepted);
  for (const deadline = Date.now() + 60_000; ; await sleep(2)) {
    const [row] = await world.service.database.query<{ count: number }>(UNFINISHED);
    if (row!.count === 0) return;
    assert.ok(Date.now() < deadline, "meals and foods are scored");
  }
}

function mealOf(ingredients: readonly Sent[], acceptedMs: number) {
  const loggedAt = new Date(acceptedMs).toISOString();
  return { mealName: "Stew", mealType: "dinner", imageUrl: "https://example.org/m.jpg", loggedAt, ingredients };
}

function foodOf(sent: Sent) {
  return {
    ...sent,
    merchant: { name: "Larkmeadow Market" },
    imageUrl: "https://example.org/f.jpg",
    nutrition: NUTRITION,
  };
}

/** Uploads a receipt and waits for its end. One without any food is refused, and is no submission of the run. */
export async function buy(world: World, userId: string, printed: Printed): Promise<void> {
  world.page.now = printed.rows;
  const reference = `s-${world.submissions.length}`;
  const acceptedMs = world.now();
  const fields = {
    userId,
    transactionId: printed.hasFood ? reference : `no-food-${acceptedMs}`,
    amount: printed.total,
    merchantName: printed.merchantName,
    transactionTimestamp: printed.at.toISOString(),
  };
  const id = await acceptedReceipt(world.service, world.client, { fields });
  interface Status {
    readonly status: string;
    readonly errorCode: string | null;
  }
  const { errorCode } = await statusUntil<Status>(world.client, id, ({ status }) =>
    /^(Completed|Failed)$/.test(status),
  );
  assert.equal(errorCode, printed.hasFood ? null : "NO_VALID_FOOD_ITEMS", printed.rows.join("\n"));
  if (printed.hasFood) {
    world.submissions.push({ userId, source: "receipt", reference, id, acceptedMs, sent: [], printed });
  }
}

export const readerOf = (page: World["page"]) => ({
  read: async () => pageOf(page.now),
  close: async () => {},
});
