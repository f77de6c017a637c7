import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, suite, test } from "node:test";
import { createFiles, fileKey } from "../src/files.ts";
import type { FolderFiles } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import type { S3Settings } from "../src/images/s3/failure.ts";
import { createS3Store } from "../src/images/s3/store.ts";
import type { S3Store } from "../src/images/s3/store.ts";
import { NO_METERS } from "../src/meters.ts";
import { StorageMisconfigured } from "../src/storage-failures.ts";
import { startSwift, swiftIsMissing } from "./support/swift-server.ts";
import type { SwiftServer } from "./support/swift-server.ts";

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

suite("images in an S3 service of others", { skip: swiftIsMissing() }, () => {
  let swift: SwiftServer;
  let dir: string;
  let folder: FolderFiles;
  const opened: S3Store[] = [];
  before(async () => {
    swift = await startSwift();
    dir = mkdtempSync(join(tmpdir(), "rewards-swift-store-"));
    folder = createFiles({ dir });
  });
  after(async () => {
    for (const store of opened) store.close();
    await swift.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const storeWith = (settings: Partial<S3Settings> = {}, { owner = "us", secret = swift.secret } = {}): S3Store => {
    process.env["AWS_ACCESS_KEY_ID"] = swift.key;
    process.env["AWS_SECRET_ACCESS_KEY"] = secret;
    const { bucket, endpoint } = swift;
    const all = { bucket, endpoint, linkEndpoint: null, region: "us-east-1", prefix: "a/", ...settings };
    const store = createS3Store({ settings: all, temporary: folder, owner, log: SILENT, meters: NO_METERS });
    opened.push(store);
    return store;
  };
  const newKey = () => fileKey("receipts", uuidv7(Date.now(), randomBytes(10)));
  const temporary = (bytes: Buffer) => {
    const path = folder.temporaryPath();
    writeFileSync(path, bytes);
    return path;
  };

  test("it passes the check at the start, and what is wrong is said by its setting", async () => {
    await storeWith().check();
    const wrong = (names: RegExp, settings: Partial<S3Settings>, options = {}) =>
      assert.rejects(
        storeWith(settings, options).check(),
        (error) => error instanceof StorageMisconfigured && names.test(error.message),
      );
    await wrong(/IMAGES_S3_PREFIX/, {}, { owner: "another" });
    await wrong(/AWS_ACCESS_KEY_ID/, {}, { secret: "wrong" });
    await wrong(/IMAGES_S3_BUCKET/, { bucket: "absent" });
    await wrong(/IMAGES_S3_REGION/, { region: "eu-central-1" });
  });

  test("a picture of several megabytes is stored, found, listed, read and removed", async () => {
    const store = storeWith();
    const [key, bytes] = [newKey(), randomBytes(3_000_000)];
    assert.equal(await store.has(key), false);
    await store.put(key, temporary(bytes));
    assert.equal(await store.has(key), true);
    const borrowed = await store.borrow(key);
    assert.ok(bytes.equals(readFileSync(borrowed.path)));
    await borrowed.release();
    const keys: string[] = [];
    for await (const some of store.keysIn("receipts")) keys.push(...some);
    assert.deepEqual(keys, [key]);
    await store.remove(key);
    await store.remove(key);
    assert.equal(await store.has(key), false);
    const missing = await store.borrow(key);
    assert.ok(!existsSync(missing.path));
  });

  test("its links open the picture as what it is, without credentials, and nothing when they were changed", async () => {
    const store = storeWith();
    const [key, bytes] = [newKey(), randomBytes(1_000)];
    await store.put(key, temporary(bytes));
    const place = await store.placeOf(key, 300);
    assert.ok(place.kind === "at");
    const response = await fetch(place.url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "image/jpeg");
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())));
    const changed = new URL(place.url);
    changed.searchParams.set("response-content-type", "text/html");
    assert.equal((await fetch(changed)).status, 403);
    assert.equal((await fetch(`${swift.endpoint}/${swift.bucket}/a/${key}`)).ok, false);
    const brief = await store.placeOf(key, 1);
    assert.ok(brief.kind === "at");
    await sleep(2_500);
    assert.equal((await fetch(brief.url)).status, 403, "after its time");
  });
});
