import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sampleImage } from "../src/adapters/sample-image.ts";
import { totalMinorOf } from "../src/receipts/sample.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../src/receipts/sample-outcomes.ts";
import { freePort, killEverything, runCli, startProcess } from "./processes.ts";
import type { ProcessSettings, ServiceProcess } from "./processes.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const INTAKES = 200;
/** Three receipts of different shops or purchases. */
const RECEIPTS = ["completed", "completed_de", "already_exists"] as const;
const USERS = 5;

const closers: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const close of closers.reverse()) await close();
});

interface Credentials {
  clientId: string;
  clientSecret: string;
}

test("after kill -9 of everything amid 200 intakes and 3 receipts, each accepted one ends exactly once", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "rewards-crash-"));
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const receiver = await startWebhookReceiver();
  closers.push(() => receiver.close());
  const settings: ProcessSettings = { dataDir, port: await freePort(), env: { WEBHOOK_RETRY_SCHEDULE: "0,1,2,4,8" } };

  let service = await startProcess(settings);
  closers.push(async () => {
    await service.stop();
  });
  const app = await runCli<Credentials>(settings, "app", "create", "--name", "Crash", "--webhook-url", receiver.url);
  const users = await Promise.all(Array.from({ length: USERS }, () => enrol(service, app)));

  // Every fourth reference comes twice: of those two submissions exactly one may earn.
  const accepted = new Map<string, string>();
  let isKilled = false;
  const images = await Promise.all(RECEIPTS.map((outcome, i) => sampleImage(outcome, i + 1)));
  const submissions = [
    ...images.map((image, i) => async () => {
      const id = await upload(service, app, users[i % USERS]!, RECEIPTS[i]!, image);
      if (id) accepted.set(id, `/track/receipts/${id}/status`);
    }),
    ...Array.from({ length: INTAKES }, (_, i) => async () => {
      const id = await track(service, app, users[i % USERS]!, `food-${i % 4 === 3 ? i - 1 : i}`);
      if (id) accepted.set(id, `/track/food/${id}/status`);
    }),
  ];
  const sending = (async () => {
    for (let i = 0; i < submissions.length && !isKilled; i += 10) {
      await Promise.all(submissions.slice(i, i + 10).map((submit) => submit().catch(() => {})));
    }
  })();
  while (accepted.size < INTAKES / 2) await sleep(5);
  isKilled = true;
  await killEverything(service, dataDir);
  await sending;
  const before = accepted.size;
  assert.ok(before >= INTAKES / 2 && before < submissions.length, `killed in the middle: ${before} were accepted`);

  service = await startProcess(settings);
  // What got no answer is sent again under its reference, as a client would.
  for (let i = 0; i < submissions.length; i += 20) {
    await Promise.all(submissions.slice(i, i + 20).map((submit) => submit()));
  }
  const ends = new Map<string, { status: string; transactionId: string; errorType?: string; errorCode?: string }>();
  for (const deadline = Date.now() + 90_000; ends.size < accepted.size; await sleep(200)) {
    assert.ok(
      Date.now() < deadline,
      `${accepted.size - ends.size} submissions did not end:\n${service.output().slice(-2000)}`,
    );
    for (const [id, path] of accepted) {
      if (ends.has(id)) continue;
      const status = (await call(service, app, path)) as { status: string; transactionId: string };
      if (/completed|failed/i.test(status.status)) ends.set(id, status);
    }
  }

  const completed = [...ends.values()].filter(({ status }) => /completed/i.test(status));
  const references = completed.map(({ transactionId }) => transactionId);
  assert.equal(new Set(references).size, references.length, "no reference earned twice");
  for (const { status, errorType, errorCode } of ends.values()) {
    if (/failed/i.test(status)) assert.match(errorType ?? errorCode ?? "", /^(DUPLICATE_MEAL|ALREADY_EXISTS)$/);
  }
  // Whose answer was lost by the kill may have been accepted: it earned then, and what was sent again is its duplicate.
  const earned = (INTAKES * 3) / 4 + RECEIPTS.length;
  const summaries = (await Promise.all(users.map((id) => call(service, app, `/users/${id}/summary`)))) as {
    user: { numOfTransactions: number };
  }[];
  assert.equal(
    summaries.reduce((sum, { user }) => sum + user.numOfTransactions, 0),
    earned,
  );
  const ledger = await runCli<{ ok: boolean; records: number }>(settings, "ledger", "verify");
  assert.deepEqual([ledger.ok, ledger.records], [true, earned]);

  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    const told = endsTold(receiver.received);
    if ([...accepted.keys()].every((id) => told.has(id))) break;
  }
  const told = endsTold(receiver.received);
  for (const id of accepted.keys()) assert.equal(told.get(id)?.size, 1, "each end is told, always as the same event");
  assert.equal(await service.stop(), 0);
});

/** For each submission the distinct webhook ids that told of its end. */
function endsTold(received: readonly { headers: Record<string, unknown>; body: string }[]): Map<string, Set<unknown>> {
  const told = new Map<string, Set<unknown>>();
  for (const { headers, body } of received) {
    const event = JSON.parse(body) as { event?: string; trackId?: string; receiptId?: string };
    if (!/completed|failed/.test(event.event ?? "")) continue;
    const id = event.trackId ?? event.receiptId ?? "";
    told.set(id, (told.get(id) ?? new Set()).add(headers["webhook-id"]));
  }
  return told;
}

function headersOf({ clientId, clientSecret }: Credentials): Record<string, string> {
  return { "x-client-id": clientId, "x-client-secret": clientSecret };
}

async function call(service: ServiceProcess, app: Credentials, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${service.url}${path}?api-version=1.0`, {
    method: body ? "POST" : "GET",
    headers: { ...headersOf(app), ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${path} answered ${answer.status}`);
  return answer.json();
}

async function enrol(service: ServiceProcess, app: Credentials): Promise<string> {
  const email = `${randomBytes(6).toString("hex")}@example.org`;
  const body = { email, firstName: "Ada", lastName: "Lovelace" };
  return ((await call(service, app, "/users/enroll", body)) as { user: { userID: string } }).user.userID;
}

async function track(service: ServiceProcess, app: Credentials, userId: string, reference: string): Promise<string> {
  const food = {
    userId,
    transactionId: reference,
    foodId: "apple",
    name: "Apple",
    imageUrl: "https://example.org/apple.jpg",
    merchant: { name: "Corner shop" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 80, proteinG: 0.4, carbsG: 18, fatG: 0.2, sugarG: 16, fiberG: 3, saltG: 0 },
  };
  return ((await call(service, app, "/track/food", food)) as { id: string }).id;
}

async function upload(
  service: ServiceProcess,
  app: Credentials,
  userId: string,
  outcome: (typeof RECEIPTS)[number],
  image: Buffer,
): Promise<string> {
  const sample = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
  const form = new FormData();
  form.set("userId", userId);
  form.set("transactionId", `receipt-${outcome}`);
  form.set("amount", String(totalMinorOf(sample.receipt) / 100));
  form.set("merchantName", sample.receipt.merchant?.name ?? "");
  form.set("transactionTimestamp", `${SAMPLE_MOMENT.date}T${SAMPLE_MOMENT.time}:00Z`);
  form.set("receiptImage", new Blob([Uint8Array.from(image)], { type: "image/jpeg" }), "receipt.jpg");
  const answer = await fetch(`${service.url}/track/receipts?api-version=1.0`, {
    method: "POST",
    headers: headersOf(app),
    body: form,
  });
  assert.ok(answer.ok, `the upload answered ${answer.status}: ${await answer.clone().text()}`);
  return ((await answer.json()) as { receiptID: string }).receiptID;
}
