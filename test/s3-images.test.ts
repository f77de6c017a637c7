import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createFiles, fileKey } from "../src/files.ts";
import type { FileStore } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import { openImages } from "../src/images/open-images.ts";
import { readEnv, toConfig } from "../src/config.ts";
import { installationKey } from "../src/installation.store.ts";
import { NO_METERS } from "../src/meters.ts";
import { moveImages } from "../src/receipts/move-images.task.ts";
import { sweepImages } from "../src/receipts/sweep-images.task.ts";
import { StorageMisconfigured } from "../src/storage-failures.ts";
import { sweepErased } from "../src/users/erase.task.ts";
import { runCommand } from "./support/commands.ts";
import { createTestDatabase } from "./support/database.ts";
import { groceriesOf } from "./support/drawn-receipts.ts";
import { formFor, pageOf, picture } from "./support/groceries.ts";
import { startS3 } from "./support/s3/server.ts";
import type { S3Server } from "./support/s3/server.ts";
import { startService } from "./support/service.ts";
import type { Client, ServiceOptions, TestService } from "./support/service.ts";
import { acceptedReceipt, acceptedSample, statusUntil, uploadReceipt } from "./support/uploads.ts";

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const DAY_MS = 86_400_000;

interface Status {
  readonly status: string;
  readonly errorCode: string | null;
  readonly receiptStatusDoc: {
    readonly uploadStateData: { readonly blobUrl: string | null; readonly blobName: string };
  };
}

let s3: S3Server;
let service: TestService | null = null;
before(async () => {
  s3 = await startS3();
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) process.env[name] = s3.settings[name];
});
afterEach(async () => {
  s3.behave("serves");
  await service?.close();
  service = null;
});
after(() => s3.stop());

/** As a receipt or as none: it was read, or given up. */
const isRead = ({ status }: Status) => status === "Completed" || status === "Failed";

let reads = 0;
/** Reads every stored picture as another purchase, and checks that there is one. */
const ocr: ServiceOptions["ocr"] = {
  read: async (image) => {
    assert.ok("path" in image && readFileSync(image.path).length > 0);
    return pageOf(groceriesOf(++reads).rows);
  },
  close: async () => {},
};

/** Starts a service with a prefix of its own. */
async function start(env: Record<string, string> = {}, options: ServiceOptions = {}): Promise<TestService> {
  const prefix = { IMAGES_S3_PREFIX: `p${randomBytes(6).toString("hex")}` };
  service = await startService({ ocr, ...options, env: { ...s3.settings, ...prefix, ...env } });
  return service;
}

const settingsOf = ({ dataDir }: TestService, env: Record<string, string>) => ({
  ...s3.settings,
  DATA_DIR: dataDir,
  ...env,
});

const imagesIn = async (prefix: string) =>
  (await s3.objects()).filter((name) => name.startsWith(`${prefix}/receipts/`));
const filesIn = (dataDir: string) =>
  readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jpg"));
const temporaryIn = (dataDir: string) => readdirSync(join(dataDir, "files/tmp"));

test("a receipt is uploaded, read, shown by its link, and erased: its image is in the bucket, and then gone", async () => {
  const { dataDir } = await start({ IMAGES_S3_PREFIX: "whole" }, { ocr: undefined });
  const client = await service!.newClient({ isSandbox: true });
  const userId = await client.enrol();
  const id = await acceptedSample(service!, client, "completed", formFor(userId));
  const status = await statusUntil<Status>(client, id, (found) => found.status === "Completed");
  const { blobUrl, blobName } = status.receiptStatusDoc.uploadStateData;
  assert.deepEqual(await imagesIn("whole"), [`whole/${blobName}`]);
  assert.deepEqual([filesIn(dataDir), temporaryIn(dataDir)], [[], []], "nothing is left on this machine");
  assert.ok(blobUrl!.startsWith(`${s3.endpoint}/${s3.bucket}/whole/`));
  assert.equal(new URL(blobUrl!).searchParams.get("X-Amz-Expires"), "300");
  const shown = await fetch(blobUrl!);
  assert.deepEqual([shown.status, shown.headers.get("content-type")], [200, "image/jpeg"]);
  assert.equal(shown.headers.get("cache-control"), "private, no-store");
  assert.deepEqual([...new Uint8Array(await shown.arrayBuffer()).subarray(0, 3)], [0xff, 0xd8, 0xff]);

  assert.equal((await client.call("DELETE", `/users/${userId}`)).statusCode, 204);
  assert.deepEqual(await imagesIn("whole"), []);
  assert.equal((await fetch(blobUrl!)).status, 404, "a link from before opens nothing");
});

test("while S3 is away uploads get 503 and leave nothing, statuses and the rest go on; receipts wait and are read later", async () => {
  await start({ IMAGES_S3_PREFIX: "away", METRICS_TOKEN: "s3" }, { isWorking: false });
  const client = await service!.newClient();
  const userId = await client.enrol();
  const seen = await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId: "seen" }) });
  await service!.app.startWork();
  await statusUntil<Status>(client, seen, isRead);
  const waiting = await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId: "waiting" }) });
  await s3.leave();
  try {
    for (const _ of [1, 2, 3, 4]) {
      const refused = await uploadReceipt(service!, client, { fields: formFor(userId, { transactionId: "refused" }) });
      assert.deepEqual([refused.statusCode, refused.json<{ code: string }>().code], [503, "Unavailable"]);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
    assert.deepEqual(temporaryIn(service!.dataDir), []);
    const shown = await client.get<Status>(`/track/receipts/${seen}/status`);
    assert.ok(shown.receiptStatusDoc.uploadStateData.blobUrl, "it was there when S3 was last seen");
    await client.post("/track/meals", mealOf(userId), 202);
    assert.equal((await ready()).status, "ready", "everything but uploads is handled");
    await until(async () => (await ready()).images === "unavailable");
    await until(async () => (await metric("rewards_image_store_up")) === 0);
  } finally {
    await s3.comeBack();
  }
  const read = await statusUntil<Status>(client, waiting, isRead);
  assert.notEqual(read.errorCode, "INTERNAL_ERROR", "it was not given up meanwhile");
  await until(async () => (await ready()).images === "available");
  await until(async () => (await metric("rewards_image_store_up")) === 1);
  assert.equal((await imagesIn("away")).length, 2);
});

test("while S3 is known to be away an upload is refused before its image is decoded or stored", async () => {
  const dir = mkdtempSync(join(tmpdir(), "rewards-away-"));
  let isAway = true;
  const files = { ...createFiles({ dir }), isAway: () => isAway };
  try {
    service = await startService({ files, isWorking: false });
    const client = await service.newClient();
    const fields = formFor(await client.enrol());
    const refused = await uploadReceipt(service, client, { fields });
    assert.deepEqual([refused.statusCode, Number(refused.headers["retry-after"]) > 0], [503, true]);
    assert.deepEqual(readdirSync(join(dir, "tmp")), []);
    isAway = false;
    await acceptedReceipt(service, client, { fields });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("a receipt whose image cannot be read for a long time loses no attempt by that", async () => {
  await start({ IMAGES_S3_PREFIX: "patient" }, { isWorking: false });
  const client = await service!.newClient();
  const userId = await client.enrol();
  const id = await acceptedReceipt(service!, client, { fields: formFor(userId) });
  s3.behave("busy");
  await service!.app.startWork();
  const asked = s3.requests.length;
  // Three attempts of two requests.
  await until(async () => s3.requests.length >= asked + 6);
  const attempts = { name: "test.attempts", text: "SELECT attempts FROM receipts WHERE id = $1" };
  s3.behave("serves");
  const read = await statusUntil<Status>(client, id, isRead);
  assert.notEqual(read.errorCode, "INTERNAL_ERROR");
  const [row] = await service!.database.query<{ attempts: number }>(attempts, [id]);
  assert.ok(row!.attempts <= 1, `${row!.attempts} attempts`);
});

test("an erasure while S3 is away keeps what it needs to remove the images later", async () => {
  const { database } = await start({ IMAGES_S3_PREFIX: "erased" }, { isWorking: false });
  const client = await service!.newClient();
  const userId = await client.enrol();
  for (const transactionId of ["a", "b"]) {
    await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId }) });
  }
  await s3.leave();
  const counted = { name: "test.receipts", text: "SELECT count(*)::int AS n FROM receipts" };
  try {
    assert.equal((await client.call("DELETE", `/users/${userId}`)).statusCode, 204);
    assert.deepEqual(await database.query(counted, []), [{ n: 2 }]);
    const env = settingsOf(service!, { IMAGES_S3_PREFIX: "erased" });
    const args = ["user", "erase", `--user-id=${userId}`];
    await assert.rejects(runCommand(database, args, { env }), /not all images: their store is away/);
  } finally {
    await s3.comeBack();
  }
  assert.equal((await imagesIn("erased")).length, 2);
  const { files, close } = await openedBy(service!, { IMAGES_S3_PREFIX: "erased" });
  const deps = { database, files, erasedReceiptDays: 0, now: () => new Date(), log: SILENT };
  assert.equal(await sweepErased(deps, new AbortController().signal), 1);
  close();
  assert.deepEqual([await imagesIn("erased"), await database.query(counted, [])], [[], [{ n: 0 }]]);
});

test("orphans are swept from the bucket after a day, images of receipts are not, nor those of others", async () => {
  const { database } = await start({ IMAGES_S3_PREFIX: "swept" }, { isWorking: false });
  const client = await service!.newClient();
  const kept = await acceptedReceipt(service!, client, { fields: formFor(await client.enrol()) });
  const { files, close } = await openedBy(service!, { IMAGES_S3_PREFIX: "swept" });
  const store = async (ageMs: number) => {
    const key = fileKey("receipts", uuidv7(Date.now() - ageMs, randomBytes(10)));
    const received = await files.receive(Readable.from([await picture()]), { bytesMax: 1_000_000 });
    assert.ok(received.kind === "ok");
    await files.put(key, received.path);
    rmSync(received.path);
    return key;
  };
  const [old, young] = [await store(2 * DAY_MS), await store(1_000)];
  const sweep = (at: number) => sweepImages({ database, files, now: () => new Date(at), log: SILENT });
  assert.equal(await sweep(Date.now()), 1);
  assert.ok(!(await files.has(old)) && (await files.has(young)));
  assert.equal(await sweep(Date.now() + 2 * DAY_MS), 1);
  const [only] = await imagesIn("swept");
  assert.ok(only!.endsWith(`${kept}.jpg`));
  close();

  const other = await openedBy(service!, { IMAGES_S3_PREFIX: "swept" }, randomBytes(32));
  await assert.rejects(
    sweepImages({ database, files: other.files, now: () => new Date(Date.now() + 9 * DAY_MS), log: SILENT }),
    (error) => error instanceof StorageMisconfigured && /IMAGES_S3_PREFIX/.test(error.message),
  );
  assert.equal((await imagesIn("swept")).length, 1);
  other.close();
});

test("images are moved to the bucket and back while uploads come, each readable at any time, none lost", async () => {
  const where = { IMAGES_S3_PREFIX: "moved" };
  const { database, dataDir } = await start({ ...where, IMAGES_STORE: "folder" }, { isWorking: false });
  const client = await service!.newClient();
  const userId = await client.enrol();
  const ids: string[] = [];
  const upload = async (to: TestService) =>
    ids.push(await acceptedReceipt(to, client, { fields: formFor(userId, { transactionId: `m${ids.length}` }) }));
  for (let i = 0; i < 6; i++) await upload(service!);
  const digests = async () => {
    const found = new Map<string, string>();
    for (const id of ids) found.set(id, await shownDigest(client, id));
    return found;
  };
  const wanted = await digests();
  const move = (to: "s3" | "folder", stopped?: AbortSignal) =>
    runCommand<{ images: number; left: number; isFinished: boolean }>(database, ["images", "move", `--to=${to}`], {
      env: settingsOf(service!, { ...where, IMAGES_STORE: to }),
      ...(stopped && { stopped }),
    });

  const env = settingsOf(service!, { ...where, IMAGES_STORE: "folder" });
  await assert.rejects(
    runCommand(database, ["images", "move", "--to=s3"], { env }),
    /set IMAGES_STORE=s3, and restart/,
  );
  const [none] = await move("s3", AbortSignal.abort());
  assert.deepEqual([none!.images, none!.isFinished], [0, false], "ended before its first image");

  // The service is not restarted yet: what it stores in the folder meanwhile is moved by the next call.
  const uploads = (async () => {
    for (let i = 0; i < 4; i++) await upload(service!);
  })();
  const [[moved]] = await Promise.all([move("s3"), uploads, digests()]);
  const [rest] = await move("s3");
  assert.equal(moved!.images + rest!.images, 10);
  assert.deepEqual(filesIn(dataDir), []);
  assert.equal((await imagesIn("moved")).length, 10);
  const after = await digests();
  for (const [id, digest] of wanted) assert.equal(after.get(id), digest);

  const [back] = await move("folder");
  assert.deepEqual([back!.images, await imagesIn("moved"), filesIn(dataDir).length], [10, [], 10]);
  assert.deepEqual(await digests(), after);
  assert.deepEqual(temporaryIn(dataDir), []);
});

test("an image whose user is erased while it is moved is in neither place", async () => {
  const where = { IMAGES_S3_PREFIX: "moved-erased" };
  const { database, dataDir } = await start({ ...where, IMAGES_STORE: "folder" }, { isWorking: false });
  const client = await service!.newClient();
  const { folder, bucket, close } = await openedBy(service!, where);
  for (const order of ["before its copy is stored", "after that"]) {
    const userId = await client.enrol();
    await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId: order }) });
    const put: FileStore["put"] = async (key, path) => {
      if (order === "after that") await bucket!.put(key, path);
      assert.equal((await client.call("DELETE", `/users/${userId}`)).statusCode, 204);
      if (order !== "after that") await bucket!.put(key, path);
    };
    const deps = { database, from: folder, to: { ...bucket!, put }, temporary: folder };
    const { images, failed } = await moveImages(deps, new AbortController().signal, () => {});
    assert.deepEqual([images, failed], [0, 0], order);
    assert.deepEqual([filesIn(dataDir), await imagesIn("moved-erased"), temporaryIn(dataDir)], [[], [], []], order);
  }
  close();
});

interface Saved {
  readonly images: number;
  readonly imagesMissing: number | null;
}

test("a back-up has the images of the bucket, and without them says so", async () => {
  const where = { IMAGES_S3_PREFIX: "saved" };
  const { database, dataDir } = await start(where, { isWorking: false });
  // What was uploaded in the last minutes may be missing in a back-up.
  service!.setClock(Date.now() - 3_600_000);
  const client = await service!.newClient();
  const userId = await client.enrol();
  const ids: string[] = [];
  for (const transactionId of ["a", "b", "c"]) {
    ids.push(await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId }) }));
  }
  const env = settingsOf(service!, where);
  const create = async (name: string, ...more: string[]) =>
    (await runCommand<Saved>(database, ["backup", "create", `--to=${join(dataDir, name)}`, ...more], { env }))[0]!;
  const restored = async (name: string, into: Record<string, string>, ...more: string[]) => {
    const { database: empty, drop } = await createTestDatabase();
    const settings = { ...s3.settings, DATA_DIR: join(dataDir, `of-${name}`), ...into };
    rmSync(settings.DATA_DIR, { recursive: true, force: true });
    const args = ["backup", "restore", `--from=${join(dataDir, name)}`, ...more];
    try {
      return (await runCommand<Saved>(empty, args, { env: settings }))[0]!;
    } finally {
      await drop();
    }
  };
  const summed = ({ images, imagesMissing }: Saved) => [images, imagesMissing];

  assert.deepEqual(summed(await create("saved")), [3, 0]);
  const names = await Promise.all(ids.map(async (id) => (await uploadOf(client, id)).blobName));
  const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  for (const [i, name] of names.entries()) {
    assert.equal(digest(join(dataDir, "saved/files", name)), await shownDigest(client, ids[i]!));
  }
  const list = readFileSync(join(dataDir, "saved/images.sha256"), "utf8").trim().split("\n");
  assert.deepEqual(
    list.toSorted(),
    names.map((name) => `${digest(join(dataDir, "saved/files", name))}  files/${name}`).toSorted(),
  );

  // Restored with a bucket of its own, or with none, they are in the folder.
  assert.deepEqual(summed(await restored("saved", { IMAGES_S3_PREFIX: "restored" })), [3, 0]);
  assert.equal(filesIn(join(dataDir, "of-saved")).length, 3);
  // One that is lost from the back-up, or changed, is not restored as if nothing were wrong.
  rmSync(join(dataDir, "saved/files", names[0]!));
  writeFileSync(join(dataDir, "saved/files", names[1]!), "something else");
  const refusal = /not whole: 2 of 3 images are missing or damaged \(receipts/;
  await assert.rejects(restored("saved", { IMAGES_S3_PREFIX: "restored" }), refusal);
  assert.equal(existsSync(join(dataDir, "of-saved")), false);
  assert.deepEqual(summed(await restored("saved", { IMAGES_S3_PREFIX: "restored" }, "--incomplete")), [2, 1]);
  rmSync(join(dataDir, "saved/images.sha256"));
  await assert.rejects(restored("saved", { IMAGES_S3_PREFIX: "restored" }), /not whole: 3 of 3 .*\(images.sha256\)/);

  // Without images: those of the bucket are used if the settings lead to it.
  assert.deepEqual(summed(await create("without", "--without-images")), [0, null]);
  assert.ok(!existsSync(join(dataDir, "without/files")));
  assert.equal(JSON.parse(readFileSync(join(dataDir, "without/manifest.json"), "utf8")).hasImages, false);
  assert.deepEqual(summed(await restored("without", where)), [0, 0]);
  assert.deepEqual(summed(await restored("without", { IMAGES_S3_PREFIX: "empty" })), [0, 3]);
  await s3.leave();
  try {
    assert.deepEqual(summed(await restored("without", where)), [0, null]);
  } finally {
    await s3.comeBack();
  }
});

test("what the bucket has lost or damaged is counted by a back-up, and while it is away there is none", async () => {
  const where = { IMAGES_S3_PREFIX: "half" };
  const { database, dataDir } = await start(where, { isWorking: false });
  service!.setClock(Date.now() - 3_600_000);
  const client = await service!.newClient();
  const userId = await client.enrol();
  for (const transactionId of ["a", "b", "c"]) {
    await acceptedReceipt(service!, client, { fields: formFor(userId, { transactionId }) });
  }
  const env = settingsOf(service!, where);
  const create = (name: string) =>
    runCommand<Saved>(database, ["backup", "create", `--to=${join(dataDir, name)}`], { env });
  await s3.leave();
  try {
    await assert.rejects(create("away"));
    assert.ok(!existsSync(join(dataDir, "away")), "half a back-up has no name that it could be restored by");
  } finally {
    await s3.comeBack();
  }
  const [lost, damaged] = await imagesIn("half");
  const images = await openedBy(service!, where);
  await images.bucket!.remove(lost!.slice("half/".length));
  images.close();
  s3.damage(damaged!);
  const [saved] = await create("half");
  assert.deepEqual([saved!.images, saved!.imagesMissing], [1, 2]);
});

test("cells of one database have prefixes of their own", () => {
  const prefixOf = (env: Record<string, string>) =>
    toConfig(readEnv({ DATABASE_URL: "postgres://x/y", IMAGES_S3_BUCKET: "b", ...env })).images.s3?.prefix;
  assert.equal(prefixOf({}), "");
  assert.equal(prefixOf({ DATABASE_SCHEMA: "north" }), "north/");
  assert.equal(prefixOf({ DATABASE_SCHEMA: "north", IMAGES_S3_PREFIX: "rewards/eu" }), "rewards/eu/north/");
});

async function openedBy({ database, dataDir }: TestService, env: Record<string, string>, key?: Uint8Array) {
  const config = toConfig(readEnv({ ...s3.settings, DATA_DIR: dataDir, ...env }));
  const own = key ?? (await installationKey(database));
  return openImages({ config, installationKey: own, log: SILENT, meters: NO_METERS });
}

async function uploadOf(client: Client, id: string): Promise<Status["receiptStatusDoc"]["uploadStateData"]> {
  return (await client.get<Status>(`/track/receipts/${id}/status`)).receiptStatusDoc.uploadStateData;
}

/** Opens the link of a receipt's image, wherever that is, and follows it. Returns the digest of what it shows. */
async function shownDigest(client: Client, id: string): Promise<string> {
  const { blobUrl } = await uploadOf(client, id);
  let bytes: Buffer;
  if (blobUrl!.startsWith(s3.endpoint)) bytes = await fetched(blobUrl!);
  else {
    const response = await service!.app.server.inject({
      method: "GET",
      url: new URL(blobUrl!).pathname + new URL(blobUrl!).search,
    });
    // Moved since the link was made.
    if (response.statusCode === 302) bytes = await fetched(String(response.headers.location));
    else {
      assert.equal(response.statusCode, 200, response.body);
      bytes = response.rawPayload;
    }
  }
  return createHash("sha256").update(bytes).digest("hex");
}

async function fetched(url: string): Promise<Buffer> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

async function ready(): Promise<{ status: string; images?: string }> {
  return (await service!.app.server.inject({ method: "GET", url: "/health/ready" })).json();
}

async function metric(name: string): Promise<number> {
  const headers = { authorization: "Bearer s3" };
  const { body } = await service!.app.server.inject({ method: "GET", url: "/metrics", headers });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1]);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isTrue()); await sleep(50)) assert.ok(Date.now() < deadline);
}

function mealOf(userId: string): object {
  const meal = { mealName: "Lentils", mealType: "lunch", loggedAt: new Date().toISOString() };
  return { ...meal, userId, transactionId: "meal", imageUrl: "https://example.org/a.jpg" };
}
