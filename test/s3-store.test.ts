import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, beforeEach, test } from "node:test";
import { createFiles, fileKey } from "../src/files.ts";
import type { FolderFiles } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import type { S3Settings } from "../src/images/s3/settings.ts";
import type { Waits } from "../src/images/s3/calls.ts";
import { createS3Store } from "../src/images/s3/store.ts";
import type { S3Store } from "../src/images/s3/store.ts";
import { inTwoPlaces } from "../src/images/two-places.ts";
import { NO_METERS } from "../src/meters.ts";
import { StorageMisconfigured, StorageUnavailable } from "../src/storage-failures.ts";
import { refuse } from "./support/s3/front.ts";
import { startS3 } from "./support/s3/server.ts";
import type { S3Server } from "./support/s3/server.ts";

/** A tenth of the usual ones. */
const SHORT: Waits = {
  check: { attempts: 2, attemptMs: 400 },
  quick: { attempts: 1, attemptMs: 200 },
  small: { attempts: 3, attemptMs: 400 },
  transfer: { attempts: 2, attemptMs: 1_000 },
  awayMs: 1_000,
};
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let s3: S3Server;
let dir: string;
let folder: FolderFiles;
const opened: S3Store[] = [];
before(async () => {
  s3 = await startS3();
  dir = mkdtempSync(join(tmpdir(), "rewards-s3-store-"));
  folder = createFiles({ dir });
});
beforeEach(() => s3.behave("serves"));
after(async () => {
  for (const store of opened) store.close();
  await s3.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Opens the store with the credentials of the server, or with others. */
function storeWith(
  settings: Partial<S3Settings> = {},
  {
    owner = "us",
    secret = s3.settings["AWS_SECRET_ACCESS_KEY"]!,
    waits,
  }: { owner?: string; secret?: string; waits?: Waits } = {},
): S3Store {
  process.env["AWS_ACCESS_KEY_ID"] = s3.settings["AWS_ACCESS_KEY_ID"];
  process.env["AWS_SECRET_ACCESS_KEY"] = secret;
  const { bucket, endpoint } = s3;
  const all = { bucket, endpoint, linkEndpoint: null, region: "us-east-1", prefix: "", ...settings };
  const deps = { settings: all, temporary: folder, owner, log: SILENT, meters: NO_METERS };
  const store = createS3Store({ ...deps, ...(waits && { waits }) });
  opened.push(store);
  return store;
}

const newKey = () => fileKey("receipts", uuidv7(Date.now(), randomBytes(10)));

function temporary(bytes: Buffer): string {
  const path = folder.temporaryPath();
  writeFileSync(path, bytes);
  return path;
}

async function readFrom(store: Pick<S3Store, "borrow">, key: string): Promise<Buffer | null> {
  await using image = await store.borrow(key);
  return existsSync(image.path) ? readFileSync(image.path) : null;
}

test("what is put is there, byte by byte, until it is removed", async () => {
  const store = storeWith({ prefix: "a/b/" });
  const [key, bytes] = [newKey(), randomBytes(300_000)];
  assert.equal(await store.has(key), false);
  assert.equal(await readFrom(store, key), null);
  await store.put(key, temporary(bytes));
  assert.ok((await s3.objects()).includes(`a/b/${key}`));
  assert.equal(await store.has(key), true);
  assert.ok(bytes.equals((await readFrom(store, key))!));
  await store.remove(key);
  await store.remove(key);
  assert.equal(await store.has(key), false);
  assert.deepEqual(
    readdirSync(join(dir, "tmp")).length,
    1,
    "the file that was put is left to the caller, nothing else",
  );
});

test("a link opens the picture without credentials, as the type it is, and for its time alone", async () => {
  const store = storeWith();
  const [key, bytes] = [newKey(), randomBytes(1_000)];
  await store.put(key, temporary(bytes));
  const place = await store.placeOf(key, 300);
  assert.ok(place.kind === "at");
  const url = new URL(place.url);
  assert.equal(url.searchParams.get("X-Amz-Expires"), "300");
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "image/jpeg");
  assert.equal(response.headers.get("cache-control"), "private, no-store");
  assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())));
  for (const [name, value] of [
    ["response-content-type", "text/html"],
    ["X-Amz-Expires", "3000"],
  ] as const) {
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    assert.equal((await fetch(changed)).status, 403, name);
  }
  const unsigned = await fetch(`${s3.endpoint}/${s3.bucket}/${key}`);
  // AWS responds with 403, Swift with 400.
  assert.ok([400, 403].includes(unsigned.status), "without a signature");
  assert.ok(!bytes.equals(Buffer.from(await unsigned.arrayBuffer())));
  assert.deepEqual(await store.placeOf(newKey(), 300), { kind: "missing" });
});

test("an S3 that hangs, or stops within a picture, is away after a bounded time, and nothing is left on the disk", async () => {
  const [key, bytes] = [newKey(), randomBytes(100_000)];
  await storeWith().put(key, temporary(bytes));
  const files = readdirSync(join(dir, "tmp")).length;
  const away = (error: unknown) => error instanceof StorageUnavailable;
  const hasty = () => storeWith({}, { waits: SHORT });
  const startedMs = performance.now();
  s3.behave("hangs");
  const ended: string[] = [];
  const shown = (async () => {
    const place = await hasty().placeOf(key, 300);
    assert.equal(place.kind, "at", "a status has its link all the same");
    ended.push("shown");
  })();
  await Promise.all([
    shown,
    assert.rejects(hasty().check(), away),
    assert.rejects(hasty().has(key), away).then(() => ended.push("found")),
    assert.rejects(hasty().remove(key), away),
    assert.rejects(hasty().put(newKey(), temporary(bytes)), away),
    assert.rejects(readFrom(hasty(), key), away),
  ]);
  assert.deepEqual(ended, ["shown", "found"], "it does not wait for long");
  s3.behave("stalls");
  await assert.rejects(readFrom(hasty(), key), away);
  assert.ok(performance.now() - startedMs < 20_000);
  assert.equal(readdirSync(join(dir, "tmp")).length, files + 1, "the picture that was not put, nothing of a download");
});

test("when three calls in a row have failed the next fail at once, without a request, until S3 is back", async () => {
  const store = storeWith({}, { waits: SHORT });
  const key = newKey();
  await store.put(key, temporary(randomBytes(100)));
  s3.behave("busy");
  const startRequests = s3.requests.length;
  for (const _ of [1, 2, 3]) await assert.rejects(store.remove(key), StorageUnavailable);
  assert.equal(s3.requests.length - startRequests, 9, "each in three attempts");
  assert.ok(store.isAway() && inTwoPlaces(folder, store, "s3").isAway!());
  assert.ok(!inTwoPlaces(folder, store, "folder").isAway!(), "what is stored in the folder does not need it");
  for (const _ of [1, 2, 3]) await assert.rejects(store.remove(key), StorageUnavailable);
  assert.equal(s3.requests.length - startRequests, 9);
  s3.behave("serves");
  await sleep(SHORT.awayMs + 100);
  assert.ok(!store.isAway(), "one call asks");
  await store.remove(key);
  assert.equal(await store.has(key), false);
});

test("a missing right is not repeated, and is no missing image", async () => {
  const store = storeWith();
  s3.behave("denies");
  const startRequests = s3.requests.length;
  await assert.rejects(readFrom(store, newKey()), StorageUnavailable);
  assert.equal(s3.requests.length - startRequests, 1);
});

test("what is wrong with the bucket or the credentials is said by the name of the setting", async () => {
  const check = async (names: RegExp, settings: Partial<S3Settings>, options = {}) =>
    assert.rejects(
      storeWith(settings, options).check(),
      (error) =>
        error instanceof StorageMisconfigured &&
        names.test(error.message) &&
        !error.message.includes(s3.settings["AWS_SECRET_ACCESS_KEY"]!),
      String(names),
    );
  await storeWith().check();
  await check(/IMAGES_S3_PREFIX/, {}, { owner: "another installation" });
  await storeWith({ prefix: "another/" }, { owner: "another installation" }).check();
  await check(/AWS_ACCESS_KEY_ID.*SignatureDoesNotMatch/, {}, { secret: "wrong" });
  await check(/no bucket absent.*IMAGES_S3_BUCKET/, { bucket: "absent" });
  await check(/IMAGES_S3_ENDPOINT/, { endpoint: "http://s3.invalid" });
  await check(/IMAGES_S3_ENDPOINT/, { endpoint: s3.endpoint.replace("http:", "https:") });
  s3.behave("denies");
  await check(/may not list objects.*IMAGES_S3_BUCKET/, {});
  s3.behave("busy");
  await assert.rejects(storeWith().check(), StorageUnavailable, "it may be back in a moment");
  const page = createServer((_, response) => response.end("<html>hello"));
  await new Promise<void>((resolve) => {
    page.listen(0, "127.0.0.1", resolve);
  });
  await check(/IMAGES_S3_ENDPOINT/, { endpoint: `http://127.0.0.1:${(page.address() as AddressInfo).port}` });
  page.close();
  page.closeAllConnections();
});

test("an object whose bytes are not those that were stored is no image", async () => {
  const store = storeWith();
  const key = newKey();
  await store.put(key, temporary(randomBytes(100)));
  s3.damage(key);
  await assert.rejects(readFrom(store, key), /damaged/);
});

test("an image that its store takes away when it was sent damaged, as Swift does, is damaged and not missing", async () => {
  let sent = 0;
  const quarantining = createServer((_, response) => {
    if (++sent === 1) response.writeHead(200, { "x-amz-meta-sha256": "0".repeat(64) }).end("damaged");
    else refuse(response, 404, "NoSuchKey");
  });
  quarantining.listen(0, "127.0.0.1");
  await once(quarantining, "listening");
  const store = storeWith({ endpoint: `http://127.0.0.1:${(quarantining.address() as AddressInfo).port}` });
  try {
    const key = newKey();
    await assert.rejects(readFrom(store, key), /damaged/);
    assert.equal(sent, 2, "it was asked for again");
    assert.equal(await readFrom(store, key), null);
  } finally {
    quarantining.close();
    quarantining.closeAllConnections();
  }
});

test("an image is found in either place, and a borrowed one stays while it is moved", async () => {
  const bucket = storeWith({ prefix: "two/" });
  const [toBucket, toFolder] = [inTwoPlaces(folder, bucket, "s3"), inTwoPlaces(folder, bucket, "folder")];
  const [inBucket, inFolder] = [newKey(), newKey()];
  const [one, other] = [randomBytes(1_000), randomBytes(1_000)];
  await toBucket.put(inBucket, temporary(one));
  await toFolder.put(inFolder, temporary(other));
  assert.ok((await s3.objects()).includes(`two/${inBucket}`) && existsSync(folder.pathOf(inFolder)));
  for (const both of [toBucket, toFolder]) {
    assert.ok(one.equals((await readFrom(both, inBucket))!) && other.equals((await readFrom(both, inFolder))!));
    assert.equal((await both.placeOf(inBucket, 300)).kind, "at");
    assert.deepEqual(await both.placeOf(inFolder, 300), { kind: "here" });
    assert.deepEqual(await both.placeOf(newKey(), 300), { kind: "missing" });
    const keys: string[] = [];
    for await (const some of both.keysIn("receipts")) keys.push(...some);
    assert.deepEqual(keys.toSorted(), [inBucket, inFolder].toSorted());
  }
  const borrowed = await toBucket.borrow(inFolder);
  await folder.remove(inFolder);
  assert.ok(other.equals(readFileSync(borrowed.path)));
  await borrowed[Symbol.asyncDispose]();
  assert.ok(!existsSync(borrowed.path));
  await toBucket.remove(inBucket);
  assert.equal(await toBucket.has(inBucket), false);
});
