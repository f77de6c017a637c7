// What a console shows beside the ledger, made through the API: receipts of each outcome, one of 200 lines, a largest
// programme, rewards with codes. What there are many of is copied from it.
import { setTimeout as sleep } from "node:timers/promises";
import { callerOf } from "../call.ts";
import type { Call } from "../call.ts";
import type { Progress } from "../progress.ts";
import type { Subject } from "../subject.ts";
import { largestProgramme, startedProgramme } from "./programmes.ts";

const FAILURES = ["no_valid_food_items", "merchant_name_not_found", "not_authentic"];
const LINES = 200;
const REWARDS = 120;
const CODES = 5_000;
const CODES_AT_ONCE = 1_000;
const READING_MS_MAX = 120_000;

/** Ids of what was made. */
export interface Models {
  readonly completedId: string;
  readonly heldId: string;
  readonly failedIds: readonly string[];
  readonly largestReceiptId: string;
  readonly largestHeldId: string;
  readonly rewardId: string;
  readonly poolId: string;
  readonly redemption: { readonly userId: string; readonly recordId: string };
  readonly version: number;
  readonly largestVersion: number;
}

export async function makeModels(subject: Subject, progress: Progress): Promise<Models> {
  const call = callerOf(subject.url, subject.headers);
  const [, , sampler, holder, redeemer] = subject.userIds as [string, string, string, string, string];
  progress("console: sample receipts of each outcome");
  const completedId = await sampleReceipt(call, sampler, "completed", 1);
  const heldId = await sampleReceipt(call, sampler, "held", 2);
  const failedIds: string[] = [];
  for (const [i, sample] of FAILURES.entries()) failedIds.push(await sampleReceipt(call, sampler, sample, 10 + i));
  progress(`console: receipts of ${LINES} lines`);
  const largestReceiptId = await sampleReceipt(call, holder, "completed_de", 3);
  await addLines(call, largestReceiptId);
  const largestHeldId = await sampleReceipt(call, holder, "held", 4);
  await addLines(call, largestHeldId);
  progress("console: rewards and codes");
  const rewards = await makeRewards(call);
  await call("POST", `/users/${redeemer}/adjustments`, {
    points: 1_000,
    reason: "Goodwill",
    reference: "bench-goodwill",
    countsAsEarned: false,
  });
  const redeemed = await call<{ transaction: { id: string } }>("POST", `/users/${redeemer}/redemptions`, {
    rewardId: rewards.poolId,
    reference: "bench-redemption",
  });
  progress("console: programmes");
  const largest = await call<{ program: { version: number } }>("POST", "/programs", {
    definition: largestProgramme(new Date()),
    note: "All that there can be",
  });
  const { program } = await call<{ program: { version: number } }>("POST", "/programs", {
    definition: startedProgramme(new Date()),
    note: "In force",
  });
  await call("POST", `/programs/${program.version}/publish`, {});
  return {
    completedId,
    heldId,
    failedIds,
    largestReceiptId,
    largestHeldId,
    ...rewards,
    redemption: { userId: redeemer, recordId: redeemed.transaction.id },
    version: program.version,
    largestVersion: largest.program.version,
  };
}

async function sampleReceipt(call: Call, userId: string, sample: string, n: number): Promise<string> {
  const form = new FormData();
  const fields = {
    userId,
    transactionId: `sample-${sample}-${n}`,
    merchantName: "Larkmeadow Market",
    amount: "22.68",
    transactionTimestamp: new Date(Date.now() - n * 3_600_000).toISOString(),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { receiptID } = await call<{ receiptID: string }>("POST", `/track/receipts?testBlobUri=sample:${sample}`, form);
  for (const deadline = Date.now() + READING_MS_MAX; ; await sleep(100)) {
    const { status, held } = await call<{ status: string; held: boolean }>(
      "GET",
      `/track/receipts/${receiptID}/status`,
    );
    if (status === "Completed" || status === "Failed" || held) return receiptID;
    if (Date.now() > deadline) throw new Error(`the sample ${sample} is still ${status}`);
  }
}

/** Lines that a person types: the receipt has 200 then. */
async function addLines(call: Call, id: string): Promise<void> {
  const items = Array.from({ length: LINES - 15 }, (_, i) => ({
    name: `${["Red lentils", "Oat drink barista", "Cheddar mature", "Beef mince", "Basmati rice"][i % 5]!} ${i} g`,
    quantity: 1 + (i % 3),
    totalPrice: 1 + ((i * 37) % 400) / 100,
  }));
  await call("POST", `/track/receipts/${id}/corrections`, { reason: "A long strip, read again", items });
}

async function makeRewards(call: Call): Promise<{ rewardId: string; poolId: string }> {
  const ids: string[] = [];
  for (let n = 0; n < REWARDS; n++) {
    const { reward } = await call<{ reward: { id: string } }>("POST", "/rewards", {
      name: `Reward ${n}: a free coffee at the corner`,
      points: 20 + n,
      codes: n === 0 ? "pool" : "none",
      ...(n > 0 && { stock: 1_000 + n }),
      category: ["Drinks", "Food", "Learning"][n % 3],
      brand: "Bean Corner",
      description: `What it is, for people who look for something to spend ${20 + n} points on. `.repeat(3).trim(),
    });
    ids.push(reward.id);
  }
  const [poolId, rewardId] = ids as [string, string];
  for (let from = 0; from < CODES; from += CODES_AT_ONCE) {
    const codes = Array.from({ length: CODES_AT_ONCE }, (_, i) => `BENCH-${String(from + i).padStart(6, "0")}`);
    await call("POST", `/rewards/${poolId}/codes`, { codes });
  }
  return { rewardId, poolId };
}

/** Makes a preview of the programme in force, and waits for it: they are kept for a day. */
export async function makePreview(subject: Subject, version: number): Promise<string> {
  const call = callerOf(subject.url, subject.headers);
  const started = await call<{ preview: { id: string } }>("POST", "/programs/preview", { version, days: 1 });
  const { id } = started.preview;
  for (const deadline = Date.now() + READING_MS_MAX; ; await sleep(200)) {
    const { preview } = await call<{ preview: { state: string } }>("GET", `/program-previews/${id}`);
    if (preview.state !== "waiting" && preview.state !== "running") return id;
    if (Date.now() > deadline) throw new Error("the preview takes too long");
  }
}
