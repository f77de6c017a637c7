// What another application sees during an attack. A thread of its own, so that the attacker's work does not delay it.
import { randomUUID } from "node:crypto";
import { get } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { receiptForm } from "./pictures.ts";
import { versioned } from "./target.ts";
import type { Call, Seen, VictimTask } from "./victim.ts";
import { mealOf } from "./with-bodies.ts";

const PROBE_EVERY_MS = 50;
const MEAL_EVERY_MS = 250;
const UPLOAD_EVERY_MS = 3_000;
const POLL_MS = 100;
/** More than the service's own time limits. */
const CALL_MS_MAX = 60_000;
const FINISH_MS_MAX = 120_000;

const { url, userId, headers, pictures, waitsForReceipt } = workerData as VictimTask;
const live: number[] = [];
const meals: Call[] = [];
const uploads: Call[] = [];
let finishedMs: number | null = null;
let isOver = false;
const port = parentPort!;
port.once("message", () => {
  isOver = true;
});

const probes: Promise<void>[] = [];
const probing = (async () => {
  while (!isOver) {
    probes.push(probe());
    await sleep(PROBE_EVERY_MS);
  }
})();
const eating = (async () => {
  while (!isOver) {
    meals.push(await timed(() => post("/track/meals", JSON.stringify(mealOf(userId)), "application/json")));
    await sleep(MEAL_EVERY_MS);
  }
})();
const sending = (async () => {
  let finishing: Promise<void> = Promise.resolve();
  for (const picture of pictures) {
    if (isOver && uploads.length > 0) break;
    const sentAtMs = performance.now();
    let receiptId = "";
    const call = await timed(async () => {
      const response = await post("/track/receipts", formOf(picture));
      if (response.ok) receiptId = ((await response.clone().json()) as { receiptID: string }).receiptID;
      return response;
    });
    uploads.push(call);
    if (receiptId !== "" && uploads.length === 1) finishing = finish(receiptId, sentAtMs);
    for (const endsAtMs = sentAtMs + UPLOAD_EVERY_MS; !isOver && performance.now() < endsAtMs;) await sleep(POLL_MS);
  }
  await finishing;
})();
await Promise.all([probing, eating, sending]);
await Promise.all(probes);
port.postMessage({ live, meals, uploads, finishedMs } satisfies Seen);
port.close();

/** A connection of its own, as a supervisor's probe has. */
function probe(): Promise<void> {
  const sinceMs = performance.now();
  return new Promise((resolve) => {
    const done = () => {
      live.push(performance.now() - sinceMs);
      resolve();
    };
    const request = get(`${url}/health/live`, { agent: false, timeout: CALL_MS_MAX }, (response) => {
      response.resume().once("end", done);
    });
    request.once("timeout", () => request.destroy()).once("error", done);
  });
}

function post(path: string, body: string | FormData, contentType?: string): Promise<Response> {
  return fetch(`${url}${versioned(path)}`, {
    method: "POST",
    headers: { ...headers, ...(contentType && { "content-type": contentType }) },
    body,
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
}

function formOf(picture: Uint8Array): FormData {
  return receiptForm(Buffer.from(picture), {
    userId,
    transactionId: randomUUID(),
    merchantName: "Larkmeadow Market",
    amount: "22.68",
    transactionTimestamp: new Date().toISOString(),
  });
}

async function timed(send: () => Promise<Response>): Promise<Call> {
  const sinceMs = performance.now();
  const status = await send().then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, ms: performance.now() - sinceMs };
}

/** Waits until a receipt is finished. Without need for it, only as long as the attack goes on. */
async function finish(receiptId: string, sinceMs: number): Promise<void> {
  while (performance.now() - sinceMs < FINISH_MS_MAX && (waitsForReceipt || !isOver)) {
    const path = versioned(`/track/receipts/${receiptId}/status`);
    const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS_MAX) }).catch(
      () => null,
    );
    const status = ((await response?.json().catch(() => null)) as { status?: string } | null)?.status ?? "";
    if (/^(Completed|Failed)$/i.test(status)) {
      finishedMs = performance.now() - sinceMs;
      return;
    }
    await sleep(POLL_MS);
  }
}
