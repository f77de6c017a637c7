import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { OcrFailure } from "../src/ocr/ocr.ts";
import type { OcrImage } from "../src/ocr/ocr.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { jobsSchema } from "../src/postgres/cell.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, uploadReceipt } from "./support/uploads.ts";

/** The service with a reader that a test controls: it reads what `read` returns, and notes the order. */
interface World extends TestService {
  /** Ids of the receipts in the order in which their reading began. */
  readonly begun: string[];
  read: (receiptId: string) => Promise<OcrPage>;
  upload(client: Client, userId: string): Promise<LightMyRequestResponse>;
  accepted(client: Client, userId: string): Promise<string>;
}

const PAGE = pageOf(GROCERIES);
const PATIENCE = { timeout: 120_000 };
/** Lets waiting readings go on. A test that fails before it opens its gate could otherwise not close the service. */
const gates: (() => void)[] = [];

async function openWorld(t: TestContext, env: Record<string, string>, isWorking = true): Promise<World> {
  const begun: string[] = [];
  const ocr = {
    read: (image: OcrImage) => {
      const id = "path" in image ? (/([0-9a-f-]{36})\.\w+$/.exec(image.path)?.[1] ?? "") : "";
      begun.push(id);
      return world.read(id);
    },
    close: async () => {},
  };
  const service = await startService({ env, ocr, isWorking });
  t.after(() => {
    for (const open of gates.splice(0)) open();
    return service.close();
  });
  const upload: World["upload"] = (client, userId) => uploadReceipt(service, client, { fields: formFor(userId) });
  const world: World = {
    ...service,
    begun,
    read: async () => PAGE,
    upload,
    accepted: (client, userId) => acceptedReceipt(service, client, { fields: formFor(userId) }),
  };
  return world;
}

/** A reader that waits until a test opens it. */
function gate(): { read: () => Promise<OcrPage>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.push(resolve);
  return { read: () => promise.then(() => PAGE), open: resolve };
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isTrue(); await sleep(5)) assert.ok(Date.now() < deadline, "in time");
}

test("behind 60 waiting receipts of one application, another's is read next after those in progress", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "2" });
  const [greedy, other] = [await world.newClient(), await world.newClient()];
  const [greedyUser, otherUser] = [await greedy.enrol(), await other.enrol()];
  const { read, open } = gate();
  world.read = read;
  for (let i = 0; i < 60; i += 10) {
    await Promise.all(Array.from({ length: 10 }, () => world.accepted(greedy, greedyUser)));
  }
  const id = await world.accepted(other, otherUser);
  await untilTrue(() => world.begun.length === 2);
  open();
  world.read = async () => {
    await sleep(20);
    return PAGE;
  };
  await untilTrue(() => world.begun.includes(id));
  t.diagnostic(`readings that began before: ${world.begun.indexOf(id)}`);
  assert.ok(world.begun.indexOf(id) <= 4, `${world.begun.indexOf(id)} readings began before`);
});

test("users of one application take turns: one with many waiting receipts delays no other user's", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "1" });
  const client = await world.newClient();
  const [greedyUser, otherUser] = [await client.enrol(), await client.enrol()];
  const { read, open } = gate();
  world.read = read;
  for (let i = 0; i < 20; i++) await world.accepted(client, greedyUser);
  const id = await world.accepted(client, otherUser);
  open();
  await untilTrue(() => world.begun.includes(id));
  assert.ok(world.begun.indexOf(id) <= 3, `${world.begun.indexOf(id)} readings began before`);
});

test("an application whose pages take ten times as long gets a tenth of the readings, not half of them", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "1" });
  const [slow, quick] = [await world.newClient(), await world.newClient()];
  const [slowUser, quickUser] = [await slow.enrol(), await quick.enrol()];
  const { read, open } = gate();
  world.read = read;
  const slowIds = new Set<string>();
  const quickIds = new Set<string>();
  for (let i = 0; i < 30; i++) {
    slowIds.add(await world.accepted(slow, slowUser));
    quickIds.add(await world.accepted(quick, quickUser));
  }
  world.read = async (id) => {
    await sleep(slowIds.has(id) ? 1_000 : 50);
    return PAGE;
  };
  open();
  await untilTrue(() => [...quickIds].every((id) => world.begun.includes(id)));
  const slowBegun = world.begun.filter((id) => slowIds.has(id)).length;
  t.diagnostic(`30 quick readings, ${slowBegun} slow ones`);
  assert.ok(slowBegun <= 15, `${slowBegun} slow readings began before the last quick one`);
});

test(
  "too many waiting receipts of an application or a user get 503 with Retry-After, and no other's do",
  PATIENCE,
  async (t) => {
    const env = { OCR_PROCESSES: "1", RECEIPTS_WAITING_PER_APPLICATION: "3", RECEIPTS_WAITING_PER_USER: "2" };
    const world = await openWorld(t, env);
    const [full, other] = [await world.newClient(), await world.newClient()];
    const [first, second, third] = [await full.enrol(), await full.enrol(), await full.enrol()];
    const { read, open } = gate();
    world.read = read;
    const refused = async (userId: string, detail: RegExp) => {
      const response = await world.upload(full, userId);
      assert.equal(response.statusCode, 503);
      assert.equal(response.json<{ code: string }>().code, "Unavailable");
      assert.match(response.json<{ detail: string }>().detail, detail);
      assert.ok(Number(response.headers["retry-after"]) > 0);
    };
    await world.accepted(full, first);
    await world.accepted(full, first);
    await refused(first, /of the user/);
    await world.accepted(full, second);
    await refused(third, /of the application/);
    await world.accepted(other, await other.enrol());
    open();
    await full.until((events) => events.map(nameOf).filter((name) => /completed|failed/.test(name)).length === 3);
    await world.accepted(full, first);
  },
);

test("a reading that exceeds its time is attempted once more, then the receipt ends as INTERNAL_ERROR", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "1" });
  const client = await world.newClient();
  world.read = () => Promise.reject(new OcrFailure("timeout", "no result in time"));
  const id = await world.accepted(client, await client.enrol());
  const events = await client.until((list) => list.map(nameOf).includes("receipt_failed"));
  assert.equal(
    (events.find((event) => nameOf(event) === "receipt_failed") as { errorCode?: string }).errorCode,
    "INTERNAL_ERROR",
  );
  assert.deepEqual(world.begun, [id, id]);
});

test("a page with far more text than a receipt fails as NOT_AUTHENTIC, and says so", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "1" });
  const client = await world.newClient();
  world.read = async () => ({ width: 3_000, height: 4_000, rotation: 0, boxes: [], hasTooMuchText: true });
  const id = await world.accepted(client, await client.enrol());
  await client.until((events) => events.map(nameOf).includes("receipt_failed"));
  const status = (await client.call("GET", `/track/receipts/${id}/status`)).json<Record<string, string>>();
  assert.equal(status["errorCode"], "NOT_AUTHENTIC");
  assert.match(status["errorMessage"]!, /more text than a till receipt/);
});

test("a receipt that a killed process had claimed is read when its lease has ended, without any job", async (t) => {
  const world = await openWorld(t, { OCR_PROCESSES: "1" }, false);
  const client = await world.newClient();
  const id = await world.accepted(client, await client.enrol());
  const lease = "UPDATE receipts SET leased_until = now() + interval '25 seconds', attempts = 1 WHERE id = $1";
  await world.database.query({ name: "test.lease", text: lease }, [id]);
  await world.database.query({
    name: "test.lose-jobs",
    text: `DELETE FROM ${jobsSchema(world.database.schema)}.job WHERE name = 'process-receipts'`,
  });
  await world.app.startWork();
  await sleep(300);
  assert.deepEqual(world.begun, []);
  world.clock.ms += 26_000;
  await client.until((events) => events.map(nameOf).includes("receipt_completed"));
  assert.deepEqual(world.begun, [id]);
});
