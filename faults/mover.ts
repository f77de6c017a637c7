// The requests of an integrator that move points outside of submissions: each with a key, until it gets a response.
import type { Accepted, Reply } from "./customer.ts";
import type { Step, Ware } from "./workload.ts";

/** An adjustment, reversal, redemption, refund or correction that got a response. */
export interface MoveReply {
  /** The reference of an adjustment or redemption; otherwise its Idempotency-Key, which is also in its reason. */
  readonly key: string;
  readonly userId: string;
  readonly status: number;
  /** Of a 200. */
  readonly recordId: string | null;
  readonly points: number;
}

/** A reservation that was confirmed or released, with a 200. */
export interface Ended {
  readonly recordId: string;
  readonly way: "confirm" | "release";
}

/** A voucher whose use got a 200: one for each till and its key. */
export interface Used {
  readonly code: string;
  readonly key: string;
}

/** What a customer knows of all this. */
export interface Moved {
  readonly replies: MoveReply[];
  readonly ended: Ended[];
  readonly used: Used[];
}

/** The ids of the rewards that a customer has in its catalogue. */
export type Rewards = Readonly<Record<Exclude<Ware, "own">, string>>;

export type MoveStep = Exclude<Step, { kind: "intake" | "poison" | "receipt" | "expiry" }>;

interface Listed {
  readonly id: string;
  readonly operation: number;
  readonly relatedTransactionID?: string;
  readonly reward?: { readonly code: string };
}

interface Parts {
  readonly call: (path: string) => Promise<Reply>;
  readonly post: (path: string, body: object, more: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly accepted: readonly Accepted[];
  readonly rewards: Rewards | null;
  readonly moved: Moved;
  readonly faults: string[];
}

/** A request: all copies have its key. `refusals` are the statuses that it may get besides 200. */
interface Request {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  readonly refusals: readonly number[];
}

/** Time after which a reservation that nobody confirms ends by itself. */
const HOLD_SECONDS = 3;

/** Sends requests that move points: all copies of a step at once, and one more after them. */
export function createMover(parts: Parts): (step: MoveStep, userId: string) => Promise<void> {
  const { post, moved, faults } = parts;
  return async (step, userId) => {
    if (step.kind === "use") return use(parts, step, userId);
    if (step.kind === "end") return end(parts, step, userId);
    const request = await requestOf(parts, step, userId);
    if (!request) return;
    const { key, path, body, refusals } = request;
    const send = () => post(path, body, { "idempotency-key": key });
    const responses = await Promise.all(Array.from({ length: step.copies }, send));
    // The response is now the stored one, or the same refusal.
    responses.push(await send());
    for (const { status, body: response } of responses) {
      const { transaction } = response as { transaction?: { id: string; totalPoints: number } };
      moved.replies.push({
        key,
        userId,
        status,
        recordId: transaction?.id ?? null,
        points: transaction?.totalPoints ?? 0,
      });
      if (status !== 200 && !refusals.includes(status))
        faults.push(`${path} got ${status}: ${JSON.stringify(response)}`);
    }
    if (step.kind !== "redemption" || responses.at(-1)!.status !== 200) return;
    const { status } = await post(path, body, {});
    if (status !== 409) faults.push(`the reference ${key} was redeemed, and later got a ${status}`);
  };
}

async function requestOf(
  parts: Parts,
  step: Exclude<MoveStep, { kind: "use" | "end" }>,
  userId: string,
): Promise<Request | null> {
  const { rewards } = parts;
  if (step.kind === "adjustment") {
    const { reference: key, points } = step;
    const body = { points, reason: "Gift", reference: key };
    return { key, path: `/users/${userId}/adjustments`, body, refusals: [409] };
  }
  if (step.kind === "redemption") {
    const { reference: key, ware } = step;
    if (!rewards) return null;
    const wanted =
      ware === "own" ? { points: 4, reward: { name: "A cup", codes: "made" } } : { rewardId: rewards[ware] };
    const body = { ...wanted, reference: key, ...(step.isReserved && { reserve: true, holdSeconds: HOLD_SECONDS }) };
    return { key, path: `/users/${userId}/redemptions`, body, refusals: [409] };
  }
  const { key, skip } = step;
  if (step.kind === "correction") return correctionOf(parts, step);
  const records = await newest(parts, userId);
  if (step.kind === "reversal") {
    const record = records.filter(({ operation }) => operation === 1 || operation === 3)[skip];
    const path = `/users/${userId}/transactions/${record?.id}/reversal`;
    return record ? { key, path, body: { reason: key }, refusals: [409] } : null;
  }
  const record = records.filter(({ operation }) => operation === 2)[skip];
  const path = `/users/${userId}/redemptions/${record?.id}/refund`;
  return record ? { key, path, body: { reason: key }, refusals: [409] } : null;
}

async function newest({ call }: Parts, userId: string): Promise<Listed[]> {
  const { body } = await call(`/users/${userId}/transactions?pageSize=50`);
  return (body as { transactions?: Listed[] }).transactions ?? [];
}

/** Corrects a line of a receipt that was accepted, or adds one that was missed. */
async function correctionOf(
  { call, accepted }: Parts,
  { key, skip, change }: Extract<MoveStep, { kind: "correction" }>,
): Promise<Request | null> {
  const receipts = accepted.filter(({ source }) => source === "receipt");
  const receipt = receipts[skip % Math.max(1, receipts.length)];
  if (!receipt) return null;
  const { body } = await call(`/track/receipts/${receipt.id}/status`);
  const { corrections = [], receiptStatusDoc } = body as {
    corrections?: { after: { items: { id: string }[] } | null }[];
    receiptStatusDoc?: { scoredStateData?: { items: { id: string }[] } };
  };
  const items = corrections.at(-1)?.after?.items ?? receiptStatusDoc?.scoredStateData?.items ?? [];
  const line = items[skip % Math.max(1, items.length)];
  const added = { name: "Apple", quantity: 1, totalPrice: 0.5 };
  const changed =
    change === "add" || !line ? added : { id: line.id, ...(change === "remove" ? { remove: true } : { quantity: 2 }) };
  const path = `/track/receipts/${receipt.id}/corrections`;
  // 400: another correction has changed this line meanwhile.
  return { key, path, body: { reason: key, items: [changed] }, refusals: [400, 409] };
}

/** Several tills, each with a key of its own, use one voucher. */
async function use(
  parts: Parts,
  { key, skip, copies }: Extract<MoveStep, { kind: "use" }>,
  userId: string,
): Promise<void> {
  const { post, moved, faults } = parts;
  const codes = (await newest(parts, userId)).flatMap(({ operation, reward }) =>
    operation === 2 && reward ? [reward.code] : [],
  );
  const code = codes[skip % Math.max(1, codes.length)];
  if (!code) return;
  const tills = Array.from({ length: copies }, (_, i) => `${key}-till-${i}`);
  const send = (till: string) => post(`/vouchers/${code}/use`, { till }, { "idempotency-key": till });
  const first = await Promise.all(tills.map(send));
  const again = await Promise.all(tills.map(send));
  for (const [i, till] of tills.entries()) {
    const { status, body } = again[i]!;
    // 404: the redemption was given back, and the code is free again.
    if (![200, 404, 409].includes(status)) faults.push(`${code} got ${status}: ${JSON.stringify(body)}`);
    if (first[i]!.status === 200 && status !== 200) faults.push(`${code} was used by ${till}, and then refused`);
    if (first[i]!.status === 200 || status === 200) moved.used.push({ code, key: till });
  }
}

/** Confirms or releases a reservation. */
async function end(
  parts: Parts,
  { key, skip, way, copies }: Extract<MoveStep, { kind: "end" }>,
  userId: string,
): Promise<void> {
  const { post, moved, faults } = parts;
  const record = (await newest(parts, userId)).filter(({ operation }) => operation === 2)[skip];
  if (!record) return;
  const path = `/users/${userId}/redemptions/${record.id}/${way}`;
  const send = () => post(path, {}, { "idempotency-key": key });
  const responses = await Promise.all(Array.from({ length: copies }, send));
  responses.push(await send());
  for (const { status, body } of responses) {
    if (![200, 409].includes(status)) faults.push(`${path} got ${status}: ${JSON.stringify(body)}`);
  }
  const last = responses.at(-1)!;
  if (responses.some(({ status }) => status === 200) && last.status !== 200)
    faults.push(`${path} was done, then refused`);
  if (last.status === 200) moved.ended.push({ recordId: record.id, way });
}
