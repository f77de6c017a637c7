import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { RECIPES } from "./workload.ts";
import type { Step } from "./workload.ts";

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A submission that got a 202. */
export interface Accepted {
  readonly id: string;
  readonly source: "meal" | "food" | "receipt";
  /** The reference; for a receipt, that of its picture. */
  readonly key: string;
}

/** An adjustment or reversal that got a response. */
export interface MoveReply {
  /** The reference of an adjustment; for a reversal its Idempotency-Key, which is also in its reason. */
  readonly key: string;
  readonly userId: string;
  readonly status: number;
  /** Of a 200. */
  readonly recordId: string | null;
  readonly points: number;
}

/** A final response: in time, and not one that asks for a retry. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** An integrator's server that retries until it gets a response, and records violations. */
export interface Customer {
  readonly accepted: readonly Accepted[];
  /** One for each request that moves points, repeated ones among them. */
  readonly moved: readonly MoveReply[];
  /** Responses that no customer should ever get. */
  readonly faults: readonly string[];
  enrol(email: string): Promise<string>;
  /** Submits a step; done when each of its submissions got a response. */
  submit(step: Step): Promise<void>;
  get(path: string): Promise<Reply>;
}

const PATIENCE_MS = 180_000;
const ATTEMPT_MS = 20_000;
const AGAIN_MS = 100;

/** `urls` are the addresses to try; `pictures` the images of the receipts with the fields that their user declares. */
export function createCustomer(options: {
  urls: () => readonly string[];
  credentials: Credentials;
  userIds: readonly string[];
  pictures: readonly { readonly image: Buffer; readonly fields: Readonly<Record<string, string>> }[];
}): Customer {
  const { urls, credentials, userIds, pictures } = options;
  const headers = { "x-client-id": credentials.clientId, "x-client-secret": credentials.clientSecret };
  const accepted: Accepted[] = [];
  const moved: MoveReply[] = [];
  const faults: string[] = [];
  const call = createCaller({ urls, headers, faults });
  const post = (path: string, body: object, more: Readonly<Record<string, string>> = {}) =>
    call(path, () => ({
      method: "POST",
      headers: { ...headers, ...more, "content-type": "application/json" },
      body: JSON.stringify(body),
    }));
  const move = createMover({ call, post, moved, faults });
  const noteAccepted = ({ status, body }: Reply, source: Accepted["source"], key: string): void => {
    const { id, receiptID } = body as { id?: string; receiptID?: string };
    if (status >= 300) faults.push(`${source} ${key} was refused with ${status}: ${JSON.stringify(body)}`);
    else accepted.push({ id: id ?? receiptID ?? "", source, key });
  };

  return {
    accepted,
    moved,
    faults,
    get: call,
    enrol: async (email) => {
      const { status, body } = await post("/users/enroll", { email, firstName: "Ada", lastName: "Lovelace" });
      assert.ok(status < 300, JSON.stringify(body));
      return (body as { user: { userID: string } }).user.userID;
    },
    submit: async (step) => {
      if (step.kind === "poison") {
        const { status } = await post("/track/food", step.body);
        if (status !== 400) faults.push(`a bad body got a ${status}`);
        return;
      }
      const userId = userIds[step.user]!;
      if (step.kind === "intake") {
        const { source, reference } = step;
        const path = source === "meal" ? "/track/meals" : "/track/food";
        const body = source === "meal" ? mealOf(userId, step) : foodOf(userId, step);
        const copies = Array.from({ length: step.copies }, () => post(path, body));
        for (const response of await Promise.all(copies)) noteAccepted(response, source, reference);
        return;
      }
      if (step.kind !== "receipt") return move(step, userId);
      const { image, fields } = pictures[step.picture]!;
      const response = await call("/track/receipts", () => {
        const form = new FormData();
        for (const [name, value] of Object.entries({ ...fields, userId })) form.set(name, value);
        form.set("receiptImage", new Blob([Uint8Array.from(image)], { type: "image/jpeg" }), "receipt.jpg");
        return { method: "POST", headers, body: form };
      });
      noteAccepted(response, "receipt", fields["transactionId"]!);
    },
  };
}

type MoveStep = Extract<Step, { kind: "adjustment" | "reversal" }>;

/** Sends adjustments and reversals: all copies of a step at once, and one more after them. */
function createMover(parts: {
  call: Call;
  post: (path: string, body: object, more: Readonly<Record<string, string>>) => Promise<Reply>;
  moved: MoveReply[];
  faults: string[];
}): (step: MoveStep, userId: string) => Promise<void> {
  const { call, post, moved, faults } = parts;
  const requestOf = async (step: MoveStep, userId: string) => {
    if (step.kind === "adjustment") {
      const { reference: key, points } = step;
      return { key, path: `/users/${userId}/adjustments`, body: { points, reason: "Gift", reference: key } };
    }
    const { key, skip } = step;
    const { body } = await call(`/users/${userId}/transactions?pageSize=20`);
    const { transactions = [] } = body as { transactions?: { id: string; operation: number }[] };
    const record = transactions.filter(({ operation }) => operation !== 6)[skip];
    return record && { key, path: `/users/${userId}/transactions/${record.id}/reversal`, body: { reason: key } };
  };
  return async (step, userId) => {
    const request = await requestOf(step, userId);
    if (!request) return;
    const { key, path, body } = request;
    const send = () => post(path, body, { "idempotency-key": key });
    const responses = await Promise.all(Array.from({ length: step.copies }, send));
    // The response is now the stored one, or the same refusal.
    responses.push(await send());
    for (const { status, body: response } of responses) {
      const { transaction } = response as { transaction?: { id: string; totalPoints: number } };
      moved.push({ key, userId, status, recordId: transaction?.id ?? null, points: transaction?.totalPoints ?? 0 });
      if (status !== 200 && status !== 409) faults.push(`${path} got a ${status}: ${JSON.stringify(response)}`);
    }
  };
}

type Call = (path: string, init?: () => RequestInit) => Promise<Reply>;

/** Calls the addresses in turn, and again while none responds; a response of 5xx is a fault. */
function createCaller(options: {
  urls: () => readonly string[];
  headers: Record<string, string>;
  faults: string[];
}): Call {
  const { urls, headers, faults } = options;
  let turn = 0;

  const once = async (path: string, init: () => RequestInit): Promise<Reply | null> => {
    const addresses = urls();
    const url = `${addresses[turn++ % addresses.length]}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
    const response = await fetch(url, {
      ...init(),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    }).catch(() => null);
    const body = await response?.json().catch(() => null);
    if (!response || body === null || response.status === 503 || response.status === 429) return null;
    if (response.status >= 500) faults.push(`${path} responded with ${response.status}: ${JSON.stringify(body)}`);
    return response.status >= 500 ? null : { status: response.status, body };
  };
  return async (path, init = () => ({ headers })) => {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(AGAIN_MS)) {
      const response = await once(path, init);
      if (response) return response;
      assert.ok(Date.now() < deadline, `${path} gave no response for ${PATIENCE_MS / 1_000} seconds`);
    }
  };
}

type IntakeStep = Extract<Step, { kind: "intake" }>;

function foodOf(userId: string, { reference, recipe }: IntakeStep): object {
  return {
    userId,
    transactionId: reference,
    foodId: `recipe-${recipe}`,
    ...RECIPES[recipe],
    unit: "g",
    imageUrl: "https://example.org/food.jpg",
    merchant: { name: "Corner shop" },
    nutrition: {},
  };
}

function mealOf(userId: string, { reference, recipe }: IntakeStep): object {
  return {
    userId,
    transactionId: reference,
    mealName: "Lunch",
    mealType: "lunch",
    loggedAt: new Date().toISOString(),
    imageUrl: "https://example.org/meal.jpg",
    ingredients: [{ foodId: `recipe-${recipe}`, ...RECIPES[recipe], unit: "g", nutrition: {} }],
  };
}
