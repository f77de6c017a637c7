import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { createFiles, fileKey } from "../src/files.ts";
import type { FolderFiles } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import type { S3Settings } from "../src/images/s3/failure.ts";
import { createS3Store } from "../src/images/s3/store.ts";
import type { S3Store } from "../src/images/s3/store.ts";
import { inTwoPlaces } from "../src/images/two-places.ts";
import { NO_METERS } from "../src/meters.ts";
import { StorageMisconfigured, StorageUnavailable } from "../src/storage-failures.ts";
import { startS3 } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";

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
function storeWith(settings: Partial<S3Settings> = {}, { owner = "us", secret = "S3RVER" } = {}): S3Store {
  process.env["AWS_ACCESS_KEY_ID"] = s3.settings["AWS_ACCESS_KEY_ID"];
  process.env["AWS_SECRET_ACCESS_KEY"] = secret;
  const { bucket, endpoint } = s3;
  const all = { bucket, endpoint, linkEndpoint: null, region: "us-east-1", prefix: "", ...settings };
  const store = createS3Store({ settings: all, temporary: folder, owner, log: SILENT, meters: NO_METERS });
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
  const { path, release } = await store.borrow(key);
  try {
    return existsSync(path) ? readFileSync(path) : null;
  } finally {
    await release();
  }
}

test("what is put is there, byte by byte, until it is removed", async () => {
  const store = storeWith({ prefix: "a/b/" });
  const [key, bytes] = [newKey(), randomBytes(300_000)];
  assert.equal(await store.has(key), false);
  assert.equal(await readFrom(store, key), null);
  await store.put(key, temporary(bytes));
  assert.ok(s3.objects().includes(`a/b/${key}`));
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
  assert.equal((await fetch(`${s3.endpoint}/${s3.bucket}/${key}`)).status, 403, "without a signature");
  assert.deepEqual(await store.placeOf(newKey(), 300), { kind: "missing" });
});
