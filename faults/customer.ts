import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createMover } from "./mover.ts";
import type { Moved, MoveStep, Rewards } from "./mover.ts";
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

/** A final response: in time, and not one that asks for a retry. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A reward with all that was put into it. */
export interface RewardNow {
  readonly id: string;
  readonly points: number;
  readonly loaded: { readonly codes: readonly string[]; readonly stock: number | null };
  readonly freeCodes: number | null;
  readonly stock: number | null;
}

/** A user whose points all have expired: `gift` points less `spent`. */
export interface ExpiredUser {
  readonly userId: string;
  readonly gift: number;
  readonly spent: number;
}

/** An integrator's server that retries until it gets a response, and records violations. */
export interface Customer {
  readonly accepted: readonly Accepted[];
  /** The responses to requests that move points. */
  readonly moved: Moved;
  /** Users of `expiry` steps, and the points that expired. */
  readonly expired: readonly ExpiredUser[];
  /** Responses that no customer should ever get. */
  readonly faults: readonly string[];
  enrol(email: string): Promise<string>;
  /** Adds the rewards that later steps redeem. */
  addRewards(): Promise<void>;
  /** The rewards that were added, as they are now; none before. */
  rewards(): Promise<readonly RewardNow[]>;
  /** Submits a step; done when each of its submissions got a response. */
  submit(step: Step): Promise<void>;
  get(path: string): Promise<Reply>;
  /** Whether a whole JPEG is at a link that the service gave, at one of its addresses or in its store. */
  hasJpeg(link: string): Promise<boolean>;
}

/** While its application moves calls wait, also for a move that is killed and undone a few times. */
const PATIENCE_MS = 180_000;
const PATIENCE_OF_A_MOVE_MS = 900_000;
const ATTEMPT_MS = 20_000;
const AGAIN_MS = 100;

/**
 * `urls` are the addresses to try; `onMoved` is called with the address that the application has moved to, and null: it
 * never does; `pictures` the images of the receipts with the fields that their user declares.
 */
export function createCustomer(options: {
  urls: () => readonly string[];
  onMoved?: ((address: string) => void) | null;
  credentials: Credentials;
  userIds: readonly string[];
  pictures: readonly { readonly image: Buffer; readonly fields: Readonly<Record<string, string>> }[];
}): Customer {
  const { urls, onMoved = null, credentials, userIds, pictures } = options;
  const headers = { "x-client-id": credentials.clientId, "x-client-secret": credentials.clientSecret };
  const accepted: Accepted[] = [];
  const moved: Moved = { replies: [], ended: [], used: [] };
  const expired: ExpiredUser[] = [];
  const faults: string[] = [];
  const call = createCaller({ urls, onMoved, headers, faults });
  const post = (path: string, body: object, more: Readonly<Record<string, string>> = {}) =>
    call(path, () => ({
      method: "POST",
      headers: { ...headers, ...more, "content-type": "application/json" },
      body: JSON.stringify(body),
    }));
  const { rewards, addRewards } = createCatalogue(post);
  const move = (step: MoveStep, userId: string) =>
    createMover({ call, post, accepted, rewards: rewards(), moved, faults })(step, userId);
  const enrol = async (email: string) => {
    const { status, body } = await post("/users/enroll", { email, firstName: "Ada", lastName: "Lovelace" });
    assert.ok(status < 300, JSON.stringify(body));
    return (body as { user: { userID: string } }).user.userID;
  };
  const noteAccepted = createNote(accepted, faults);

  return {
    accepted,
    moved,
    faults,
    expired,
    get: call,
    hasJpeg: (link) => hasJpeg(urls, link),
    enrol,
    addRewards,
    rewards: () => rewardsNow(call, rewards()),
    submit: async (step) => {
      if (step.kind === "poison") {
        const { status } = await post("/track/food", step.body);
        if (status !== 400) faults.push(`a bad body got a ${status}`);
        return;
      }
      if (step.kind === "expiry") return expire({ post, enrol, expired, faults }, step);
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

function createNote(accepted: Accepted[], faults: string[]) {
  return ({ status, body }: Reply, source: Accepted["source"], key: string): void => {
    const { id, receiptID } = body as { id?: string; receiptID?: string };
    if (status >= 300) faults.push(`${source} ${key} was refused with ${status}: ${JSON.stringify(body)}`);
    else accepted.push({ id: id ?? receiptID ?? "", source, key });
  };
}

type Post = (path: string, body: object, more?: Readonly<Record<string, string>>) => Promise<Reply>;

const WARES = {
  pool: { points: 3, codes: "pool", loaded: { codes: Array.from({ length: 12 }, (_, i) => `POOL-${i}`), stock: null } },
  stocked: { points: 2, codes: "made", loaded: { codes: [], stock: 6 } },
} as const;

/** A catalogue of two rewards with few of each: codes that are loaded, and a stock. */
function createCatalogue(post: Post): { rewards: () => Rewards | null; addRewards: () => Promise<void> } {
  let rewards: Rewards | null = null;
  const add = async (name: keyof typeof WARES) => {
    const { points, codes, loaded } = WARES[name];
    const terms = { name, points, codes, stock: loaded.stock };
    const { body } = await post("/rewards", terms, { "idempotency-key": `add-${name}` });
    const { id } = (body as { reward: { id: string } }).reward;
    if (loaded.codes.length > 0) await post(`/rewards/${id}/codes`, { codes: loaded.codes });
    return id;
  };
  return {
    rewards: () => rewards,
    addRewards: async () => {
      rewards = { pool: await add("pool"), stocked: await add("stocked") };
    },
  };
}

async function rewardsNow(call: Call, rewards: Rewards | null): Promise<RewardNow[]> {
  if (!rewards) return [];
  return Promise.all(
    (["pool", "stocked"] as const).map(async (name) => {
      const { body } = await call(`/rewards/${rewards[name]}`);
      const { freeCodes, stock } = (body as { reward: RewardNow }).reward;
      return { id: rewards[name], points: WARES[name].points, loaded: WARES[name].loaded, freeCodes, stock };
    }),
  );
}

const [GIFT, SPENT, DAYS] = [30, 10, 40];

/** A new user gets points, spends some of them, and the others expire: the user's time is moved, by all copies once. */
async function expire(
  parts: { post: Post; enrol: (email: string) => Promise<string>; expired: ExpiredUser[]; faults: string[] },
  { key, copies }: Extract<Step, { kind: "expiry" }>,
): Promise<void> {
  const { post, enrol, expired, faults } = parts;
  const userId = await enrol(`${key}@example.org`);
  const once = async (path: string, body: object) => {
    const send = () => post(`/users/${userId}${path}`, body, { "idempotency-key": `${key}${path}` });
    const responses = await Promise.all(Array.from({ length: copies }, send));
    responses.push(await send());
    for (const response of responses) {
      if (response.status !== 200) faults.push(`${path} got ${response.status}: ${JSON.stringify(response.body)}`);
    }
    return responses;
  };
  await once("/adjustments", { points: GIFT, reason: "Gift", reference: `${key}-gift` });
  await once("/redemptions", { points: SPENT, reward: { name: "A cup" }, reference: `${key}-spent` });
  for (const { body } of await once("/test-clock", { advanceDays: DAYS })) {
    const { expiredPoints, availablePoints } = body as { expiredPoints?: number; availablePoints?: number };
    if (expiredPoints !== GIFT - SPENT || availablePoints !== 0) faults.push(`${key}: ${JSON.stringify(body)}`);
  }
  expired.push({ userId, gift: GIFT, spent: SPENT });
}

type Call = (path: string, init?: () => RequestInit) => Promise<Reply>;

/** Calls the addresses in turn, and again while none responds; a response of 5xx is a fault. */
function createCaller(options: {
  urls: () => readonly string[];
  onMoved: ((address: string) => void) | null;
  headers: Record<string, string>;
  faults: string[];
}): Call {
  const { urls, onMoved, headers, faults } = options;
  const patienceMs = onMoved === null ? PATIENCE_MS : PATIENCE_OF_A_MOVE_MS;
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
    if (onMoved !== null && response.status === 410) {
      const { code, movedTo } = body as { code?: string; movedTo?: string };
      if (code === "ApplicationMoved" && movedTo !== undefined) onMoved(movedTo);
      else faults.push(`${path} responded with 410: ${JSON.stringify(body)}`);
      return null;
    }
    if (response.status >= 500) faults.push(`${path} responded with ${response.status}: ${JSON.stringify(body)}`);
    return response.status >= 500 ? null : { status: response.status, body };
  };
  return async (path, init = () => ({ headers })) => {
    for (const deadline = Date.now() + patienceMs; ; await sleep(AGAIN_MS)) {
      const response = await once(path, init);
      if (response) return response;
      assert.ok(Date.now() < deadline, `${path} gave no response for ${patienceMs / 1_000} seconds`);
    }
  };
}

const JPEG_START = Buffer.from([0xff, 0xd8]);
const JPEG_END = Buffer.from([0xff, 0xd9]);

async function hasJpeg(urls: () => readonly string[], link: string): Promise<boolean> {
  for (const deadline = Date.now() + ATTEMPT_MS; Date.now() < deadline; await sleep(AGAIN_MS)) {
    // The process that gave the link may be another one by now; all of them have the same images.
    const { pathname, search } = new URL(link);
    const addresses = pathname.startsWith("/files/") ? urls().map((url) => url + pathname + search) : [link];
    for (const address of addresses) {
      const response = await fetch(address).catch(() => null);
      const body = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
      if (body === null) continue;
      const bytes = Buffer.from(body);
      return bytes.subarray(0, 2).equals(JPEG_START) && bytes.subarray(-2).equals(JPEG_END);
    }
  }
  return false;
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
